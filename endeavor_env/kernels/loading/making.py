"""Making machine code on this machine, for this machine: processes, files, and how far they are."""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import io
import os
import shutil
import subprocess
import tempfile
import threading
import time
import weakref
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from endeavor_env.basics.python_child import inherited_path, python_command
from endeavor_env.kernels.loading.cache_folder import (
    PACKAGE,
    VARIABLE,
    found_folders,
    save_folder,
    say_once,
    version_hash,
    write_in_one_step,
)
from endeavor_env.kernels.loading.library import DIGEST_SIZE, by_game, file_name, is_apart, name_of, sound_content
from endeavor_env.kernels.loading.linking import BuildError, can_link, link_files, link_for, linker_of
from endeavor_env.kernels.loading.processor import levels
from endeavor_env.kernels.loading.systems import System
from endeavor_env.kernels.parts import WHOLE, Part, parts

_FRONT_END, _BACK_END = "endeavor_env.kernels.build.front_end", "endeavor_env.kernels.build.back_end"
STARTING, PROCESSES, FRONT_END = 1.5, 2, 0.55
"""For progress alone: about how many seconds a process of the front end takes to start; how many processes there are;
the front end's share of the work."""
TICK = 0.5
"""Seconds between two reports while the back end works, which says nothing before its end."""

_started: weakref.WeakSet[subprocess.Popen[str]] = weakref.WeakSet()  # for whoever has to end them

TRANSLATED, SYMBOLS = "all.bitcode", "symbols"
"""What the front end made of all parts, as a file in the cache folder; in it, besides, the symbols of the entries."""

Report = Callable[[float], None]
"""Called with the share of the work that is done, 0 to 1."""


def no_report(share: float) -> None:
    """Report nothing."""


def make_parts(wanted: Sequence[Part], report: Report = no_report) -> Path:
    """Make a library of parts and keep it in the cache folder; return its file, or one of this process alone."""
    return _make_and_keep(name_of(wanted), wanted, report)


def make_whole(report: Report = no_report) -> Path:
    """Make one library of all parts but those of other games, keep it and return its file, as ``make_parts`` does."""
    return _make_and_keep(WHOLE, _whole(), report)


def _whole() -> list[Part]:
    """Return the parts that belong into one library."""
    return [part for part in parts.values() if not is_apart(part)]


def make_levels(folder: Path, systems: Sequence[System], report: Report = no_report) -> list[Path]:
    """Put libraries of all parts, for each level of each kind of machine, into a folder; return their files.

    Each other game has a library of its own. What is in the cache folder is copied, and what is not is made and kept
    there, too.
    """
    apart = {name_of(group): group for group in by_game(filter(is_apart, parts.values()))}
    return [
        file
        for name, wanted in {WHOLE: _whole(), **apart}.items()
        for file in _make_levels_of(name, wanted, folder, systems, report)
    ]


def _make_levels_of(
    name: str, wanted: Sequence[Part], folder: Path, systems: Sequence[System], report: Report
) -> list[Path]:
    """Put the libraries of some parts into a folder, as ``make_levels`` does, under a name."""
    files = {
        folder / file_name(name, level, system.machine): (system, level)
        for system in systems
        for level in system.levels
    }
    kept = {file: kept_content(file.name) for file in files}
    for file, content in kept.items():
        if content is not None:
            write_in_one_step(file, content)
    missing = {file: of for file, of in files.items() if kept[file] is None}
    for system, _ in missing.values():
        if not system.is_here():
            linker_of(system)  # now: what is translated first takes a minute
    translated = translate_whole if name == WHOLE else functools.partial(translate, wanted)
    with tempfile.TemporaryDirectory(prefix="endeavor_env-") as scratch:
        bitcodes, symbols = translated(Path(scratch), report) if missing else ([], [])
        for file, (system, level) in missing.items():
            made = make_for(system, level, bitcodes, symbols, Path(scratch))
            keep(made, file)
            keep_for_later(made, file.name)
    return list(files)


def make_for(system: System, level: str, bitcodes: Sequence[Path], symbols: Sequence[str], scratch: Path) -> Path:
    """Return the file of a library for a level of a kind of machine, made of what the front end wrote."""
    if system.is_here():
        return make_here(bitcodes, symbols, level, scratch)
    thing, out = scratch / f"{system.machine}-{level}.o", scratch / f"{system.machine}-{level}.library"
    wait_for(start_back_end(bitcodes, symbols, system.processor(level), thing, system.triple))
    return link_for(system, thing, out)


