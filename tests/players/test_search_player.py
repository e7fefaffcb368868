"""The search player: its tree of turns, the values of leaves, what it keeps, and where it can play."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

from endeavor_env import Board, Game, GameConfig
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.learning.self_play import RECORDS_VALUES
from endeavor_env.endeavor.players import entry_named
from endeavor_env.endeavor.players.search.player import SearchSettings, search_memory, simulations_made
from endeavor_env.endeavor.players.search.tree import PLAYOUT_NONE, PLAYOUT_ROUND, PLAYOUT_TURN, Tree, tree_of
from endeavor_env.endeavor.players.value.player import NetworkArrays, value_memory, workspace_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.players import Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.single import choose_action
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.errors import InvalidOptionError
from endeavor_env.search import Positions, rollout
from endeavor_env.training.td.games import SeatedPlayer, fixtures_of, play
from tests.kits.games import PLAYERS
from tests.kits.networks import inputs_of, network_file, random_network, value_by_numpy
from tests.kits.players import position

TABLES = [("standard", 3), ("standard", 5), *PLAYERS.items()]
CODE = 2
FEW = SearchSettings(simulations=8, width=6)


def searching(network: NetworkArrays, variant: str, settings: SearchSettings) -> Players:
    """Return the ``Players`` in which CODE is a search player."""
    memory = search_memory({c.VARIANT_NAMES.index(variant): network}, settings)
    return join_players({CODE: entry_address(entry_named("search"))}, {CODE: memory})


def valuing(network: NetworkArrays, variant: str) -> Players:
    """Return the ``Players`` in which CODE is a value player."""
    memory = value_memory({c.VARIANT_NAMES.index(variant): network})
    return join_players({CODE: entry_address(entry_named("value"))}, {CODE: memory})


def choice(game: Game, players: Players, seed: int = 0) -> int:
    """Return the action that CODE chooses."""
    mask = np.empty(game.mask().size, np.int8)
    return int(choose_action(CODE, players, *game.given, mask, seeded(seed)))


def turn_ends(game: Game, seat: int, depth: int = 0) -> dict[bytes, Game]:
    """Return all different positions in which the turn of ``seat`` can end, by the plain rules."""
    going_on = game.seat == seat and game.decision in ("target", "discard", "neutral")
    if depth and (not going_on or depth == 5):
        return {game.state.tobytes(): game}
    ends: dict[bytes, Game] = {}
    for action in game.legal_actions():
        after = game.clone()
        after.apply(action)
        ends |= turn_ends(after, seat, depth + 1)
    return ends


def assert_sound(game: Game, tree: Tree) -> None:
    """Compare each node with its parent's, by the plain rules and by counting."""
    nodes = tree.nodes[: int(tree.search["nodes"][0])]
    assert nodes["parent"][0] == c.NONE
    below = np.zeros(len(nodes), np.int64)
    for index, node in enumerate(nodes):
        for branch in tree.branches[index, : node["branches"]]:
            if branch["child"] == c.NONE:
                continue
            assert nodes["parent"][branch["child"]] == index
            below[index] += nodes["visits"][branch["child"]]
            after = game.clone()
            after.state[0] = tree.states[index]
            for action in branch["path"][: branch["length"]]:
                after.apply(int(action))
            while not after.over and len(after.legal_actions()) == 1:
                after.apply(after.legal_actions()[0])
            assert after.state.tobytes() == tree.states[branch["child"]].tobytes()
    inner = (nodes["visits"] > 0) & (nodes["branches"] > 0)
    assert (nodes["visits"][inner] == below[inner] + 1).all()  # the first visit was to the node itself
    assert (nodes["visits"][~inner] >= below[~inner]).all()


