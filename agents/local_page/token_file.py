"""The token of a local page, kept in a file that only the user may read, so that open tabs outlive a restart.

The file also has the port: a tab finds the server again only where it was.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import stat
from pathlib import Path
from typing import NamedTuple

from endeavor_env.errors import InvalidOptionError

ANY_PORT = 0
MOST_BYTES = 1_000
"""Size of the largest file that is read; ours have less than a hundred bytes."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_HAS_OWNERS = os.name == "posix"


class Access(NamedTuple):
    """The address and the secret by which a tab reaches the server."""

    token: str
    port: int
    """Port on which the page was last served; ANY_PORT before the first time."""


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
