"""Behaviour cloning: the network of MaskablePPO is fitted to the decisions of a part of the corpus."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch

from endeavor_env.agents.players.policy import logits_of_sb3, value_of_sb3
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.learning.demonstrations import CHOICE
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.training.clone.demonstrations import DemonstrationBatch, Demonstrations
from endeavor_env.training.clone.run import CloneLearner
from endeavor_env.training.dataset.corpus import splits_of
from endeavor_env.training.dataset.reading import Dataset, Shard, read
from endeavor_env.training.ppo.model import bare_model
from endeavor_env.training.reference.run import Reference, seated_policy
from endeavor_env.training.runs.settings import falling

TRUNK, HEAD = (256,), (128,)
BATCH, KEPT = 1024, 400_000
FIRST_RATE, LAST_RATE = 1e-3, 1e-4
VALUE_WEIGHT = 0.5
REPLAY_RATIO = {True: 4.0, False: 2.0}
"""Decisions learned from for each new one: more where decisions are limited and time is free."""


def train(reference: Reference, corpus: Path) -> Path:
    """Train on a part of a corpus under the budget of a run; return the path of the policy network.

    Args:
        reference: The run.
        corpus: The folder of a dataset of games at the tables of the task.

    Raises:
        DatasetError: The dataset cannot be read.
    """
    torch.set_num_threads(1)
    dataset = read(corpus)
    budget, rng = reference.budget, np.random.default_rng(reference.seed)
    model = bare_model("standard", TRUNK, HEAD, reference.seed)
    model.policy.set_training_mode(True)
    learner = CloneLearner(model.policy, VALUE_WEIGHT)  # type: ignore[arg-type]
    size, actions = model.policy.observation_space.shape, dataset.num_actions
    assert size is not None
    demonstrations = Demonstrations(KEPT, Board.default(), BATCH, size[0], actions)
    limited = budget.track.decisions is not None
    ratio = REPLAY_RATIO[limited]
    for shard, is_new in _shards(splits_of(dataset)["training"], rng, once=limited):
        if not budget.another_lap(dataset.card["shards"][shard]["decisions"]):
            break
        new = demonstrations.add([taught(dataset, dataset.load(shard))])
        budget.decisions += new if is_new else 0
        rate = falling(FIRST_RATE, LAST_RATE, budget.share)
        learner.learn(demonstrations, max(1, round(ratio * new / BATCH)), rate, rng)
        reference.watch(lambda: seated_policy(logits_of_sb3(model.policy.state_dict())))
    weights, about = model.policy.state_dict(), dataset.card
    settings = {"corpus": about["command"], "trunk": TRUNK, "head": HEAD, "replay_ratio": ratio, "batch_size": BATCH}
    return reference.write_policy(
        logits_of_sb3(weights), value_of_sb3(weights), settings, ", ".join(sorted(set(dataset.agents)))
    )


def _shards(shards: Sequence[int], rng: np.random.Generator, *, once: bool) -> Iterator[tuple[int, bool]]:
    """Yield shards of a corpus in one random order after another, each with whether it is read for the first time.

    A network that went on with the last ones alone would learn them by heart.
    """
    for number in range(1) if once else itertools.count():
        for shard in rng.permutation(shards)[::-1].tolist():
            yield shard, number == 0


def taught(dataset: Dataset, shard: Shard) -> DemonstrationBatch:
    """Return the positions of a shard in which there was a choice, with what was chosen; its games are played again."""
    choices = np.flatnonzero(shard.legal().sum(axis=1) > 1)
    states, made = np.empty(len(shard), STATE), np.zeros(len(shard), CHOICE)
    made["action"], made["outcome"] = shard.actions, shard.outcomes
    row = 0
    for number, kind, seed in zip(shard.game_numbers, shard.game_kinds, shard.game_seeds, strict=True):
        seats = len(dataset.kinds[kind]["agents"])
        game = GameConfig(players=seats).new_game(int(seed))
        for action in shard.actions[shard.games == number].tolist():
            states[row] = game.state[0]
            entry.step(game.board.array, game.state, action)
            row += 1
    return DemonstrationBatch(states[choices], made[choices])