@pytest.mark.parametrize("playout", [PLAYOUT_NONE, PLAYOUT_TURN, PLAYOUT_ROUND])
@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_it_plays_legally_to_the_end_and_only_reads_the_game(variant: str, players: int, playout: int) -> None:
    settings = FEW._replace(simulations=3, playout=playout)
    seated, game = searching(random_network(variant), variant, settings), Game.new(players, variant, seed=3)
    while not game.over:
        before = game.state.tobytes()
        action = choice(game, seated)
        assert game.state.tobytes() == before
        game.apply(action)  # raises unless legal


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_the_branches_of_a_node_are_the_best_different_turns(variant: str, players: int) -> None:
    network, checked = random_network(variant), 0
    for decisions in (0, 13, 37, 52):
        game = position(decisions, players=players, variant=variant, seed=decisions)
        ends = turn_ends(game, game.seat)
        if len(game.legal_actions()) == 1 or any(end.over for end in ends.values()):
            continue
        seated = searching(network, variant, FEW)
        choice(game, seated)
        tree = tree_of(seated.memory)
        seen = [inputs_of(end, game.seat) for end in ends.values()]
        values = sorted((value_by_numpy(network, one) for one in seen), reverse=True)
        branches = tree.branches[0, : int(tree.nodes["branches"][0])]
        assert len(branches) == min(len(ends), FEW.width)
        assert branches["value"] == pytest.approx(values[: FEW.width], abs=1e-4)
        weights = np.exp((branches["value"] - branches["value"][0]) / FEW.prior_temperature)
        assert branches["prior"] == pytest.approx(weights / weights.sum(), abs=1e-6)
        checked += 1
    assert checked >= 2


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_without_playouts_a_leaf_has_the_values_of_the_network_for_every_seat(variant: str, players: int) -> None:
    network, game = random_network(variant), position(21, players=players, variant=variant, seed=4)
    while len(game.legal_actions()) == 1:
        game.apply(game.legal_actions()[0])
    seated = searching(network, variant, FEW._replace(simulations=1, playout=PLAYOUT_NONE))
    choice(game, seated)
    expected = [value_by_numpy(network, inputs_of(game, seat)) for seat in range(players)]
    assert tree_of(seated.memory).nodes["values"][0, :players] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("playout", [PLAYOUT_TURN, PLAYOUT_ROUND])
@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_a_playout_gives_each_seat_the_value_of_its_next_turn(variant: str, players: int, playout: int) -> None:
    """The value player plays on, and its own values of its turns are those that the leaf should have."""
    network, game = random_network(variant), position(25, players=players, variant=variant, seed=6)
    seated = searching(network, variant, FEW._replace(simulations=1, playout=playout, room=400))
    valued, values = valuing(network, variant), [np.nan] * players
    while len(game.legal_actions()) == 1:
        game.apply(game.legal_actions()[0])
    choice(game, seated)
    found, first_round, due = tree_of(seated.memory).nodes["values"][0, :players], game.round, set(range(players))
    while due and not game.over:
        seat, counts = game.seat, playout == PLAYOUT_TURN or game.round > first_round
        action = choice(game, valued)
        settings = workspace_of(valued.memory).settings[0]
        if settings["plan_at"] == 1 and not np.isnan(settings["value"]):  # a turn begins, with more than one move
            values[seat] = float(settings["value"])
            due -= {seat} if counts else set()
        game.apply(action)
    assert not game.over
    assert found == pytest.approx(values, abs=1e-4)


@pytest.mark.parametrize("playout", [PLAYOUT_NONE, PLAYOUT_ROUND])
def test_the_tree_is_sound_and_is_kept_for_the_next_decision(playout: int) -> None:
    settings = SearchSettings(simulations=60, width=5, playout=playout, exploration=2.0, keeps=True)
    seated, game, kept = searching(random_network("standard"), "standard", settings), Game.new(3, seed=2), 0
    for _ in range(60):
        before = tree_of(seated.memory)
        found = game.state[0].tobytes() in {state.tobytes() for state in before.states[: before.search["nodes"][0]]}
        action = choice(game, seated)
        tree = tree_of(seated.memory)
        if tree.states[0].tobytes() == game.state[0].tobytes() and simulations_made(seated.memory):
            assert_sound(game, tree)
            assert tree.nodes["visits"][0] == 60
            assert found == (simulations_made(seated.memory) < 60)
            kept += found
        game.apply(action)
    assert kept > 5


def test_a_tree_without_room_decides_by_what_it_has() -> None:
    seated, game = searching(random_network("standard"), "standard", FEW._replace(room=3)), Game.new(4, seed=1)
    for _ in range(40):
        game.apply(choice(game, seated))
        assert tree_of(seated.memory).search["nodes"][0] <= 3


def test_simulations_at_once_add_up() -> None:
    game = Game.new(4, seed=5)
    whole = searching(random_network("standard"), "standard", FEW._replace(simulations=12, keeps=True))
    parts = searching(random_network("standard"), "standard", FEW._replace(simulations=12, at_once=5, keeps=True))
    chosen = choice(game, whole)
    made = []
    for _ in range(4):
        last = choice(game, parts)
        made.append(simulations_made(parts.memory))
    assert made == [5, 5, 2, 0]
    assert last == chosen
    assert (tree_of(parts.memory).nodes["visits"][:9] == tree_of(whole.memory).nodes["visits"][:9]).all()


