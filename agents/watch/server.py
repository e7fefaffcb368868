"""Serves the page of a running game on this machine until Ctrl-C."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from endeavor_env.agents.base import AgentOf, AnnotatingAgent
from endeavor_env.agents.local_page.serving import HOST, listening, needs_server_libraries, serve_until_interrupted
from endeavor_env.agents.terminal import print_line
from endeavor_env.agents.watch.live_game import LiveGame
from endeavor_env.endeavor.game import Game
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.web import AUTOMATIC


def serve_game(
    game: Game | AnyGame,
    agents: Sequence[AgentOf[Any]],
    *,
    delay: float,
    theme: str = AUTOMATIC,
    annotator: AnnotatingAgent | None = None,
    port: int = 0,
    browser: bool = True,
) -> Game | AnyGame:
    """Let agents play a game, and serve a page that follows it, until Ctrl-C; return the game as it is then.

    Args:
        game: The game at its first decision, which stays as it is.
        agents: The agent of each seat.
        delay: Seconds from one move to the next, at least.
        theme: "light", "dark", or "auto" for that of the reader's system.
        annotator: An agent whose notes on positions of Endeavor the page shows; None for none.
        port: The port; 0 takes a free one.
        browser: Whether to open the page in the browser.

    Raises:
        MissingLibraryError: Starlette or uvicorn is not installed.
        InvalidOptionError: The port or the theme is not possible.
    """
    with needs_server_libraries("watching in the browser"):
        from endeavor_env.agents.watch.app import make_app
    live = LiveGame(game, agents, delay, theme, annotator)
    with listening(port) as socket:
        token = secrets.token_urlsafe(16)
        address = f"http://{HOST}:{socket.getsockname()[1]}/?token={token}"
        print_line(f"Watch at {address}")
        print_line("Ctrl-C stops the server.")
        live.start()
        try:
            serve_until_interrupted(make_app(live, token), socket, address, browser)
        finally:
            live.stop()
    return live.game
