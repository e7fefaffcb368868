"""Runs one player that is a Python file, inside of a fence; it is started as a script and needs only Python itself.

``code_host.py FILE FOLDER MEBIBYTES SECONDS``: FILE defines ``act(message)``, and ``new_game(message)`` if it likes.
The kernel refuses changes of files outside of FOLDER, connections and other processes, where it can. The hook here says
so in words a moment before, and is all there is elsewhere; it keeps mistakes of a player from harm, and no more.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import random
import sys
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any, TextIO

try:
    import resource
except ImportError:  # Windows
    resource = None

START_SECONDS = 30
LARGEST_FILE = 1 << 24
OPEN_FILES = 64
REFUSED = ("os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile", "pty.spawn",
           "os.kill", "os.killpg", "subprocess.Popen")  # fmt: skip
"""Events of Python that begin or end processes."""
CHANGING = ("os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink",
            "os.truncate", "os.utime", "sqlite3.connect")  # fmt: skip
"""Events of Python that change files and folders."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def confine(folder: str) -> str:
    """Let the kernel refuse what a player must not do; return in words what it does not refuse."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "confinement.py")
    spec = importlib.util.spec_from_file_location("confinement", file)  # this package is not on the path
    assert spec is not None
    assert spec.loader is not None
    confinement = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(confinement)
    return confinement.confine(folder)


def limit(mebibytes: int) -> None:
    """Limit memory, files, threads and processes of this process."""
    if resource is None:
        return
    limits = {
        "RLIMIT_AS": mebibytes << 20,
        "RLIMIT_FSIZE": LARGEST_FILE,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_NPROC": 0,
        "RLIMIT_CORE": 0,
    }
    for name, most in limits.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):  # a system without it, or with a lower one
            resource.setrlimit(getattr(resource, name), (most, most))


def limit_time(seconds: float) -> None:
    """End this process if it computes so many seconds from now on, whether anybody waits for it or not."""
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime + seconds) + 2
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def fence(folder: str) -> Callable[[str, tuple[Any, ...]], None]:
    """Return a hook that refuses connections, other processes, and changes of files outside of a folder."""
    home = os.path.realpath(folder) + os.sep

    def is_inside(path: object) -> bool:
        if isinstance(path, int | None):
            return True
        return (os.path.realpath(os.fsdecode(path)) + os.sep).startswith(home) or path == os.devnull  # pyright: ignore[reportArgumentType]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith("socket."):
            raise PermissionError(f"a player has no network ({event})")
        if event in REFUSED:
            raise PermissionError(f"a player is one process ({event})")
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
        paths = arguments[:1] if writes else arguments[:2] if event in CHANGING else ()
        if not all(is_inside(path) for path in paths if not isinstance(path, float)):
            raise PermissionError(f"a player changes files in its own folder only ({event})")

    return hook


def load(file: str) -> ModuleType:
    """Return the module of the player; raise what it raises, or TypeError if it has no ``act``."""
    sys.path.insert(0, os.path.dirname(file))
    spec = importlib.util.spec_from_file_location("player", file)
    if spec is None or spec.loader is None:
        raise TypeError(f"{file} is no Python file: its name must end in .py")
    module = sys.modules["player"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, "act", None)):
        raise TypeError("the file defines no function act(message)")
    return module


def told(error: BaseException) -> str:
    """Return the traceback of an error from the player's first line on."""
    below = error.__traceback__.tb_next if error.__traceback__ else None
    return "".join(traceback.format_exception(type(error), error, below))[-4000:]


def begin(player: ModuleType, message: dict[str, Any]) -> str | None:
    """Tell the player of a new game; return the traceback of its error, None if there was none."""
    random.seed(message["seed"])
    try:
        getattr(player, "new_game", lambda message: None)(message)
    except BaseException as error:  # SystemExit and KeyboardInterrupt are the player's as well
        return told(error)
    return None


def decide(player: ModuleType, message: dict[str, Any]) -> dict[str, Any]:
    """Return what is answered at a decision."""
    try:
        move = player.act(message)
        if not isinstance(move, str):
            raise TypeError(f"act returned {repr(move)[:80]}, which is no text")
    except BaseException as error:
        return {"type": "error", "text": told(error)}
    return {"type": "move", "move": move}


def serve(player: ModuleType, lines: TextIO, answer: Callable[..., None], seconds: float) -> None:
    """Answer until the lines end."""
    broken = None
    for line in lines:
        message = json.loads(line)
        limit_time(seconds)
        if message["type"] == "game":
            broken = begin(player, message)
        elif message["type"] == "act":
            said = decide(player, message["message"]) if broken is None else {"type": "error", "text": broken}
            answer(id=message["id"], **said)


def main() -> None:
    """Load the player and serve; what it prints goes to stderr."""
    file, folder, mebibytes, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout, sys.argv = sys.stderr, [file]

    def answer(**said: Any) -> None:
        output.write(json.dumps(said) + "\n")
        output.flush()

    hello = json.loads(lines.readline())
    limit(mebibytes)
    limit_time(START_SECONDS)
    allowed = confine(folder)
    sys.addaudithook(fence(folder))
    try:
        player = load(file)
    except BaseException as error:
        answer(type="error", text=told(error))
        return
    answer(type="hello", protocol=hello["protocol"], allowed=allowed)
    serve(player, lines, answer, seconds)


if __name__ == "__main__":
    main()
