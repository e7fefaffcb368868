"""Applications behind local pages: every address answers in one sentence when something is wrong."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from endeavor_env.agents.local_page import RefusedError
from endeavor_env.agents.local_page.answers import json_answer, refusal
from endeavor_env.agents.local_page.guard import Guard
from endeavor_env.basics.files import parse_json
from endeavor_env.errors import EndeavorError

Work = Callable[[Request, dict[str, Any]], dict[str, Any] | Response]
"""Handler of an address: takes the request and its JSON object, returns the answer."""
Statuses = Sequence[tuple[type[EndeavorError], int]]
"""The status of each kind of error, the first that fits."""
_LOG = logging.getLogger("endeavor_env.local_page")


def make_application(
    addresses: Sequence[tuple[str, str, Work]],
    token: str,
    *,
    statuses: Statuses = ((EndeavorError, 400),),
    files: Callable[[str], bool] = lambda path: False,
) -> Starlette:
    """Return an application.

    Args:
        addresses: Method, path and work of each address. Work is done in a thread; RefusedError and EndeavorError
            become answers.
        token: What every request must carry, in the query or in the header X-Token.
        statuses: The status of each kind of EndeavorError.
        files: Whether requests to a path bring the file of a game, which may be larger than others.
    """
    app = Starlette(
        routes=[Route(path, _endpoint(work, statuses), methods=[method]) for method, path, work in addresses],
        middleware=[Middleware(Guard, token=token, files=files)],  # type: ignore[arg-type]
        exception_handlers={404: _no_such_address, 405: _wrong_method},
    )
    app.router.redirect_slashes = False
    return app


def _endpoint(work: Work, statuses: Statuses) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that does its work in a thread, and answers in one sentence when something is wrong."""

    async def endpoint(request: Request) -> Response:
        try:
            body = _object(request, await request.body()) if request.method == "POST" else {}
            done = await run_in_threadpool(work, request, body)
        except RefusedError as error:
            return refusal(request.headers, str(error), error.status)
        except EndeavorError as error:
            status = next(status for kind, status in statuses if isinstance(error, kind))
            return refusal(request.headers, str(error), status)
        except Exception:
            _LOG.exception("%s %s failed", request.method, request.url.path)
            return refusal(request.headers, "the server failed: its terminal says why; the game is as it was", 500)
        return done if isinstance(done, Response) else json_answer(done)

    return endpoint


def _object(request: Request, body: bytes) -> dict[str, Any]:
    """Return the JSON object that a request brings; raise RefusedError for anything else."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RefusedError(415, "the body must be JSON: send Content-Type: application/json")
    try:
        value = parse_json(body)
    except ValueError as problem:
        raise RefusedError(400, f"the body must be a JSON object: {problem}") from problem
    if not isinstance(value, dict):
        raise RefusedError(400, "the body must be a JSON object")
    return value


async def _no_such_address(request: Request, error: Exception) -> Response:
    return refusal(request.headers, "there is no such address", 404)


async def _wrong_method(request: Request, error: Exception) -> Response:
    answer = refusal(request.headers, "this address does not take such requests", 405)
    if isinstance(error, HTTPException):
        answer.headers.update(error.headers or {})
    return answer
