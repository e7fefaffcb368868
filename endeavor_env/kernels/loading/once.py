"""Making machine code once, whatever processes start together, with words to the user about how far it is."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence

from endeavor_env.basics.file_lock import file_lock
from endeavor_env.kernels.loading.cache_folder import save_folder, say
from endeavor_env.kernels.parts import Part
from endeavor_env.kernels.switches import USES_LIBRARY

LOCK = "lock"
REPORT_EVERY = 30.0  # seconds between two messages of a process that waits
WIDTH = 30  # signs of the bar
EVERYTHING = "everything"
_one_thread = threading.RLock()  # of this process, one thread at a time makes machine code
_ready: set[str] = set()  # the names of parts that this process has
Report = Callable[[int, int], None]


def ensure_parts(*wanted: Part) -> bool:
    """Make parts of the machine code unless there are libraries with them; return whether any was made.

    What is made in one go takes less time. If another process is making them, wait for it. Where no library is used do
    nothing.
    """
    unknown = [part for part in wanted if part.name not in _ready]
    if not unknown or not USES_LIBRARY:
        return False
    from endeavor_env.kernels.loading.library import has_part, make_missing

    missing = list(dict.fromkeys(part for part in unknown if not has_part(part)))
    title = words_joined([part.title for part in missing])
    made = make_once(title, lambda: all(map(has_part, missing)), lambda report: make_missing(missing, report))
    _ready.update(part.name for part in unknown)
    return made


def words_joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), *words[-1:]] if len(words) > 1 else words)


def make_once(title: str, is_there: Callable[[], bool], make: Callable[[Report], object]) -> bool:
    """Make something that is kept in the cache folder unless it is there; return whether this process made it.

    Args:
        title: What it is, for messages.
        is_there: Says whether it is there.
        make: Makes it, and is given what shows how far it is.
    """
    if is_there():
        return False
    folder = save_folder()
    if folder is None:
        return _make(title, make)
    with _one_thread, file_lock(folder / LOCK, _reporter(title)):
        return not is_there() and _make(title, make)  # by the process or thread that this one waited for


def _make(title: str, make: Callable[[Report], object]) -> bool:
    """Make it, with a message before and after, and a bar on a terminal.

    Only the main thread shows the bar: what another one makes beside it would write over its line.
    """
    say(f"compiling {title}, once for this version on this machine ...")
    start = time.perf_counter()
    shows = sys.stderr.isatty() and threading.current_thread() is threading.main_thread()
    make(show_steps if shows else lambda done, steps: None)
    say(f"compiled {title} in {time.perf_counter() - start:.1f} s")
    return True


def show_steps(done: int, steps: int) -> None:
    """Show on stderr how many steps are done, in place of what was shown before; at the end take it away."""
    signs = done * WIDTH // steps
    line = f"[{'#' * signs}{'.' * (WIDTH - signs)}] step {done} of {steps}" if done < steps else ""
    sys.stderr.write(f"\r{line}\033[K")
    sys.stderr.flush()


def _reporter(title: str) -> Callable[[float], None]:
    """Return a function that reports the seconds it is given as waiting time: at once, and every REPORT_EVERY."""
    due = 0.0

    def report(waited: float) -> None:
        nonlocal due
        if waited < due:
            return
        so_far = f", {waited:.0f} s so far" if due else ""
        say(f"waiting for another process to compile {title}{so_far} ...")
        due = waited + REPORT_EVERY

    return report
