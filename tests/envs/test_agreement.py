"""The two environments agree with each other, in this process and another, and leave the world alone."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.endeavor.game import Game
from endeavor_env.envs.endeavor import make_endeavor
from endeavor_env.envs.sampling import generator, sample_action
from tests.kits.envs import play_gym, position


def test_the_history_may_be_asked_for_at_any_time() -> None:
    """With random opponents it is completed on demand; asking early and often must not change it."""
    asked, silent = make_endeavor(), make_endeavor()
    asked.reset(seed=6)
    silent.reset(seed=6)
    rng = generator(1)
    terminated = False
    while not terminated:
        length = len(asked.game().history)
        action = sample_action(asked.action_masks(), rng)
        _, _, terminated, _, _ = asked.step(action)
        silent.step(action)
        assert asked.game().history[length] == (0, action)
    assert position(asked.game()) == position(silent.game())


def test_gym_and_aec_agree_on_observations_and_rewards() -> None:
    """One AEC agent a seat plays what the Gymnasium environment played; the learner's seat sees and gets the same."""
    gym_env, aec_env = make_endeavor(learner_seat=1, reward="margin"), endeavor_v0.env(reward="margin")
    first, _ = gym_env.reset(seed=12)
    steps = play_gym(gym_env, seed=2)
    seen = [(first["observation"].tobytes(), first["action_mask"].tobytes()), *(step[3] for step in steps)]
    aec_env.reset(seed=12)
    at = 0
    for seat, action in gym_env.game().history:
        observation, reward, *_ = aec_env.last()
        assert observation is not None
        if seat == 1:
            assert (observation["observation"].tobytes(), observation["action_mask"].tobytes()) == seen[at]
            assert reward == 0.0
            at += 1
        aec_env.step(action)
    assert aec_env.observe("player_1")["observation"].tobytes() == seen[-1][0]
    assert aec_env._cumulative_rewards["player_1"] == pytest.approx(steps[-1][1])


def test_random_opponents_play_the_same_inside_and_outside_the_compiled_loop() -> None:
    """A list with one agent object makes the others play move by move; the random ones must still only play legally."""

    class First:
        def act(self, game: Game) -> int:
            return game.legal_actions()[0]

    env = make_endeavor(players=3, opponents=[First(), "random"])
    env.reset(seed=5)
    play_gym(env, seed=1)
    game = Game.new(3, seed=5)
    for seat, action in env.game().history:
        assert seat != 1 or action == game.legal_actions()[0]
        game.apply(action)
    assert game.over


def fingerprint_of(seed: int) -> str:
    """Return a hash of a game against random opponents; called by a second process, too."""
    env = make_endeavor(learner_seat="rotate", players=5)
    env.reset(seed=seed)
    env.reset()
    steps = play_gym(env, seed=1)
    return hashlib.sha256(repr(steps).encode() + env.game().state.tobytes()).hexdigest()


def test_a_seed_gives_the_same_game_in_another_process() -> None:
    code = "from tests.envs.test_agreement import fingerprint_of; print(fingerprint_of(77))"
    paths = [str(Path(__file__).resolve().parents[2]), *filter(None, map(os.path.abspath, sys.path))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == fingerprint_of(77)


def test_the_generator_of_numpy_is_left_alone() -> None:
    before = np.random.get_state(legacy=True)  # noqa: NPY002 (the global generator is what must not move)
    env = make_endeavor()
    env.reset(seed=1)
    play_gym(env, seed=1)
    assert repr(np.random.get_state(legacy=True)) == repr(before)  # noqa: NPY002
