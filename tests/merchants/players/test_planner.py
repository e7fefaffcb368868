"""The planner: legal moves, wins against random play, and no look at what its seat cannot see."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels import playouts
from endeavor_env.engine.kernels.players import FIRST_ENTRY, SEAT_RANDOM, Players
from endeavor_env.engine.kernels.rng import GENERATOR, seeded
from endeavor_env.engine.kernels.rules import BOARDS, BYTES, MAX_SEATS, MEMORY, POSITIONS
from endeavor_env.kernels.calls import address_of, indirect_call
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kinds import INTEGER
from endeavor_env.merchants.players.planner.player import planner_entry
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from tests.merchants.core.games import new_game, random_play
from tests.merchants.core.test_hidden import drawn_anew

_call = indirect_call(7)


@entry(INTEGER, BOARDS, POSITIONS, BYTES, MEMORY, GENERATOR)
def choose(address, boards, positions, mask, memory, rng):  # type: ignore[no-untyped-def]
    """Return the move of a compiled player."""
    return _call(address, boards[0], positions[0], mask, mask.size, memory, memory.size, rng)


def planned_move(game: Game) -> int:
    """Return the move of the planner for the seat to move."""
    _, board, position = game.given
    mask = game.mask().view(np.int8)
    return int(choose(address_of(planner_entry), board, position, mask, np.zeros(0, np.uint8), seeded(0)))


@pytest.mark.parametrize(
    ("side", "players", "trade"), [("short", 3, 0), ("short", 4, 1), ("expert", 3, 2), ("expert", 4, 0)]
)
def test_all_its_moves_are_legal_and_depend_on_what_it_sees(side: str, players: int, trade: int) -> None:
    game, rng, chooser, decisions = (
        new_game(side, players, c.FREE, trade, 120, seed=6),
        seeded(1),
        random.Random(1),
        set(),
    )
    while not game.over:
        move = planned_move(game)
        assert move in game.legal_actions()
        decisions.add(int(game.state["decision"][0]))
        if chooser.random() < 0.1:
            assert planned_move(drawn_anew(game, game.seat, rng)) == move
        game.apply(move if chooser.random() < 0.8 else chooser.choice(game.legal_actions()))
    assert len(decisions) > 10


def test_it_answers_every_decision_of_random_games() -> None:
    for seed in range(6):
        game = new_game(("short", "expert")[seed % 2], 3 + seed // 2 % 2, c.FREE, rolls=60, seed=seed)
        for position in random_play(game, seed):
            assert planned_move(position) in position.legal_actions()


@pytest.mark.parametrize(("side", "players"), [("short", 3), ("short", 4), ("expert", 3), ("expert", 4)])
def test_it_wins_against_random_play(side: str, players: int) -> None:
    game, games = new_game(side, players, seed=2), 30
    scores, made, ended = (np.zeros((games, MAX_SEATS), np.int16), np.zeros(games, np.int32), np.zeros(games, np.int8))
    codes: npt.NDArray[np.int64] = np.full(MAX_SEATS, SEAT_RANDOM)
    codes[0] = FIRST_ENTRY
    addresses = np.full(FIRST_ENTRY + 1, address_of(planner_entry))
    memory = Players(addresses, np.zeros(FIRST_ENTRY + 2, np.int64), np.zeros(0, np.uint8))
    rules, board, position = game.given
    scratch, mask = np.zeros(position.shape[1], np.int64), np.zeros(actions.NUM_ACTIONS, np.int8)
    playouts.rollout(
        rules, board, position, np.zeros(1, np.int64), games, 1_000_000, scratch, seeded(1), mask, scores, made, ended,
        0, games, codes, memory,
    )  # fmt: skip
    assert ended.all()
    assert (scores[:, 0] > scores[:, 1:players].max(axis=1)).mean() > 0.8
