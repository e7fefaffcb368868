"""Kinds of terrain: those that facts and start cards need, the rest at random with few equal neighbours (step 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import permutations

from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.generator.draws import Draws, NoBoardError
from endeavor_env.merchants.board.geometry import Cell, Corner, cell_neighbours, corner_cells

NEVER_VIOLET = ("kaliningrad", "belgrade")
"""Merchants found posts there in the examples of the rules (K-R2)."""
_APART = 6
"""How many times likelier each neighbour of the same kind makes other kinds."""


@dataclass
class Needs:
    """What facts and start cards need, before anything else is drawn."""

    kinds: dict[Cell, str] = field(default_factory=dict)
    fives: set[Cell] = field(default_factory=set)
    """Terrains with the printed number 5."""
    printed: set[Cell] = field(default_factory=set)
    """Terrains with any printed number, the fives included."""
    empty: set[Cell] = field(default_factory=set)
    """Token places that are not dotted."""
    third_posts: dict[str, str] = field(default_factory=dict)
    """On the short side, the city of the third start post of each colour."""


def draw_needs(land: list[Cell], cities: Mapping[str, Corner], side: str, draws: Draws) -> Needs:
    """Return what the facts (K2.10) and, on the short side, the start cards need; raise NoBoardError if they clash."""
    needs, cells = Needs(), set(land)
    around = {name: [cell for cell in corner_cells(corner) if cell in cells] for name, corner in cities.items()}
    _need_belgrade(needs, around["belgrade"], draws)
    _need_empty(needs, around["kaliningrad"], "salt_works", draws)
    for name in draws.shuffled(["cologne", "nuremberg"]):
        _need_five(needs, around[name], "field", draws)
    if side == "expert":
        _need_five(needs, around["lyon"], "meadow", draws)
    else:
        _need_third_posts(needs, around, draws)
    return needs


def _need_belgrade(needs: Needs, around: list[Cell], draws: Draws) -> None:
    """Let Belgrade touch an empty mountain and an empty field, and else only a printed number."""
    cells = draws.shuffled(around)
    needs.kinds |= {cells[0]: "mountain", cells[1]: "field"}
    needs.empty |= {*cells[:2]}
    needs.printed |= {*cells[2:]}


def _need_empty(needs: Needs, around: list[Cell], kind: str, draws: Draws) -> None:
    """Let a city touch an empty token place of a kind."""
    cell = draws.one_of([cell for cell in around if cell not in needs.kinds and cell not in needs.printed])
    needs.kinds[cell] = kind
    needs.empty.add(cell)


def _need_five(needs: Needs, around: list[Cell], kind: str, draws: Draws) -> None:
    """Let a city touch a terrain of a kind with the printed number 5."""
    if any(cell in needs.fives and needs.kinds[cell] == kind for cell in around):
        return
    cell = draws.one_of([cell for cell in around if cell not in needs.kinds])
    needs.kinds[cell] = kind
    needs.fives.add(cell)
    needs.printed.add(cell)


def _need_third_posts(needs: Needs, around: Mapping[str, list[Cell]], draws: Draws) -> None:
    """Let one city of each colour touch exactly the terrains of its start cards (K3.6)."""
    for colour in draws.shuffled(v.PLAYER_COLOURS):
        taken = (*NEVER_VIOLET, *needs.third_posts.values())
        deals = [
            (name, kinds)
            for name, cells in around.items()
            if name not in taken and len(cells) == len(v.START_KINDS[colour])
            for kinds in permutations(v.START_KINDS[colour])
            if all(needs.kinds.get(cell, kind) == kind for cell, kind in zip(cells, kinds, strict=True))
        ]
        name, kinds = draws.one_of(deals)
        needs.kinds.update(zip(around[name], kinds, strict=True))
        needs.third_posts[colour] = name


def draw_kinds(land: list[Cell], needs: Needs, draws: Draws) -> dict[Cell, str]:
    """Return the kind of each terrain: even shares, and seldom a neighbour of the same kind."""
    share, more = divmod(len(land), len(v.KINDS))
    left = Counter({kind: share + (number < more) for number, kind in enumerate(draws.shuffled(v.KINDS))})
    kinds = dict(needs.kinds)
    left.subtract(kinds.values())
    if min(left.values()) < 0:
        raise NoBoardError
    for cell in draws.shuffled(cell for cell in land if cell not in kinds):
        beside = Counter(kinds.get(other) for other in cell_neighbours(cell))
        most = max(beside[kind] for kind in v.KINDS)
        kinds[cell] = draws.weighted(v.KINDS, [left[kind] * _APART ** (most - beside[kind]) for kind in v.KINDS])
        left[kinds[cell]] -= 1
    return kinds
