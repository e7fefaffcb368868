"""SuperSuit's wrappers on the AEC and the parallel environment, each through whole games of random legal play."""
# pyright: reportMissingImports=false

import numpy as np
import supersuit
from pettingzoo.utils.conversions import parallel_to_aec

from endeavor_env import endeavor_v0

OPTIONS = {"players": 3, "observation": "compact", "flat": True}
WRAPPERS = {
    "flatten_v0": lambda env: supersuit.flatten_v0(env),
    "dtype_v0": lambda env: supersuit.dtype_v0(env, np.float32),
    "normalize_obs_v0": lambda env: supersuit.normalize_obs_v0(supersuit.dtype_v0(env, np.float32)),
    "frame_stack_v1": lambda env: supersuit.frame_stack_v1(env, 3),
    "agent_indicator_v0": lambda env: supersuit.agent_indicator_v0(env),
    "clip_reward_v0": lambda env: supersuit.clip_reward_v0(env),
    "delay_observations_v0": lambda env: supersuit.delay_observations_v0(env, 2),
    "pad_observations_v0": lambda env: supersuit.pad_observations_v0(env),
    "pad_action_space_v0": lambda env: supersuit.pad_action_space_v0(env),
}


def check_form(env, agent, observation):
    """Check shape and type; not the limits, because stacks and delays begin with zeros where an entry is at least 1."""
    space = env.observation_space(agent)
    assert (observation.shape, observation.dtype) == (space.shape, space.dtype)


def play_aec(env):
    """Play a game of an AEC environment; return the number of decisions."""
    rng, decisions = np.random.default_rng(0), 0
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, _, ended, cut, info = env.last()
        if ended or cut:
            assert info["action_mask"].all()
            env.step(None)
            continue
        check_form(env, agent, observation)
        env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        decisions += 1
    return decisions


def play_parallel(env):
    """Play a game of a parallel environment; return the number of decisions."""
    rng, decisions = np.random.default_rng(0), 0
    observations, infos = env.reset(seed=0)
    while env.agents:
        actions = {agent: rng.choice(np.flatnonzero(infos[agent]["action_mask"])) for agent in env.agents}
        observations, _, _, _, infos = env.step(actions)
        for agent, observation in observations.items():
            check_form(env, agent, observation)
        assert all(infos[agent]["action_mask"].any() for agent in infos)
        decisions += 1
    return decisions


def vectorised():
    """Step six agents of two games at once, over several ends."""
    env = supersuit.pettingzoo_env_to_vec_env_v1(endeavor_v0.parallel_env(**OPTIONS))
    env = supersuit.concat_vec_envs_v1(env, 2, num_cpus=0, base_class="gymnasium")
    rng, ends = np.random.default_rng(0), 0
    observations, infos = env.reset(seed=0)
    for _ in range(400):
        actions = np.array([rng.choice(np.flatnonzero(info["action_mask"])) for info in infos])
        observations, _, ended, _, infos = env.step(actions)
        assert observations.shape == (6, env.observation_space.shape[0])
        ends += int(ended.sum())
    assert ends >= 6
    env.close()


if __name__ == "__main__":
    for name, wrap in WRAPPERS.items():
        assert play_aec(wrap(endeavor_v0.env(**OPTIONS))) > 60, name
        assert play_parallel(wrap(endeavor_v0.parallel_env(**OPTIONS))) > 60, name
    assert play_aec(parallel_to_aec(endeavor_v0.parallel_env(**OPTIONS))) > 60
    vectorised()
    print(f"supersuit: {', '.join(WRAPPERS)} on both environments, and pettingzoo_env_to_vec_env_v1")
