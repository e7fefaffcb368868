"""The page of a running game: its application, and the server on this machine."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.local_page.application import Work, make_application
from endeavor_env.agents.local_page.refused import RefusedError
from endeavor_env.agents.local_page.serving import HOST, listening, needs_server_libraries, serve_until_interrupted
from endeavor_env.agents.noting import Noting
from endeavor_env.agents.terminal import print_line
from endeavor_env.agents.watch.live_game import LiveGame
from endeavor_env.endeavor.game import Game
from endeavor_env.engine.game import RailsGame
from endeavor_env.web import AUTOMATIC, film_page, page_policy

# --- The application behind the page of a running game ---------------------------------------------------------------

_POLICY = f"{page_policy(asks=True)}; frame-ancestors 'none'"
"""The page may run its own script, and ask this server for the rest of the game."""


def make_app(live: LiveGame, token: str) -> Starlette:
    """Return the application for a game; ``token`` is what every request must carry."""

    def page(request: Request, body: dict[str, Any]) -> Response:
        """Return the page, with the game as far as it has come."""
        text = film_page(live.part(0), live.theme, live.title(), f"film?token={token}&known=")
        return HTMLResponse(text, headers={"Content-Security-Policy": _POLICY})

    def film(request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Return the part of the film that the page does not have."""
        known = request.query_params.get("known", "0")
        if not (known.isascii() and known.isdecimal() and len(known) < 7):
            raise RefusedError(400, '"known" must be the number of pictures that the page has')
        return live.part(int(known))

    def record(request: Request, body: dict[str, Any]) -> Response:
        """Return the record of the game so far as a file."""
        headers = {"Content-Disposition": 'attachment; filename="game.json"'}
        return Response(json.dumps(live.record(), indent=1) + "\n", media_type="application/json", headers=headers)

    addresses: list[tuple[str, str, Work]] = [("GET", "/", page), ("GET", "/film", film), ("GET", "/record", record)]
    return make_application(addresses, token)


# --- Serves the page of a running game on this machine until Ctrl-C --------------------------------------------------


def serve_game(
    game: Game | RailsGame,
    agents: Sequence[AgentOf[Any]],
    *,
    delay: float,
    theme: str = AUTOMATIC,
    noting: Noting | None = None,
    port: int = 0,
    browser: bool = True,
) -> Game | RailsGame:
    """Let agents play a game, and serve a page that follows it, until Ctrl-C; return the game as it is then.

    Args:
        game: The game at its first decision, which stays as it is.
        agents: The agent of each seat.
        delay: Seconds from one move to the next, at least.
        theme: "light", "dark", or "auto" for that of the reader's system.
        noting: An agent whose thoughts of positions of Endeavor the page shows; None for none.
        port: The port; 0 takes a free one.
        browser: Whether to open the page in the browser.

    Raises:
        MissingLibraryError: Starlette or uvicorn is not installed.
        InvalidOptionError: The port or the theme is not possible.
    """
    with needs_server_libraries("watching in the browser"):
        pass
    live = LiveGame(game, agents, delay, theme, noting)
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
