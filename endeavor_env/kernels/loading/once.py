"""Making machine code once, whatever processes start together, with words to the user about how far it is."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence

from endeavor_env.basics.file_lock import file_lock
from endeavor_env.kernels.loading.cache_folder import save_folder, say
from endeavor_env.kernels.parts import WHOLE, Part
from endeavor_env.kernels.switches import USES_LIBRARY

LOCK, LOCK_OF_OTHERS = "lock", "lock-apart"
REPORT_EVERY = 30.0  # seconds between two messages of a process that waits
WIDTH = 30  # signs of the bar
EVERYTHING = "everything"
_ONE_THREAD: dict[str, threading.RLock] = {}  # by lock: of this process, one thread at a time makes what it is for
_ready: set[str] = set()  # the names of parts that this process has
Report = Callable[[float], None]


def ensure_parts(*wanted: Part) -> None:
    """Make parts of the machine code unless this process has them; what is made in one go takes less time."""
    missing = [part for part in wanted if part.name not in _ready]
    if missing:
        compile_once(*missing)
        _ready.update(part.name for part in missing)


def compile_once(*wanted: Part) -> bool:
    """Make parts of the machine code, in one go, unless there are libraries with them; return whether any was made.

    If another process is making them, wait for it. Where no library is used do nothing.
    """
    if not USES_LIBRARY:
        return False
    from endeavor_env.kernels.loading.library import ensure_parts, has_part

    missing = [part for part in wanted if not has_part(part.name)]
    title = words_joined([part.title for part in missing])
    names = [part.name for part in missing]
    lock = _lock_of(missing)
    return make_once(title, lambda: all(map(has_part, names)), lambda report: ensure_parts(names, report), lock)


def _lock_of(wanted: Sequence[Part]) -> str:
    """Return the lock of parts: those of other games have one of their own, and are made beside Endeavor's."""
    from endeavor_env.kernels.loading.library import is_apart

    return LOCK_OF_OTHERS if all(map(is_apart, wanted)) else LOCK


def words_joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), *words[-1:]] if len(words) > 1 else words)


def compile_whole() -> bool:
    """Make one library of all parts unless there is one; return whether this process made it."""
    if not USES_LIBRARY:
        return False
    from endeavor_env.kernels.loading.library import has_file
    from endeavor_env.kernels.loading.making import make_whole

    return make_once(EVERYTHING, lambda: has_file(WHOLE), make_whole)


def make_once(title: str, is_there: Callable[[], bool], make: Callable[[Report], object], lock: str = LOCK) -> bool:
    """Make something that is kept in the cache folder unless it is there; return whether this process made it.

    Args:
        title: What it is, for messages.
        is_there: Says whether it is there.
        make: Makes it, and is given what shows how far it is.
        lock: The name of the file that processes lock meanwhile.
    """
    if is_there():
        return False
    folder = save_folder()
    if folder is None:
        return _make(title, make)
    with _ONE_THREAD.setdefault(lock, threading.RLock()), file_lock(folder / lock, _reporter(title)):
        return not is_there() and _make(title, make)  # by the process or thread that this one waited for


def _make(title: str, make: Callable[[Report], object]) -> bool:
    """Make it, with a message before and after."""
    say(f"compiling {title}, once for this version on this machine ...")
    start = time.perf_counter()
    bar = _bar(start)
    make(bar)
    bar(1.0)
    say(f"compiled {title} in {time.perf_counter() - start:.1f} s")
    return True


def _bar(start: float) -> Report:
    """Return a function that shows a share of the work on stderr, if that is a terminal, and the seconds left.

    Only the main thread shows it: what another one makes beside it would write over its line.
    """

    def show(share: float) -> None:
        signs = round(share * WIDTH)
        left = (time.perf_counter() - start) * (1 - share) / max(share, 1e-3)
        text = f"[{'#' * signs}{'.' * (WIDTH - signs)}] {share:4.0%}, about {left:.0f} s left"
        sys.stderr.write(f"\r{text}\033[K")
        if share >= 1:
            sys.stderr.write("\r\033[K")
        sys.stderr.flush()

    shown = sys.stderr.isatty() and threading.current_thread() is threading.main_thread()
    return show if shown else lambda share: None


def _reporter(what: str) -> Callable[[float], None]:
    """Return a function that reports the seconds it is given as waiting time: at once, and every REPORT_EVERY."""
    due = 0.0

    def report(waited: float) -> None:
        nonlocal due
        if waited < due:
            return
        so_far = f", {waited:.0f} s so far" if due else ""
        say(f"waiting for another process to compile {what}{so_far} ...")
        due = waited + REPORT_EVERY

    return report
