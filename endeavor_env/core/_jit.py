"""The one place that compiles: the ``kernel`` decorator, its flags and its cache folder.

Numba's ``cache=True`` only watches the file a function stands in, so an edit in one rules file would leave
machine code of its callers in use. The cache folder is therefore named by a hash of every source file of the
core: other sources, other folder. The folder is set while a kernel is being declared and put back afterwards,
so the caches of the user's own Numba code stay where they were.
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
    """Return 16 hex digits that change with any source file of the core and with Numba's and NumPy's versions."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version_info[:2]}".encode())
    digest.update(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    for path in sorted(CORE.rglob("*.py")):
        digest.update(path.relative_to(CORE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Return the folder of this version's compiled kernels; ``ENDEAVOR_ENV_CACHE_DIR`` moves its parent."""
    named = os.environ.get("ENDEAVOR_ENV_CACHE_DIR")
    parent = Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "endeavor_env"
    folder = parent / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass  # a read-only home: the temporary folder serves
    folder = Path(tempfile.gettempdir()) / f"endeavor_env-{os.getuid() if hasattr(os, 'getuid') else 0}" / source_hash()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


CACHE_FOLDER = cache_folder()


def kernel(function: F) -> F:
    """Compile a rules function (no Python objects, releases the GIL); leaves it plain Python with the JIT off."""
    return _compiled(function, inline_always=False)


def inlined(function: F) -> F:
    """Is ``kernel`` for a short function in a hot loop: its code is put into its callers, whatever LLVM thinks."""
    return _compiled(function, inline_always=True)


def _compiled(function: F, *, inline_always: bool) -> F:
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
    """Let other kernels share one machine code of this one, whatever integers they call it with.

    Numba would compile it again for every constant and every width of integer it is called with, which doubled the
    time of the first use. A caller widens its arguments instead.
    """
    resolve = dispatcher.get_call_template

    def resolve_widened(args: Any, kws: Any) -> Any:
        return resolve(tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_widened
    return dispatcher


def _widened(kind: Any) -> Any:
    """Return int64 for the type of any signed integer or integer constant, and any other type as it is."""
    plain = numba.types.unliteral(kind)
    return numba.types.int64 if getattr(plain, "signed", False) else plain  # only integers have that attribute


def compile_for(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile a kernel for arguments of these types without calling it; nothing with the JIT off."""
    if not JIT_DISABLED:
        dispatcher: Any = function
        dispatcher.compile(tuple(_widened(numba.typeof(argument)) for argument in arguments))


def announce_compilation(what: str, warm_up: Callable[[], None], beside: Callable[[], None] | None = None) -> None:
    """Run ``warm_up`` once a cache folder, telling on stderr that it compiles ``what`` and how long that took.

    ``beside`` is a second half, a public function of a module: with a second core it runs in a process of its own at
    the same time, and its machine code comes by way of the cache. A marker file in the cache folder records that it
    was done; later processes load the machine code as they need it. With the JIT off nothing is compiled or said.
    """
    marker = CACHE_FOLDER / f"compiled {what}"
    if JIT_DISABLED or marker.exists():
        return
    print(f"endeavor_env: compiling {what}, once for this version on this machine ...", file=sys.stderr, flush=True)
    start = time.perf_counter()
    process = _run_beside(beside) if beside is not None and (os.cpu_count() or 1) > 1 else None
    warm_up()
    if beside is not None and (process is None or process.wait() != 0):
        beside()
    marker.write_text("")
    print(f"endeavor_env: compiled {what} in {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)


def _run_beside(function: Callable[[], None]) -> subprocess.Popen[bytes] | None:
    """Start a process of the same interpreter that calls ``function``; return None if none can be started."""
    code = f"from {function.__module__} import {function.__qualname__} as run; run()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        return subprocess.Popen(
            [sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None
