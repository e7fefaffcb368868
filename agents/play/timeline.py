"""The moves of a game with the moment at which each was made, and where a turn of a person began."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from endeavor_env.endeavor.game import Game

CHOICE = "opposition"
"""The kind of a decision that the player of the solitaire game makes for the Opposition."""
BEGINS = ("build", "turn", CHOICE)
"""Kinds of decisions that begin a turn each time they are asked."""
RUNS = ("remove", "salary", "round_end_discard")
"""Kinds of decisions that a seat answers several times in a row: the first of them begins the turn."""


class TimelineMove(NamedTuple):
    """A move that was made."""

    seat: int
    action: int
    round: int
    """The round in which it was made; 0 in the set-up."""
    phase: str
    decision: str
    """The kind of decision that it answered, a name of DECISION_NAMES."""


def moves_made(game: Game) -> list[TimelineMove]:
    """Return every move of a game, oldest first."""
    played, made = game.at_move(0), []
    for seat, action in game.history:
        made.append(TimelineMove(seat, action, played.round, played.phase, played.decision))
        played.apply(action)
    return made


def moves_known(made: list[TimelineMove], people: Container[int]) -> int:
    """Return after how many moves a person acted last: the moves after these are news to the people.

    A choice that a person makes for the Opposition does not count: what the Opposition did before it is still news.
    """
    known = (index for index, move in enumerate(made, 1) if move.seat in people and move.decision != CHOICE)
    return max(known, default=0)


def last_turn(made: list[TimelineMove], people: Container[int]) -> int | None:
    """Return how many moves had been made when the last turn of a person began; None if no person has moved.

    Args:
        made: All moves of the game.
        people: The seats that people play.
    """
    found = None
    for index, move in enumerate(made):
        if move.seat in people and _begins(move, made[index - 1] if index else None):
            found = index
    return found


def _begins(move: TimelineMove, before: TimelineMove | None) -> bool:
    """Return whether a move was the first of its turn."""
    if move.decision in RUNS:
        of_move = (move.seat, move.decision, move.round)
        return before is None or (before.seat, before.decision, before.round) != of_move
    return move.decision in BEGINS
