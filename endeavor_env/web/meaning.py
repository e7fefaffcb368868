"""Units of the numbers in a note, by the agent that took it: a share of the win is not a reward."""

from __future__ import annotations

from typing import NamedTuple


class Meaning(NamedTuple):
    """Units of the numbers in a note."""

    values: str
    """Unit of a seat's value."""
    unit: str
    """The same in a word or two, for an axis."""
    choices: str
    """Unit of a move's share."""


_OF_AGENTS = {
    "search": Meaning(
        "share of the win, 0 to 1, and 0.02 for each Glory of lead", "share of the win", "share of its simulations"
    ),
    "policy": Meaning(
        "reward that its value network expects until the end of the game",
        "reward",
        "probability that it plays the move",
    ),
}
_OF_OTHERS = Meaning("outcome in units of its own", "outcome", "share of its favour")


def meaning(by: str) -> Meaning:
    """Return what the numbers in the notes of an agent are, such as "search:sims=50"."""
    return _OF_AGENTS.get(by.partition(":")[0], _OF_OTHERS)


def noted_by(by: str) -> dict[str, str]:
    """Return the fields of a part of a film that say who took its notes, and what their numbers are."""
    said = meaning(by)
    return {"notes_by": by, "noted_values": said.values, "noted_unit": said.unit, "noted_choices": said.choices}
