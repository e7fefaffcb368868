"""Environments of any game on the engine, with the toy game: steps that do not end, copies, what stays hidden."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.errors import IllegalActionError, InvalidOptionError
from tests.kits.envs import plain
from tests.kits.toy_envs import SETUP, TOY, roll
from tests.toy_game.rules import FACES, NUM_ACTIONS, PLAY, ROLL, ROUNDS, SEATS

DECISIONS = ROUNDS * SEATS


class Stumbling:
    """An opponent that never plays its card, and raises an error at some of its decisions."""

    def __init__(self, *falls: int) -> None:
        """Take the numbers of the decisions, from 0."""
        self.falls, self.asked = falls, 0

    def __call__(self, observation: Any) -> int:
        """Roll."""
        self.asked += 1
        if self.asked - 1 in self.falls:
            raise RuntimeError("stumbled")
        return ROLL


def standing(env: Any) -> tuple[Any, ...]:
    """Return everything about the game of an environment on which it depends how it goes on."""
    game, table = env.game(), env._table
    generators = (table.game.chance.tolist(), env._rng.tolist() if isinstance(env, GameEnv) else None)
    shown = (table.seat, table.mask.tolist(), table.over, table._moves, env.action_masks().tolist())
    return game.state.tobytes(), game.history, *generators, shown


# --- steps that do not end -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("first", range(SEATS))
@pytest.mark.parametrize("fall", range(ROUNDS))
def test_a_step_in_which_an_opponent_raises_has_not_happened(fall: int, first: int) -> None:
    options = {"setup": {**SETUP, "first": first}}
    falling = Stumbling(fall, fall + 1)
    env = GameEnv(TOY, opponents=["random", falling], shaping={"gamma": 0.9})
    other = GameEnv(TOY, opponents=["random", roll], shaping={"gamma": 0.9})
    seen = [other.reset(seed=5, options=options)]
    steps = [other.step(ROLL) for _ in range(ROUNDS)]
    before_the_learner = fall == 0 and first in (1, 2)
    if before_the_learner:
        for _ in range(2):
            with pytest.raises(RuntimeError, match="stumbled"):
                env.reset(seed=5, options=options)
            with pytest.raises(ResetNeededError, match="after a reset that failed"):
                env.step(ROLL)
    found = [env.reset(seed=5, options=options)]
    fallen = 0
    for step in steps:
        before = standing(env)
        while True:
            try:
                made = env.step(ROLL)
                break
            except RuntimeError:
                fallen += 1
                assert standing(env) == before
        assert [plain(made[0]), *made[1:4], plain(made[4])] == [plain(step[0]), *step[1:4], plain(step[4])]
    assert fallen == (0 if before_the_learner else 2)
    assert plain(found[0][0]) == plain(seen[0][0])
    assert standing(env) == standing(other)
    assert env.game().record() == other.game().record()


def test_an_opponent_did_stumble_in_the_middle_of_a_step() -> None:
    env = GameEnv(TOY, opponents=["random", Stumbling(2)])
    env.reset(seed=5, options={"setup": {**SETUP, "first": 0}})
    for _ in range(2):
        env.step(ROLL)
    before = standing(env)
    with pytest.raises(RuntimeError, match="stumbled"):
        env.step(ROLL)
    assert standing(env) == before
    assert len(before[1]) >= 2 * SEATS


def test_a_step_in_which_an_opponent_chooses_badly_has_not_happened() -> None:
    answers: list[Any] = [ROLL, PLAY, "roll", NUM_ACTIONS, None, 2, PLAY]
    env = GameEnv(TOY, opponents=["random", lambda observation: answers.pop(0)])
    env.reset(seed=5, options={"setup": {**SETUP, "first": 0}})
    for _ in range(2):
        env.step(ROLL)
    before = standing(env)
    for wrong in ("'roll'", f"{NUM_ACTIONS}", "None", r"2 \(die:1\)", r"1 \(card\)"):
        with pytest.raises(IllegalActionError, match=rf"in seat 2 chose badly: action {wrong} is"):
            env.step(PLAY)
        assert standing(env) == before
    assert answers == []


@pytest.mark.parametrize("interface", [GameEnv, GameAECEnv])
def test_a_step_at_the_end_that_cannot_be_paid_has_not_happened(interface: Callable[..., Any]) -> None:
    pays = [False]

    def reward(scores: Any) -> list[float]:
        return [1.0, 2.0, 3.0] if pays[0] or max(scores) <= SEATS else [float("nan")] * SEATS

    env = interface(TOY, reward=reward, shaping={"gamma": 0.5})
    env.reset(seed=5)
    steps = ROUNDS if interface is GameEnv else DECISIONS
    for _ in range(steps - 1):
        env.step(ROLL)
    before = standing(env)
    for _ in range(2):
        with pytest.raises(InvalidOptionError, match="the reward function returned"):
            env.step(ROLL)
        assert standing(env) == before
    pays[0] = True
    other = interface(TOY, reward=lambda scores: [1.0, 2.0, 3.0], shaping={"gamma": 0.5})
    other.reset(seed=5)
    for one, number in ((env, 1), (other, steps)):
        for _ in range(number):
            last = one.step(ROLL)
        assert one._table.over
        if interface is GameAECEnv:
            last = tuple(one.rewards.values())
        assert last is not None
    assert standing(env) == standing(other)
    if interface is GameAECEnv:
        assert env.rewards == other.rewards
        assert env.result() == other.result()


# --- copies ----------------------------------------------------------------------------------------------------------


# --- what stays hidden -----------------------------------------------------------------------------------------------
def positions_of(seed: int) -> Iterator[GameAECEnv]:
    """Return environments in all positions that can be reached with the dice of a seed."""
    env = GameAECEnv(TOY, observation="compact")
    env.reset(seed=seed)
    waiting = [env]
    while waiting:
        env = waiting.pop()
        yield env
        if not env._table.over:
            for action in np.flatnonzero(env.action_masks()).tolist():
                other = copy.deepcopy(env)
                other.step(action)
                waiting.append(other)


def shown(env: GameAECEnv, agent: str) -> tuple[Any, ...]:
    """Return all that an environment shows an agent, made afresh."""
    env._info, env._infos = None, {}
    return plain(env.observe(agent)), plain(env.infos[agent])


@pytest.mark.parametrize("seed", range(2))
def test_nothing_that_an_agent_is_shown_changes_when_the_cards_of_others_do(seed: int) -> None:
    looked = changed = 0
    for env in positions_of(seed):
        hands = env._table.game.state["hand"][0]
        for seat, agent in enumerate(env.agents):
            seen, cards = shown(env, agent), hands.copy()
            for step in range(1, FACES):
                others = (cards > 0) & (np.arange(SEATS) != seat)
                hands[others] = (cards[others] + step - 1) % FACES + 1
                assert shown(env, agent) == seen
                changed += int(others.any())
            hands[:] = cards
            looked += 1
            hands[seat] = hands[seat] % FACES + 1
            assert shown(env, agent) != seen  # the test does see what an agent may see
            hands[:] = cards
    assert looked > 1000
    assert changed > 1000


def test_games_that_differ_in_hidden_cards_alone_are_the_same_steps() -> None:
    """Nothing of a step tells, from the first to the last: not the reward, not the info."""
    for card in range(2, FACES + 1):
        envs = [GameEnv(TOY, opponents=roll, shaping={"gamma": 0.9}) for _ in range(2)]
        hands = ([4, 1, 1], [4, card, FACES + 1 - card])
        resets = [
            env.reset(seed=8, options={"setup": {"hand": hand, "first": 1}})
            for env, hand in zip(envs, hands, strict=True)
        ]
        first, second = ((plain(seen), plain(info)) for seen, info in resets)
        assert first == second
        for action in (ROLL, PLAY, ROLL, ROLL):
            steps = [env.step(action) for env in envs]
            first, second = ((plain(step[0]), *step[1:4], plain(step[4])) for step in steps)
            assert first == second
        assert envs[0].game().state.tobytes() != envs[1].game().state.tobytes()