def play_turn(game: Game, players: Players) -> None:
    """Let CODE decide until the turn of the seat to move is over."""
    seat = game.seat
    game.apply(choice(game, players))
    while game.seat == seat and game.decision in ("target", "discard"):
        game.apply(choice(game, players))


def test_games_that_take_turns_with_a_memory_do_not_touch_each_other() -> None:
    network = random_network("standard")
    shared, games = searching(network, "standard", FEW), [Game.new(3, seed=seed) for seed in (1, 2)]
    alone = [game.clone() for game in games]
    for _ in range(20):
        for game in games:
            play_turn(game, shared)
    for game in alone:
        own = searching(network, "standard", FEW)
        for _ in range(20):
            play_turn(game, own)
    assert [game.history for game in games] == [game.history for game in alone]


def test_with_a_temperature_the_generator_decides() -> None:
    settings = SearchSettings(simulations=40, exploration=20.0, temperature=1.0)
    seated, game = searching(random_network("standard"), "standard", settings), Game.new(4, seed=1)
    drawn = [choice(game, seated, seed) for seed in range(25)]
    assert len(set(drawn)) > 1
    assert drawn == [choice(game, seated, seed) for seed in range(25)]


def test_games_of_it_give_positions_to_learn_from_in_several_threads() -> None:
    memory = search_memory({c.VARIANT_STANDARD: random_network("standard")}, FEW._replace(simulations=3))
    fixtures = fixtures_of([GameConfig("standard", 3)], np.zeros(4, np.int64), np.arange(4), np.full((4, 5), CODE))
    seated = {CODE: SeatedPlayer("search", memory, RECORDS_VALUES)}
    whole = play(Board.default(), fixtures, seated)
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda half: play(Board.default(), half, seated), (fixtures[:2], fixtures[2:])))
    assert whole.scores.tolist() == [*parts[0].scores.tolist(), *parts[1].scores.tolist()]
    values = whole.moments["value"]
    assert np.isfinite(values).mean() > 0.5  # decisions with one legal action have none
    assert values.tobytes() == np.concatenate([part.moments["value"] for part in parts]).tobytes()


def test_more_simulations_find_the_better_end_of_a_solitaire_game() -> None:
    """The network is random, so what the search gains over it comes from the ends of the game that it sees."""
    network, leads = random_network("solo"), {1: 0, 300: 0}
    network = network._replace(last=network.last / 100)  # values of the size of outcomes, so that ends count
    for simulations in leads:
        seated = searching(network, "solo", SearchSettings(simulations=simulations, playout=PLAYOUT_NONE, trust=0.1))
        for seed in range(4):
            game, heuristic = Game.new(1, "solo", seed), make_agent("greedy")
            heuristic.reset(0)
            while game.round < 7:  # so that the leads at the ends are no longer than outcomes tell apart
                game.apply(heuristic.act(game))
            while not game.over:
                game.apply(choice(game, seated))
            leads[simulations] += game.scores()[0] - game.scores()[1]
    assert leads[300] > leads[1]


def test_it_is_named_with_its_settings_everywhere(tmp_path: Path) -> None:
    name = f"search:sims=2,width=3,network={network_file(tmp_path)}"
    env = gym.make("endeavor_env:Endeavor-v0", players=3, opponents=name)
    env.reset(seed=2)
    envs = gym.make_vec("Endeavor-v0", num_envs=2, players=3, opponents=[name, "greedy"])
    envs.reset(seed=2)
    envs.close()
    game = Game.new(3, seed=4)
    results = rollout(Positions.of(game), name, 1)
    seated = searching(random_network("standard"), "standard", SearchSettings(simulations=2, width=3))
    while not game.over:
        game.apply(choice(game, seated))
    assert results.scores[0, 0].tolist() == game.scores()


def test_it_refuses_variants_that_its_network_does_not_play(tmp_path: Path) -> None:
    name = f"search:sims=2,network={network_file(tmp_path)}"
    with pytest.raises(InvalidOptionError, match="does not play 'neutral_2': it was made for standard"):
        rollout(Positions.of(Game.new(2, "neutral_2", seed=0)), name, 0)


def test_time_is_for_agents_only(tmp_path: Path) -> None:
    name = f"search:ms=5,network={network_file(tmp_path)}"
    with pytest.raises(InvalidOptionError, match="is possible as an agent only: give sims instead of ms"):
        rollout(Positions.of(Game.new(3, seed=0)), name, 0)