def make_here(bitcodes: Sequence[Path], symbols: Sequence[str], level: str, scratch: Path) -> Path:
    """Return the file of a library for this machine: each of the bitcodes becomes a piece of it, at the same time.

    Without a linker everything becomes one object file, which llvmlite can load.
    """
    out, thing = scratch / f"{level}.library", scratch / f"{level}.o"
    if can_link():
        things = [scratch / f"{level}-{piece}.o" for piece in range(len(bitcodes))]
        works = enumerate(zip(bitcodes, things, strict=True))
        wait_for(*(start_back_end([bitcode], symbols, level, made, piece=piece) for piece, (bitcode, made) in works))
        if link_files(things, out):
            return out
    wait_for(start_back_end(bitcodes, symbols, level, thing))
    return thing


def kept_content(name: str) -> bytes | None:
    """Return the contents of the sound file of a name in the cache folder, their digest included; None without one."""
    contents = (sound_content(folder / name) for folder in found_folders())
    return next((content for content in contents if content is not None), None)


def keep_for_later(made: Path, name: str) -> None:
    """Put a file into the cache folder under a name; where that cannot be, who needs it makes it again."""
    folder = save_folder()
    if folder is not None:
        with contextlib.suppress(OSError):
            keep(made, folder / name)


def _make_and_keep(name: str, wanted: Sequence[Part], report: Report) -> Path:
    folder, level = save_folder(), levels()[0]
    version_hash()  # now: the sources may be edited before the work is done
    with tempfile.TemporaryDirectory(prefix="endeavor_env-") as scratch:
        made = make_library(wanted, level, Path(scratch), report)
        try:
            if folder is not None:
                file = folder / file_name(name, level)
                keep(made, file)
                return file
            why = "there is no folder for it"
        except OSError as problem:
            why = f"{folder}: {problem.strerror or problem}"
        say_once(f"compiled code cannot be saved ({why}), so that each process compiles it again: set {VARIABLE}")
        own = Path(tempfile.mkdtemp(prefix="endeavor_env-")) / made.name  # mapped by this process alone
        atexit.register(shutil.rmtree, own.parent, ignore_errors=True)
        keep(made, own)
        return own


def make_library(wanted: Sequence[Part], level: str, scratch: Path, report: Report = no_report) -> Path:
    """Return the file of a library with these parts for a level of instructions, made in the folder ``scratch``."""
    clock = _Clock(sum(part.weight(symbol) for part in wanted for symbol in part.symbols()), report)
    translated = translate_whole if list(wanted) == _whole() else functools.partial(translate, wanted)
    bitcodes, symbols = translated(scratch, clock.front_end)
    with clock.back_end():
        return make_here(bitcodes, symbols, level, scratch)


def translate_whole(scratch: Path, report: Report = no_report) -> tuple[list[Path], list[str]]:
    """Do what ``translate`` does with all parts, or take what it made before from the cache folder and keep it there.

    So libraries for other levels and other kinds of machines, which need the same, are made in half of the time.
    """
    wanted = _whole()
    symbols = sorted(symbol for part in wanted for symbol in part.symbols())
    kept = kept_content(TRANSLATED)
    if kept is not None:
        with zipfile.ZipFile(io.BytesIO(kept[:-DIGEST_SIZE])) as archive:
            files = {name: Path(archive.extract(name, scratch)) for name in archive.namelist()}
        if files.pop(SYMBOLS).read_text(encoding="utf-8").split("\n") == symbols:
            return list(files.values()), symbols
    made, _ = translate(wanted, scratch, report)
    packed = scratch / TRANSLATED
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in made:
            archive.write(file, file.name)
        archive.writestr(SYMBOLS, "\n".join(symbols))
    keep_for_later(packed, TRANSLATED)
    return made, symbols


def translate(wanted: Sequence[Part], scratch: Path, report: Report = no_report) -> tuple[list[Path], list[str]]:
    """Let the front end translate parts, in two processes; return its files and the symbols."""
    weights = {symbol: part.weight(symbol) for part in wanted for symbol in part.symbols()}
    families = {symbol: part.family(symbol) for part in wanted for symbol in part.symbols()}
    modules = [module for part in wanted for module in part.modules]
    progress = _Progress(weights, report)
    files = {scratch / f"{number}.bc": work for number, work in enumerate(_halves(weights, families)) if work}
    _run([_Worker(work, progress, str(file), ",".join(modules)) for file, work in files.items()])
    return list(files), list(weights)


