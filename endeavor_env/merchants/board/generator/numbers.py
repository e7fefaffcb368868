"""Printed numbers, rather in the middle, and token places, rather outside (step 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.content import Terrain
from endeavor_env.merchants.board.generator.draws import Draws, NoBoardError
from endeavor_env.merchants.board.generator.kinds import Needs
from endeavor_env.merchants.board.geometry import Cell, cell_neighbours

PRINTED = {"short": 22, "expert": 28}
"""Printed numbers beside the fives of the facts."""
_ONCE = (2, 12)
_TWICE = (3, 4, 5, 6, 8, 9, 10, 11)
_FREQUENT = (6, 8)
_OUTSIDE = 3
"""The power of its distance from all cells by which a terrain is likelier to be a token place."""


def draw_terrains(
    kinds: Mapping[Cell, str], central: Mapping[Cell, int], needs: Needs, side: str, draws: Draws
) -> tuple[Terrain, ...]:
    """Return the terrains: each has a printed number or a token place; raise NoBoardError if places are too few."""
    places = _draw_token_places(kinds, central, needs, side, draws)
    dotted = {
        min((cell for cell in places - needs.empty if kinds[cell] == kind), key=lambda cell: (central[cell], cell))
        for kind in v.KINDS
    }
    numbers = _draw_numbers([cell for cell in kinds if cell not in places], needs, draws)
    return tuple(
        Terrain(cell, kind, numbers.get(cell, 0), v.DOTTED if cell in dotted else v.PLACE if cell in places else "")
        for cell, kind in kinds.items()
    )


def _draw_token_places(
    kinds: Mapping[Cell, str], central: Mapping[Cell, int], needs: Needs, side: str, draws: Draws
) -> set[Cell]:
    """Return the terrains without a number: three of each kind or more, and never all of a kind."""
    places, free = set(needs.empty), [cell for cell in kinds if cell not in needs.empty | needs.printed]
    have, size = Counter(kinds[cell] for cell in places), Counter(kinds.values())
    missing = {kind: max(0, v.TOKENS_OF_KIND - have[kind]) for kind in v.KINDS}
    count = len(kinds) - PRINTED[side] - len(needs.fives)
    while len(places) < count:
        wanted = [kind for kind in v.KINDS if missing[kind]] or [
            kind for kind in v.KINDS if have[kind] < size[kind] - 1
        ]
        choice = [cell for cell in free if kinds[cell] in wanted]
        cell = draws.weighted(choice, [central[cell] ** _OUTSIDE for cell in choice])
        free.remove(cell)
        places.add(cell)
        have[kinds[cell]] += 1
        missing[kinds[cell]] = max(0, missing[kinds[cell]] - 1)
    if any(missing.values()):
        raise NoBoardError
    return places


def _draw_numbers(cells: list[Cell], needs: Needs, draws: Draws) -> dict[Cell, int]:
    """Return the printed number of each cell: 6 and 8 first, beside no other of them if possible."""
    numbers = dict.fromkeys((cell for cell in cells if cell in needs.fives), 5)
    free = draws.shuffled(cell for cell in cells if cell not in numbers)
    bag = [*_ONCE, *_TWICE, *_TWICE]
    while len(bag) < len(free):
        bag += draws.shuffled(_TWICE)[: len(free) - len(bag)]
    frequent = [number for number in bag if number in _FREQUENT]
    for number in draws.shuffled(frequent):
        apart = [cell for cell in free if not any(numbers.get(other) in _FREQUENT for other in cell_neighbours(cell))]
        cell = (apart or free)[0]
        free.remove(cell)
        numbers[cell] = number
    numbers.update(zip(free, draws.shuffled(number for number in bag if number not in _FREQUENT), strict=True))
    return numbers
