"""A game that the engine does not know: chance between moves, a hidden hand, batches, rollouts, rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env.engine.batch.game_batch import Batch, Pay
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.endings import REWARD_RANK, REWARD_WIN_ZERO_SUM
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import NONE
from endeavor_env.engine.kernels.tables import KIND, SHARES
from endeavor_env.engine.kernels.turn import OVER
from tests.kits.toy_reference import ReferenceGame
from tests.toy_game.rules import (
    ROUNDS,
    SEATS,
    SIZE,
    TOY_GAME,
)


def toy_batch(size: int, observation: str = "features", threads: int = 1, pay: int = REWARD_WIN_ZERO_SUM) -> Batch:
    """Return a batch of toy games, in which nobody sits yet."""
    kinds = np.zeros(1, KIND)
    kinds["until"], kinds["players"] = SHARES, SEATS
    return Batch(
        size,
        rules=TOY_GAME,
        boards=np.zeros(1, TOY_GAME.board),
        kinds=kinds,
        draws=False,
        variant="toy",
        observation=observation,
        pay=Pay(pay),
        threads=threads,
    )


def begin(batch: Batch, learner: int, first_seed: int = 0) -> None:
    """Begin the games of the seeds from ``first_seed`` on; ``random`` sits in the other seats."""
    batch.seats.seat_learner(learner)
    batch.seats.seat_opponents(["random"] * (SEATS - 1))
    for row in range(batch.size):
        batch.seed_game(row, first_seed + row)
    batch.restart(np.arange(batch.size))


def take_turn(batch: Batch, actions: npt.NDArray[np.int64]) -> Any:
    """Carry out legal actions; return the games that ended."""
    wrong, _ = batch.check(actions, True, False)
    assert wrong == NONE
    return batch.turn()


@pytest.mark.parametrize("observation", ["features", "compact"])
def test_games_of_a_batch_are_those_of_plain_python(observation: str) -> None:
    batch = toy_batch(20, observation)
    begin(batch, NONE)
    games = [ReferenceGame(seed) for seed in range(batch.size)]
    for turn in range(ROUNDS * SEATS):
        masks, seen = batch.masks(), batch.observe()
        assert [np.flatnonzero(mask).tolist() for mask in masks] == [game.legal for game in games]
        assert seen.tolist() == [game.seen() for game in games]
        assert batch.movers.tolist() == [game.turn for game in games]
        actions = np.array([game.legal[(turn + row) % len(game.legal)] for row, game in enumerate(games)])
        ended = take_turn(batch, actions)
        for game, action in zip(games, actions.tolist(), strict=True):
            game.play(action)
        assert batch.states["score"].tolist() == [game.score for game in games]
        assert ended.games.size == (batch.size if turn == ROUNDS * SEATS - 1 else 0)
    assert (batch.status == OVER).all()
    assert ended.games["scores"][:, :SEATS].tolist() == [game.score for game in games]
    for game, paid in zip(games, ended.games["paid"].tolist(), strict=True):
        winners = game.score.count(max(game.score))
        shares = [(score == max(game.score)) / winners - 1 / SEATS for score in game.score]
        assert paid[:SEATS] == pytest.approx(shares)


def play_out(batch: Batch, seed: int) -> list[Any]:
    """Let the learner, too, play at random; return how its games ended, by row."""
    rngs = np.stack([seeded(seed + row) for row in range(batch.size)])
    ends: dict[int, Any] = {}
    while len(ends) < batch.size:
        actions = batch.sample(rngs, np.empty(batch.size, np.int64))
        batch.check(actions, False, False)
        for game in batch.turn().games:
            ends[int(game["row"])] = (game["scores"].tolist(), game["paid"].tolist(), int(game["seat"]))
    return [ends[row] for row in range(batch.size)]


def test_games_do_not_depend_on_threads_or_on_the_other_rows() -> None:
    played = []
    for size, threads in ((300, 1), (300, 2), (40, 1)):
        batch = toy_batch(size, threads=threads, pay=REWARD_RANK)
        begin(batch, learner=1)
        played.append(play_out(batch, 7))
        batch.close()
    assert played[0] == played[1]
    assert played[0][:40] == played[2]
    assert len({str(end) for end in played[0]}) > 100


def test_a_game_without_the_fields_that_the_engine_knows_is_refused() -> None:
    lacking = np.dtype((np.record, [("seat", np.int8), ("room", np.int8, (63,))]))
    with pytest.raises(TypeError, match="must have the field num_seats, int8, at byte 50"):
        GameRules("lacking", *(lacking,) * 3, (), *(lambda *_: SIZE,) * 2, TOY_GAME.scale, {})  # type: ignore[arg-type]
