"""The place of compiled kernels: a folder named by a hash of the sources, in which no other user can write.

Machine code is run as it is read, so a folder counts only if it belongs to this user or to root, is not a link, and
neither it nor a folder above it can be written by others; the same holds for each file, which is checked after it was
opened. What is made here has fixed rights, whatever the umask. A folder that cannot be written by this user either,
such as one in a container image, is read, and what it lacks is saved in the system's temporary folder.
"""

from __future__ import annotations

import atexit
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
ROOMS = ("checks", "exploits", "flow", "interface", "learning", "observe", "players", "rules", "variants")
"""Folders of a game that hold its kernels."""
USE = "kernels/loading"
"""The folder of sources that only find, load and call machine code."""
VARIABLE = "ENDEAVOR_ENV_CACHE_DIR"
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


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


@functools.cache
def sources_digest() -> str:
    """Return a digest of every source file of kernels, as they are at the first call, wherever they are."""
    digest = hashlib.sha256()
    for folder in kernel_folders():
        for name in sorted(_sources_in(folder), key=lambda name: name.split("/")):
            with open(f"{PACKAGE}/{name}", "rb", buffering=0) as file:
                digest.update(name.encode())
                digest.update(file.read())
    return digest.hexdigest()


def _sources_in(folder: str) -> Iterator[str]:
    """Yield the source files below a folder of the package; every start reads them, so these are words and no paths."""
    with os.scandir(f"{PACKAGE}/{folder}") as found:
        for entry in found:
            name = f"{folder}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if name != USE:
                    yield from _sources_in(name)
            elif name.endswith(".py"):
                yield name


@functools.cache
def version_hash() -> str:
    """Return 16 hex digits that change with the sources of kernels and with what is checked while they run."""
    return hashlib.sha256(repr((sources_digest(), BOUNDSCHECK, POISON_STACK)).encode()).hexdigest()[:16]


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


def found_folders() -> Iterator[Path]:
    """Yield the folders of these sources that are there and can be trusted, the best first; none is made."""
    usual = _usual_parent()
    if usual is not None and _is_trusted(usual / version_hash()):
        yield usual / version_hash()
    private = _private_parent()
    if _is_trusted(private) and _is_trusted(private / version_hash()):
        yield private / version_hash()


def save_folder() -> Path | None:
    """Return the folder in which kernels are saved, None if nothing can be written."""
    usual = usual_folder()
    return usual if usual is not None and _is_writable(usual) else private_folder()


@functools.cache
def usual_folder() -> Path | None:
    """Return the folder for kernels of these sources, created if it is missing; None if there is none to be trusted.

    Its parent is ``ENDEAVOR_ENV_CACHE_DIR`` if that is set, relative paths counting from the working directory, else
    the user's cache folder.
    """
    named, parent = os.environ.get(VARIABLE), _usual_parent()
    if parent is None:
        return None
    folder = parent / version_hash()
    try:
        _make(folder, 0o755)
        fault = _fault(folder)
    except OSError as problem:
        if named:
            say_once(f"{VARIABLE}={named} cannot be used: {problem.strerror or problem}")
        return None
    if fault is not None:
        say_once(
            f"compiled code in {folder} is not used, because the folder {fault}: correct owner and rights "
            f"(chmod go-w), or name another folder in {VARIABLE}"
        )
        return None
    return folder


@functools.cache
def private_folder() -> Path | None:
    """Return the folder for kernels of these sources in the system's temporary folder; None if it cannot be written.

    Anybody can create something there under the expected name: if somebody else did, return a new folder that only
    this process uses.
    """
    try:
        parent = _private_parent()
        folder = parent / version_hash()
        fault = _make_private(parent) or _make_private(folder)
        if fault is None:
            return folder
        say_once(f"compiled code is kept for this process only, because {parent} {fault}: remove it or set {VARIABLE}")
        return folder_of_process()
    except OSError:
        say_once(f"compiled code cannot be saved anywhere, so that each process compiles it again: set {VARIABLE}")
        return None


def _is_trusted(folder: Path) -> bool:
    """Return whether a folder is there and code in it may be run."""
    try:
        return _fault(folder) is None
    except OSError:
        return False


def _make_private(folder: Path) -> str | None:
    """Create a folder that only this user can enter; return why one that exists must not be used, None if it may."""
    try:
        _make(folder, 0o700)
    except FileExistsError:
        return "is not a folder"
    return _fault(folder)


