"""The application behind the page of a running game."""

from __future__ import annotations

import json
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from endeavor_env.agents.local_page import RefusedError
from endeavor_env.agents.local_page.application import Work, make_application
from endeavor_env.agents.watch.live_game import LiveGame
from endeavor_env.web import film_page, page_policy

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
