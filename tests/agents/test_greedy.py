"""The greedy agent: legal, repeatable, leaves the game alone, plays what it promises, and plays well."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from endeavor_env import Board, Game
from endeavor_env.agents.base import Agent
from endeavor_env.agents.matches import play_match
from endeavor_env.agents.players.compiled import WEIGHTS, GreedyAgent, RandomAgent, Weights
from endeavor_env.agents.runner import play_game
from endeavor_env.endeavor.players.greedy import player as greedy_player
from endeavor_env.endeavor.players.greedy.weights import NAMES, ExploitTerms, OppositionTerms, Terms
from tests.kits import players as kit

LISTED: dict[str, tuple[str, ...]] = {
    "W_PART": ("sail", "occupy", "attack", "draw", "pay"),
    "W_TOKEN": ("attack_token", "occupy_draw_token", "sail_draw_token", "pay_token"),
}


@pytest.mark.parametrize("agent", [GreedyAgent(), RandomAgent()], ids=lambda agent: agent.name)
def test_built_in_agents_follow_the_protocol(agent: object) -> None:
    assert isinstance(agent, Agent)


def indices() -> dict[str, int]:
    """Return the index of each weight, by its name, that the constants W_* of the player name."""
    found = {}
    for constant, index in vars(greedy_player).items():
        if constant.startswith("W_"):
            for offset, name in enumerate(LISTED.get(constant, (constant.removeprefix("W_").lower(),))):
                found[name] = index + offset
    return found


def test_weights_stand_where_the_kernels_read_them() -> None:
    found = indices()
    assert set(found) == {name for terms in (Terms, OppositionTerms, ExploitTerms) for name in terms._fields}
    for terms in (Terms, OppositionTerms, ExploitTerms):
        assert [found[name] for name in terms._fields] == list(range(len(terms._fields)))
    for terms, prefix, first in (
        (Terms, "", greedy_player.TABLE_SET),
        (Terms, "solo.", greedy_player.SOLO_SET),
        (OppositionTerms, "solo.", greedy_player.OPPOSITION_SET),
        (ExploitTerms, "exploits.", greedy_player.EXPLOIT_SET),
    ):
        assert NAMES[first : first + len(terms._fields)] == tuple(prefix + name for name in terms._fields)
    assert len(NAMES) == greedy_player.NUM_WEIGHTS == len(set(NAMES))


def test_weights_as_an_array_and_back() -> None:
    numbers = np.arange(float(len(NAMES)))
    weights = Weights.from_array(numbers)
    np.testing.assert_array_equal(weights.as_array(), numbers)
    assert (weights.table.growth, weights.solo.growth) == (0.0, float(NAMES.index("solo.growth")))
    changed = weights.changed({"disc": -1.0, "solo.late": -2.0, "solo.status": -3.0, "exploits.key": -4.0})
    assert (changed.table.disc, changed.solo.late, changed.opposition.status) == (-1.0, -2.0, -3.0)
    assert changed.exploits.key == -4.0
    assert np.count_nonzero(changed.as_array() != numbers) == 4


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("number", [None, 0, 1, 2])
def test_legal_to_the_end_and_the_game_is_only_read(players: int, number: int | None) -> None:
    board = Board.default() if number is None else Board.generate(number)
    game = Game.new(players=players, seed=players, board=board)
    agent = GreedyAgent()
    agent.reset(1)
    while not game.over:
        before = game.state.tobytes()
        action = agent.act(game)
        assert game.state.tobytes() == before
        game.apply(action)  # raises unless legal
    assert min(game.scores()) > 20


def test_legal_in_positions_of_random_play() -> None:
    agent, other = GreedyAgent(), RandomAgent()
    other.reset(0)
    decisions = set()
    for seed in range(30):
        game = Game.new(players=3 + seed % 3, seed=seed)
        while not game.over:
            assert game.mask()[agent.act(game)]
            decisions.add(game.decision)
            game.apply(other.act(game))
    assert {"build", "salary", "turn", "target", "discard"} <= decisions


def test_same_seed_same_game() -> None:
    def played(seed: int) -> list[tuple[int, int]]:
        agents = [GreedyAgent() for _ in range(4)]
        for number, agent in enumerate(agents):
            agent.reset(seed + number)
        game = Game.new(players=4, seed=3)
        play_game(agents, game)
        return game.history

    assert played(7) == played(7)


def test_the_scratch_memory_of_one_position_does_not_reach_the_next() -> None:
    used, games = GreedyAgent(), [kit.position(30 + 5 * seed, seed=seed) for seed in range(20)]
    for number, game in enumerate(games):
        fresh = GreedyAgent()
        used.reset(number)
        fresh.reset(number)
        assert used.act(game) == fresh.act(game)


def test_ties_are_drawn_by_lot() -> None:
    game = kit.last_turn(harbor=2)
    game.play("activate:colonial_house")
    cities = [move for move in game.legal_moves() if move != "done"]
    agent, chosen = GreedyAgent(kit.GLORY_ONLY), Counter[str]()
    for seed in range(1000):
        agent.reset(seed)
        chosen[game.describe(agent.act(game))] += 1
    assert len(cities) == 10
    assert set(chosen) == set(cities)  # one icon is no Glory yet, so that each is worth the Glory of the city, 1
    assert min(chosen.values()) > 60  # expected 100 each, standard deviation 9.5


@pytest.mark.parametrize("weights", [WEIGHTS, kit.GLORY_ONLY], ids=["tuned", "glory only"])
def test_plays_the_best_turn(weights: Weights) -> None:
    agent = GreedyAgent(weights)
    kinds = set()
    for seed in range(40):
        game = kit.position(12 + 3 * seed, players=3 + seed % 3, seed=seed)
        kinds.add(game.decision)
        values = {action: kit.turn_value(game, action, weights) for action in game.legal_actions()}
        assert values[agent.act(game)] == pytest.approx(max(values.values()), abs=1e-8)
    assert {"build", "salary", "turn", "target"} <= kinds


def test_takes_the_city_with_more_glory() -> None:
    game = kit.last_turn(harbor=2)
    state, board = game.state, game.board
    region = board.regions.index("africa")
    state["open"][0, region] = 1
    state["beside"][0, game.seat, region] = 1
    state["presence"][0, game.seat, region] = 1
    agent = GreedyAgent(kit.GLORY_ONLY)
    game.apply(agent.act(game))
    assert game.describe(agent.act(game)) == "occupy:luanda"  # 2 Glory; every other city in reach has 1


def test_passes_when_every_action_loses() -> None:
    game = kit.last_turn(harbor=3, own="barracks")  # three discs in harbor are a Glory, and there is nobody to attack
    assert game.legal_moves() == ["activate:barracks", "pass"]
    assert game.describe(GreedyAgent(kit.GLORY_ONLY).act(game)) == "pass"


def test_values_the_others_losses() -> None:
    """Two attacks that give the same Glory: the one on the leader is better."""
    game = kit.last_turn(harbor=3, own="barracks")
    state, me = game.state, game.seat
    rich, poor = (me + 1) % 3, (me + 2) % 3
    cities = game.board.cities
    for city, seat in (("rome", rich), ("copenhagen", rich), ("alexandria", poor)):
        state["city_owner"][0, cities.index(city)] = seat
        state["presence"][0, seat, 0] += 1
    agent = GreedyAgent(kit.GLORY_ONLY.changed({"best_rival": 0.5}))
    for seed in range(10):
        agent.reset(seed)
        after = game.clone()
        after.apply(after.encode("activate:barracks"))
        assert after.describe(agent.act(after)) in {"attack:rome", "attack:copenhagen"}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_beats_random_players(players: int) -> None:
    result = play_match(["greedy"] + ["random"] * (players - 1), games=12 * players, seed=1)
    greedy, *others = result.agents
    assert greedy.win_rate > 0.95
    assert greedy.mean_score > 50
    assert greedy.mean_score > 2.5 * max(other.mean_score for other in others)


def test_beats_random_players_on_boards_it_was_not_tuned_on() -> None:
    for number in range(3):
        result = play_match(["greedy", "random", "random"], games=15, seed=1, board=Board.generate(number))
        assert result.agents[0].win_rate > 0.9


def test_tuned_weights_beat_glory_alone() -> None:
    agents = [GreedyAgent(), *(GreedyAgent(kit.GLORY_ONLY, "glory") for _ in range(3))]
    assert play_match(agents, games=40, seed=2).agents[0].win_rate > 0.7


@pytest.mark.machine_code
def test_uncompiled_it_chooses_the_same_without_warnings() -> None:
    """Runs the kernels as plain Python; an overflow of a small integer would be a RuntimeWarning."""
    plain = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", kit.__name__],
        cwd=Path(kit.__file__).parents[2],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == kit.digest()
