"""Games of greedy players that have different weights, and automas, played inside a compiled kernel on all cores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.thread_pool import default_threads, run_shared
from endeavor_env.board import Board
from endeavor_env.compilation import ensure_compiled
from endeavor_env.compile_once import compile_once
from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.actions import num_actions
from endeavor_env.core.engine.apply import apply
from endeavor_env.core.engine.decisions import legal
from endeavor_env.core.engine.scoring import write_totals
from endeavor_env.core.policies.automa.choice import automa_action
from endeavor_env.core.policies.greedy.turn_search import DEPTH, greedy_action
from endeavor_env.core.policies.greedy.weights import WEIGHTS
from endeavor_env.core.rng import reseed
from endeavor_env.core.state import STATE
from endeavor_env.game import Game
from endeavor_env.setups import SOLO, STANDARD

AUTOMA = -1
"""Stands for the automa where players are named by their weights."""
CHUNK = 512
"""Games between two looks at the keyboard and the clock: about a second of both cores."""


@kernel
def play_games(boards, states, seeds, starts, players, weights, game, scratch, masks, rng, scores, low, high):
    """Play games [low, high) to their end.

    Args:
        boards: (1,) BOARD, read only.
        states: (N,) STATE, the positions that games start from; read only.
        seeds: (N,) int64, 0 or above: the generator of a game follows from that of its start.
        starts: (G,) int64, the start of each game.
        players: (G, MAX_SEATS) int64, the row of ``weights`` for each seat, or AUTOMA; entries beyond the seats are not
            read.
        weights: (W, NUM_WEIGHTS) float64.
        game: (1,) STATE, scratch.
        scratch: (DEPTH,) STATE, scratch of ``greedy_action``.
        masks: (DEPTH, number of actions) int8, the same.
        rng: (1,) uint64, scratch.
        scores: (G, MAX_SEATS) int16, written: the final Glory; column 1 is the Opposition's in the solitaire game.
        low: First game.
        high: One past the last.
    """
    board = boards[0]
    for number in range(low, high):
        start = starts[number]
        game[0] = states[start]
        reseed(rng, seeds[start])
        while game[0].decision != c.DECIDE_NOTHING:
            player = players[number, game[0].seat]
            if player == AUTOMA:
                legal(board, game[0], masks[0])
                action = np.int64(automa_action(board, game[0], masks[0]))
            else:
                action = np.int64(greedy_action(board, game[0], weights[player], scratch, masks, rng))
            apply(board, game[0], action)
        write_totals(board, game[0], scores[number])


@dataclass(frozen=True, eq=False)
class Starts:
    """Positions after the set-up, all of the base game or all of the solitaire game."""

    states: npt.NDArray[np.void]
    """(N,) STATE."""
    seeds: npt.NDArray[np.int64]
    """(N,) int64, the seed of each set-up and of what players draw in it."""
    seats: npt.NDArray[np.int64]
    """(N,) int64, the number of players."""
    variant: str
    """The variant of all of them."""

    def __len__(self) -> int:
        """Return the number of starts."""
        return len(self.seeds)


def table_starts(seats: Sequence[int], seeds: Sequence[int]) -> Starts:
    """Return set-ups of the base game for so many ``seats`` each, drawn with ``seeds``."""
    games = [Game.new(players, seed=seed) for players, seed in zip(seats, seeds, strict=True)]
    return _starts(games, seeds, STANDARD)


def solo_starts(difficulties: Sequence[str], seeds: Sequence[int]) -> Starts:
    """Return set-ups of the solitaire game of these ``difficulties``, drawn with ``seeds``."""
    games = [
        Game.new(variant=SOLO, seed=seed, options={"difficulty": difficulty})
        for difficulty, seed in zip(difficulties, seeds, strict=True)
    ]
    return _starts(games, seeds, SOLO)


def _starts(games: list[Game], seeds: Sequence[int], variant: str) -> Starts:
    """Return the positions of ``games`` as starts."""
    states = np.frombuffer(b"".join(game.state.tobytes() for game in games), STATE)
    seats = np.array([game.num_players for game in games], np.int64)
    return Starts(states, np.array(seeds, np.int64), seats, variant)


def play(
    starts: Starts, of_games: npt.NDArray[np.int64], players: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.int16]:
    """Return the final scores of games, (G, MAX_SEATS) int16.

    Args:
        starts: Where they start.
        of_games: (G,) the start of each game.
        players: (G, MAX_SEATS) the row of ``weights`` for each seat, or AUTOMA.
        weights: (W, NUM_WEIGHTS).
    """
    ensure_games_compiled()
    scores = np.zeros((len(of_games), c.MAX_SEATS), np.int16)
    shared = (of_games, players, np.ascontiguousarray(weights), scores)
    for first, last in _chunks(len(of_games)):

        def work(low: int, high: int, first: int = first) -> None:
            _play_range(starts, shared, first + low, first + high)

        run_shared(work, last - first, default_threads(), 1)
    return scores


def _play_range(starts: Starts, shared: tuple[Any, ...], low: int, high: int) -> None:
    """Play games [low, high) with scratch memory of their own; ``shared`` is what all threads read and write."""
    of_games, players, weights, scores = shared
    masks = np.zeros((DEPTH, num_actions(starts.variant)), np.int8)
    scratch = (np.zeros(1, STATE), np.zeros(DEPTH, STATE), masks, np.zeros(1, np.uint64))
    given = (starts.states, starts.seeds, of_games, players, weights)
    arguments: list[Any] = [Board.default().array, *given, *scratch, scores, low, high]
    play_games(*arguments)


def _chunks(count: int) -> Iterator[tuple[int, int]]:
    """Cut ``count`` games into ranges, between which Ctrl-C is noticed."""
    for first in range(0, count, CHUNK):
        yield first, min(first + CHUNK, count)


def ensure_games_compiled() -> None:
    """Compile the kernel if this version of the sources was never compiled on this machine."""
    ensure_compiled()
    compile_once("the games of greedy players", _compile_games)


def _compile_games() -> None:
    """Call the kernel for no game at all, with arguments of the types it is always called with."""
    players, scores = np.zeros((0, c.MAX_SEATS), np.int64), np.zeros((0, c.MAX_SEATS), np.int16)
    _play_range(table_starts([3], [0]), (np.zeros(0, np.int64), players, WEIGHTS.as_array()[None], scores), 0, 0)
