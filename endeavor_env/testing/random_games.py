"""Games of random legal moves with checks, with open regions, and counts of sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from endeavor_env.basics.inputs import check_seed, whole_number
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.checks import audit
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.options import EXPLOITS, STANDARD
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.base.actions import sail
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.kernels.masks import words_of
from endeavor_env.engine.kernels.playouts import count_sequences
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.testing.soundness import UnsoundStateError, check_state

# --- Perft -----------------------------------------------------------------------------------------------------------
# Counts of the sequences of decisions from a position, to compare two implementations of a game's rules.


def perft(game: Game | AnyGame, depth: int) -> list[int]:
    """Return how many sequences of 1, 2, ... ``depth`` legal decisions start here, counted one by one.

    A move of chance is a decision of its own, with each outcome that is possible.
    """
    if depth < 1:
        return []
    config, stack = game.config, np.zeros(depth, game.state.dtype)
    stack[0] = game.state[0]
    masks = np.zeros((depth, words_of(config.rules.num_actions(config.variant))), np.int64)
    counts = np.zeros(depth, np.int64)
    rules, boards, positions = config.rules.given(config.board_array, stack)
    count_sequences(rules, boards, positions, masks, counts)
    return counts.tolist()


def divide(game: Game | AnyGame, depth: int) -> dict[str, int]:
    """Return how many sequences of ``depth`` decisions start with each legal move; they add up to ``perft``.

    To find a difference to another implementation: play the move whose counts differ, and divide again with
    ``depth`` - 1.
    """
    split = {}
    for move in game.legal_moves():
        after = game.clone()
        after.play(move, draws=False)
        split[move] = perft(after, depth - 1)[-1] if depth > 1 else 1
    return split


def divide_text(game: Game | AnyGame, depth: int) -> str:
    """Return ``divide`` as a table for a failure message."""
    split = divide(game, depth)
    lines = [f"  {move:<28}{count:>12,}" for move, count in split.items()]
    return "\n".join([f"{game!r}, depth {depth}:", *lines, f"  {'in all':<28}{sum(split.values()):>12,}"])


# --- Games in which all regions are open from the start: random play opens few, and each Exploit needs two -----------


def open_regions(game: Game, seed: int = 0) -> Game:
    """Open all regions of a game that has not begun, in place, and return it.

    Seats drawn at random sail with discs from their supply until every track is full; they get tokens and Governors as
    the rules say (R8.1, R8.2). No moves stand for this, so that the game has no record.

    Args:
        game: A new game of the variant "standard" or "exploits".
        seed: Seed of the seats; equal arguments give equal positions.

    Raises:
        InvalidOptionError: The game has begun, or is another variant.
    """
    if game.history or game.variant not in (STANDARD, EXPLOITS):
        raise InvalidOptionError(f"regions cannot be opened in {game!r}: give a new game, with Exploits or without")
    rng, state, board = np.random.default_rng(seed), game.state[0], game.board.array[0]
    for region in np.flatnonzero(board.track_length).tolist():
        while not state.open[region]:
            seat = int(rng.choice(np.flatnonzero(state.supply)))
            state.supply[seat] -= 1
            state.harbor[seat] += 1
            sail(board, state, seat, region)
    return game


# --- Games of random legal moves, with a check of every state where asked for ----------------------------------------

MAX_DECISIONS = 2000
"""More decisions than any game on a board with the numbers of 2009 has; the longest games have five seats.

A seat activates each of its buildings once per round: 35 activations with one more building each round, and 7 more if
its one level-5 building pays. The 16 blue tokens add at most 16. That makes 226 activations for five seats, with three
decisions each, and at most two cards each, which are discarded once. With 35 builds and passes, 226 payments and 35
declined discards the sum stays below 1,600.
"""


_MOST_REDRAWS = 1000
_QUESTIONS = 32
"""More questions than the Opposition of a solitaire game has in a round: 8 actions, as many tokens, and discards."""
_REMOVALS = 12
"""Tokens that leave the shipping tracks in the set-up of a variant (V2S.4)."""


def most_decisions(board: Board) -> int:
    """Return a number of decisions that no game on ``board`` without Exploits exceeds, of any variant and size.

    A seat activates each of its buildings once per round, and once more whenever it is freed. It has at most one
    building that pays (boards with more are refused), which frees two others per round, and two more each time that a
    Pay token frees it.
    """
    facts = board.array[0]
    rounds, blue = int(facts.num_rounds), int(facts.token_count[c.FIRST_BLUE :].sum())
    at_start = int(((facts.building_start > 0) & (facts.building_mode != c.MODE_NONE)).sum())
    activations = c.MAX_SEATS * (rounds * (at_start + 2) + rounds * (rounds + 1) // 2)
    activations += 3 * int(facts.token_count[c.TOKEN_PAY])
    in_actions = 5 * (
        activations + blue
    )  # two parts, each with a neutral disc to place, after the choice of the action
    discards = 2 * (activations + blue) + c.NUM_REGIONS  # no more than cards that were acquired
    in_phases = c.MAX_SEATS * rounds * (3 + int(facts.payments.max()))  # build, salary, pass, a discard declined
    return in_actions + discards + in_phases + rounds * _QUESTIONS + _REMOVALS


def random_game(
    players: int | None = None,
    seed: int = 0,
    *,
    variant: str = "standard",
    exploits: Sequence[str] | str | None = None,
    options: Mapping[str, Any] | None = None,
    board: Board | str | Path | None = None,
    decisions: int | None = None,
    redraws: int = 0,
    check: bool = False,
) -> Game:
    """Return a game played with random legal moves, to its end or for a number of decisions.

    Args:
        players: As for ``Game.new``: 3 to 5 in the standard game, 4 if left out.
        seed: Seed of the set-up and of the moves; equal arguments give equal games.
        variant: As for ``Game.new``.
        exploits: As for ``Game.new``.
        options: As for ``Game.new``.
        board: As for ``Game.new``.
        decisions: Most decisions to make; None plays to the end.
        redraws: 0 is uniform play; 1 to 4 make long games that crowd the first regions, -1 to -4 the last, with higher
            buildings (``endeavor.checks.audit.choose_eager``).
        check: Whether to check the state at every decision (``check_state``).

    Raises:
        UnsoundStateError: The game does not end within ``most_decisions``, or with ``check`` a state is unsound.
        InvalidOptionError: A wrong argument.
    """
    number, extra = check_seed(seed), whole_number(redraws)
    limit = None if decisions is None else whole_number(decisions)
    if number is None or extra is None or abs(extra) > _MOST_REDRAWS or (decisions is not None and limit is None):
        raise InvalidOptionError(
            f"seed={shown(seed)}, decisions={shown(decisions)}, redraws={shown(redraws)} are not possible: give whole "
            f"numbers, redraws from -{_MOST_REDRAWS} to {_MOST_REDRAWS}"
        )
    game = Game.new(players, variant, number, board=board, exploits=exploits, options=options)
    bound = most_decisions(game.board)
    rng = seeded(-1 - number)
    mask = np.empty(num_actions(game.variant), np.int8)
    for _ in range(bound if limit is None else min(limit, bound)):
        if check:
            check_state(game)
        if entry.legal(game.board.array, game.state, mask) == 0:
            break
        game.apply(int(audit.choose_eager(mask, rng, extra)))
    if check:
        check_state(game)
    if not game.over and (limit is None or limit >= bound):
        raise UnsoundStateError(game, [audit.FLAG_NAMES[audit.ENDLESS]])
    return game
