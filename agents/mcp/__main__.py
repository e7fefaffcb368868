"""``endeavor mcp``: let a chat program play, over the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.extras import check_libraries

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65_535, help="Serve http://127.0.0.1:PORT/mcp instead of standard input and output."),
    ] = None,
) -> None:
    """Let a chat program play against agents, over the Model Context Protocol.

    Chat programs start this command by themselves: give them "endeavor" as the command and "mcp" as its argument.
    """
    with command_line():
        check_libraries("mcp", "mcp")
        from endeavor_env.agents.mcp.server import make_server

        server = make_server()
        if port is None:
            server.run("stdio")
        else:
            server.run("streamable-http", port=port)


if __name__ == "__main__":
    start(app)
