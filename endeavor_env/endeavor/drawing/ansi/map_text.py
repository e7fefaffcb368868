"""The part of the text board about the map: regions with their tracks, cities and cards, and the connections."""

from __future__ import annotations

from collections.abc import Sequence

from endeavor_env.endeavor.drawing.ansi.lines import space_text, wrapped
from endeavor_env.endeavor.drawing.view import Connection, Deck, Region


def region_lines(region: Region, name: str) -> list[str]:
    """Return a region under the heading ``name``."""
    lines = [f"{name} ({'open' if region.open else 'closed'})"]
    if region.track:
        lines += wrapped([space_text(space) for space in region.track], "track: ")
    if region.beside:
        beside = [f"{f'seat {side}' if side.isdigit() else side} x{count}" for side, count in region.beside.items()]
        lines += wrapped(beside, "beside the track: ")
    cities = [" ".join((city.id + "*" * city.glory, space_text(city.space), *city.pieces)) for city in region.cities]
    return [*lines, *wrapped(cities, "cities: "), *wrapped(map(_deck_text, region.decks), "cards: ")]


def _deck_text(deck: Deck) -> str:
    """Return a deck with the values of the cards left in it, top first; a foreign card by its whole name (E13)."""
    values = [
        value if own == deck.id else f"{own}.{value}" for own, _, value in (c.rpartition(".") for c in deck.cards)
    ]
    return f"{deck.id} [{' '.join(values)}]{' and its Governor' if deck.governor_apart else ''}"


def connection_lines(connections: Sequence[Connection]) -> list[str]:
    """Return each connection with its token, ``-`` once taken, and in brackets the side that controls it (R8.4.1)."""
    shown = []
    for connection in connections:
        owner = connection.space.owner
        who = "" if owner is None else f" <{owner}>"
        shown.append(f"{connection.id} {connection.space.token or '-'}{who}{' blocked' if connection.blocked else ''}")
    return shown
