"""``endeavor compile``: make the machine code now, so that no later command has to wait for it."""

from __future__ import annotations

from typing import Annotated

import typer

from endeavor_env.agents.command_line import command_line

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    clear: Annotated[bool, typer.Option("--clear", help="First remove the machine code of other versions.")] = False,
) -> None:
    """Compile the kernels of the package to one library, unless that was done before."""
    with command_line():
        from endeavor_env.compile.command import main as compile_now

        status = compile_now(["--clear"] if clear else [])
    if status:
        raise typer.Exit(status)
