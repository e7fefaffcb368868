"""A vector environment is open from its making to `close`; what the constructor refused was never open."""

from __future__ import annotations

import gymnasium

import endeavor_env
from endeavor_env.envs.vector_env import GameVectorEnv


def test_an_environment_that_was_refused_is_not_closed_by_older_gymnasiums():
    assert GameVectorEnv.__new__(GameVectorEnv).closed  # Gymnasium 1.2 closes in `__del__` what is not


def test_an_environment_is_open_until_it_is_closed():
    env = gymnasium.make_vec(endeavor_env.GYMNASIUM_ID, num_envs=2)
    assert not env.closed
    env.close()
    assert env.closed
