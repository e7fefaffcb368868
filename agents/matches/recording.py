"""Records of the games of a match, with notes of an agent and scores by round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from endeavor_env import Game
from endeavor_env.agents.base import AnnotatingAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.notes import Note, notes_field
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.games import declaration_of
from endeavor_env.engine.records import write_record
from endeavor_env.errors import InvalidOptionError, shown

# --- Records of the games of a match: a file for each, named by set-up and seating -----------------------------------

RECORDS = ("setup_*.json", "*/setup_*.json")
"""Patterns of the names of records in the folder of a match, and in that of a tournament."""


def record_setup(folder: Path, setup: int, games: Sequence[AnyGame]) -> None:
    """Write a record of each game of a set-up, ``setup_<number>_seating_<number>.json``; replace files that exist.

    Args:
        folder: The folder, which exists.
        setup: Number of the set-up.
        games: The game of each seating.
    """
    for seating, game in enumerate(games):
        write_record(game, folder / f"setup_{setup:05}_seating_{seating}.json")


def make_folder(folder: Path) -> None:
    """Create a folder with its parents if it is missing; raise InvalidOptionError if it cannot be a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a path that no file system takes
        why = error.strerror if isinstance(error, OSError) else error
        raise InvalidOptionError(f"{folder} cannot be a folder: {why}") from error


# --- Records with notes: what an agent thinks of every position of a game that was played ----------------------------


def annotating_agent(name: str) -> AnnotatingAgent:
    """Return the agent of a name that can take notes.

    Raises:
        InvalidOptionError: No such agent, or one that only says what it plays.
        CheckpointError: Its network cannot be used.
    """
    agent = make_agent(name)
    if not isinstance(agent, AnnotatingAgent):
        raise InvalidOptionError(
            f"agent {shown(name)} only says what it plays: give search, search:<settings>, policy or policy:<path>.npz"
        )
    agent.reset(0)
    return agent


def annotated_record(game: Game, agent: AnnotatingAgent, done: Callable[[int], None] | None = None) -> dict[str, Any]:
    """Return the record of a game with what an agent thinks of each of its positions in the field ``notes``.

    Args:
        game: The game as far as it has come; it stays as it is.
        agent: As of ``annotating_agent``.
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


# --- Scores by round: what every seat of a game has at the end of each round -----------------------------------------


class RoundScores:
    """Notes the scores of every seat, as if the game ended now, at the end of each round of the games it is shown.

    Pass it to ``play_game`` or ``Series.play_setup`` as ``after_move``. A round is over when the first decision of the
    next one is due, or the game has ended. Games but Endeavor, which may have any number of rounds, count as one round.

    Attributes:
        games: For each game, in the order they were begun, and each of its rounds, what ``Game.scores`` returned.
    """

    def __init__(self) -> None:
        """Begin without games."""
        self.games: list[list[list[int]]] = []
        self._game: AnyGame | None = None
        self._round = 0

    def __call__(self, game: AnyGame) -> None:
        """Look at a game after one of its moves, the first of which must be shown as well."""
        if game is not self._game:
            self._game, self._round, self._declared = game, 1, declaration_of(game)
            self.games.append([])
        now = self._declared.round_of(game)
        if now > self._round or game.over:
            self._round = now
            self.games[-1].append(game.scores())
