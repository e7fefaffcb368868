"""How moves are chosen in random games: by chance alone, or so that rare things happen."""

from __future__ import annotations

import random
from collections.abc import Callable

Chooser = Callable[[random.Random, list[str]], str]


def uniform(rng: random.Random, legal: list[str]) -> str:
    """Return any move, each alike."""
    return rng.choice(legal)


def by_verb(likings: dict[str, float]) -> Chooser:
    """Return a chooser that draws a verb by its liking, 1 if none is given, then any move of that verb.

    Merchants go to cities rather than elsewhere, so that posts are founded.
    """

    def choose(rng: random.Random, legal: list[str]) -> str:
        moves: dict[str, list[str]] = {}
        for move in legal:
            moves.setdefault(move.partition(":")[0], []).append(move)
        verbs = list(moves)
        (verb,) = rng.choices(verbs, [likings.get(one, 1.0) for one in verbs])
        found = moves[verb]
        if verb == "to":
            found = [move for move in found if not move[3:].startswith("c") or not move[4:].isdigit()] or found
        return rng.choice(found)

    return choose


WILD = by_verb({"end": 0.5, "roll": 2, "card": 4, "play": 4, "walk": 4, "merchant": 3, "caravan": 2, "deliver": 6})
"""Likes cards, merchants, drives and offers."""
EAGER = by_verb(
    {
        **{"end": 0.02, "bank": 0.05, "buy": 0.1, "give": 0.005, "refuse": 5, "cancel": 0.3, "want": 1, "done": 0.2},
        **{"card": 0.3, "play": 2, "walk": 20, "merchant": 5, "caravan": 0.5, "route": 1, "drive": 3, "deliver": 50},
        **{"stop": 0.2, "to": 1, "step": 1, "propose": 3},
    }
)
"""Founds posts and delivers goods, so that games are won."""
PATIENT_LIKINGS = {
    "end": 0.02,
    "bank": 0.05,
    "buy": 0.1,
    "give": 0.005,
    "walk": 20,
    "merchant": 5,
    "caravan": 0.5,
    "drive": 3,
}


def patient(rng: random.Random, legal: list[str]) -> str:
    """Return a move of somebody who is eager, but delivers no good while a caravan drives."""
    stops = [move for move in legal if move == "stop"]
    return rng.choice(stops) if stops and "deliver" in str(legal) else _PATIENT(rng, legal)


_PATIENT = by_verb({**PATIENT_LIKINGS, "deliver": 50, "card": 0.3, "play": 2})
BUILDER = by_verb(
    {"end": 0.3, "route": 8, "bank": 0.3, "buy": 0.5, "give": 0.1, "done": 0.2, "caravan": 2, "deliver": 0}
)
"""Builds many routes, so that ways tie and supplies run out, and delivers nothing."""
HOARDER = by_verb({"end": 60, "roll": 20, "play": 0.5, "route": 0.5, "give": 0.5})
"""Keeps its cards, so that reserves run out and hands are too large."""
CHOOSERS: dict[str, Chooser] = {
    "uniform": uniform,
    "wild": WILD,
    "eager": EAGER,
    "patient": patient,
    "builder": BUILDER,
    "hoarder": HOARDER,
}
