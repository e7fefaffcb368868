"""Compilation with Numba: the ``kernel`` and ``inlined`` decorators, their flags and their cache folder.

Numba's ``cache=True`` watches only the file in which a function is defined. After an edit of one rules file, its
callers in other files would go on using machine code that contains the old version. The cache folder is therefore
named by a hash of every source file of the core, so that changed sources get a new folder. The folder is set while a
kernel is declared and restored afterwards, so the caches of the user's own Numba code stay where they are.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])
CORE = Path(__file__).resolve().parent
NUMBA_SETTINGS: Any = config  # Numba fills this module at run time, so its names have no types
JIT_DISABLED = bool(NUMBA_SETTINGS.DISABLE_JIT)


def source_hash() -> str:
    """Return 16 hex digits that change with any source file of the core, its folder, and the versions below it."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version_info[:2]}".encode())
    digest.update(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    digest.update(str(CORE).encode())  # Numba's cache belongs to the place of the sources, too
    for path in sorted(CORE.rglob("*.py")):
        digest.update(path.relative_to(CORE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder for the compiled kernels of these sources, and create it if it is missing.

    Its parent is ``ENDEAVOR_ENV_CACHE_DIR`` if that is set, else the user's cache folder. If neither can be written,
    a folder in the system's temporary folder is used.
    """
    named = os.environ.get("ENDEAVOR_ENV_CACHE_DIR")
    parent = Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "endeavor_env"
    folder = parent / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass  # not writable, for example a read-only home: use the temporary folder
    folder = Path(tempfile.gettempdir()) / f"endeavor_env-{os.getuid() if hasattr(os, 'getuid') else 0}" / source_hash()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


CACHE_FOLDER = cache_folder()


def kernel(function: F) -> F:
    """Compile a function without Python objects, which releases the GIL; with the JIT disabled return it unchanged."""
    return _compiled(function, inline_always=False)


def inlined(function: F) -> F:
    """Compile as ``kernel`` does, and always inline the code into its callers: for short functions in hot loops."""
    return _compiled(function, inline_always=True)


def _compiled(function: F, *, inline_always: bool) -> F:
    """Return ``function`` compiled and cached in CACHE_FOLDER; with the JIT disabled return it unchanged."""
    if JIT_DISABLED:
        return function
    before = NUMBA_SETTINGS.CACHE_DIR
    NUMBA_SETTINGS.CACHE_DIR = str(CACHE_FOLDER)
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=inline_always)(function)
        return cast(F, _compiled_once(compiled))
    finally:
        NUMBA_SETTINGS.CACHE_DIR = before


def _compiled_once(dispatcher: Any) -> Any:
    """Make all callers of a kernel share one compiled version, whatever integer types they call it with.

    Numba would compile it again for every constant and every width of integer in a call, which doubled the time of
    the first use. Instead, the caller widens its integer arguments to int64.
    """
    resolve = dispatcher.get_call_template

    def resolve_widened(args: Any, kws: Any) -> Any:
        return resolve(tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_widened
    return dispatcher


def _widened(kind: Any) -> Any:
    """Return int64 for the type of a signed integer or integer constant, and any other type unchanged."""
    plain = numba.types.unliteral(kind)
    return numba.types.int64 if getattr(plain, "signed", False) else plain  # only integers have that attribute


def compile_for(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile a kernel for arguments of these types without calling it; with the JIT disabled do nothing."""
    if not JIT_DISABLED:
        dispatcher: Any = function
        dispatcher.compile(tuple(_widened(numba.typeof(argument)) for argument in arguments))


def announce_compilation(what: str, warm_up: Callable[[], None], second_half: Callable[[], None] | None = None) -> None:
    """Run ``warm_up`` once for each cache folder, and report on stderr what is compiled and how long it took.

    A marker file in the cache folder records that the work is done; later processes load the machine code when they
    need it. With the JIT disabled nothing is compiled or printed.

    Args:
        what: What is compiled, in the words of the message.
        warm_up: Compiles by calling the kernels.
        second_half: The rest of the work, or None. It must be a public function of a module: with a second core it
            runs in a separate process at the same time, and this process reads its machine code from the cache.
    """
    marker = CACHE_FOLDER / f"compiled {what}"
    if JIT_DISABLED or marker.exists():
        return
    print(f"endeavor_env: compiling {what}, once for this version on this machine ...", file=sys.stderr, flush=True)
    start = time.perf_counter()
    process = _start_process(second_half) if second_half is not None and (os.cpu_count() or 1) > 1 else None
    warm_up()
    if second_half is not None and (process is None or process.wait() != 0):
        second_half()
    marker.write_text("")
    print(f"endeavor_env: compiled {what} in {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)


def _start_process(function: Callable[[], None]) -> subprocess.Popen[bytes] | None:
    """Start a process of the same interpreter that calls ``function``; return None if it cannot be started."""
    code = f"from {function.__module__} import {function.__qualname__} as run; run()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        return subprocess.Popen(
            [sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None
