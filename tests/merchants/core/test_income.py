"""Income of routes against a search through all ways (K6.5, K6.6)."""

from __future__ import annotations

import random
from typing import Any

from endeavor_env.engine.game import Game
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from tests.merchants.core.games import give_cards, paths_of, put_route, quiet_game


class Net:
    """The routes of a position as a graph."""

    def __init__(self, game: Game) -> None:
        """Read the routes."""
        self.board: Any = game.board[0]
        self.owners = {path: seat for seat in range(4) for path in paths_of(game.state[0]["routes"][seat])}

    def ways_on(self, where: int) -> list[tuple[int, int]]:
        """Return the paths with a route at a crossroads, each with its other end."""
        pairs = zip(self.board["crossroads_paths"][where], self.board["crossroads_ends"][where], strict=True)
        return [(int(path), int(end)) for path, end in pairs if int(path) in self.owners]

    def reached(self, start: int) -> set[int]:
        """Return the crossroads that are joined to one."""
        found, waiting = {start}, [start]
        while waiting:
            for _, end in self.ways_on(waiting.pop()):
                if end not in found:
                    found.add(end)
                    waiting.append(end)
        return found

    def cities(self, start: int) -> list[int]:
        """Return the crossroads of the cities that are joined to a crossroads."""
        return [where for where in self.reached(start) if self.board["crossroads_city"][where] != c.NONE]

    def payments(self, start: int, mover: int, seats: int) -> list[tuple[int, ...]]:
        """Return what the shortest ways from a city to another pay, from the mover on, the largest first."""
        ways, found = [(start, (start,), ())], set[tuple[int, ...]]()
        while ways and not found:
            longer = []
            for here, seen, used in ways:
                for path, end in self.ways_on(here):
                    if end in seen:
                        continue
                    paths = (*used, path)
                    if self.board["crossroads_city"][end] != c.NONE:
                        owners = [self.owners[one] for one in paths]
                        found.add(tuple(owners.count((mover + distance) % seats) for distance in range(seats)))
                    longer.append((end, (*seen, end), paths))
            ways = longer
        return sorted(found, reverse=True)


def expected_payments(game: Game, path: int) -> list[tuple[int, ...]]:
    """Return what a route on a path would pay (K6.5)."""
    before, mover = Net(game), int(game.state["mover"][0])
    low, high = game.board[0]["path_ends"][path].tolist()
    after = Net(game)
    after.owners[path] = mover
    ours, theirs = before.cities(low), before.cities(high)
    if high in before.reached(low) or not ours or not theirs or min(len(ours), len(theirs)) > 1:
        return []
    lonely = ours if len(ours) == 1 else theirs
    return after.payments(lonely[0], mover, game.num_players)


def test_K6_5_income_is_that_of_a_search_through_all_ways() -> None:
    seen = [0, 0, 0]
    for seed in range(400):
        chooser, players = random.Random(seed), 3 + seed % 2
        game = quiet_game("expert", players, mover=seed % players)
        board, mover = game.board[0], seed % players
        start = chooser.randrange(int(board["num_crossroads"]))
        ends = {start}
        for _ in range(chooser.randrange(6, 40)):  # routes grow from one place, so that there are rings
            path = chooser.choice(
                [p for e in sorted(ends) for p in board["crossroads_paths"][e].tolist() if p != c.NONE]
            )
            if path not in set().union(*(paths_of(words) for words in game.state[0]["routes"])):
                put_route(game, chooser.randrange(players), path)
                ends.update(board["path_ends"][path].tolist())
        give_cards(game, mover, ore=1, wood=1)
        for path in [a - actions.ROUTE_AT for a in game.legal_actions() if 0 <= a - actions.ROUTE_AT < c.MAX_PATHS]:
            expected = expected_payments(game, path)
            after = game.clone()
            after.apply(actions.ROUTE_AT + path)
            check_payment(after, expected, mover)
            seen[min(2, len(expected))] += 1
    assert min(seen) > 30


def check_payment(game: Game, expected: list[tuple[int, ...]], mover: int) -> None:
    """Check what is paid after a route was built, or may be chosen."""
    seats = game.num_players
    if len(expected) > 1:
        choices = game.legal_actions()
        assert choices == [actions.INCOME_AT + index for index in range(min(16, len(expected)))]
        for action, paid in zip(choices, expected, strict=False):
            chosen = game.clone()
            chosen.apply(action)
            assert chosen.state["decision"][0] in (c.DECIDE_ACTION, c.DECIDE_FREE_ROUTE)
            assert [chosen.state[0]["gold"][(mover + d) % seats] for d in range(seats)] == list(paid)
        return
    paid = expected[0] if expected else (0,) * seats
    assert [game.state[0]["gold"][(mover + d) % seats] for d in range(seats)] == list(paid)
