"""The kinds of game that are measured and audited: the base game with each number of seats, and every variant.

A kind is named by its variant, at times with a difficulty: ``standard``, ``solo``, ``solo:easier``, ``soloplay_2``, ...
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.options import EXPLOITS, options_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD

SEATS = tuple(range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1))
NAMES = tuple(
    name
    for variant in c.VARIANT_NAMES
    for name in ([SOLO, *(f"{SOLO}:{level}" for level in c.DIFFICULTY_NAMES[1:])] if variant == SOLO else [variant])
)
"""Every name, the difficulties of the solitaire game included."""


def name_of(kind: GameConfig) -> str:
    """Return the name of a kind of game, one of NAMES."""
    return ":".join([kind.variant, *([kind.options["difficulty"]] if "difficulty" in kind.options else [])])


def label_of(kind: GameConfig) -> str:
    """Return the name, with the number of seats if that is free; for the base game only the number of seats."""
    if kind.variant == STANDARD:
        return f"{kind.players} seats"
    return f"{name_of(kind)}, {kind.players} seats" if kind.variant == EXPLOITS else name_of(kind)


def variations_of(kind: GameConfig) -> list[GameConfig]:
    """Return the kind with every combination of the options that its name leaves open."""
    free = [option for option in options_of(kind.variant) if option.name != "difficulty"]
    mixtures = itertools.product(*(option.values for option in free))
    names = [option.name for option in free]
    return [replace(kind, options={**kind.options, **dict(zip(names, values, strict=True))}) for values in mixtures]


def kinds_of(names: Iterable[str] = NAMES, seats: Iterable[int] = SEATS) -> tuple[GameConfig, ...]:
    """Return the kinds of game with these ``names``, each once; ``seats`` are the numbers of seats of the base game."""
    found: list[GameConfig] = []
    for name in names:
        variant, _, difficulty = name.partition(":")
        least, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)]
        options = {"difficulty": difficulty} if difficulty else {}
        found += [GameConfig(variant, players, options=options) for players in (seats if least < most else (most,))]
    return tuple(dict.fromkeys(found))
