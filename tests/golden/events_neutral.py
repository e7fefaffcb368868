"""What happens in games with neutral discs that few games show, so that a test can ask for it by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import DONE_AT, NEUTRAL_OCCUPY_AT
from endeavor_env.endeavor.variants.neutral import EVERY_REGION

_COMMON = {
    "a neutral disc opens a region",
    "a Governor for a neutral side",
    "a Governor for a seat, of a region a neutral disc opened",
    "an attack on a neutral disc",
    "a neutral Occupy in the same region",
}
RARE_SOLOPLAY = {
    *_COMMON,
    "a neutral disc beside a full track",
    "a neutral disc declined",
    "a neutral disc after a Draw",
    "a seat gets a neutral disc",
    "a track that may lose no more tokens",
    "a removed space passed over",
    "a removed space filled",
    "neutral discs score",
}
RARE_NEUTRAL_2 = {
    *_COMMON,
    "a neutral disc after 1 of the parts of dock",
    "a neutral disc after 2 of the parts of dock",
    "a neutral disc after 1 of the parts of cartographer",
    "a neutral disc after 2 of the parts of cartographer",
    "a neutral Occupy in another region",
    "an attack on a disc of the seat's own side",
}
_LIMIT = {c.VARIANT_SOLOPLAY_2: 3, c.VARIANT_SOLOPLAY_3: 2}
"""Tokens a track may lose in all (V2S.4, V3S.3)."""
RARE = {"soloplay_2": RARE_SOLOPLAY, "soloplay_3": RARE_SOLOPLAY, "neutral_2": RARE_NEUTRAL_2}


def seen_in(finished: Game) -> set[str]:
    """Return everything of RARE, for its variant, that happens in a game."""
    game = Game.new(variant=finished.variant, setup=finished.setup(), board=finished.board, options=finished.options)
    found: set[str] = set()
    for _, action in finished.history:
        before = game.clone()
        game.apply(action)
        old, new = before.state[0], game.state[0]
        found.update(_of_regions(before, old, new))
        found.update(_of_tracks(old, new))
        if before.decision == "neutral":
            found.update(_of_neutral(before, old, new, action))
    if game.state[0].neutral_reserve.any():
        found.add("neutral discs score")
    return found & RARE[game.variant]


def _of_regions(game: Game, old: Any, new: Any) -> Iterator[str]:
    """Yield what an opening or an attack shows."""
    seats = game.num_players
    if new.open.sum() > old.open.sum():
        by_neutral = old.decision == c.DECIDE_NEUTRAL
        yield "a neutral disc opens a region" if by_neutral else ""
        if new.num_governors.sum() == old.num_governors.sum():
            yield "a Governor for a neutral side"
        elif by_neutral:
            yield "a Governor for a seat, of a region a neutral disc opened"
    for city in np.flatnonzero((old.city_owner >= seats) & (new.city_owner != old.city_owner)):
        yield "an attack on a neutral disc"
        if old.city_owner[city] == seats + new.city_owner[city]:
            yield "an attack on a disc of the seat's own side"


def _of_tracks(old: Any, new: Any) -> Iterator[str]:
    """Yield what removed tokens and the neutral discs of a harbor show."""
    removed = new.track_owner == c.SPACE_CLOSED
    if old.decision == c.DECIDE_REMOVE:
        yield "a track that may lose no more tokens" if removed.sum(axis=1).max() == _LIMIT[new.variant] else ""
    elif (new.track_next > old.track_next + 1).any():
        yield "a removed space passed over"
    filled = np.argwhere((new.track_owner >= 0) & (old.track_owner == c.NONE))
    if any(old.token[c.TRACK_SPACES + region * c.MAX_TRACK + space] == c.NONE for region, space in filled):
        yield "a removed space filled"
    if (new.neutral_harbor > old.neutral_harbor).any():
        yield "a seat gets a neutral disc"


def _of_neutral(game: Game, old: Any, new: Any, action: int) -> Iterator[str]:
    """Yield what the choice for a neutral disc shows."""
    if action == DONE_AT:
        yield "a neutral disc declined"
        return
    board, side = game.board.array[0], game.num_players + (game.seat if game.variant == "neutral_2" else 0)
    if new.beside[side].sum() > old.beside[side].sum():
        yield "a neutral disc beside a full track"
    if old.neutral_regions == EVERY_REGION:
        yield "a neutral disc after a Draw"
    if action >= NEUTRAL_OCCUPY_AT:
        here = old.neutral_regions >> board.city_region[action - NEUTRAL_OCCUPY_AT] & 1
        yield f"a neutral Occupy in {'the same' if here else 'another'} region"
    if old.source >= 0:
        yield f"a neutral disc after {old.parts_done} of the parts of {game.board.buildings[old.source]}"
