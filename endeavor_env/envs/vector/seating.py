"""The opponents a vector environment is given: one, a list by distance, or a mix to draw from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from endeavor_env.batch.seats import COMPILED, BatchOpponent
from endeavor_env.core import constants as c
from endeavor_env.envs.vector.kinds import positive_weight
from endeavor_env.errors import InvalidOptionError

MAX_OPPONENTS = 1 << 14


class Opponents(NamedTuple):
    """Checked opponents, as ``Seats.seat_opponents`` takes them."""

    players: list[BatchOpponent]
    weights: list[float] | None


def read_opponents(opponents: Any, seats: int) -> Opponents:
    """Returns the opponents.

    Args:
        opponents: One for all other seats, a list of those at distance 1, 2, ... after the learner, or a mapping from
            opponents to weights, of which each other seat of each game draws one.
        seats: Seats of the largest table.

    Raises:
        InvalidOptionError: Something that cannot play in a batch, a list of another length, an empty mapping, or a
            weight that is not a finite number above 0.
    """
    if isinstance(opponents, Mapping):
        return _read_mix(opponents)
    others = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * (c.MAX_SEATS - 1)
    if isinstance(opponents, list | tuple) and len(others) != seats - 1:
        raise InvalidOptionError(
            f"opponents has {len(others)} entries: with {seats} players give one, or a list of {seats - 1}"
        )
    return Opponents([_checked(other) for other in others], None)


def _read_mix(opponents: Mapping[Any, Any]) -> Opponents:
    """Returns the opponents of a mapping; one alone is as if it were given without a weight."""
    if not 0 < len(opponents) < MAX_OPPONENTS:
        raise InvalidOptionError(
            f"opponents with {len(opponents)} entries are not possible: give a mapping from 1 to {MAX_OPPONENTS - 1} "
            "opponents to their weights"
        )
    players = [_checked(other) for other in opponents]
    weights = [positive_weight(f"the weight of opponent {other!r},", weight) for other, weight in opponents.items()]
    if len(players) == 1:
        return Opponents(players * (c.MAX_SEATS - 1), None)
    return Opponents(players, weights)


def _checked(other: Any) -> Any:
    """Returns an opponent that can play in a batch."""
    if (isinstance(other, str) and other in COMPILED) or (callable(other) and not isinstance(other, type)):
        return other
    raise InvalidOptionError(
        f"opponent {other!r} cannot play in a batch: give {', '.join(map(repr, COMPILED))}, or a function from "
        "(observations, masks) of all games that wait for it to one action id for each"
    )
