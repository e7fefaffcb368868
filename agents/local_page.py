"""Pages that only this machine can open: who may ask, what is answered, and the server."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import errno
import hashlib
import hmac
import html
import json
import logging
import os
import re
import secrets
import socket
import stat
import webbrowser
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
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

from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.files import parse_json
from endeavor_env.errors import EndeavorError, InvalidOptionError, MissingLibraryError

# --- Requests that are refused; no server is needed to say so --------------------------------------------------------


class RefusedError(Exception):
    """A request that is not answered, with its status and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        """Keep both."""
        super().__init__(sentence)
        self.status = status

    def __reduce__(self) -> tuple[type[RefusedError], tuple[int, str]]:
        """Pickle the arguments."""
        return type(self), (self.status, str(self))


# --- Answers of local pages: JSON to programs, and to a person who opens an address a page to read -------------------

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


# --- Looks at each request before it is answered: where it comes from, its token, and the size of its body -----------
# It stands in front of the whole application, so that nothing is read and no address is told apart without the token.

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


# --- The token of a local page, kept in a file that only the user may read, so that open tabs outlive a --------------
# The file also has the port: a tab finds the server again only where it was.

ANY_PORT = 0
MOST_BYTES = 1_000
"""Size of the largest file that is read; ours have less than a hundred bytes."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_HAS_OWNERS = os.name == "posix"


class Access(NamedTuple):
    """What a tab needs to reach the server."""

    token: str
    port: int
    """Where the page was served last; ANY_PORT before the first time."""


def read_access(file: Path) -> Access:
    """Return the token and the port of a file, or a new token and ANY_PORT if there is no file.

    Raises:
        InvalidOptionError: The file belongs to somebody else, others may read or change it, or it holds no token.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except (FileNotFoundError, NotADirectoryError):
        return Access(secrets.token_urlsafe(16), ANY_PORT)
    except OSError as error:
        raise _refusal(file, f"cannot be read ({error.strerror or error})") from error
    with os.fdopen(descriptor, "rb") as opened:
        _check_private(file, os.fstat(opened.fileno()))
        try:
            return _access_of(opened.read(MOST_BYTES + 1))
        except (OSError, ValueError, RecursionError) as error:
            raise _refusal(file, "holds no token") from error


def write_access(file: Path, access: Access) -> None:
    """Write token and port in one step, to a file that only the user may read.

    Raises:
        InvalidOptionError: The file cannot be written.
    """
    partial = file.with_name(f"{file.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(json.dumps(access._asdict()) + "\n")
        os.replace(partial, file)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise InvalidOptionError(
            f"the token of the page cannot be kept in {file}: {error.strerror or error}; give another --folder"
        ) from error


def _check_private(file: Path, found: os.stat_result) -> None:
    """Refuse a file that others could have read or written; where files have no owners, only one that is none."""
    if not stat.S_ISREG(found.st_mode):
        raise _refusal(file, "is no plain file")
    if _HAS_OWNERS and found.st_uid != os.getuid():
        raise _refusal(file, "belongs to another user")
    if _HAS_OWNERS and found.st_mode & _OTHERS:
        raise _refusal(file, f"is open to other users (mode {stat.S_IMODE(found.st_mode):04o}, it must be 0600)")


def _access_of(content: bytes) -> Access:
    """Return what the content of a file says; raise ValueError for anything but a token and a port."""
    kept = json.loads(content) if len(content) <= MOST_BYTES else None
    token, port = (kept.get("token"), kept.get("port")) if isinstance(kept, dict) else (None, None)
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise ValueError("no token")
    if type(port) is not int or not 0 <= port <= 65_535:
        raise ValueError("no port")
    return Access(token, port)


def _refusal(file: Path, why: str) -> InvalidOptionError:
    return InvalidOptionError(
        f"{file} keeps the token of the page and {why}: delete it, and the next start makes a new one"
    )


# --- Applications behind local pages: every address answers in one sentence when something is wrong ------------------

Work = Callable[[Request, dict[str, Any]], dict[str, Any] | Response]
"""What an address does: from the request and the JSON object that it brings to an answer."""
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


# --- Serves an application on this machine alone, until Ctrl-C -------------------------------------------------------

HOST = "127.0.0.1"


@contextlib.contextmanager
def needs_server_libraries(what: str) -> Iterator[None]:
    """Raise MissingLibraryError, about ``what``, where an import inside finds no Starlette or uvicorn."""
    try:
        import uvicorn  # noqa: F401

        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("starlette", "uvicorn"):
            raise
        raise MissingLibraryError(
            f"{what} needs {missing}: install it with pip install 'endeavor-env[play]'"
        ) from error


@contextlib.contextmanager
def listening(port: int, wished: int = 0) -> Iterator[socket.socket]:
    """Return a socket on which this machine alone can connect.

    Args:
        port: The port; 0 takes ``wished``, or a free one if another program uses that.
        wished: Where tabs that are still open look for the server; 0 for nowhere.

    Raises:
        InvalidOptionError: The port is not possible.
    """
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            if port or not _bound(listening, wished):
                listening.bind((HOST, port))
        except (OSError, OverflowError) as error:
            why = (
                "another program uses it" if getattr(error, "errno", 0) == errno.EADDRINUSE else str(error).rstrip(".")
            )
            raise InvalidOptionError(
                f"port {port} is not possible: {why}; give another, or 0 for a free one"
            ) from error
        listening.listen()
        yield listening


def _bound(listening: socket.socket, port: int) -> bool:
    """Bind a socket to a port and return whether that was possible; 0 is no port."""
    with contextlib.suppress(OSError):
        if port:
            listening.bind((HOST, port))
            return True
    return False


def serve_until_interrupted(app: Any, listening: socket.socket, address: str, browser: bool) -> None:
    """Serve an application until Ctrl-C, and open its page if ``browser`` says so.

    Args:
        app: A Starlette application.
        listening: Where it is served; of ``listening``.
        address: The address of its page.
        browser: Whether to open the page in the browser.
    """
    import uvicorn

    if browser:
        webbrowser.open(address)
    config = uvicorn.Config(
        app, log_level="warning", ws="none", lifespan="off", server_header=False, timeout_graceful_shutdown=1
    )
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises it again after it has closed its connections
        uvicorn.Server(config).run(sockets=[listening])
    print_line("Stopped.")
