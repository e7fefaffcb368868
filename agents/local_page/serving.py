"""Serves an application on this machine alone, until Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import socket
import webbrowser
from collections.abc import Iterator
from typing import Any

from endeavor_env.agents.terminal import print_line
from endeavor_env.errors import InvalidOptionError, MissingLibraryError

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
