"""The batch engine against the limit that the memory bandwidth of the machine sets."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from endeavor_env.basics.hardware import usable_cores
from endeavor_env.benchmarks.batches import OBSERVATIONS, SELF_PLAY, BatchSetting, BatchTurns
from endeavor_env.benchmarks.report import Figure, Section
from endeavor_env.benchmarks.timing import Effort, in_turns
from endeavor_env.errors import Unpicklable

GAMES = 32_768
"""More games than fit into the cache of a few cores."""
MEBIBYTE = 1 << 20
COPIED = 256 * MEBIBYTE
LINE = 64
"""Bytes of a cache line, the unit in which processor and memory exchange data."""
ACTION = np.dtype(np.int64).itemsize


class Copies(Unpicklable):
    """A large array that several threads copy at once; NumPy releases the interpreter's lock while it copies."""

    def __init__(self, size: int, threads: int) -> None:
        """Make two arrays of ``size`` bytes and touches all of them."""
        self.source, self.target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
        bounds = np.linspace(0, size, threads + 1).astype(int).tolist()
        self.ranges = [slice(low, high) for low, high in itertools.pairwise(bounds)]
        self.pool = ThreadPoolExecutor(threads)

    def copy(self) -> int:
        """Copy the array once; return the number of bytes."""
        list(self.pool.map(lambda part: np.copyto(self.target[part], self.source[part]), self.ranges))
        return self.source.size

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown()


def changed_bytes(turns: BatchTurns, repeats: int = 20) -> float:
    """Return the bytes of the cache lines of states and tables that a decision changes, on average.

    For self-play only, where every game makes one decision per turn.
    """
    arrays = turns.batch.states, turns.batch.tables
    changed = 0
    for _ in range(repeats):
        before = [lines(array) for array in arrays]
        turns.play.turn()
        changed += sum(int((old != lines(array)).any(axis=1).sum()) for old, array in zip(before, arrays, strict=True))
    return changed * LINE / (repeats * turns.batch.size)


def lines(array: np.ndarray) -> np.ndarray:
    """Return a copy of an array as cache lines, (n, 64) uint8; an incomplete last line is left out."""
    flat = array.view(np.uint8).reshape(-1)
    return flat[: flat.size // LINE * LINE].reshape(-1, LINE).copy()


def traffic(games: int) -> dict[str, tuple[float, float]]:
    """Return the bytes that a decision must read and must write, by observation."""
    moved = {}
    for observation in OBSERVATIONS:
        turns = BatchTurns(BatchSetting("Batch", SELF_PLAY, observation, games, 1))
        mask, shown = turns.batch.words.nbytes / games, 0.0 if turns.out is None else turns.out.nbytes / games
        read = turns.batch.bytes_a_game + ACTION  # the choice reads the mask
        moved[observation] = read, changed_bytes(turns) + mask + shown + ACTION
        turns.close()
    return moved


def limits(effort: Effort) -> list[Section]:
    """Measure copying and the batch engine in turns, and compare them."""
    games, size = (512, MEBIBYTE) if effort.smoke else (GAMES, COPIED)
    moved = traffic(min(games, 8192))
    counts = sorted({1, usable_cores()})
    copies = {threads: Copies(size, threads) for threads in counts}
    turns = {
        (observation, threads): BatchTurns(BatchSetting("Batch", SELF_PLAY, observation, games, threads))
        for observation in OBSERVATIONS
        for threads in counts
    }
    works: dict[int | tuple[str, int], Callable[[], int]] = {threads: one.copy for threads, one in copies.items()}
    works.update({key: one.turn for key, one in turns.items()})
    try:
        found = in_turns(works, effort)
    finally:
        for one in (*copies.values(), *turns.values()):
            one.close()
    return [copied(found, counts), needed(moved), *(compared(found, moved, threads, games) for threads in counts)]


def threads_word(threads: int) -> str:
    """Return the number of threads in words."""
    return "1 thread" if threads == 1 else f"{threads} threads"


def copied(found: dict[int | tuple[str, int], list[float]], counts: list[int]) -> Section:
    """Return the bandwidth of the machine: every byte copied is read once and written once."""
    figures = [
        Figure.of(f"read and written, {threads_word(threads)}", "GB/s", [2e-9 * rate for rate in found[threads]])
        for threads in counts
    ]
    return Section("Limit: copying a large array", figures)


def needed(moved: dict[str, tuple[float, float]]) -> Section:
    """Return the bytes that a decision reads and writes."""
    figures = []
    for observation, (read, written) in moved.items():
        label = "no observation" if observation == "none" else f"{observation} observation"
        figures.append(Figure.of(f"{label}: read", "bytes", [read]))
        figures.append(Figure.of(f"{label}: written", "bytes", [written]))
    return Section("Limit: bytes that a decision of the batch engine must move", figures)


def compared(
    found: dict[int | tuple[str, int], list[float]], moved: dict[str, tuple[float, float]], threads: int, games: int
) -> Section:
    """Return the speed that copying alone would allow, the speed of the batch engine, and their ratio."""
    figures = []
    for observation, both in moved.items():
        allowed = [2 * rate / sum(both) for rate in found[threads]]
        made = found[(observation, threads)]
        ratios = [limit / own for limit, own in zip(allowed, made, strict=True)]
        figures += [
            Figure.of(f"{observation}: at copying speed", "decisions/s", allowed),
            Figure.of(f"{observation}: measured", "decisions/s", made),
            Figure.of(f"{observation}: limit over measured", "times", ratios),
        ]
    return Section(f"Limit: decisions a second, {games:,} games, {threads_word(threads)}", figures)
