"""Datasets: games of any agents as compressed shards, written by ``endeavor datasets`` and read by ``read``.

from endeavor_env.training.dataset import read

dataset = read("runs/greedy")
training, held_out = dataset.split(0.1)       # numbers of shards, which share no set-up
shard = dataset.load(training[0])             # observations, masks, actions, outcomes, ...
"""

from __future__ import annotations

from endeavor_env.training.dataset.folder import make_dataset
from endeavor_env.training.dataset.reading import Dataset, read
from endeavor_env.training.dataset.settings import Settings
from endeavor_env.training.dataset.shards import Shard

__all__ = ["Dataset", "Settings", "Shard", "make_dataset", "read"]
