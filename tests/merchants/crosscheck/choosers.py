"""How moves are chosen in random games: by chance alone, or so that rare things happen."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.merchants.reference.game import ReferenceGame

Chooser = Callable[[random.Random, ReferenceGame], str]


def uniform(rng: random.Random, game: ReferenceGame) -> str:
    """Return any move, each alike."""
    return rng.choice(game.legal())


def by_verb(likings: dict[str, float]) -> Chooser:
    """Return a chooser that draws a verb by its liking, 1 if none is given, then a move of that verb."""

    def choose(rng: random.Random, game: ReferenceGame) -> str:
        moves: dict[str, list[str]] = {}
        for move in game.legal():
            moves.setdefault(move.partition(":")[0], []).append(move)
        verbs = list(moves)
        (verb,) = rng.choices(verbs, [likings.get(one, 1.0) for one in verbs])
        return rng.choice(_rarer(game, verb, moves[verb]))

    return choose


def _rarer(game: ReferenceGame, verb: str, moves: list[str]) -> list[str]:
    """Return those moves of a verb that lead to rarer things, or all.

    Merchants go to cities, so that posts are founded; tokens of few kinds are placed; the robber goes to tokens, and
    they are taken from him.
    """
    table = game.table
    rarer = {
        "to": [move for move in moves if move[3:] in game.map.site],
        "robber": _fewest_in_sea(game, [move for move in moves if verb == "robber" and int(move[8:]) in table.tokens]),
        "token": _fewest_in_sea(game, moves) if verb == "token" else [],
        "take": [f"take:t{table.robber}"] if f"take:t{table.robber}" in moves else [],
    }
    return rarer.get(verb) or moves


def _fewest_in_sea(game: ReferenceGame, moves: list[str]) -> list[str]:
    """Return the terrains of whose kind the fewest tokens lie in the sea, that of the robber's token first."""
    kinds = {move: game.map.kinds[int(move.partition(":t")[2])] for move in moves}
    robbed = game.map.kinds[game.table.robber] if game.table.robber in game.table.tokens else None
    left = {move: (len(game.table.sea[kind]), kind != robbed) for move, kind in kinds.items()}
    return [move for move in moves if left[move] == min(left.values())]


def patient(rng: random.Random, game: ReferenceGame) -> str:
    """Return a move of somebody who is eager, but delivers no good while a caravan drives."""
    legal = game.legal()
    return "stop" if "stop" in legal and "deliver" in str(legal) else _EAGER(rng, game)


def builder(rng: random.Random, game: ReferenceGame) -> str:
    """Return a move of somebody who builds many routes, and keeps the last one for a card."""
    legal = game.legal()
    if isinstance(game.seat, int) and game.table.seats[game.seat].routes == 1:
        for move in ("play:safe_conduct", "card"):
            if move in legal:
                return move
        if "end" in legal and any(move.startswith("route") for move in legal):
            return "end"
        arrows = [move for move in legal if move.startswith("route") and int(move[7:]) in game.map.arrows]
        if arrows:
            return rng.choice(arrows)
    return _BUILDER(rng, game)


_EAGER = by_verb(
    {
        **{"end": 0.02, "bank": 0.05, "buy": 0.1, "give": 0.005, "refuse": 5, "cancel": 0.3},
        **{"card": 0.3, "play": 2, "walk": 20, "merchant": 5, "caravan": 0.5, "drive": 3, "deliver": 50},
        **{"stop": 0.2, "propose": 3},
    }
)
_BUILDER = by_verb(
    {
        **{"end": 0.3, "route": 8, "bank": 0.3, "buy": 0.5, "give": 0.1, "done": 0.2, "caravan": 2, "deliver": 0},
        **{"card": 3, "play": 4},
    }
)
CHOOSERS: dict[str, Chooser] = {
    "uniform": uniform,
    "wild": by_verb(
        {"end": 0.5, "roll": 2, "card": 4, "play": 4, "walk": 4, "merchant": 3, "caravan": 2, "deliver": 6}
    ),
    "eager": _EAGER,
    "patient": patient,
    "builder": builder,
    "hoarder": by_verb({"end": 60, "roll": 20, "play": 0.5, "route": 0.5, "give": 0.5}),
}
"""Any move; cards, merchants, drives and offers; posts and goods, with games that are won; the same, later; routes;
nothing at all, so that reserves run out and hands are too large."""
