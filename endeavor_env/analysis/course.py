"""The course of a game, played again from its set-up: its decisions, ends of rounds and openings of regions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.results import States
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import copy_states
from endeavor_env.errors import InvalidOptionError


class Decision(NamedTuple):
    """A decision and what came of it."""

    round: int
    phase: str
    kind: str
    seat: int
    legal: int
    action: int
    glory: int
    """Of the seat, before the move."""
    gain: int


class Opening(NamedTuple):
    """The opening of a region."""

    region: int
    round: int
    move: int
    """Number of the decision."""
    seat: int
    """The seat that decided."""
    by_opposition: bool
    """True if a disc of the Opposition fills the track's last space."""


class Course(NamedTuple):
    """The course of a game, as far as it was played."""

    start: States
    """(1,) STATE, the position of the first decision."""
    decisions: list[Decision]
    round_ends: list[States]
    """For each round that ended, (1,) STATE: the first decision of the next round, or the end of the game."""
    openings: list[Opening]
    """In order; regions that one decision opens in the order of the board."""


def course_of(game: Game, which: str) -> Course:
    """Return the course of a game.

    Args:
        game: The game; it is not changed.
        which: What to call it in messages.

    Raises:
        InvalidOptionError: Its moves do not lead to its position: somebody wrote to its state.
    """
    opening = game.at_move(0)
    course = Course(copy_states(opening.state), [], [], [])
    states, mask = opening.state, np.empty(num_actions(opening.variant), np.int8)
    totals = np.zeros(c.MAX_SEATS, np.int16)
    for number, (_, action) in enumerate(game.history):
        before = copy_states(states)
        legal = int(entry.legal(game.board.array, states, mask))
        if not mask[action]:
            raise _changed(which)
        entry.total(game.board.array, states, totals)
        glory = int(totals[states["seat"][0]])
        entry.step(game.board.array, states, action)
        entry.total(game.board.array, states, totals)
        _note(course, number, before, states, (legal, action, glory, totals))
    if states.tobytes() != game.state.tobytes():
        raise _changed(which)
    return course


def _changed(which: str) -> InvalidOptionError:
    """Return the error for a game whose moves are not how it came to its position."""
    return InvalidOptionError(
        f"{which} cannot be played again: its moves do not lead to its position, so somebody wrote to its state"
    )


def _note(
    course: Course,
    number: int,
    before: States,
    after: States,
    chosen: tuple[int, int, int, npt.NDArray[np.int16]],
) -> None:
    """Add what happened by decision ``number``, with its legal actions, action, Glory before and totals after it."""
    state, (legal, action, glory, totals) = before[0], chosen
    round_number, seat = int(state.round_number), int(state.seat)
    phase, kind = c.PHASE_NAMES[state.phase], c.DECISION_NAMES[state.decision]
    gain = int(totals[seat]) - glory
    course.decisions.append(Decision(round_number, phase, kind, seat, legal, action, glory, gain))
    for region in np.flatnonzero(after["open"][0] > before["open"][0]).tolist():
        by_opposition = _opened_by_opposition(before, after, region)
        course.openings.append(Opening(region, round_number, number, seat, by_opposition))
    over = after["phase"][0] == c.PHASE_OVER
    if over or (round_number and after["round_number"][0] > round_number):
        course.round_ends.append(copy_states(after))


def _opened_by_opposition(before: States, after: States, region: int) -> bool:
    """Return whether a disc of the Opposition took the last free space of a track."""
    if after["variant"][0] != c.VARIANT_SOLO:
        return False
    taken = (before["track_owner"][0][region] < 0) & (after["track_owner"][0][region] >= 0)
    return bool(after["track_owner"][0][region][np.flatnonzero(taken)[-1]] >= c.FIRST_COLOUR)
