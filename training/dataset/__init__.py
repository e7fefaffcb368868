"""Datasets: games of any agents as compressed shards, written by ``python -m training.dataset`` and read by ``read``.

from training.dataset import read

dataset = read("runs/greedy")
training, held_out = dataset.split(0.1)       # numbers of shards, which share no set-up
shard = dataset.load(training[0])             # observations, masks, actions, outcomes, ...
"""

from __future__ import annotations

from training.dataset.making import make_dataset
from training.dataset.reading import Dataset, read
from training.dataset.settings import Settings
from training.dataset.shards import Shard

__all__ = ["Dataset", "Settings", "Shard", "make_dataset", "read"]
