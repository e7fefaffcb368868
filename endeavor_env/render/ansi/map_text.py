"""The part of the text board about the map: regions with their tracks, cities and cards, and the connections."""

from __future__ import annotations

from collections.abc import Sequence

from endeavor_env.render.ansi.lines import space_text, wrapped
from endeavor_env.render.view import Connection, Deck, Region


def region_lines(region: Region, name: str) -> list[str]:
    """Return a region under the heading ``name``."""
    lines = [f"{name} ({'open' if region.open else 'closed'})"]
    if region.track:
        lines += wrapped([space_text(space) for space in region.track], "track: ")
    if region.beside:
        beside = [f"{f'seat {side}' if side.isdigit() else side} x{count}" for side, count in region.beside.items()]
        lines += wrapped(beside, "beside the track: ")
    cities = [f"{city.id}{'*' * city.glory} {space_text(city.space)}" for city in region.cities]
    return [*lines, *wrapped(cities, "cities: "), *wrapped(map(_deck_text, region.decks), "cards: ")]


def _deck_text(deck: Deck) -> str:
    """Return a deck with the values of the cards left in it, top first."""
    values = [card.rpartition(".")[2] for card in deck.cards]
    return f"{deck.id} [{' '.join(values)}]"


def connection_lines(connections: Sequence[Connection]) -> list[str]:
    """Return each connection with its token, ``-`` once taken, and in brackets the side that controls it (R8.4.1)."""
    shown = []
    for connection in connections:
        owner = connection.space.owner
        shown.append(f"{connection.id} {connection.space.token or '-'}" + ("" if owner is None else f" <{owner}>"))
    return shown
