"""Behaviour cloning on a dataset of games: torch and nothing else.

    pip install -e . torch
    python -m endeavor_env.training.dataset greedy greedy greedy --games 1500 --out runs/greedy
    python docs/clients/behaviour_cloning.py runs/greedy

The dataset is read shard by shard, so that one of them is in memory at a time. The last tenth of the shards is held
out; a shard holds whole set-ups, so no deal is on both sides. The accuracy is that of the likeliest legal action, on
decisions with more than one. The policy then plays against random opponents, every set-up from each seat.
"""

import argparse
import sys
import time

import against_random
import numpy as np
import torch
from torch import nn

from endeavor_env.training.dataset import Shard, read

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "dataset", help="folder that python -m endeavor_env.training.dataset wrote, of games of the base game"
)
parser.add_argument("--epochs", type=int, default=6, help="passes over the shards to train on")
parser.add_argument("--games", type=int, default=300, help="evaluation games, a multiple of 3")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

BATCH = 512
torch.manual_seed(args.seed)
torch.set_num_threads(1)
dataset, rng = read(args.dataset), np.random.default_rng(args.seed)
shards, held_out = dataset.split(0.1)
model = nn.Sequential(nn.Linear(dataset.layout.size, 256), nn.ReLU(), nn.Linear(256, dataset.num_actions))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def logits(observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
    """Return the logits of all actions, minus infinity for illegal ones."""
    return model(torch.from_numpy(observations).float()).masked_fill(torch.from_numpy(~masks), -torch.inf)


def choices(shard: Shard) -> np.ndarray:
    """Return the rows with more than one legal action: the others teach nothing."""
    return np.flatnonzero(shard.legal().sum(axis=1) > 1)


def policy(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Return the likeliest legal action of each game."""
    with torch.no_grad():
        return logits(observations, masks).argmax(1).numpy()


def accuracy(numbers: list[int]) -> float:
    """Return how often the likeliest legal action is the one that was chosen, in these shards."""
    right = []
    for number in numbers:
        shard = dataset.load(number)
        for rows in np.array_split(choices(shard), 20):
            right.append(policy(shard.observations[rows], shard.legal(rows)) == shard.actions[rows])
    return float(np.concatenate(right).mean())


def guessing(numbers: list[int]) -> float:
    """Return the accuracy of random legal actions."""
    return float(
        np.concatenate([1 / shard.legal(choices(shard)).sum(axis=1) for shard in map(dataset.load, numbers)]).mean()
    )


start = time.perf_counter()
for epoch in range(args.epochs):
    losses = []
    for number in rng.permutation(shards):
        shard = dataset.load(number)
        rows = rng.permutation(choices(shard))
        for batch in np.array_split(rows, max(1, len(rows) // BATCH)):
            actions = torch.from_numpy(shard.actions[batch].astype(np.int64))
            loss = nn.functional.cross_entropy(logits(shard.observations[batch], shard.legal(batch)), actions)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    print(f"epoch {epoch + 1}: mean loss {np.mean(losses):.3f}", file=sys.stderr)
seconds = round(time.perf_counter() - start)

shares = against_random.shares_of_wins(policy, games=args.games, observation=dataset.card["layout"]["observation"])
status = against_random.report(
    "behaviour_cloning",
    shares,
    decisions=dataset.decisions,
    seconds=seconds,
    accuracy=round(accuracy(shards), 4),
    held_out_accuracy=round(accuracy(held_out), 4),
    guessing=round(guessing(held_out), 4),
)
sys.exit(status)
