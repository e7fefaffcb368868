"""The local server of the page: every request needs the token, and nothing but this machine is served."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from importlib import resources
from typing import Any

from starlette.applications import Starlette
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from agents.play.session import StaleMoveError
from agents.play.shown import shown_session
from agents.play.store import Store, UnknownGameError
from endeavor_env.errors import EndeavorError

LARGEST_BODY = 4_096
"""Bytes that a request may have."""
LOCAL = ("127.0.0.1", "localhost")
_FILES = resources.files("agents.play")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:"


class RefusedError(Exception):
    """A request that is not answered, with its status and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        """Keep both."""
        super().__init__(sentence)
        self.status = status


def make_app(store: Store, token: str, hint_by: str) -> Starlette:
    """Return the application.

    Args:
        store: The games.
        token: What every request must carry, in the query or in the header X-Token.
        hint_by: The agent that hints.
    """
    routes = [
        Route("/", _page, methods=["GET"]),
        Route("/games", _answer(lambda _, __: {"games": store.games()}), methods=["GET"]),
        Route("/games", _answer(lambda _, body: {"name": store.begin(**_new_game(body))}), methods=["POST"]),
        Route("/games/{name}", _answer(lambda request, _: _state(store, request)), methods=["GET"]),
        Route("/games/{name}/play", _answer(lambda request, body: _play(store, request, body)), methods=["POST"]),
        Route("/games/{name}/undo", _answer(lambda request, body: _undo(store, request, body)), methods=["POST"]),
        Route("/games/{name}/hint", _answer(lambda request, _: _hint(store, request, hint_by)), methods=["POST"]),
        Route("/games/{name}/record", _answer(lambda request, _: _session(store, request).game.record())),
    ]
    app = Starlette(routes=routes)
    app.add_middleware(BaseHTTPMiddleware, dispatch=_guard(token))
    return app


def _guard(token: str) -> Callable[..., Any]:
    """Return what looks at each request before it is answered."""

    async def guard(request: Request, answer: Callable[..., Any]) -> Response:
        try:
            _check_origin(request)
            given = request.headers.get("x-token") or request.query_params.get("token", "")
            if not hmac.compare_digest(given.encode(), token.encode()):
                raise RefusedError(403, "the token is wrong or missing: open the address that the command printed")
            if request.method == "POST":
                await _check_body(request)
        except RefusedError as error:
            return JSONResponse({"error": str(error)}, error.status)
        response = await answer(request)
        response.headers["Content-Security-Policy"] = _POLICY
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    return guard


def _check_origin(request: Request) -> None:
    """Refuse requests that a page of another site makes, or that came by another name of this machine."""
    if request.url.hostname not in LOCAL:
        raise RefusedError(403, "only this machine is served: use the address that the command printed")
    origin = request.headers.get("origin")
    if origin is not None and origin != f"{request.url.scheme}://{request.url.netloc}":
        raise RefusedError(403, "requests of other sites are refused")


async def _check_body(request: Request) -> None:
    """Refuse a body that is too large, or no JSON object."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise RefusedError(415, "the body must be JSON: send Content-Type: application/json")
    size = request.headers.get("content-length", "")
    if not size.isdigit() or int(size) > LARGEST_BODY:
        raise RefusedError(413, f"the body must say its length, and have at most {LARGEST_BODY} bytes")


def _answer(work: Callable[[Request, dict[str, Any]], dict[str, Any]]) -> Callable[..., Any]:
    """Return an endpoint that answers with JSON, also when something is wrong."""

    async def endpoint(request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        try:
            body = _object(await request.body()) if request.method == "POST" else {}
            return JSONResponse(await run_in_threadpool(work, request, body))
        except RefusedError as error:
            return JSONResponse({"error": str(error)}, error.status)
        except UnknownGameError as error:
            return JSONResponse({"error": str(error)}, 404)
        except StaleMoveError as error:
            return JSONResponse({"error": str(error)}, 409)
        except EndeavorError as error:
            return JSONResponse({"error": str(error)}, 400)

    return endpoint


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise RefusedError(400, "the body must be a JSON object")
    return value


async def _page(request: Request) -> Response:
    del request
    page = (_FILES / "play.html").read_text(encoding="utf-8")
    for name in ("play.css", "play.js"):
        page = page.replace(f"{{{name}}}", (_FILES / name).read_text(encoding="utf-8"))
    return HTMLResponse(page)


def _session(store: Store, request: Request) -> Any:
    return store.session(request.path_params["name"])


def _state(store: Store, request: Request) -> dict[str, Any]:
    theme = "dark" if request.query_params.get("theme") == "dark" else "light"
    return shown_session(_session(store, request), theme)


def _play(store: Store, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    number, move = body.get("number"), body.get("move")
    if not isinstance(number, int) or not isinstance(move, str):
        raise RefusedError(400, 'a move needs "number", how many moves were made, and "move", in words')
    _session(store, request).play(number, move)
    return _state(store, request)


def _undo(store: Store, request: Request, body: dict[str, Any]) -> dict[str, Any]:
    number = body.get("number")
    if not isinstance(number, int):
        raise RefusedError(400, 'taking back needs "number", how many moves were made')
    _session(store, request).undo(number)
    return _state(store, request)


def _hint(store: Store, request: Request, hint_by: str) -> dict[str, Any]:
    return {"move": _session(store, request).hint(hint_by)}


def _new_game(body: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a new game."""
    seats, seed, exploits = body.get("seats"), body.get("seed"), body.get("exploits")
    variant = body.get("variant", "standard")
    if not isinstance(seats, list) or not all(isinstance(name, str) for name in seats):
        raise RefusedError(400, 'a new game needs "seats": a list of "human" and names of agents')
    if seed is not None and not isinstance(seed, int):
        raise RefusedError(400, '"seed" must be a whole number')
    return {"seats": seats, "seed": seed, "variant": variant, "exploits": exploits or None}
