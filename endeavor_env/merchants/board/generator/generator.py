"""Random boards without faults, the known facts of the map included (board format, section 4)."""

from __future__ import annotations

from endeavor_env.basics.inputs import SEED_LIMIT, one_of, whole_number
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.merchants.board import vocabulary as v
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.board.building import build_board
from endeavor_env.merchants.board.checking import find_faults_of_content
from endeavor_env.merchants.board.content import City, Content
from endeavor_env.merchants.board.generator.colours import TOKENS, draw_posts, draw_start, draw_violet
from endeavor_env.merchants.board.generator.draws import Draws, NoBoardError
from endeavor_env.merchants.board.generator.extras import draw_arrows, draw_gold, draw_robber, draw_sea_paths
from endeavor_env.merchants.board.generator.kinds import draw_kinds, draw_needs
from endeavor_env.merchants.board.generator.land import distances_to_all, draw_land
from endeavor_env.merchants.board.generator.numbers import draw_terrains
from endeavor_env.merchants.board.generator.places import draw_places
from endeavor_env.merchants.board.graph import build_graph

DEVELOPMENT = {"safe_conduct": 6, "trade_treaty": 6, "bribe": 6, "lancer": 7}
"""The development cards of every generated board (K-R6)."""


def generate_board(seed: int, side: str) -> Board:
    """Return a random board without faults, the same for the same seed and side on every machine.

    Args:
        seed: A whole number from 0 to 2**63 - 1.
        side: ``short`` or ``expert``.

    Raises:
        InvalidOptionError: Another seed or side.
    """
    number = whole_number(seed)
    if number is None or not 0 <= number < SEED_LIMIT:
        raise InvalidOptionError(f"seed={shown(seed)} is not possible: give a whole number from 0 to 2**63 - 1")
    side = one_of("side", side, v.SIDES)
    draws = Draws(number, v.SIDES.index(side))
    while True:
        try:
            content = _attempt(f"generated_{side}_{number}", side, draws)
        except NoBoardError:
            continue
        if not find_faults_of_content(content):
            return build_board(content)


def _attempt(name: str, side: str, draws: Draws) -> Content:
    """Return a board that may still have faults; raise NoBoardError where something finds no place."""
    land = draw_land(side, draws)
    graph = build_graph(land, ())
    cities = draw_places(graph, side, draws)
    needs = draw_needs(land, cities, side, draws)
    kinds = draw_kinds(land, needs, draws)
    terrains = draw_terrains(kinds, distances_to_all(land), needs, side, draws)
    posts = draw_posts(cities, needs.third_posts, terrains, draws) if side == "short" else {}
    violet = [city for names in posts.values() for city in names] or draw_violet(cities, {}, terrains, draws)
    start = draw_start(posts, cities, graph, draws)
    gold = draw_gold(cities, violet, land, draws)
    sea_paths = draw_sea_paths(land, cities, draws)
    arrows = draw_arrows(cities, violet, terrains, sea_paths, build_graph(land, sea_paths), draws)
    return Content(
        id=name,
        side=side,
        facts=True,
        provenance="Drawn by generate_board under the known facts (K2.10).",
        robber=draw_robber(terrains, draws),
        terrains=terrains,
        cities=tuple(
            City(city, corner, "violet" if city in violet else "brown", gold[city]) for city, corner in cities.items()
        ),
        sea_paths=tuple(sea_paths),
        arrows=tuple(arrows),
        tokens=TOKENS,
        development=DEVELOPMENT,
        start=start,
    )
