"""``python -m agents.play``: play in the browser, alone or against agents."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from agents.play.app import make_app
from agents.play.store import Store
from endeavor_env.errors import EndeavorError

HOST = "127.0.0.1"
app = typer.Typer(add_completion=False)


@app.command()
def main(
    seats: Annotated[list[str] | None, typer.Argument(help='"human" or an agent for each seat.')] = None,
    variant: Annotated[
        str, typer.Option(help="standard, exploits, solo, soloplay_2, soloplay_3, neutral_2.")
    ] = "standard",
    seed: Annotated[int | None, typer.Option(help="Seed of the set-up.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the games are kept.")] = Path("games"),
    hint_by: Annotated[str, typer.Option(help="The agent that hints.")] = "greedy",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page.")] = True,
) -> None:
    """Serve a page on this machine on which a game is played; with SEATS begin one at once."""
    token = secrets.token_urlsafe(16)
    try:
        store = Store(folder)
        begun = "#" + store.begin(seats, variant=variant, seed=seed) if seats else ""
    except EndeavorError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from error
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        address = f"http://{HOST}:{listening.getsockname()[1]}/?token={token}{begun}"
        typer.echo(f"Play at {address}\nGames are kept in {folder}; stop with Ctrl-C.")
        if browser:
            webbrowser.open(address)
        config = uvicorn.Config(make_app(store, token, hint_by), log_level="warning")
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    app()
