"""skrl recognises the environments by itself, and plays whole games through each of its wrappers with legal actions."""
# pyright: reportMissingImports=false

import gymnasium
import torch
from skrl.envs.wrappers.torch import wrap_env
from skrl.utils.spaces.torch import unflatten_tensorized_space

import endeavor_env  # noqa: F401 (registers the environments)
from endeavor_env import endeavor_v0


def choose(space, observations):
    """Return a random legal action for each row of observations, (games, 1)."""
    masks = unflatten_tensorized_space(space, observations)["action_mask"]
    assert masks.any(dim=1).all(), "an empty mask"
    return torch.multinomial(masks.float(), 1)


def one_game(name):
    """Play a game of a single environment; its rewards say that nothing illegal was chosen."""
    env = wrap_env(gymnasium.make(name), verbose=False)
    observations, _ = env.reset()
    ended = torch.tensor(False)
    while not ended:
        observations, reward, ended, _, info = env.step(choose(env.observation_space, observations))
    assert info["reason"] == "game_over", info["message"]
    assert -1 <= reward.item() <= 1


def many_games(name, mode):
    """Play several games at once, over the ends of some."""
    env = wrap_env(gymnasium.make_vec(name, 4, autoreset_mode=mode), verbose=False)
    observations, _ = env.reset()
    ends = 0
    for _ in range(150):
        observations, _, ended, _, infos = env.step(choose(env.observation_space, observations))
        reasons = infos.get("final_info", infos).get("reason", [])
        assert all(reason in (None, "", "game_over") for reason in reasons), reasons
        ends += int(ended.sum())
    assert ends >= 4, f"{ends} games ended"
    env.render()


def all_seats():
    """Play a game of the parallel environment, in which who waits may choose anything."""
    env = wrap_env(endeavor_v0.parallel_env(players=3), verbose=False)
    observations, _ = env.reset()
    steps = 0
    while env.agents:
        actions = {agent: choose(env.observation_spaces[agent], seen) for agent, seen in observations.items()}
        observations, _, _, _, _ = env.step(actions)
        steps += 1
    assert env._unwrapped.unwrapped.result()["reason"] == "game_over"
    assert steps > 60


if __name__ == "__main__":
    for name in ("Endeavor-v0", "EndeavorSolo-v0"):
        one_game(name)
        for mode in ("NEXT_STEP", "SAME_STEP"):
            many_games(name, mode)
    all_seats()
    print("skrl: one game, many games and all seats, recognised without a wrapper's name")
