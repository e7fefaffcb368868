"""Two games that differ only in what a seat may not know: every byte that this seat can get is the same.

``python -m tests.merchants.envs.test_seen_alike 10000`` compares more pairs; a second word is another seed.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from endeavor_env.agents.play.game_shown import shown_game
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.agents.players.player_agent import make_player_agent
from endeavor_env.drawing.svg import to_svg
from endeavor_env.engine.game import game_for
from endeavor_env.engine.kernels.rules import CHANCE, NONE
from endeavor_env.envs.merchants import make_merchants_aec
from endeavor_env.merchants.game import MerchantsConfig, MerchantsGame
from endeavor_env.merchants.rules.actions import STOLEN_AT, VALUE_AT
from endeavor_env.web import replay_page

SEATS = 3
ROLLS = 60
PLAYERS = ("random", "greedy", "planner")
PAIRS = 300


class Pair(NamedTuple):
    """Two games that an observer cannot tell apart."""

    one: MerchantsGame
    other: MerchantsGame
    observer: int
    """A seat, or NONE for somebody who watches."""


def pairs(seed: int) -> Iterator[Pair]:
    """Yield pairs from random games in which secret draws turned out differently, and all else was the same.

    They are the same two objects while a game goes on.
    """
    rng = np.random.default_rng(seed)
    while True:
        config, observer = MerchantsConfig(SEATS, max_rolls=ROLLS), int(rng.integers(-1, SEATS))
        one: Any = config.game_class.begin(config, int(rng.integers(1 << 40)))
        other: Any = config.game_class.begin(config, int(rng.integers(1 << 40)), one.setup())
        while (chosen := _next_moves(one, other, observer, rng)) is not None:
            one.apply(chosen[0], draws=False)
            other.apply(chosen[1], draws=False)
            if one.state["decision"] != other.state["decision"]:
                break  # a drive that ends by itself (K8.6) tells everybody that there is no salt to go on with
            if one.seat >= 0 and one.state.tobytes() != other.state.tobytes():
                yield Pair(one, other, observer)


def _next_moves(one: Any, other: Any, observer: int, rng: np.random.Generator) -> tuple[int, int] | None:
    """Return the next move of each game; None if none is left that lets the observer be told the same."""
    legal, others = one.legal_actions(), other.legal_actions()
    is_secret = one.seat == CHANCE and STOLEN_AT <= legal[0] < VALUE_AT
    if is_secret and observer not in one._told_of(len(one.history)):
        return int(rng.choice(legal)), int(rng.choice(others))
    both = [action for action in legal if action in others]
    if not both:
        return None
    action = int(rng.choice(both))
    return action, action


def everything_told(game: MerchantsGame, seat: int) -> Iterator[tuple[str, Any]]:
    """Yield all that a seat, or NONE, can get of a game whose ``seat`` is to move, each with its name."""
    faces: Any = game.rules.presenter
    yield "view", json.dumps(game.view(seat))
    yield "moves", (game.moves_seen_by(seat), game.history_seen_by(seat))
    yield "record", (json.dumps(game.record(seat)), game.record_seen_by(seat))
    yield "text", faces.text(game, seat)
    yield "pictures", [to_svg(draw(game, seat)) for draw in (faces.picture, faces.map_picture)]
    snapshot = SessionSnapshot(game, ("human",) * SEATS, frozenset(range(SEATS)), None, "key")
    yield "page", json.dumps(shown_game(snapshot, faces, "light", seat))
    yield "state of the page", (snapshot.tag, snapshot.position)
    if seat == NONE:
        return
    for kind in ("features", "compact"):
        yield kind, game.observe(seat, kind).tobytes()
        env = make_merchants_aec(players=SEATS, max_rolls=ROLLS, observation=kind)
        env.reset(seed=1)
        env._table.start(game.clone(same_chance=True))
        env._table.sound = True
        env.agent_selection = env.possible_agents[game.seat]
        name = env.possible_agents[seat]
        yield f"environment, {kind}", pickle.dumps((env.observe(name), env.infos[name]))
    if game.seat == seat:
        yield "mask", game.mask().tobytes()
        yield "copy of an agent", pickle.dumps(game_for(object(), game))
        for player in PLAYERS:
            agent = make_player_agent(game.rules, player)
            agent.reset(3)
            yield player, agent.act(game_for(agent, game))


def differences(pair: Pair) -> list[str]:
    """Return the names of what the observer gets otherwise of the two games."""
    told = zip(everything_told(pair.one, pair.observer), everything_told(pair.other, pair.observer), strict=True)
    return [name for (name, one), (_, other) in told if one != other]


def test_a_seat_gets_the_same_where_games_differ_in_what_it_may_not_know() -> None:
    films = 0
    for number, pair in enumerate(islice(pairs(1), PAIRS)):
        assert differences(pair) == []
        if number % 30 == 0:
            one, other = (replay_page(game, seat=pair.observer) for game in pair[:2])
            assert one == other
            films += 1
    assert films == PAIRS // 30


def main(number: int, seed: int = 2) -> None:
    """Print how many of the pairs differ in what."""
    found: dict[str, int] = {}
    for pair in islice(pairs(seed), number):
        for name in differences(pair):
            found[name] = found.get(name, 0) + 1
    print(f"{number} pairs, differences: {found or 'none'}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
