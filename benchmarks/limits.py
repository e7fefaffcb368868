"""How near the batch engine comes to what the memory of the machine allows."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.machine import usable_cores
from benchmarks.timing import SMOKE, Figure, Section, in_turns
from benchmarks.vector import EFFORT, OBSERVATIONS, SELF_PLAY, Setting, Turns

GAMES = 32_768
"""More than the cache of a few cores holds."""
MEBIBYTE = 1 << 20
COPIED = 256 * MEBIBYTE
LINE = 64
"""Bytes that a processor and its memory exchange at a time."""
ACTION = np.dtype(np.int64).itemsize


class Copies:
    """A large array that is copied by several threads at once, which NumPy does without the interpreter's lock."""

    def __init__(self, size: int, threads: int) -> None:
        """Makes two arrays of ``size`` bytes and touches all of them."""
        self.source, self.target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
        bounds = np.linspace(0, size, threads + 1).astype(int).tolist()
        self.ranges = [slice(low, high) for low, high in itertools.pairwise(bounds)]
        self.pool = ThreadPoolExecutor(threads)

    def copy(self) -> int:
        """Copies everything once; returns the bytes."""
        list(self.pool.map(lambda part: np.copyto(self.target[part], self.source[part]), self.ranges))
        return self.source.size

    def close(self) -> None:
        """Ends the threads."""
        self.pool.shutdown()


def changed_bytes(turns: Turns, repeats: int = 20) -> float:
    """Returns how many bytes of states and tables are in lines of 64 that a decision changes, on average.

    Self-play only: every game makes one decision a turn.
    """
    arrays = turns.batch.states, turns.batch.tables
    changed = 0
    for _ in range(repeats):
        before = [lines(array) for array in arrays]
        turns.play.turn()
        changed += sum(int((old != lines(array)).any(axis=1).sum()) for old, array in zip(before, arrays, strict=True))
    return changed * LINE / (repeats * turns.batch.size)


def lines(array: np.ndarray) -> np.ndarray:
    """Returns a copy of the whole lines of an array as (n, 64) uint8."""
    flat = array.view(np.uint8).reshape(-1)
    return flat[: flat.size // LINE * LINE].reshape(-1, LINE).copy()


def traffic(games: int) -> dict[str, tuple[float, float]]:
    """Returns the bytes that a decision must read and must write, by observation."""
    moved = {}
    for observation in OBSERVATIONS:
        turns = Turns(Setting("Batch", SELF_PLAY, observation, games, 1))
        mask, shown = turns.batch.masks.shape[1], 0.0 if turns.out is None else turns.out.nbytes / games
        read = turns.batch.bytes_a_game + ACTION  # the choice reads the mask
        moved[observation] = read, changed_bytes(turns) + mask + shown + ACTION
        turns.close()
    return moved


def limits(smoke: bool) -> list[Section]:
    """Measures copies and the batch engine in turns, and compares."""
    effort, games, size = (SMOKE, 512, MEBIBYTE) if smoke else (EFFORT, GAMES, COPIED)
    moved = traffic(min(games, 8192))
    counts = sorted({1, usable_cores()})
    copies = {threads: Copies(size, threads) for threads in counts}
    turns = {
        (observation, threads): Turns(Setting("Batch", SELF_PLAY, observation, games, threads))
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
    """Returns the number of threads in words."""
    return "1 thread" if threads == 1 else f"{threads} threads"


def copied(found: dict[int | tuple[str, int], list[float]], counts: list[int]) -> Section:
    """The machine's bandwidth: every byte copied is read once and written once."""
    figures = [
        Figure.of(f"read and written, {threads_word(threads)}", "GB/s", [2e-9 * rate for rate in found[threads]])
        for threads in counts
    ]
    return Section("Limit: copying a large array", figures)


def needed(moved: dict[str, tuple[float, float]]) -> Section:
    """The bytes of a decision."""
    figures = []
    for observation, (read, written) in moved.items():
        label = "no observation" if observation == "none" else f"{observation} observation"
        figures.append(Figure.of(f"{label}: read", "bytes", [read]))
        figures.append(Figure.of(f"{label}: written", "bytes", [written]))
    return Section("Limit: bytes that a decision of the batch engine must move", figures)


def compared(
    found: dict[int | tuple[str, int], list[float]], moved: dict[str, tuple[float, float]], threads: int, games: int
) -> Section:
    """What copying alone would allow, what the batch engine does, and how many times it is away from it."""
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
