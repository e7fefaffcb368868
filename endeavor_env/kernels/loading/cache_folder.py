"""Files of machine code: a folder named by a hash of the sources, whose files no other user can write.

Machine code is run as it is read. So each file is checked after it was opened: it is no link, it belongs to this user
or to root, no other user can write it, and it ends in the digest of what it holds. The same holds for the folder, and
no other user can write a folder above it. What is made here has fixed rights, whatever the umask. A folder that this
user cannot write either, such as one in a container image, is read; what it lacks is made for one process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from endeavor_env.kernels.switches import BOUNDSCHECK, POISON_STACK

PACKAGE = Path(__file__).resolve().parents[2]
PACKAGED = PACKAGE / "kernels" / "libraries"
"""The libraries that came with the package."""
ROOMS = ("checks", "exploits", "flow", "interface", "learning", "observe", "players", "rules", "variants")
"""Folders of a game that hold its kernels."""
USE = "kernels/loading"
"""The folder of sources that only find, load and call machine code."""
VARIABLE = "ENDEAVOR_ENV_CACHE_DIR"
DIGEST_SIZE = 32
"""Bytes of the SHA-256 of all before, in which every file ends."""
_BINARY, _NO_LINK = getattr(os, "O_BINARY", 0), getattr(os, "O_NOFOLLOW", 0)


def say(message: str) -> None:
    """Print a line on stderr, in one piece, because several processes may print at the same time."""
    print(f"endeavor_env: {message}\n", end="", file=sys.stderr, flush=True)


say_once = functools.cache(say)
"""Print a line on stderr, unless this process has printed it before."""


def kernel_folders() -> list[str]:
    """Return the folders of the package whose sources make the machine code what it is, every game's included."""
    games = sorted(path.name for path in PACKAGE.iterdir() if (path / "rules" / "parts.py").is_file())
    rooms = [f"{game}/{room}" for game in games for room in ROOMS]
    return [*filter(lambda folder: os.path.isdir(f"{PACKAGE}/{folder}"), rooms), "engine/kernels", "kernels"]


def kernel_sources() -> list[str]:
    """Return every source file of kernels, in the same order wherever the package is."""
    walks = (walk for folder in kernel_folders() for walk in os.walk(f"{PACKAGE}/{folder}"))
    found = (f"{folder}/{name}" for folder, _, names in walks if not folder.endswith(USE) for name in names)
    return sorted(name for name in found if name.endswith(".py"))


@functools.cache
def version_hash() -> str:
    """Return 16 hex digits that change with the sources of kernels, and with what is checked while they run.

    The sources are those at the first call: they may be edited before the work is done.
    """
    digest = hashlib.sha256(repr((BOUNDSCHECK, POISON_STACK)).encode())
    for name in kernel_sources():  # words and no paths: every start reads them
        with open(name, "rb", buffering=0) as file:
            digest.update(name.removeprefix(f"{PACKAGE}/").encode() + file.read())
    return digest.hexdigest()[:16]


