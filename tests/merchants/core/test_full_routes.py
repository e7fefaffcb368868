"""Steps of caravans against a search: tolls, salt, and full routes that must be left again (K8.1 to K8.3)."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from endeavor_env.engine.game import Game
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from tests.merchants.core.games import give_cards, put_route, quiet_game

MOST_STEPS = 8
"""Of a search: more would only come back to a full route."""


class Driver(NamedTuple):
    """What a caravan on its way can spend."""

    path: int
    steps: int
    salt: int
    gold: int
    paid: frozenset[int]


class Roads:
    """The routes of a position, and the caravans on them but for the one that drives."""

    def __init__(self, game: Game, owners: dict[int, int], bribe: bool) -> None:
        """Read the board."""
        state = game.state[0]
        self.neighbours = game.board[0]["path_neighbours"].tolist()
        self.owners, self.bribe, self.mover = owners, bribe, int(state["mover"])
        others = state["caravans"].copy()
        others[self.mover, 0] = c.NONE
        standing = others.reshape(-1).tolist()
        self.full = {path for path in standing if path != c.NONE and standing.count(path) > 1}

    def after(self, driver: Driver, path: int) -> Driver | None:
        """Return the driver after a step, None if it cannot be paid."""
        if path not in self.owners:
            return None
        steps, salt, gold, paid, owner = driver.steps, driver.salt, driver.gold, driver.paid, self.owners[path]
        if steps == 0:
            if self.bribe or salt == 0:
                return None
            steps, salt = 3, salt - 1
        if owner != self.mover and owner not in paid and not self.bribe:
            if gold == 0:
                return None
            gold, paid = gold - 1, paid | {owner}
        return Driver(path, steps - 1, salt, gold, paid)

    def rests(self, driver: Driver, left: int = MOST_STEPS) -> bool:
        """Return whether the driver can come to a route with room."""
        if driver.path not in self.full:
            return True
        following = (self.after(driver, path) for path in self.neighbours[driver.path]) if left else ()
        return any(self.rests(one, left - 1) for one in following if one is not None)

    def steps(self, driver: Driver) -> list[int]:
        """Return the legal steps."""
        found = ((path, self.after(driver, path)) for path in self.neighbours[driver.path])
        return sorted(path for path, one in found if one is not None and self.rests(one))


def crowded_game(seed: int) -> tuple[Game, dict[int, int]]:
    """Return a game in which eight caravans stand on routes near each other, and the owners of the routes."""
    chooser = random.Random(seed)
    game = quiet_game("expert", 4, mover=seed % 4)
    board, state, owners = game.board[0], game.state[0], dict[int, int]()
    path = chooser.randrange(int(board["num_paths"]))
    while len(owners) < 9:
        if path not in owners:
            owners[path] = chooser.choice([seed % 4, chooser.randrange(4)])
            put_route(game, owners[path], path)
        path = chooser.choice(
            [one for old in owners for one in board["path_neighbours"][old].tolist() if one != c.NONE]
        )
    room = chooser.sample([*owners] * 2, 4) if seed % 2 else list(owners)[:4]
    places = sorted([*room, *room])[: 2 * 4] if seed % 3 else chooser.choices(list(owners), k=8)
    chooser.shuffle(places)
    pieces = state["caravans"].reshape(-1)
    for slot, place in enumerate(places):
        pieces[slot] = place if places[:slot].count(place) < 2 else c.NONE
    if state["caravans"][seed % 4, 0] == c.NONE:
        state["caravans"][seed % 4, 0] = next(one for one in owners if places.count(one) < 2)
    return game, owners


@pytest.mark.parametrize("bribe", [False, True])
def test_K8_2_steps_are_those_of_a_search(bribe: bool) -> None:
    onto_full = refused = 0
    for seed in range(300):
        game, owners = crowded_game(seed)
        state, mover, chooser = game.state[0], seed % 4, random.Random(seed)
        salt, gold = chooser.randrange(1, 3), chooser.randrange(3)
        give_cards(game, mover, salt=salt, gold=gold)
        roads = Roads(game, owners, bribe)
        driver = Driver(int(state["caravans"][mover, 0]), 5 if bribe else 0, salt, gold, frozenset())
        if bribe:
            state["card"], state["decision"] = c.BRIBE, c.DECIDE_BRIBE
        assert (actions.DRIVE_AT in game.legal_actions()) == bool(roads.steps(driver))
        if not roads.steps(driver):
            continue
        game.apply(actions.DRIVE_AT)
        while state["decision"] == c.DECIDE_DRIVE:
            steps = roads.steps(driver)
            stops = driver.path not in roads.full and bool(state["moved"])
            assert game.legal_actions() == [actions.STEP_AT + path for path in steps] + [actions.STOP] * stops
            reachable = [path for path in roads.neighbours[driver.path] if roads.after(driver, path) is not None]
            onto_full += len(roads.full.intersection(steps))
            refused += len(reachable) - len(steps)
            if not steps:
                break
            path = chooser.choice(sorted(roads.full.intersection(steps)) or steps)
            game.apply(actions.STEP_AT + path)
            after = roads.after(driver, path)
            assert after is not None
            driver = after
            assert state["caravans"][mover, 0] == path
            assert (state["hand"][mover, c.SALT], state["gold"][mover]) == (driver.salt, driver.gold)
    assert onto_full > 50
    assert refused > 5
