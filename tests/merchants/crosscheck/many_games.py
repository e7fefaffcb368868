"""Compare many random games of the kernels with the reference, and count how often each case of a clause occurs.

    python -m tests.merchants.crosscheck.many_games --games 50000

Games that differ are listed with the index of the move; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from multiprocessing import get_context

from tests.merchants.crosscheck.compare import Draws, compare_game, deviations, new_draws
from tests.merchants.crosscheck.plans import plan_of
from tests.merchants.reference.cases import CASES

CHUNK, MOST_SHOWN = 100, 20
Result = tuple[Counter[str], Draws, int, list[str]]


def compare_chunk(seeds: range) -> Result:
    """Return the cases that games met, what the kernels drew, the number of moves, and what differed."""
    met, draws, moves, wrong = Counter[str](), new_draws(), 0, []
    for seed in seeds:
        try:
            moves += compare_game(plan_of(seed), met, draws)
        except (AssertionError, ValueError, KeyError) as error:
            wrong.append(f"{plan_of(seed)}: {type(error).__name__} {error}")
    return met, draws, moves, wrong


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.merchants.crosscheck.many_games")
    parser.add_argument("--games", type=int, default=1000, help="games to play")
    parser.add_argument("--first", type=int, default=0, help="seed of the first game")
    parser.add_argument("--processes", type=int, default=1, help="processes")
    asked = parser.parse_args(arguments)
    ends = range(asked.first, asked.first + asked.games, CHUNK)
    chunks = [range(start, min(start + CHUNK, asked.first + asked.games)) for start in ends]
    met, draws, moves, wrong, begun = Counter[str](), new_draws(), 0, list[str](), time.perf_counter()
    with get_context("spawn").Pool(asked.processes) as pool:
        for more_met, more_draws, more_moves, more_wrong in pool.imap_unordered(compare_chunk, chunks):
            met.update(more_met)
            for weights, counts in more_draws.items():
                draws[weights].update(counts)
            moves += more_moves
            for line in more_wrong[: MOST_SHOWN - len(wrong)]:
                print(line, flush=True)
            wrong += more_wrong
    for case in sorted(CASES):
        print(f"{met[case]:10}  {case}")
    off = deviations(draws)
    print(f"draws of chance: {len(off)} kinds of nodes, the farthest {off[0][0]:.1f} deviations off" if off else "")
    seconds = time.perf_counter() - begun
    print(f"{asked.games} games, {moves} moves, {seconds:.0f} s, {len(wrong)} games differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