def key_of(modules: Iterable[str]) -> str:
    """Return 16 hex digits that change with the sources of these modules' code.

    It is ``version_hash`` for modules of this package, and changes with all modules beside those of other packages.
    """
    found = (find_spec(name) for name in modules if not name.startswith(f"{PACKAGE.name}."))
    outside = {Path(spec.origin).parent for spec in found if spec is not None and spec.origin is not None}
    if not outside:
        return version_hash()
    digest = hashlib.sha256(version_hash().encode())
    for file in sorted(file for folder in outside for file in folder.glob("*.py")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


# --- folders ---------------------------------------------------------------------------------------------------------
def found_folders() -> Iterator[Path]:
    """Yield the folders with code of these sources, the best first: that of the package, then one of this machine."""
    yield PACKAGED
    folder = _usual_folder()
    if folder is not None and _fault_of_folder(folder) is None:
        yield folder


@functools.cache
def save_folder() -> Path | None:
    """Return the folder in which code of these sources is saved, made if it is missing; None, said once, without one.

    Its parent is ``ENDEAVOR_ENV_CACHE_DIR`` if that is set, relative paths counting from the working directory, else
    the user's cache folder.
    """
    folder, fault = _usual_folder(), "there is no home"
    if folder is not None:
        with contextlib.suppress(OSError):  # the next lines say why
            for above in reversed(folder.parents):
                if not above.is_dir():
                    above.mkdir(0o755)
            folder.mkdir()
            folder.chmod(0o755)
        fault = _fault_of_folder(folder) or ("" if os.access(folder, os.W_OK | os.X_OK) else "it cannot be written")
        if not fault:
            return folder
    say_once(
        f"compiled code is kept for this process only, and not in {folder or 'a cache folder'}, because {fault}: "
        f"correct owner and rights (chmod go-w), or name another folder in {VARIABLE}"
    )
    return None


def _usual_folder() -> Path | None:
    """Return the folder that the environment names, or the user's own, of these sources; None without either."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).absolute() / version_hash()
    from platformdirs import user_cache_path  # 4 ms, which processes save whose package has its library

    try:
        return user_cache_path("endeavor_env", appauthor=False) / version_hash()
    except RuntimeError:  # HOME is unset and the user is not in the list of users
        return None


def _fault_of_folder(folder: Path) -> str | None:
    """Return why code in a folder must not be run, None if it may."""
    try:
        found = folder.lstat()
    except OSError as problem:
        return f"it cannot be read: {problem.strerror or problem}"
    fault = _fault_of(found) if stat.S_ISDIR(found.st_mode) else "it is no folder, or a link"
    for place in _way_to(folder):
        fault = fault or _fault_of(place.lstat(), f"{place}, above it,", is_above=True)
    return fault


def _way_to(path: Path) -> Iterator[Path]:
    """Yield the folders and links above a path, and those on the way to where the links lead."""
    for place in path.parents:
        yield place
        if place.is_symlink():
            target = place.parent / os.readlink(place)
            yield from (target, *_way_to(target))


def _fault_of(found: os.stat_result, what: str = "it", *, is_above: bool = False) -> str | None:
    """Return what other users than this one and root can do to a file or folder, None if nothing; not on Windows.

    Args:
        found: Owner and mode.
        what: What it is called.
        is_above: Whether it is a folder above the one in question: who owns the root folder may own it too (in a
            container that knows no root), and others may write it if its sticky bit keeps them from renaming.
    """
    if not hasattr(os, "geteuid"):
        return None
    owners = (0, os.geteuid(), os.lstat("/").st_uid) if is_above else (0, os.geteuid())
    if found.st_uid not in owners:
        return f"{what} belongs to another user"
    writable = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not stat.S_ISLNK(found.st_mode)
    is_open = writable and not (is_above and found.st_mode & stat.S_ISVTX)
    return f"{what} can be written by other users" if is_open else None


# --- files -----------------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def opened(file: Path) -> Iterator[tuple[int, bytes]]:
    """Open a file of machine code; give the descriptor, from which alone it is to be mapped, and the code.

    Raises:
        OSError: The file cannot be read, or is a link.
        ValueError: It is damaged, or other users can write or own it. A file of the package lies beside modules that
            run as they are: its rights are not looked at, nor any on Windows.
    """
    ours = file.parent == PACKAGED
    descriptor = os.open(file, os.O_RDONLY | _BINARY | (0 if ours else _NO_LINK))
    try:
        fault = None if ours else _fault_of(os.fstat(descriptor))
        if fault is not None:
            raise ValueError(fault)
        with open(descriptor, "rb", buffering=0, closefd=False) as stream:
            content = stream.readall()
        if hashlib.sha256(memoryview(content)[:-DIGEST_SIZE]).digest() != content[-DIGEST_SIZE:]:
            raise ValueError("it is damaged")
        yield descriptor, content[:-DIGEST_SIZE]
    finally:
        os.close(descriptor)


def kept_code(name: str) -> bytes | None:
    """Return the code in the sound file of a name; None without one."""
    for folder in found_folders():
        with contextlib.suppress(OSError, ValueError), opened(folder / name) as (_, code):
            return code
    return None


def keep(code: bytes, file: Path) -> Path:
    """Put a file of machine code in its place in one step, which this user alone can write, whatever the umask."""
    partial = file.with_name(f"{file.name}.{secrets.token_hex(8)}.partial")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(code + hashlib.sha256(code).digest())
        partial.chmod(0o644)
        os.replace(partial, file)
    finally:
        with contextlib.suppress(OSError):  # the folder itself may be the problem
            partial.unlink(missing_ok=True)
    return file
