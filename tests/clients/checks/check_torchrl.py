"""TorchRL plays whole games through each of its wrappers, with random legal actions and finite masked distributions."""
# pyright: reportMissingImports=false

import gymnasium
import torch
from torchrl.envs import GymEnv, GymWrapper, PettingZooWrapper, TransformedEnv
from torchrl.envs.transforms import ActionMask
from torchrl.modules import MaskedCategorical

import endeavor_env  # noqa: F401 (registers Endeavor-v0)
from endeavor_env import endeavor_v0

OPTIONS = {"players": 3, "observation": "compact", "mask_dtype": "bool"}


def check_finite(masks):
    """Sample from a masked distribution at every position, the last ones of games included."""
    chosen = MaskedCategorical(logits=torch.zeros(masks.shape), mask=masks)
    assert torch.isfinite(chosen.log_prob(chosen.sample())).all()


def single():
    env = TransformedEnv(GymEnv("Endeavor-v0", categorical_action_encoding=True, **OPTIONS), ActionMask())
    game = env.rollout(1000)
    assert game["next", "terminated"][-1].item()
    assert len(game) > 20
    check_finite(game["action_mask"])
    check_finite(game["next", "action_mask"])


def many():
    games = gymnasium.make_vec("Endeavor-v0", 8, autoreset_mode="DISABLED", **OPTIONS)
    env = TransformedEnv(GymWrapper(games, categorical_action_encoding=True), ActionMask())
    steps = env.rollout(150, break_when_any_done=False)
    assert steps["next", "done"].sum() >= 8
    assert (steps["next", "reward"][~steps["next", "done"]] == 0).all(), "an illegal action"
    check_finite(steps["action_mask"])
    check_finite(steps["next", "action_mask"])


def all_seats(env, agents):
    game = PettingZooWrapper(env, use_mask=True).rollout(1000)
    assert game["next", "terminated"][-1].item()
    assert len(game) > 20
    for group in agents:
        check_finite(game[group, "action_mask"])
        check_finite(game["next", group, "action_mask"])


if __name__ == "__main__":
    single()
    many()
    for flat in (False, True):
        all_seats(endeavor_v0.env(flat=flat, **OPTIONS), ["player_0", "player_1", "player_2"])
        all_seats(endeavor_v0.parallel_env(flat=flat, **OPTIONS), ["player"])
    all_seats(endeavor_v0.env(variant="solo", observation="compact"), ["player_0"])
    print("torchrl: one game, many games, AEC and parallel environments")
