"""Applications behind local pages: what looks at each request, and answers in one sentence when something is wrong.

The guard stands in front of the whole application, so that nothing is read and no address is told apart without the
token.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import html
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from endeavor_env.agents.local_page import RefusedError
from endeavor_env.basics.files import parse_json
from endeavor_env.errors import EndeavorError

# --- Answers: JSON to programs, and to a person who opens an address a page to read -----------------------------------

_STYLE = """
:root { color-scheme: light dark; }
body { max-width: 34em; margin: 12vh auto 0; padding: 0 20px; font: 17px/1.5 system-ui, Helvetica, sans-serif; }
h1 { font-size: 22px; }
"""
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Endeavor: not shown</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main>
<h1>This page cannot be shown</h1>
<p role="alert">{sentence}</p>
<p>{advice}</p>
</main>
</body>
</html>
"""
_ADVICE = {
    403: "Go to the terminal in which the command runs and open the address that it printed, from http:// to the last "
    "character. If the command has ended, start it again: games are kept in files, and none is lost.",
    404: "Go back, or open the address that the command printed in its terminal: it leads to the list of games.",
}
_USUAL_ADVICE = "Go back and try again. What the server had to say stands above; its terminal may say more."
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'"


def json_answer(value: Mapping[str, object], status: int = 200) -> Response:
    """Return an answer in ASCII, whatever characters the request had."""
    return Response(json.dumps(value, separators=(",", ":")), status, media_type="application/json")


def refusal(headers: Headers, sentence: str, status: int) -> Response:
    """Return an answer that says in one sentence what is wrong.

    Args:
        headers: Those of the request: a browser that opens an address asks for a page, and a script for JSON.
        sentence: What is wrong.
        status: The status of the answer.
    """
    if "text/html" not in headers.get("accept", ""):
        return json_answer({"error": sentence}, status)
    said = html.escape(f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}.")
    page = _PAGE.format(style=_STYLE, sentence=said, advice=_ADVICE.get(status, _USUAL_ADVICE))
    written = page.encode("utf-8", "backslashreplace")  # a request can bring halves of characters
    return HTMLResponse(written, status, headers={"Content-Security-Policy": _POLICY})


# --- The guard: where a request comes from, its token, and the size of its body ---------------------------------------

LARGEST_BODY = 8_192
"""Bytes of a request, other than one that brings a game."""
LARGEST_FILE = 2_000_000
"""Bytes of a request that brings a game; the record of a long game has some twenty thousand."""
READING = 10.0
"""Seconds within which a body must have come."""
_HOST = re.compile(r"(127\.0\.0\.1|localhost)(:[0-9]{1,5})?")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of all answers that do not set them themselves."""


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, token: str, files: Callable[[str], bool]) -> None:
        """Wrap an application.

        Args:
            app: The application.
            token: What every request must carry, in the query or in the header X-Token.
            files: Whether requests to a path bring the file of a game.
        """
        self._app, self._token, self._files = app, token.encode(), files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                added = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *(pair for pair in added if pair[0] not in given)]
            await send(message)

        try:
            self._check(scope)
            body = await self._body(scope, receive)
        except RefusedError as error:
            answer = refusal(Headers(scope=scope), str(error), error.status)
            await answer(scope, receive, send_with_headers)
            return
        await self._app(scope, _replay(body, receive), send_with_headers)

    def _check(self, scope: Scope) -> None:
        """Refuse what another site's page or another machine asks for, and what has not the token."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not _HOST.fullmatch(host):
            raise RefusedError(403, "only this machine is served: use the address that the command printed")
        if origin is not None and origin != f"http://{host}":
            raise RefusedError(403, "requests of the pages of other sites are refused")
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = headers.get("x-token") or query.get("token", [""])[0]
        if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._token):
            raise RefusedError(403, "the token is wrong or missing: open the address that the command printed")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Return the whole body of a request; refuse one that is too large, however its size is given, or too slow."""
        most = LARGEST_FILE if self._files(scope["path"]) else LARGEST_BODY
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            raise RefusedError(400, "the Content-Length is no number")
        too_large = RefusedError(413, f"the body is too large: at most {most:,} bytes are read")
        if len(length) > 12 or int(length) > most:
            raise too_large
        body = b""
        try:
            async with asyncio.timeout(READING):
                while True:
                    message = await receive()
                    body += message.get("body", b"")
                    if len(body) > most:
                        raise too_large
                    if not message.get("more_body", False):
                        return body
        except TimeoutError:
            raise RefusedError(408, f"the body did not come within {READING:.0f} seconds") from None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that hands out a body which was read already, then what comes after it."""
    left = [body]

    async def replayed() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return replayed


# --- The application: addresses, and the work behind each -------------------------------------------------------------

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
