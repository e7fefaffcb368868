"""Compiling what is missing in one process, while others that need it wait, with messages to the user on stderr.

Other threads of that process wait without a message: the one about the compilation is for them, too.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from endeavor_env.core import _kernel_cache
from endeavor_env.core._cache_folder import VARIABLE, is_marked, mark, save_folder, say
from endeavor_env.core._jit import JIT_DISABLED
from endeavor_env.file_lock import file_lock

LOCK = "lock"
REPORT_EVERY = 30.0  # seconds between two messages of a process that waits
_ONE_THREAD = threading.RLock()


def compile_once(what: str, warm_up: Callable[[], None], second_half: Callable[[], None] | None = None) -> bool:
    """Compile ``what`` unless it is in the cache; return whether this process compiled it.

    A marker file in the cache folder records that the work is done; later processes load the machine code when they
    need it. If another process is compiling, wait for it. With the JIT disabled do nothing.

    Args:
        what: What is compiled, in the words of the messages.
        warm_up: Compiles by calling the kernels.
        second_half: The rest of the work, or None. It must be a public function of a module, and must not call
            ``compile_once``: with a second core it runs in a separate process at the same time, while this process
            holds the lock, and this process reads its machine code from the cache.
    """
    if JIT_DISABLED or is_marked(what):
        return False
    folder = save_folder()
    if folder is None:
        _compile(what, warm_up, second_half)
        return True
    with _ONE_THREAD, file_lock(folder / LOCK, _reporter(what)):
        if is_marked(what):  # by the process or thread that this one waited for
            return False
        _compile(what, warm_up, second_half)
        if not _kernel_cache.unsaved:
            with contextlib.suppress(OSError):  # the next process finds the code and tries to write the marker again
                mark(what)
    return True


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


def _compile(what: str, warm_up: Callable[[], None], second_half: Callable[[], None] | None) -> None:
    """Compile both halves, with a message before and after."""
    say(f"compiling {what}, once for this version on this machine ...")
    start = time.perf_counter()
    process = _start_process(second_half) if second_half is not None and (os.cpu_count() or 1) > 1 else None
    try:
        warm_up()
        if second_half is not None and (process is None or process.wait() != 0):
            second_half()
    finally:
        if process is not None and process.poll() is None:  # warm_up was interrupted
            process.kill()
            process.wait()
    say(f"compiled {what} in {time.perf_counter() - start:.1f} s")


def _start_process(function: Callable[[], None]) -> subprocess.Popen[bytes] | None:
    """Start a process of the same interpreter that calls ``function``; return None if it cannot be started."""
    folder = save_folder()
    if folder is None:
        return None
    code = f"from {function.__module__} import {function.__qualname__} as run; run()"
    path = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": path, VARIABLE: str(folder.parent)}
    try:
        return subprocess.Popen(
            [sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None
