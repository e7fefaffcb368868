"""Making machine code on this machine, for this machine: processes, files, and how far they are."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from endeavor_env.basics.python_child import inherited_path, python_command
from endeavor_env.kernels.loading.cache_folder import PACKAGE, VARIABLE, keep, kept_code, save_folder, say_once
from endeavor_env.kernels.loading.library import BuildError, file_name, is_apart, name_of
from endeavor_env.kernels.loading.processor import all_levels, levels
from endeavor_env.kernels.parts import WHOLE, Part, parts, shared_out

_PIECE = "endeavor_env.kernels.build.piece"
PIECES = 2
"""Processes, each of which makes a piece. Two take 0.6 of the time of one; a third would repeat what all share."""
LINKERS = {
    "linux": (("ld.lld", "-shared", "-Bsymbolic"), ("ld", "-shared", "-Bsymbolic"), ("cc", "-shared", "-nostdlib")),
    "darwin": (("cc", "-dynamiclib"),),
    "win32": (("clang", "-shared"),),
}
"""Commands that link, by system; the first that works is taken. Calls from one piece to another go there at once."""
Report = Callable[[int, int], None]
"""A function that is told how many steps are done, and of how many: entries translated, pieces optimised."""


def no_report(done: int, steps: int) -> None:
    """Report nothing."""


# --- libraries -------------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def make_parts(wanted: Sequence[Part], report: Report = no_report, name: str = "") -> Iterator[Path]:
    """Make a library of parts and give its file, kept in the cache folder or there until the end of the block."""
    level = levels()[0]
    file = file_name(name or name_of(wanted), level)  # now: the sources may be edited before the work is done
    with _scratch() as scratch:
        code = make_libraries(wanted, [level], scratch, report)[level]
        yield keep_for_later(code, file) or keep(code, scratch / file)


def make_whole(report: Report = no_report) -> None:
    """Make one library of all parts of the package and keep it."""
    with make_parts(whole(), report, WHOLE):
        pass


def whole() -> list[Part]:
    """Return the parts of the package, which belong into one library."""
    return [part for part in parts.values() if not is_apart(part)]


def make_levels(folder: Path) -> list[Path]:
    """Put libraries of all parts, for each level of this kind of machine, into a folder; return their files.

    What is in the cache folder is copied, and what is not is made and kept there, too.
    """
    names = {level: file_name(WHOLE, level) for level in all_levels()}
    codes = {level: kept_code(name) for level, name in names.items()}
    with _scratch() as scratch:
        lacking = [level for level, code in codes.items() if code is None]
        made = make_libraries(whole(), lacking, scratch) if lacking else {}
    for level, code in made.items():
        keep_for_later(code, names[level])
    return [keep(code, folder / names[level]) for level, code in {**codes, **made}.items() if code is not None]


def make_libraries(
    wanted: Sequence[Part], levels: Sequence[str], scratch: Path, report: Report = no_report
) -> dict[str, bytes]:
    """Return the code of a library with these parts for each level of instructions, made in the folder ``scratch``.

    Without a linker it is that of an object file, which llvmlite can load.
    """
    bitcodes, _ = translate(wanted, scratch, levels, report)
    pieces = {level: [file.with_suffix(f".{level}.o") for file in bitcodes] for level in levels}
    return {level: link(files, scratch / "library").read_bytes() for level, files in pieces.items()}


def keep_for_later(code: bytes, name: str) -> Path | None:
    """Put code into the cache folder under a name and return its file; None, said once, where it cannot be kept."""
    folder = save_folder()
    if folder is not None:
        try:
            return keep(code, folder / name)
        except OSError as problem:
            why = f"{folder}: {problem.strerror or problem}"
            say_once(f"compiled code cannot be saved ({why}), so that each process compiles again: set {VARIABLE}")
    return None


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    """Give a folder that is there until the end of the block; Windows keeps the file of a library that is mapped."""
    with tempfile.TemporaryDirectory(prefix="endeavor_env-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


# --- processes -------------------------------------------------------------------------------------------------------
def translate(
    wanted: Sequence[Part], scratch: Path, levels: Sequence[str] = (), report: Report = no_report
) -> tuple[list[Path], list[str]]:
    """Let processes translate parts to files of bitcode in ``scratch``, one for each piece of a library.

    Beside each there is an object file, which ends in ``.<level>.o``, for each of the levels of instructions.

    Returns:
        The files, and the symbols of the entries in all of them.

    Raises:
        BuildError: A process failed.
    """
    symbols = sorted(symbol for part in wanted for symbol in part.symbols())
    modules = ",".join(module for part in wanted for module in part.modules)
    shares = shared_out(symbols, PIECES if find_linker() else 1)
    files = [scratch / f"{number}.bc" for number in range(len(shares))]
    steps = len(symbols) + len(shares) * len(levels)
    given = [",".join(levels), modules, ",".join(symbols)]
    commands = [[_PIECE, str(file), *given, *share] for file, share in zip(files, shares, strict=True)]
    run_together(commands, lambda done: report(done, steps))
    return files, symbols


def run_together(commands: Sequence[Sequence[str]], report: Callable[[int], None] = lambda done: None) -> None:
    """Run processes of this interpreter at the same time; report the number of lines that they have written so far.

    Args:
        commands: For each a module, and its arguments.
        report: Gets the number after each line.

    Raises:
        BuildError: One failed; the message has the last words of all.
    """
    path = inherited_path(PACKAGE.parent)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}  # the same order of everything each time
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as lines, tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        streams = {"stdin": subprocess.DEVNULL, "stdout": writing, "stderr": errors}
        running = [subprocess.Popen(python_command("-m", *one), env=environment, **streams) for one in commands]
        os.close(writing)
        try:
            for done, _ in enumerate(lines, 1):
                report(done)
            failed = [process for process in running if process.wait() != 0]
        finally:
            for process in running:
                process.kill()
                process.wait()
        errors.seek(0)
        if failed:
            raise BuildError(f"compiling failed: {errors.read()[-2000:]}")


# --- linkers ---------------------------------------------------------------------------------------------------------
@functools.cache
def find_linker() -> tuple[str, ...] | None:
    """Return a command of this machine that links, None without one; macOS has a ``cc`` that only says it is none."""
    for command in LINKERS.get(sys.platform, ()):
        if shutil.which(command[0]) and not subprocess.run([command[0], "--version"], capture_output=True).returncode:
            return command
    return None


def link(pieces: Sequence[Path], out: Path) -> Path:
    """Make the shared library ``out`` of object files and return it; without a linker return the only object file."""
    linker = find_linker()
    if linker is None:
        return pieces[0]
    ran = subprocess.run(
        [*linker, "-o", str(out), *map(str, pieces)], capture_output=True, text=True, errors="replace", check=False
    )
    if ran.returncode != 0:
        raise BuildError(f"linking failed: {ran.stderr[-2000:]}")
    return out
