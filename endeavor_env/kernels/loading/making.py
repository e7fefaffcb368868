"""Making machine code on this machine, for this machine: processes, files, and how far they are."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from endeavor_env.basics.python_child import inherited_path, python_command
from endeavor_env.kernels.loading.cache_folder import (
    PACKAGE,
    VARIABLE,
    folder_of_process,
    found_folders,
    save_folder,
    say_once,
    version_hash,
    write_in_one_step,
)
from endeavor_env.kernels.loading.library import BuildError, file_name, is_apart, name_of, sound_content, with_trailer
from endeavor_env.kernels.loading.linking import can_link, link_files
from endeavor_env.kernels.loading.processor import all_levels, levels
from endeavor_env.kernels.parts import WHOLE, Part, parts, shared_out

_FRONT_END, _BACK_END = "endeavor_env.kernels.build.front_end", "endeavor_env.kernels.build.module"
PROCESSES = 2
"""Processes of the front end. Two take 0.6 of the time of one; a third would translate once more what all share."""
Report = Callable[[int, int], None]
"""A function that is told how many steps are done, and of how many: entries translated, pieces optimised."""


def no_report(done: int, steps: int) -> None:
    """Report nothing."""


# --- libraries -------------------------------------------------------------------------------------------------------
def make_parts(wanted: Sequence[Part], report: Report = no_report) -> Path:
    """Make a library of parts and keep it in the cache folder; return its file, or one of this process alone."""
    return _make_and_keep(name_of(wanted), wanted, report)


def make_whole(report: Report = no_report) -> Path:
    """Make one library of all parts of the package, keep it and return its file, as ``make_parts`` does."""
    return _make_and_keep(WHOLE, whole(), report)


def whole() -> list[Part]:
    """Return the parts of the package, which belong into one library."""
    return [part for part in parts.values() if not is_apart(part)]


def make_levels(folder: Path) -> list[Path]:
    """Put libraries of all parts, for each level of this kind of machine, into a folder; return their files.

    What is in the cache folder is copied, and what is not is made and kept there, too.
    """
    files = {level: folder / file_name(WHOLE, level) for level in all_levels()}
    kept = {level: kept_content(file.name) for level, file in files.items()}
    with tempfile.TemporaryDirectory(prefix="endeavor_env-") as scratch:
        bitcodes, symbols = translate(whole(), Path(scratch)) if None in kept.values() else ([], [])
        for level, content in kept.items():
            if content is not None:
                write_in_one_step(files[level], content)
            else:
                made = make_here(bitcodes, symbols, level, Path(scratch))
                keep(made, files[level])
                keep_for_later(made, files[level].name)
    return list(files.values())


def _make_and_keep(name: str, wanted: Sequence[Part], report: Report) -> Path:
    folder, level = save_folder(), levels()[0]
    version_hash()  # now: the sources may be edited before the work is done
    with tempfile.TemporaryDirectory(prefix="endeavor_env-") as scratch:
        made = make_library(wanted, level, Path(scratch), report)
        if folder is not None:
            try:
                keep(made, folder / file_name(name, level))
                return folder / file_name(name, level)
            except OSError as problem:
                why = f"{folder}: {problem.strerror or problem}"
                say_once(f"compiled code cannot be saved ({why}), so that each process compiles again: set {VARIABLE}")
        own = folder_of_process() / file_name(name, level)  # mapped by this process alone
        keep(made, own)
        return own


def make_library(wanted: Sequence[Part], level: str, scratch: Path, report: Report = no_report) -> Path:
    """Return the file of a library with these parts for a level of instructions, made in the folder ``scratch``."""
    bitcodes, symbols = translate(wanted, scratch, report)
    return make_here(bitcodes, symbols, level, scratch, report)


def make_here(
    bitcodes: Sequence[Path], symbols: Sequence[str], level: str, scratch: Path, report: Report = no_report
) -> Path:
    """Return the file of a library: each of the bitcodes becomes a piece of it, at the same time.

    Without a linker everything becomes one object file, which llvmlite can load.
    """
    out, thing = scratch / f"{level}.library", scratch / f"{level}.o"
    if can_link():
        things = [scratch / f"{level}-{piece}.o" for piece in range(len(bitcodes))]
        running = [_start_back_end([code], symbols, level, made) for code, made in zip(bitcodes, things, strict=True)]
        wait_for(*running, report=lambda done: report(len(symbols) + done, len(symbols) + len(bitcodes)))
        if link_files(things, out):
            return out
    wait_for(_start_back_end(bitcodes, symbols, level, thing))
    return thing


# --- files of the cache folder ---------------------------------------------------------------------------------------
def keep(made: Path, file: Path) -> None:
    """Put a file of machine code in its place in one step."""
    write_in_one_step(file, with_trailer(made.read_bytes()))


def keep_for_later(made: Path, name: str) -> None:
    """Put a file into the cache folder under a name; where that cannot be, who needs it makes it again."""
    folder = save_folder()
    if folder is not None:
        with contextlib.suppress(OSError):
            keep(made, folder / name)


def kept_content(name: str) -> bytes | None:
    """Return the contents of the sound file of a name in the cache folder, their digest included; None without one."""
    contents = (sound_content(folder / name) for folder in found_folders())
    return next((content for content in contents if content is not None), None)


# --- the front end ---------------------------------------------------------------------------------------------------
def translate(wanted: Sequence[Part], scratch: Path, report: Report = no_report) -> tuple[list[Path], list[str]]:
    """Let the front end translate parts, in two processes; return its files in ``scratch``, and the symbols."""
    symbols = sorted(symbol for part in wanted for symbol in part.symbols())
    modules = ",".join(module for part in wanted for module in part.modules)
    shares = shared_out(symbols, PROCESSES)
    steps = len(symbols) + len(shares)
    count, lock = iter(range(1, steps)), threading.Lock()

    def done() -> None:
        with lock:
            report(next(count), steps)

    files = {scratch / f"{number}.bc": share for number, share in enumerate(shares)}
    _run([_Worker(done, str(file), modules, *share) for file, share in files.items()])
    return list(files), symbols


class _Worker(threading.Thread):
    """A process of the front end, and the thread that counts the entries that it has translated."""

    def __init__(self, done: Callable[[], None], *arguments: str) -> None:
        super().__init__(daemon=True)
        self._done, self.errors = done, ""
        self.process = start_python(_FRONT_END, *arguments)

    def run(self) -> None:
        """Read a line for each entry, and at the end what went wrong."""
        assert self.process.stdout is not None
        for _ in self.process.stdout:
            self._done()
        self.errors = self.process.communicate()[1]


def _run(workers: Sequence[_Worker]) -> None:
    """Let workers work to their end; raise BuildError with the last words of one that failed."""
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    finally:
        _end([worker.process for worker in workers])
    _check({worker.process: worker.errors for worker in workers})


# --- processes -------------------------------------------------------------------------------------------------------
def _start_back_end(bitcodes: Sequence[Path], symbols: Sequence[str], level: str, out: Path) -> subprocess.Popen[str]:
    """Start a process of the back end, which makes an object file."""
    return start_python(_BACK_END, str(out), level, ",".join(symbols), *map(str, bitcodes))


def wait_for(*processes: subprocess.Popen[str], report: Callable[[int], None] = lambda done: None) -> None:
    """Wait for processes of the back end; raise BuildError with the last words of one that failed."""
    ends: list[str] = []
    try:
        for process in processes:
            ends.append(process.communicate()[1])
            report(len(ends))
    finally:
        _end(processes)
    _check(dict(zip(processes, ends, strict=True)))


def _check(ends: Mapping[subprocess.Popen[str], str]) -> None:
    """Raise BuildError with the last words of a process that failed, given what each said."""
    for process, errors in ends.items():
        if process.returncode != 0:
            raise BuildError(f"compiling failed: {errors[-2000:]}")


def _end(processes: Iterable[subprocess.Popen[str]]) -> None:
    """End processes that still work."""
    for process in processes:
        if process.poll() is None:
            process.kill()


def start_python(module: str, *arguments: str) -> subprocess.Popen[str]:
    """Start a process of the same interpreter that runs a module of this package."""
    path = inherited_path(PACKAGE.parent)
    return subprocess.Popen(
        python_command("-m", module, *arguments),
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},  # the same order of everything each time
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
