"""The search player's settings, as they stand in its name: "search:sims=100", "search:ms=20,c=0.3,network=<path>"."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.network_file import (
    VALUE_NETWORKS,
    PolicyNetwork,
    in_games_of,
    num_values,
    policies_of,
    published_networks,
    split_network,
    value_path,
)
from endeavor_env.endeavor.players.search.player import SearchSettings, search_memory
from endeavor_env.endeavor.players.search.tree import (
    PLAYOUT_NONE,
    PLAYOUT_ROUND,
    PLAYOUT_ROUND_VECTOR,
    PLAYOUT_TURN,
    PLAYOUT_VECTOR,
)
from endeavor_env.engine.network_file import ValueNetwork
from endeavor_env.errors import InvalidOptionError, shown

PLAYOUTS = {
    "none": PLAYOUT_NONE,
    "turn": PLAYOUT_TURN,
    "round": PLAYOUT_ROUND,
    "vector": PLAYOUT_VECTOR,
    "round_vector": PLAYOUT_ROUND_VECTOR,
}
VECTORS = ("vector", "round_vector")
"""Playouts that need a network with a value for each seat."""
FORM = (
    "sims=<number> or ms=<number>, and if you like c=, prior=, policy=, halving=, scale=, spite=, trust=, width=, "
    "playout= and last network=<path>"
)
"""What settings look like, for messages."""


class _Range(NamedTuple):
    """The numbers that a setting takes."""

    least: float
    most: float
    whole: bool = False


_NUMBERS = {
    "sims": _Range(1, 10_000, whole=True),
    "ms": _Range(1, 60_000),
    "c": _Range(0, 100),
    "prior": _Range(1e-3, 100),
    "trust": _Range(1e-3, 100),
    "width": _Range(1, 64, whole=True),
    "policy": _Range(0, 1),
    "halving": _Range(1, 64, whole=True),
    "scale": _Range(1e-3, 100),
    "spite": _Range(0, 100),
}
_FIELDS = {
    "sims": "simulations",
    "c": "exploration",
    "prior": "prior_temperature",
    "trust": "trust",
    "width": "width",
    "policy": "policy_weight",
    "halving": "considered",
    "scale": "value_scale",
    "spite": "spite",
}


class SearchName(NamedTuple):
    """What the settings of a search player say."""

    settings: SearchSettings
    milliseconds: float | None
    """Time for each decision; None if it is a number of simulations."""
    networks: Sequence[ValueNetwork]
    policies: Sequence[PolicyNetwork] = ()
    """Those that have a share in the priors."""

    def __deepcopy__(self, memo: dict[int, Any]) -> SearchName:
        """Return the same, which nobody changes: a copied agent searches with the same networks."""
        return self

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that the player plays."""
        return tuple(variant for network in self.networks for variant in network.variants)

    def memory(self, num_actions: int, **changed: Any) -> npt.NDArray[np.uint8]:
        """Return fresh memory of the player for games with so many action ids.

        Args:
            num_actions: The number of action ids.
            changed: Other values for some fields of the settings.
        """
        values = {variant: one.arrays for one in self.networks for variant in one.variants}
        policies = in_games_of(num_actions, {one.variant: one.logits for one in self.policies})
        return search_memory(in_games_of(num_actions, values), self.settings._replace(**changed), policies)


def read_search_name(text: str) -> SearchName:
    """Return what the settings of a search player say.

    Args:
        text: What stands after the colon of its name; empty for the default settings and the published networks.

    Raises:
        InvalidOptionError: An unknown setting, a value it cannot take, or one setting twice.
        CheckpointError: The network cannot be used.
    """
    text, network, path = split_network(text)
    given: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        name, _, value = part.partition("=")
        if name in given:
            raise InvalidOptionError(f"player {_shown(text)} sets {name} twice")
        given[name] = _read_setting(text, name, value)
    if "sims" in given and "ms" in given:
        raise InvalidOptionError(f"player {_shown(text)} sets both sims and ms: one of them ends the search")
    milliseconds = given.pop("ms", None)
    settings = _settings(given)
    networks = [VALUE_NETWORKS.read(value_path(path))] if network else published_networks()
    if given.get("playout") in VECTORS:
        _check_vectors(text, networks)
    policies = policies_of(_shown(text), path if network else None) if settings.policy_weight > 0 else ()
    return SearchName(settings, milliseconds, networks, policies)


def uses_policy(text: str | None) -> bool:
    """Return whether the settings of a search player give a policy a share; raise ValueError if it is no number."""
    parts = split_network(text or "")[0].split(",")
    return any(float(value) > 0 for name, _, value in (part.partition("=") for part in parts) if name == "policy")


def _check_vectors(text: str, networks: Sequence[ValueNetwork]) -> None:
    """Raise InvalidOptionError for a network without a value for each seat."""
    for network in networks:
        seats = num_values(network.variants)
        if network.arrays.last.shape[1] < seats:
            raise InvalidOptionError(
                f"player {_shown(text)} needs a network with a value for each of {seats} seats: give network=<path>"
            )


def _shown(settings: str) -> str:
    """Return the name of the player for a message."""
    return shown(f"search:{settings}")


def _settings(given: Mapping[str, Any]) -> SearchSettings:
    """Return the settings that were given as values by name, and the defaults of all others."""
    fields = {_FIELDS[name]: value for name, value in given.items() if name != "playout"}
    if "playout" in given:
        fields["playout"] = PLAYOUTS[given["playout"]]
    return SearchSettings(**fields)


def _read_setting(settings: str, name: str, text: str) -> Any:
    """Return the value of a setting; raise InvalidOptionError for an unknown one or a value it cannot take."""
    if name == "playout" and text in PLAYOUTS:
        return text
    if name == "playout":
        raise InvalidOptionError(f"player {_shown(settings)} sets playout to {shown(text)}: give {', '.join(PLAYOUTS)}")
    if name not in _NUMBERS:
        raise InvalidOptionError(f"player {_shown(settings)} has no setting {shown(name)}: give {FORM}")
    least, most, whole = _NUMBERS[name]
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        kind = "whole number" if whole else "number"
        raise InvalidOptionError(
            f"player {_shown(settings)} sets {name} to {shown(text)}: give a {kind} from {least:g} to {most:g}"
        )
    return value