def _halves(weights: Mapping[str, float], families: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return the entries in two lists that take about as long: always the same, so that libraries are, too.

    Entries of a family share most of their code, so that they stay together.
    """
    members: dict[str, list[str]] = {}
    for symbol in sorted(weights):
        members.setdefault(families[symbol], []).append(symbol)
    halves: tuple[list[str], list[str]] = ([], [])
    times = [0.0, 0.0]
    needs = {family: sum(weights[symbol] for symbol in symbols) for family, symbols in members.items()}
    for family in sorted(members, key=lambda family: (-needs[family], family)):
        lighter = times.index(min(times))
        halves[lighter].extend(members[family])
        times[lighter] += needs[family]
    return halves


def start_back_end(
    bitcodes: Sequence[Path], symbols: Sequence[str], level: str, out: Path, triple: str = "", piece: int | None = None
) -> subprocess.Popen[str]:
    """Start a process of the back end, which makes an object file of what the front end wrote.

    Args:
        bitcodes: What the front end wrote.
        symbols: The entries of the library.
        level: The level of instructions.
        out: The object file.
        triple: Another kind of machine, as LLVM names it; "" for this one.
        piece: Number of the piece of the library; None for the whole.
    """
    number = "" if piece is None else str(piece)
    return start_python(
        _BACK_END, str(out), level, triple, version_hash(), number, ",".join(symbols), *map(str, bitcodes)
    )


def wait_for(*processes: subprocess.Popen[str]) -> None:
    """Wait for processes of the back end; raise BuildError with the last words of one that failed."""
    try:
        ends = [process.communicate()[1] for process in processes]
    finally:
        _end(processes)
    for process, errors in zip(processes, ends, strict=True):
        if process.returncode != 0:
            raise BuildError(f"compiling failed: {errors[-2000:]}")


def keep(made: Path, file: Path) -> None:
    """Put a library with its digest in its place in one step."""
    content = made.read_bytes()
    write_in_one_step(file, content + hashlib.sha256(content).digest())


class _Clock:
    """How far the making of a library is, by the clock.

    The front end says what it has done; the back end is taken to be as slow as the front end was.
    """

    def __init__(self, weight: float, report: Report) -> None:
        self._front = STARTING + weight * FRONT_END / PROCESSES
        self._back = weight * (1 - FRONT_END) / (PROCESSES if can_link() else 1)
        self._share = self._front / (self._front + self._back)
        self._report, self._begun = report, time.perf_counter()
        self._translates = False

    def front_end(self, share: float) -> None:
        """Report which share of the front end's work is done."""
        self._translates = True
        self._report(share * self._share)

    @contextlib.contextmanager
    def back_end(self) -> Iterator[None]:
        """Report while the back end works."""
        begun, ended = time.perf_counter(), threading.Event()
        if not self._translates:  # it was done before
            self._share = 0.0
        expected = self._back * max(1.0, (begun - self._begun) / self._front)

        def tick() -> None:
            while not ended.wait(TICK):
                done = min(0.99, (time.perf_counter() - begun) / expected)
                self._report(self._share + (1 - self._share) * done)

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


class _Progress:
    """How much of the front end's work is done."""

    def __init__(self, weights: dict[str, float], report: Report) -> None:
        self._weights, self._report, self._lock = weights, report, threading.Lock()
        self._all = sum(weights.values()) + STARTING
        self._done = STARTING

    def done(self, symbol: str) -> None:
        """Count an entry that was translated."""
        with self._lock:
            self._done += self._weights[symbol]
            self._report(self._done / self._all)


class _Worker(threading.Thread):
    """A process of the front end, and the thread that hands it one entry after the other."""

    def __init__(self, work: Sequence[str], progress: _Progress, *arguments: str) -> None:
        super().__init__(daemon=True)
        self._work, self._progress = work, progress
        self.process = start_python(_FRONT_END, *arguments)
        self.fault: str | None = None

    def run(self) -> None:
        """Hand out the work."""
        given, answers = self.process.stdin, self.process.stdout
        assert given is not None
        assert answers is not None
        with contextlib.suppress(OSError):
            for symbol in self._work:
                given.write(f"{symbol}\n")
                given.flush()
                if answers.readline().strip() != symbol:
                    raise BrokenPipeError
                self._progress.done(symbol)
        _, errors = self.process.communicate()
        if self.process.returncode != 0:
            self.fault = errors[-2000:]


def _run(workers: Sequence[_Worker]) -> None:
    """Let workers work to their end; raise BuildError with the last words of one that failed."""
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    finally:
        _end([worker.process for worker in workers])
    faults = [worker.fault for worker in workers if worker.fault]
    if faults:
        raise BuildError(f"compiling failed: {faults[0]}")


def end_processes() -> None:
    """End all processes that this one has started, in whatever thread: who waits for them gets a BuildError."""
    _end(list(_started))


def _end(processes: Iterable[subprocess.Popen[str]]) -> None:
    """End processes that still work."""
    for process in processes:
        if process.poll() is None:
            process.kill()


def start_python(module: str, *arguments: str) -> subprocess.Popen[str]:
    """Start a process of the same interpreter that runs a module of this package."""
    path = inherited_path(PACKAGE.parent)
    process = subprocess.Popen(
        python_command("-m", module, *arguments),
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},  # the same order of everything each time
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _started.add(process)
    return process
