"""The two environments agree with each other, in this process and another, and leave the world alone."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

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
