"""The other seats of the vector environments: compiled players and functions of whole batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.envs.endeavor import make_endeavor_vector
from endeavor_env.envs.sampling import generator
from endeavor_env.envs.table import ResetNeededError
from endeavor_env.errors import IllegalActionError
from tests.kits.compiled import compiled_action
from tests.kits.vector import QUICK, assert_same_resets, assert_same_steps, pair, play, random_actions

SAME = AutoresetMode.SAME_STEP


class Automa:
    """The automa's kernel as an opponent of the single environment."""

    def act(self, game: Game) -> int:
        return compiled_action("automa", game)


class Greedy:
    """The greedy agent's kernel as an opponent, its ties broken as the batch does for the only opponent."""

    def reset(self, seed: int) -> None:
        self.rng = seeded(seed)

    def act(self, game: Game) -> int:
        return compiled_action("greedy", game, self.rng)


@pytest.mark.parametrize("game", [{}, {"exploits": "random"}], ids=str)
def test_the_automa_plays_as_the_agent_does(game: dict[str, Any]) -> None:
    ours, theirs = pair(SAME, 2, **QUICK, **game, learner_seat=1, opponents=[Automa(), "random"],
                        batch_opponents=["automa", "random"])  # fmt: skip
    masks, rng = assert_same_resets(ours, theirs, seed=6), generator(6)
    for _ in range(20):
        masks, _ = assert_same_steps(ours, theirs, random_actions(masks, rng))


@pytest.mark.parametrize("variant", ["neutral_2", "exploits"])
def test_the_greedy_opponent_plays_as_the_agent_does(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("endeavor_env.envs.opponents.derived_seed", lambda seed, _: seed)  # the numbers of the compiled
    ours, theirs = pair(SAME, 1, variant=variant, observation="compact", opponents=Greedy(),
                        batch_opponents="greedy")  # fmt: skip
    masks, rng = assert_same_resets(ours, theirs, seed=6), generator(6)
    for _ in range(6):
        masks, _ = assert_same_steps(ours, theirs, random_actions(masks, rng))


def test_compiled_opponents_are_repeatable_and_make_legal_moves() -> None:
    env = make_endeavor_vector(1, players=3, observation="compact", opponents=["greedy", "automa"], learner_seat=2)
    out = play(env, 4, seed=11)
    game, before = env.batch.states.copy(), env.batch.decisions
    assert play(env, 4, seed=11) == out
    assert env.batch.states.tobytes() == game.tobytes()
    assert env.batch.decisions == 2 * before
    assert play(env, 4, seed=12) != out


class Recorder:
    """Plays the first or last legal actions of a batch and notes what it was asked."""

    def __init__(self, last: bool = False) -> None:
        self.last = last
        self.asked: list[tuple[np.ndarray, np.ndarray]] = []

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        self.asked.append((observations, masks))
        return NUM_ACTIONS - 1 - masks[:, ::-1].argmax(axis=1) if self.last else masks.argmax(axis=1)


def test_a_function_gets_all_games_that_wait_for_it_at_once() -> None:
    near, far = Recorder(), Recorder(last=True)
    env = make_endeavor_vector(4, **QUICK, opponents=[near, far])
    begun_by_the_learner = [seed for seed in range(40) if Game.new(3, seed=seed).setup()["first_player"] == 0]
    seen, _ = env.reset(seed=begun_by_the_learner[:4])
    assert not near.asked
    assert not far.asked
    env.step(seen["action_mask"].argmax(axis=1))  # its building; then the others build, and it is to act
    layout = layout_for("standard", "compact")
    for recorder in (near, far):
        assert len(recorder.asked) == 1
        observations, masks = recorder.asked[0]
        assert (observations.shape, observations.dtype) == ((4, layout.size), layout.dtype)
        assert (masks.shape, masks.dtype) == ((4, NUM_ACTIONS), np.int8)
        assert masks.any(axis=1).all()


def test_one_function_in_two_seats_is_asked_for_both_at_once() -> None:
    both = Recorder()
    env = make_endeavor_vector(6, **QUICK, opponents=both, learner_seat="rotate")
    env.reset(seed=0)
    # Learner and first player vary by the game, so that at first some games wait for one seat, some for the other.
    waiting = [len(masks) for _, masks in both.asked]
    assert len(waiting) <= 2
    assert waiting[0] > 1


def test_a_function_sees_the_game_from_its_own_seat() -> None:
    recorder = Recorder()
    env = make_endeavor_vector(1, **QUICK, opponents=[recorder, "random"], learner_seat=2)
    seen, _ = env.reset(seed=1)
    for _ in range(5):
        seen, *_ = env.step(seen["action_mask"].argmax(axis=1))
    layout = layout_for("standard", "compact")
    for observations, _ in recorder.asked:
        relative = layout.view(observations[0], "to_move")
        assert relative.argmax() == 0


class Unreadable:
    """An answer that fails in every way."""

    def __array__(self, *_args: Any, **_options: Any) -> np.ndarray:
        raise KeyError("array")

    def __repr__(self) -> str:
        raise KeyError("repr")


def test_a_function_may_write_into_what_it_gets() -> None:
    def first(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)

    def writing(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        chosen = first(observations, masks)
        observations[:], masks[:] = 0, 1 - masks
        return chosen

    one, other = (make_endeavor_vector(4, **QUICK, opponents=function, copy=False) for function in (first, writing))
    assert play(one, 30) == play(other, 30)


def test_a_function_that_allows_itself_an_action_in_its_mask_is_told_so_and_the_learner_is_not_charged() -> None:
    def cheat(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        chosen = masks.argmin(axis=1)
        masks[:] = 1
        return chosen

    env = make_endeavor_vector(4, **QUICK, opponents=cheat, learner_seat="rotate")
    with pytest.raises(IllegalActionError, match=r"chose \d+ in game \d, which is illegal there; legal are"):
        play(env, 3)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda masks: masks.argmin(axis=1), "which is illegal there; legal are"),
        (lambda masks: masks.argmax(axis=1) + NUM_ACTIONS, "which is illegal there"),
        (lambda masks: masks.argmax(axis=1) - NUM_ACTIONS, "which is illegal there"),
        (lambda masks: masks.argmax(axis=1)[:1], "it must return 3 whole numbers"),
        (lambda masks: masks.argmax(axis=1) * 1.0, "type float64: it must return"),
        (lambda masks: None, "it must return"),
        (lambda masks: [[0], [1, 2], 3], "it must return 3 whole numbers"),
        (lambda masks: [10**400] * 3, "it must return"),
        (lambda masks: masks.argmax(axis=1) != 0, "type bool: it must return"),
        (lambda masks: torch.ones(3, requires_grad=True), "it must return"),
        (lambda masks: Unreadable(), "it must return"),
    ],
)
def test_what_a_function_may_not_answer(answer: Any, message: str) -> None:
    wrong = False

    def opponent(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return answer(masks) if wrong else masks.argmax(axis=1)

    env = make_endeavor_vector(3, **QUICK, opponents=opponent)
    seen, _ = env.reset(seed=1)
    wrong = True
    with pytest.raises(IllegalActionError, match=message):
        env.step(seen["action_mask"].argmax(axis=1))
    for asked in (lambda: env.step(seen["action_mask"].argmax(axis=1)), env.action_masks):
        with pytest.raises(ResetNeededError):
            asked()
    wrong = False
    again, _ = env.reset(seed=1)
    assert (again["observation"] == seen["observation"]).all()
    env.step(again["action_mask"].argmax(axis=1))