def _make(folder: Path, mode: int) -> None:
    """Create a folder with these rights, and those above it with no more; leave one that exists as it is."""
    if folder.is_dir():
        return
    for above in reversed(folder.parents):
        with contextlib.suppress(OSError):  # it is there, or the folder itself says why it cannot be
            above.mkdir(mode)
    try:
        folder.mkdir(mode)
    except FileExistsError:
        if not folder.is_dir():  # another process was faster
            raise
    else:
        folder.chmod(mode)


def folder_of_process() -> Path:
    """Create a folder that is removed when this process ends."""
    import shutil
    import tempfile

    parent, process = Path(tempfile.mkdtemp(prefix="endeavor_env-")), os.getpid()

    def remove() -> None:
        if os.getpid() == process:  # a fork of this process ends, too
            shutil.rmtree(parent, ignore_errors=True)

    atexit.register(remove)
    folder = parent / version_hash()
    folder.mkdir(mode=0o700)
    return folder


def _usual_parent() -> Path | None:
    """Return the folder of all versions that the environment names, or the user's own; None if there is neither."""
    named = os.environ.get(VARIABLE)
    return Path(named).absolute() if named else _user_cache()


def _private_parent() -> Path:
    """Return the folder of all versions of this user in the system's temporary folder."""
    import tempfile  # here, because most processes find everything before they come to this folder

    return Path(tempfile.gettempdir()).absolute() / f"endeavor_env-{_user()}"


def _user_cache() -> Path | None:
    """Return the folder of this package in the user's cache folder; None if the user has no home."""
    from platformdirs import user_cache_path  # 4 ms, which processes save whose package has its library

    try:
        folder = user_cache_path("endeavor_env", appauthor=False)
    except RuntimeError:  # HOME is unset and the user is not in the list of users
        return None
    return folder if folder.is_absolute() else None


def _is_writable(folder: Path) -> bool:
    """Return whether this process may create files in a folder."""
    return os.access(folder, os.W_OK | os.X_OK)


def _user() -> int:
    """Return the number of this user, 0 on a system without such numbers."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _fault(folder: Path) -> str | None:
    """Return why code in an existing folder must not be run, None if it may; on Windows do not check."""
    if not hasattr(os, "geteuid"):
        return None
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return "is a link"
    fault = _fault_of(found)
    if fault is not None:
        return fault
    for place in _way_to(folder):
        fault = _fault_of(place.lstat(), is_above=True)
        if fault is not None:
            return f"is below {place}, which {fault}"
    return None


def _way_to(path: Path) -> Iterator[Path]:
    """Yield the folders and links above a path, and those on the way to where the links lead."""
    for place in path.parents:
        yield place
        if place.is_symlink():
            target = place.parent / os.readlink(place)
            yield from (target, *_way_to(target))


def _fault_of(found: os.stat_result, *, is_above: bool = False) -> str | None:
    """Return what other users than this one and root can do to a file or folder, None if nothing.

    Args:
        found: Owner and mode.
        is_above: Whether it is a folder above the one in question: who owns the root folder may own it too (in a
            container that knows no root), and others may write it if its sticky bit keeps them from renaming.
    """
    owners = (0, _user(), os.lstat("/").st_uid) if is_above else (0, _user())
    if found.st_uid not in owners:
        return "belongs to another user"
    may_write = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if may_write and not stat.S_ISLNK(found.st_mode) and not (is_above and found.st_mode & stat.S_ISVTX):
        return "can be written by other users"
    return None


@contextlib.contextmanager
def opened(file: Path, *, of_package: bool = False) -> Iterator[int]:
    """Open a file of compiled code and give its descriptor, from which alone it is to be read.

    Args:
        file: The file.
        of_package: Whether it lies in the package, whose modules run as they are: its rights are not looked at.

    Raises:
        OSError: The file cannot be read, or is a link.
        ValueError: Other users can write the file, or own it. On Windows this is not checked.
    """
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0) | (0 if of_package else _NO_LINK))
    try:
        fault = None if of_package or not hasattr(os, "geteuid") else _fault_of(os.fstat(descriptor))
        if fault is not None:
            raise ValueError(f"it {fault}")
        yield descriptor
    finally:
        os.close(descriptor)


def read_opened(descriptor: int) -> bytes:
    """Return the contents of an open file from their beginning."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    with open(descriptor, "rb", buffering=0, closefd=False) as stream:
        return stream.readall()


def write_in_one_step(file: Path, content: bytes) -> None:
    """Put a file of compiled code in its place, which this user alone can write, whatever the umask."""
    partial = file.with_name(f"{file.name}.{secrets.token_hex(8)}.partial")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(content)
        partial.chmod(0o644)
        os.replace(partial, file)
    finally:
        with contextlib.suppress(OSError):  # the folder itself may be the problem
            partial.unlink(missing_ok=True)
