"""Records with notes: what an agent thinks of every position of a game that was played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from endeavor_env import Game
from endeavor_env.agents.noting import Noting
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.notes import Note, notes_field
from endeavor_env.errors import InvalidOptionError, shown


def noting_agent(name: str) -> Noting:
    """Return the agent of a name that can take notes.

    Raises:
        InvalidOptionError: No such agent, or one that only says what it plays.
        CheckpointError: Its network cannot be used.
    """
    agent = make_agent(name)
    if not isinstance(agent, Noting):
        raise InvalidOptionError(
            f"agent {shown(name)} only says what it plays: give search, search:<settings>, policy or policy:<path>.npz"
        )
    agent.reset(0)
    return agent


def noted_record(game: Game, agent: Noting, done: Callable[[int], None] | None = None) -> dict[str, Any]:
    """Return the record of a game with what an agent thinks of each of its positions in the field ``notes``.

    Args:
        game: The game as far as it has come; it stays as it is.
        agent: As of ``noting_agent``.
        done: Is called with the number of positions that are done, after each.

    Raises:
        InvalidOptionError: The agent does not play this variant.
    """
    played = game.at_move(0)
    notes: dict[int, Note] = {}
    for number, (_, action) in enumerate(game.history):
        notes[number] = agent.note(played.clone())
        played.apply(action)
        if done is not None:
            done(number + 1)
    if not played.over:
        notes[len(game.history)] = agent.note(played.clone())
    return {**game.record(), "notes": notes_field(agent.name, notes)}
