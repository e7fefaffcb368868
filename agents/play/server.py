"""Serves the page on this machine until Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from endeavor_env.agents.local_page.serving import HOST, listening, needs_server_libraries, serve_until_interrupted
from endeavor_env.agents.local_page.token_file import Access, read_access, write_access
from endeavor_env.agents.play.advice import USUAL
from endeavor_env.agents.play.session import Session
from endeavor_env.agents.play.store import GameStore, sole_use
from endeavor_env.agents.registry import make_agent
from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.inputs import one_of
from endeavor_env.endeavor.ensure import ensure_compiled

THEMES = ("auto", "light", "dark")
TOKEN = "play.token"
"""The file, in the folder of the games, that lets open tabs outlive a restart."""


def serve(
    begin: Callable[[], Session | None],
    *,
    folder: Path = Path("games"),
    hint_by: str = USUAL,
    port: int = 0,
    browser: bool = True,
    theme: str = "auto",
) -> None:
    """Serve the page on which games are played, until Ctrl-C; everything is checked before anything is written.

    Args:
        begin: Returns the game that begins at once, kept nowhere yet; None if the page begins with the list of games.
        folder: Where games are kept, a file each; made if it is missing.
        hint_by: The agent that hints until the page chooses another.
        port: The port; 0 takes that of the last time in this folder, or a free one.
        browser: Whether to open the page in the browser.
        theme: "auto", "light" or "dark".

    Raises:
        MissingLibraryError: Starlette or uvicorn is not installed.
        EndeavorError: The game, an agent, the port, the folder, its token or the theme is not possible.
    """
    with needs_server_libraries("playing in the browser"):
        from endeavor_env.agents.play.app import make_app
    one_of("theme", theme, THEMES)
    make_agent(hint_by)
    first = begin()
    if first is None:
        ensure_compiled()  # before the page is there, where minutes without an answer would look like a fault
    token, last_port = read_access(folder / TOKEN)
    with listening(port, last_port) as socket, sole_use(folder):
        store, now_port = GameStore(folder), socket.getsockname()[1]
        write_access(folder / TOKEN, Access(token, now_port))
        begun = f"#{store.add(first)}" if first else ""
        address = f"http://{HOST}:{now_port}/?token={token}{begun}"
        print_line(f"Play at {address}")
        print_line(f"Games are kept in {folder}; Ctrl-C stops the server.")
        serve_until_interrupted(make_app(store, token, hint_by, theme), socket, address, browser)
