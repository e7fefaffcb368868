"""Looks at each request before it is answered: where it comes from, its token, and the size of its body.

It stands in front of the whole application, so that nothing is read and no address is told apart without the token.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Callable
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from endeavor_env.agents.local_page import RefusedError
from endeavor_env.agents.local_page.answers import refusal

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
