"""The opponents of a vector environment: one, a list by distance, or a mix to draw from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from endeavor_env.basics.inputs import listed, plain_text, positive_weight
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.engine.batch.seats import BatchOpponent, check_policy
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.errors import InvalidOptionError, shown

MAX_OPPONENTS = 1 << 14


class BatchOpponents(NamedTuple):
    """Checked opponents: the arguments of ``Seats.seat_opponents``."""

    players: list[BatchOpponent]
    weights: list[float] | None


def check_batch_opponents(opponents: Any, kinds: Kinds) -> BatchOpponents:
    """Return the opponents.

    Args:
        opponents: One for all other seats, a list of those at distance 1, 2, ... after the learner, or a mapping from
            opponents to weights, from which each other seat of each game draws one.
        kinds: The games to be played.

    Raises:
        InvalidOptionError: Something that cannot play these games in a batch, a list of another length, an empty
            mapping, or a weight that is not a finite number above 0.
    """
    if isinstance(opponents, Mapping):
        return _check_mix(opponents, kinds)
    seats = kinds.most
    several = listed(opponents)
    others = [opponents] * (MAX_SEATS - 1) if several is None else several
    if several is not None and len(others) != seats - 1:
        raise InvalidOptionError(
            f"opponents has {len(others)} entries: with {seats} players give one, or a list of {seats - 1}"
        )
    return BatchOpponents([_check_opponent(other, kinds) for other in others], None)


def _check_mix(opponents: Mapping[Any, Any], kinds: Kinds) -> BatchOpponents:
    """Return the opponents of a mapping; a single one means the same as without a weight."""
    if not 0 < len(opponents) < MAX_OPPONENTS:
        raise InvalidOptionError(
            f"opponents with {len(opponents)} entries are not possible: give a mapping from 1 to {MAX_OPPONENTS - 1} "
            "opponents to their weights"
        )
    players = [_check_opponent(other, kinds) for other in opponents]
    weights = [
        positive_weight(f"the weight of opponent {shown(other)},", weight) for other, weight in opponents.items()
    ]
    if len(players) == 1:
        return BatchOpponents(players * (MAX_SEATS - 1), None)
    return BatchOpponents(players, weights)


def _check_opponent(other: Any, kinds: Kinds) -> Any:
    """Return an opponent that can play these games in a batch; raise InvalidOptionError for anything else."""
    function = "a function from (observations, masks) of all games that wait for it to one action id for each"
    check_policy("opponent", other, function, kinds.rules, kinds.variants)
    return plain_text(other) or other
