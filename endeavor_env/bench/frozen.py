"""Digests of some games, which show that rules and players are those of version 1, whatever the sources look like."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

import numpy as np

from endeavor_env.agents.base import Agent
from endeavor_env.agents.registry import make_agent, weights_hash
from endeavor_env.agents.runner import play_game
from endeavor_env.bench.version import NEVER_CHANGES, Task, Version, config_of, generated, list_hash
from endeavor_env.errors import EndeavorError

RANDOM_GAMES = 12
"""Random games of each kind whose digest is frozen."""
SOME_SETUPS, SOME_BOARDS = 200, 5
"""Set-ups and boards that a quick check looks at."""


def digests(version: Version) -> dict[str, str]:
    """Return a digest of games of each task: some of random moves, and one of each of its players."""
    return {name: digest(task) for name, task in version.tasks.items()}


def digest(task: Task) -> str:
    """Return the digest of some games of a task, at training set-ups: every move and score counts."""
    total = hashlib.sha256()
    for number in range(RANDOM_GAMES):
        _add(total.update, task, number, [make_agent("random")] * task.seatings)
    for number, names in enumerate(_tables(task)):
        _add(total.update, task, number, [make_agent(name) for name in names])
    return total.hexdigest()


def _tables(task: Task) -> Iterable[list[str]]:
    """Return who plays the games by which the players are recognised: each sits at a table with the next ones."""
    alone = [task.oracle.agent, "greedy", "value:@value_solo"]  # of the solitaire game, where nobody else sits
    players = [field.player for field in task.fields if field.player] or alone
    for first in range(0, len(players), task.seatings):
        yield [players[(first + seat) % len(players)] for seat in range(task.seatings)]


def _add(update: Callable[[bytes], None], task: Task, number: int, agents: list[Agent]) -> None:
    """Play a game and add its moves and scores to a digest."""
    game = config_of(task, number).new_game(task.train.first_seed + number)
    for seat, agent in enumerate(agents):
        agent.reset(number + seat)
    scores = play_game(agents, game)
    update(np.array(game.history, "<i4").tobytes() + np.array(scores, "<i4").tobytes())


def check_behaviour(version: Version) -> None:
    """Raise EndeavorError unless rules and players play the games of version 1 as they did."""
    for name, expected in version.behaviour.items():
        if digest(version.task(name)) != expected:
            raise EndeavorError(f"games of {name} are not played as they were: {NEVER_CHANGES}")


def check_weights(version: Version) -> None:
    """Raise EndeavorError unless the networks of the public players are those of version 1."""
    for task in version.tasks.values():
        for field in task.fields:
            found = weights_hash(field.player, task.config.variant) or ""
            if not field.hidden and found != field.weights:
                raise EndeavorError(f"{field.player} of {task.name} has other weights than it had: {NEVER_CHANGES}")


def check_lists(version: Version, everything: bool = False) -> None:
    """Raise EndeavorError unless set-ups and boards are those of version 1.

    Args:
        version: The version.
        everything: Whether all are looked at, which takes half a minute, not the first of each list alone.
    """
    some = None if everything else SOME_SETUPS
    for task in version.tasks.values():
        for kind, setups in (("training", task.train), ("test", task.test)):
            expected = setups.hash if everything else setups.first_hash
            if list_hash(task.config, setups, some) != expected:
                raise EndeavorError(f"the {kind} set-ups of {task.name} are others than they were: {NEVER_CHANGES}")
    for boards in version.boards.values():
        for number in range(len(boards.hashes) if everything else SOME_BOARDS):
            generated(boards, number)


def check_all(version: Version, everything: bool = False) -> None:
    """Raise EndeavorError for the first thing that is not what it was in version 1."""
    check_weights(version)
    check_lists(version, everything)
    check_behaviour(version)
