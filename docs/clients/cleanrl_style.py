"""Masked PPO in one file, in the manner of CleanRL, on ``gymnasium.make_vec``: torch and nothing else.

    pip install -e . torch && python docs/clients/cleanrl_style.py

The native vector environment starts a finished game again in the next step (NEXT_STEP). In that step the action is
ignored and the mask is all ones, so the masked logits stay finite; ``valid`` keeps such steps out of the losses.
"""

import argparse
import sys
import time
from typing import Any

import against_random
import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import endeavor_env  # noqa: F401 (registers Endeavor-v0)

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=100_000, help="decisions of the learner to train for")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

GAMES, HORIZON, EPOCHS, MINIBATCHES, LAMBDA, CLIP = 64, 64, 3, 8, 0.95, 0.2
torch.manual_seed(args.seed)
env: Any = gymnasium.make_vec(
    "Endeavor-v0", GAMES, players=3, opponents="random", learner_seat="rotate", observation="compact",
    reward="margin", flat=True, mask_dtype="bool",
)  # fmt: skip
size, actions = env.single_observation_space.shape[0], int(env.single_action_space.n)
actor = nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, actions))
critic = nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, 1))
weights = [*actor.parameters(), *critic.parameters()]
optimizer = torch.optim.Adam(weights, lr=1e-3)


def choices(observations: torch.Tensor, masks: torch.Tensor) -> Categorical:
    """Return the distribution over legal actions."""
    return Categorical(logits=actor(observations).masked_fill(~masks, -torch.inf))


def policy(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Return the likeliest legal action of each game."""
    with torch.no_grad():
        return choices(torch.as_tensor(observations).float(), torch.as_tensor(masks)).probs.argmax(1).numpy()


start = time.perf_counter()
array, info = env.reset(seed=args.seed)
ended = np.zeros(GAMES, bool)
for _ in range(args.steps // (GAMES * HORIZON)):
    steps = []
    with torch.no_grad():
        for _ in range(HORIZON):
            seen, mask = torch.as_tensor(array).float(), torch.as_tensor(info["action_mask"])
            chosen = choices(seen, mask)
            action = chosen.sample()
            valid = torch.as_tensor(~ended)  # the step after an end only starts the next game
            array, reward, terminated, truncated, info = env.step(action.numpy())
            ended = terminated | truncated
            going = torch.as_tensor(~ended).float()
            reward = torch.as_tensor(reward).float()
            steps.append((seen, mask, action, chosen.log_prob(action), critic(seen)[:, 0], reward, going, valid))
        value = critic(torch.as_tensor(array).float())[:, 0]
    advantages, advantage = [], torch.zeros(GAMES)
    for *_, before, reward, going, _ in reversed(steps):  # generalised advantages, without discount
        advantage = reward + going * value - before + LAMBDA * going * advantage
        advantages.insert(0, advantage)
        value = before
    seen, mask, action, old_log, before, _, _, valid = (torch.cat(column) for column in zip(*steps, strict=True))
    gained = torch.cat(advantages)
    rows = valid.nonzero()[:, 0]
    for _ in range(EPOCHS):
        for batch in rows[torch.randperm(len(rows))].chunk(MINIBATCHES):
            chosen = choices(seen[batch], mask[batch])
            ratio = (chosen.log_prob(action[batch]) - old_log[batch]).exp()
            gain = (gained[batch] - gained[batch].mean()) / (gained[batch].std() + 1e-8)
            actor_loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            critic_loss = (critic(seen[batch])[:, 0] - (before + gained)[batch]).square().mean()
            loss = actor_loss + 0.5 * critic_loss - 0.01 * chosen.entropy().mean()
            assert torch.isfinite(loss), "the loss is no number"
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(weights, 0.5)
            optimizer.step()
seconds = round(time.perf_counter() - start)

shares = against_random.shares_of_wins(policy)
sys.exit(against_random.report("cleanrl_style", shares, steps=args.steps, seconds=seconds))
