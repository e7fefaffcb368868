"""Notes on the positions of a game: what an agent expected for each seat, and the moves it liked best.

A record may carry them in its field ``notes``::

    {"by": "search:sims=100", "positions": {"0": {"values": [0.3, 0.4, 0.3], "choices": [["build:market", 0.8], ...]}}}

The keys of ``positions`` are numbers of moves made: "0" is the first decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from endeavor_env.basics.files import is_unicode
from endeavor_env.basics.inputs import real_number
from endeavor_env.endeavor.rules.constants import MAX_SEATS
from endeavor_env.errors import RecordError, shown

LARGEST = 1000
"""No expected outcome is further from 0: outcomes are shares of the win, or rewards."""


class Note(NamedTuple):
    """What an agent thought of a position."""

    values: tuple[float, ...]
    """The expected outcome of each seat: its share of the win, and a little for Glory; empty if it has no opinion."""
    choices: tuple[tuple[str, float], ...]
    """The moves it liked best, the best first, each with its share, 0 to 1."""


def notes_field(by: str, notes: Mapping[int, Note]) -> dict[str, Any]:
    """Return notes as the field of a record; ``read_notes`` is the inverse.

    Args:
        by: The name of the agent.
        notes: The notes, by the number of moves made before.
    """
    positions = {
        str(number): {"values": list(note.values), "choices": [list(choice) for choice in note.choices]}
        for number, note in sorted(notes.items())
    }
    return {"by": by, "positions": positions}


def read_notes(field: object, moves: int) -> tuple[str, dict[int, Note]]:
    """Return who made the notes of a record, and the notes by the number of moves made before.

    Args:
        field: The field ``notes``.
        moves: The number of moves of the record.

    Raises:
        RecordError: The field has another form, or is about positions that the record does not reach.
    """
    if not isinstance(field, Mapping) or set(field) != {"by", "positions"} or not _is_text(field["by"]):
        raise RecordError(f"the record has notes {shown(field)}: they must be an object with 'by' and 'positions'")
    positions = field["positions"]
    if not isinstance(positions, Mapping):
        raise RecordError(f"the record's notes have positions {shown(positions)}: they must be an object")
    return field["by"], {_position(key, moves): _note(key, value) for key, value in positions.items()}


def _position(key: object, moves: int) -> int:
    number = int(key) if isinstance(key, str) and key.isascii() and key.isdecimal() and len(key) < 7 else -1
    if not 0 <= number <= moves or key != str(number):  # "00" would be the position of "0"
        raise RecordError(f"the record has a note on position {shown(key)}: its moves lead to positions 0 to {moves}")
    return number


def _note(key: str, value: object) -> Note:
    wrong = RecordError(
        f"the record's note on position {key} is {shown(value)}: it must have 'values', a list of at most {MAX_SEATS} "
        f"numbers from -{LARGEST} to {LARGEST}, and 'choices', a list of [move, share] with shares from 0 to 1"
    )
    if not isinstance(value, Mapping) or set(value) != {"values", "choices"}:
        raise wrong
    values, choices = value["values"], value["choices"]
    if not isinstance(values, list) or not isinstance(choices, list) or len(values) > MAX_SEATS:
        raise wrong
    pairs = all(isinstance(one, list) and len(one) == 2 and _is_text(one[0]) for one in choices)
    if not pairs or not all(_is_between(one, -LARGEST, LARGEST) for one in values):
        raise wrong
    if not all(_is_between(share, 0, 1) for _, share in choices):
        raise wrong
    return Note(tuple(float(one) for one in values), tuple((move, float(share)) for move, share in choices))


def _is_text(value: object) -> bool:
    """Return whether a value is a text that can be written to a file."""
    return isinstance(value, str) and is_unicode(value)


def _is_between(value: object, least: float, most: float) -> bool:
    """Return whether a value is a number from ``least`` to ``most``."""
    number = real_number(value)
    return number is not None and least <= number <= most
