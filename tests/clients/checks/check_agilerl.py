"""Worker processes of AgileRL play the parallel environment; its MADDPG chooses legal actions by the masks and learns.

IPPO of AgileRL 2.7.1 and its loop ``train_multi_agent_off_policy`` cannot be used: the first fails on every mask that
is an array, the second on agents whose names differ only in the number (docs/clients/README.md).
"""
# pyright: reportMissingImports=false

import numpy as np
from agilerl.algorithms import MADDPG
from agilerl.components.multi_agent_replay_buffer import MultiAgentReplayBuffer
from agilerl.vector.pz_async_vec_env import AsyncPettingZooVecEnv

from endeavor_env import endeavor_v0

GAMES = 2


def make_env():
    return endeavor_v0.parallel_env(players=3, observation="compact", flat=True, reward="margin")


def main():
    one = make_env()
    agents = one.possible_agents
    learner = MADDPG(
        [one.observation_space(agent) for agent in agents],
        [one.action_space(agent) for agent in agents],
        agent_ids=agents,
        batch_size=64,
        vect_noise_dim=GAMES,
    )
    memory = MultiAgentReplayBuffer(
        1000, field_names=["state", "action", "reward", "next_state", "done"], agent_ids=agents
    )
    env = AsyncPettingZooVecEnv([make_env] * GAMES)
    observations, infos = env.reset(seed=0)
    ends = 0
    for _ in range(400):
        actions, raw_actions = learner.get_action(observations, infos=infos)
        for agent in agents:
            masks = infos[agent]["action_mask"]
            assert masks.any(axis=1).all(), "an empty mask"
            assert all(masks[game, actions[agent][game]] for game in range(GAMES)), "an illegal action"
        following, rewards, terminations, _, infos = env.step(actions)
        memory.save_to_memory(observations, raw_actions, rewards, following, terminations, is_vectorised=True)
        observations = following
        ends += int(sum(terminations[agents[0]]))
    losses = learner.learn(memory.sample(64))
    env.close()
    assert ends >= GAMES, f"{ends} games ended"
    assert np.isfinite(list(losses.values())).all()
    print(f"agilerl: {ends} games in {GAMES} workers")


if __name__ == "__main__":
    main()
