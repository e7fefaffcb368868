"""Compiled kernels on disk: one file for each kernel and types of arguments, written in one step and checked when read.

Numba's own files have no checksum, and damaged machine code ends the process inside LLVM, where no exception is
raised. Numba watches only the file in which a function is defined, too: the folder's name covers all of the core.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import pickle
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaWarning
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from endeavor_env.kernels.loading.addresses import define_outside
from endeavor_env.kernels.loading.cache_folder import (
    PACKAGE,
    game_digest,
    game_of,
    opened,
    read_folders,
    read_opened,
    save_folder,
    say_once,
    sources_digest,
    write_in_one_step,
)

SUFFIX = ".kernel"
DIGEST_SIZE = 32  # bytes: every file begins with the SHA-256 of the rest


class KernelCache:
    """The cache of one kernel, with the methods that Numba's dispatcher calls."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Make the cache of the kernel that is compiled from ``function``."""
        sources_digest()  # now, as Python has read the sources: they may be edited before the first call
        self._function = function
        self._file = inspect.getfile(function)
        game = game_of(function.__module__ or "")  # none at a prompt
        self._game = "" if game is None else game_digest(game)
        try:
            found = os.stat(self._file)
            self._stamp = _file_digest(self._file, found.st_mtime_ns, found.st_size)
        except OSError:
            self._stamp = None  # no file, as at a prompt

    @property
    def cache_path(self) -> str:
        """Folder in which the kernel is saved, empty if there is none."""
        return str(save_folder() or "")

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return the kernel compiled for the types ``sig``, None if it was not saved or is damaged."""
        target_context.refresh()  # as Numba does: the types and functions that the code refers to
        define_outside()
        name = self._file_name(sig)
        payload = read_checked(name) if name is not None else None
        if payload is None:
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception as problem:  # whatever a sound file with other contents makes pickle and Numba raise
            say_once(f"compiled code of {self._function.__name__} is of another kind and is made again: {problem}")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save ``data``, the kernel compiled for the types ``sig``."""
        name = self._file_name(sig)
        if name is None:
            return
        if data.library.has_dynamic_globals:
            reason = "it refers to memory of this process, such as a large global array"
            warnings.warn(f"kernel {self._function.__name__} is not saved: {reason}", NumbaWarning, stacklevel=2)
            return
        write_checked(name, dumps(data._reduce()))

    def flush(self) -> None:
        """Keep the files: their names tell whether they are what the kernel needs."""

    def _file_name(self, sig: Any) -> str | None:
        """Return the name of the file for the types ``sig``; None for a function that no file defines."""
        function = self._function
        if self._stamp is None:
            return None
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        line = function.__code__.co_firstlineno
        digest = hashlib.sha256(
            repr((_place(self._file), self._stamp, self._game, function.__qualname__, line, sig, _made_with())).encode()
        )
        digest.update(dumps(cells))
        return f"{function.__name__.strip('<>')}-{digest.hexdigest()[:32]}{SUFFIX}"


@functools.cache
def _made_with() -> tuple[object, ...]:
    """Return the versions, and the processor, that Numba's machine code depends on."""
    codegen = cast(Any, cpu_target.target_context).codegen()
    return numba.__version__, np.__version__, sys.implementation.cache_tag, codegen.magic_tuple()


@functools.cache
def _place(path: str) -> str:
    """Return the path of a source file inside the package, wherever that is; that of any other file as it is."""
    inside = Path(path).resolve()
    return inside.relative_to(PACKAGE).as_posix() if inside.is_relative_to(PACKAGE) else path


@functools.cache
def _file_digest(path: str, changed: int, size: int) -> str:
    """Return a digest of a source file of this time of change and this size, which tell it from earlier versions."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def read_checked(name: str) -> bytes | None:
    """Return the contents of the file ``name`` of the cache, None if it is missing or damaged everywhere."""
    for folder in read_folders():
        try:
            with opened(folder / name) as descriptor:
                content = read_opened(descriptor)
        except OSError:
            continue  # not saved yet, or removed
        except ValueError as problem:
            say_once(f"{folder / name} is not used, because {problem}; what is in it is compiled again")
            continue
        if is_sound(content):
            return content[DIGEST_SIZE:]
        say_once(f"compiled code in {folder} is damaged and is compiled again")
    return None


def is_sound(content: bytes) -> bool:
    """Return whether the contents of a file are what was once written."""
    return hashlib.sha256(memoryview(content)[DIGEST_SIZE:]).digest() == content[:DIGEST_SIZE]


def write_checked(name: str, payload: bytes) -> None:
    """Write a file of the cache in one step; if that is not possible, say so once and go on without."""
    folder = save_folder()
    if folder is None:
        return
    try:
        write_in_one_step(folder / name, hashlib.sha256(payload).digest() + payload)
    except OSError as problem:
        say_once(f"compiled code cannot be saved in {folder}: {problem.strerror or problem}; going on without")
