"""Datasets: games of any agents as compressed shards, written by ``endeavor datasets`` and read by ``read``.

from endeavor_env.training.dataset import read

dataset = read("runs/greedy")
training, held_out = dataset.split(0.1)       # numbers of shards, which share no set-up
shard = dataset.load(training[0])             # observations, masks, actions, outcomes, ...
"""

from __future__ import annotations

from endeavor_env.training.dataset.making import Settings, make_dataset
from endeavor_env.training.dataset.reading import Dataset, Shard, read

__all__ = ["Dataset", "Settings", "Shard", "make_dataset", "read"]
