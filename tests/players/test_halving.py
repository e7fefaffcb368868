"""The halving at the root of a search, against plain Python, and what takes a share in its priors and values."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env import Board, Game
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.players import entry_named
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS
from endeavor_env.endeavor.players.search.player import SearchSettings, search_memory
from endeavor_env.endeavor.players.search.settings import read_search_name
from endeavor_env.endeavor.players.search.tree import PLAYOUT_NONE, PLAYOUT_ROUND, PLAYOUT_VECTOR, Tree, tree_of
from endeavor_env.endeavor.players.value.player import NetworkArrays
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.players import Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.single import choose_action
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.search import Positions
from tests.kits.networks import inputs_of, random_network
from tests.kits.players import position

CODE = 2
VARIANT = c.VARIANT_STANDARD
HALVING = SearchSettings(simulations=16, considered=8, width=10, playout=PLAYOUT_NONE, room=400)


def random_policy(seed: int = 0, scale: float = 0.3) -> NetworkArrays:
    """Return a policy network of the base game with random weights."""
    rng, game = np.random.default_rng(seed), Game.new()
    inputs, actions = layout_for("standard", "features").size, game.mask().size
    shapes = ((inputs, 12), (12,), (12, 6), (6,), (6, actions), (actions,))
    return NetworkArrays(*((rng.normal(size=shape) * scale).astype(np.float32) for shape in shapes))


def vector_network(seed: int = 0) -> NetworkArrays:
    """Return a value network of the base game with a random value for each seat."""
    rng, one = np.random.default_rng(seed + 50), random_network("standard", seed=seed)
    last, bias = rng.normal(size=(8, c.MAX_SEATS)) / 3, rng.normal(size=c.MAX_SEATS) / 3
    return one._replace(last=last.astype(np.float32), last_bias=bias.astype(np.float32))


def logits_by_numpy(network: NetworkArrays, seen: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Return the outputs of a network, computed in float64."""
    first = np.maximum(seen.astype(float) @ network.first + network.first_bias, 0.0)
    second = np.maximum(first @ network.second + network.second_bias, 0.0)
    return (second @ network.last + network.last_bias).astype(np.float64)


def searching(settings: SearchSettings, value: NetworkArrays, policy: NetworkArrays | None = None) -> Players:
    """Return the ``Players`` in which CODE is a search player."""
    policies = {} if policy is None else {VARIANT: policy}
    memory = search_memory({VARIANT: value}, settings, policies)
    return join_players({CODE: entry_address(entry_named("search"))}, {CODE: memory})


def choice(game: Game, players: Players, seed: int = 0) -> int:
    """Return the action that CODE chooses."""
    mask = np.empty(game.mask().size, np.int8)
    return int(choose_action(CODE, players, *game.given, mask, seeded(seed)))


def several_turns(seed: int) -> Game:
    """Return a position in which the seat to move has at least eight different turns."""
    for decisions in range(20, 80):
        game = position(decisions, seed=seed)
        tree = searched(game, HALVING, random_network("standard"))
        if tree.nodes["branches"][0] >= 8:
            return game
    raise AssertionError("no position with eight turns")


def searched(game: Game, settings: SearchSettings, value: NetworkArrays, policy: NetworkArrays | None = None) -> Tree:
    """Return the tree after a search."""
    players = searching(settings, value, policy)
    choice(game, players)
    return tree_of(players.memory)


def visits(tree: Tree) -> list[int]:
    """Return the visits of each turn at the root."""
    branches = tree.branches[0, : tree.nodes["branches"][0]]
    return [int(tree.nodes["visits"][child]) if child >= 0 else 0 for child in branches["child"]]


def worth(tree: Tree, place: int) -> float:
    """Return what a turn at the root is worth by its visits and the first estimate, which counts as one."""
    root, turn = tree.nodes[0], tree.branches[0, place]
    seat, child = int(root["seat"]), int(turn["child"])
    first = root["sums"][seat] / root["visits"] + turn["value"] - root["best"]
    if child < 0:
        return float(first)
    node = tree.nodes[child]
    return float((node["sums"][seat] + first) / (node["visits"] + 1))


@pytest.mark.parametrize(("simulations", "considered"), [(16, 8), (30, 4), (9, 8), (3, 8), (40, 2)])
def test_simulations_are_shared_among_the_considered_turns_which_are_halved(simulations: int, considered: int) -> None:
    game = several_turns(1)
    tree = searched(game, HALVING._replace(simulations=simulations, considered=considered), random_network("standard"))
    found = sorted(visits(tree), reverse=True)
    assert sum(found) == simulations - 1  # the first one is of the root alone
    left, count = simulations - 1, min(considered, simulations - 1)
    halvings, expected = max(1, math.ceil(math.log2(count))), [0] * considered
    while left > 0:
        of_round = min(left, max((simulations - 1) // (halvings * count), 1) * count)
        for turn in range(of_round):
            expected[turn % count] += 1
        left -= of_round
        count = (count + 1) // 2 if count > 2 else count
    assert found[:considered] == sorted(expected, reverse=True)
    assert tree.search["made"][0] == simulations


def go_on(game: Game, players: Players, simulations: list[int]) -> Tree:
    """Search with one simulation a call, each told how many there will be; return the tree."""
    tree = tree_of(players.memory)
    for call, number in enumerate(simulations):
        tree.search["simulations"], tree.search["goes_on"] = number, call > 0
        choice(game, players)
    return tree


@pytest.mark.parametrize("playout", [PLAYOUT_NONE, PLAYOUT_ROUND])
def test_a_halving_that_goes_on_call_by_call_is_the_same_as_a_whole_one(playout: int) -> None:
    game, settings = several_turns(1), HALVING._replace(simulations=24, playout=playout, room=0)
    whole = searched(game, settings, random_network("standard"))
    players = searching(settings._replace(at_once=1, keeps=True), random_network("standard"))
    parts = go_on(game, players, [24] * 24)
    assert visits(parts) == visits(whole)
    assert sum(visits(parts)) == 23
    for field in ("improved", "considered"):
        assert (parts.branches[field][0] == whole.branches[field][0]).all()
    assert parts.plan["path"].tolist() == whole.plan["path"].tolist()
    choice(game, players)
    assert parts.search["made"][0] == 0


def test_rounds_that_have_not_begun_share_what_is_left() -> None:
    """Of 24 a round of four turns gets three each; then there are 48, and two turns get all that is left."""
    players = searching(HALVING._replace(considered=4, at_once=1, keeps=True), random_network("standard"))
    tree = go_on(several_turns(1), players, [25] * 5 + [49] * 44)
    assert sorted(visits(tree), reverse=True)[:4] == [21, 21, 3, 3]


def test_the_improved_probabilities_are_those_of_priors_and_values() -> None:
    game, settings = several_turns(2), HALVING._replace(value_scale=0.03)
    tree = searched(game, settings, random_network("standard"))
    branches = tree.branches[0, : tree.nodes["branches"][0]]
    weight = settings.value_scale * (50 + max(visits(tree)))
    logits = np.array([math.log(turn["prior"]) + weight * worth(tree, place) for place, turn in enumerate(branches)])
    expected = np.exp(logits - logits.max())
    assert branches["improved"] == pytest.approx(expected / expected.sum(), rel=1e-6)
    assert branches["improved"].max() < 0.99
    considered = [place for place, turn in enumerate(branches) if turn["considered"]]
    best = max(considered, key=lambda place: logits[place])
    plan = tree.plan[0]
    assert plan["path"][: plan["length"]].tolist() == branches[best]["path"][: branches[best]["length"]].tolist()


def test_noise_is_a_draw_of_turns_in_proportion_to_their_priors() -> None:
    game = several_turns(3)
    settings = HALVING._replace(simulations=1, considered=10, noise=1.0, value_scale=1e-9, prior_temperature=0.4)
    value, counts, draws = random_network("standard"), np.zeros(10), 400
    players = searching(settings, value)
    for seed in range(draws):
        tree_of(players.memory).plan["length"] = 0
        choice(game, players, seed)
        tree = tree_of(players.memory)
        score = [math.log(turn["prior"]) + turn["noise"] for turn in tree.branches[0, : tree.nodes["branches"][0]]]
        counts[int(np.argmax(score))] += 1
    priors = tree_of(players.memory).branches[0, : tree_of(players.memory).nodes["branches"][0]]["prior"]
    assert counts[: priors.size] / draws == pytest.approx(priors, abs=0.09)


def test_the_policy_has_its_share_in_the_priors_by_the_product_over_the_decisions_of_a_turn() -> None:
    game, policy, value = several_turns(4), random_policy(), random_network("standard")
    alone = searched(game, HALVING._replace(policy_weight=0.0), value, policy)
    mixed = searched(game, HALVING._replace(policy_weight=0.75), value, policy)
    count = int(mixed.nodes["branches"][0])
    products = []
    for turn in mixed.branches[0, :count]:
        after, product = game.clone(), 1.0
        for action in turn["path"][: turn["length"]].tolist():
            logits = logits_by_numpy(policy, Positions.of(after).observe("features")[0])
            chances = np.where(after.mask() == 1, np.exp(logits - logits.max()), 0.0)
            product *= chances[action] / chances.sum()
            after.apply(action)
        products.append(product)
    shares = np.array(products) / sum(products)
    expected = 0.25 * alone.branches[0, :count]["prior"] + 0.75 * shares
    assert mixed.branches[0, :count]["prior"] == pytest.approx(expected, rel=1e-3)
    assert mixed.branches[0, :count]["length"].max() > 1


def test_a_network_with_a_value_for_each_seat_judges_a_leaf_as_the_mover_sees_it() -> None:
    game, network = several_turns(5), vector_network()
    tree = searched(game, HALVING._replace(playout=PLAYOUT_VECTOR, simulations=9), network)
    for child in tree.branches[0, : tree.nodes["branches"][0]]["child"].tolist():
        if child < 0 or tree.nodes["branches"][child] == 0:
            continue
        after = game.clone()
        after.state[0] = tree.states[child]
        found = logits_by_numpy(network, inputs_of(after, game.seat))
        values = [float(found[(seat - game.seat) % 4]) for seat in range(4)]
        assert tree.nodes["values"][child, :4] == pytest.approx(values, abs=1e-3)


def test_spite_changes_what_other_seats_choose_but_not_what_the_own_seat_does() -> None:
    game, value = several_turns(6), random_network("standard", seed=3)
    settings = SearchSettings(simulations=200, playout=PLAYOUT_NONE, room=800, exploration=0.1)
    calm, spiteful = (searched(game, settings._replace(spite=spite), value) for spite in (0.0, 5.0))
    seat = game.seat
    means = [tree.nodes["sums"][0, seat] / tree.nodes["visits"][0] for tree in (calm, spiteful)]
    assert means[1] < means[0]


def test_a_search_is_full_as_often_as_it_should_be() -> None:
    game, full = several_turns(7), 0
    players = searching(HALVING._replace(full_share=0.3, few=2, simulations=12), random_network("standard"))
    for seed in range(200):
        tree_of(players.memory).plan["length"] = 0
        choice(game, players, seed)
        search = tree_of(players.memory).search[0]
        assert search["made"] == (12 if search["full"] else 2)
        full += int(search["full"])
    assert 0.2 < full / 200 < 0.4


def test_value_networks_with_several_values_are_stored_and_play_by_their_first(tmp_path) -> None:
    several = vector_network()
    path = VALUE_NETWORKS.write(tmp_path / "value.npz", several, ["standard"], {}, version="0")
    found = VALUE_NETWORKS.read(path)
    assert found.arrays.last.shape == (8, c.MAX_SEATS)
    assert found.card["network"]["values"] == c.MAX_SEATS
    one = several._replace(last=several.last[:, :1].copy(), last_bias=several.last_bias[:1].copy())
    VALUE_NETWORKS.write(tmp_path / "one.npz", one, ["standard"], {}, version="0")
    assert "values" not in VALUE_NETWORKS.read(tmp_path / "one.npz").card["network"]
    game = position(30)
    moves = []
    for network in (several, one):
        players = searching(HALVING, network)
        moves.append(choice(game, players))
    assert moves[0] == moves[1]
    card = path.with_suffix(".json")
    card.write_text(card.read_text().replace(f'"values": {c.MAX_SEATS}', '"values": 6'))
    with pytest.raises(CheckpointError, match="no usable values"):
        VALUE_NETWORKS.read(path)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ("sims=4,playout=vector", "needs a network with a value for each of 5 seats"),
        ("sims=4,policy=2", "give a number from 0 to 1"),
        ("sims=4,policy=0.5,network={file}", "is no folder with value.npz and policy.npz"),
    ],
)
def test_settings_that_do_not_fit_together_are_named(settings: str, why: str, tmp_path) -> None:
    path = VALUE_NETWORKS.write(tmp_path / "value.npz", random_network("standard"), ["standard"], {}, version="0")
    with pytest.raises(InvalidOptionError, match=why):
        read_search_name(settings.format(file=path))


def test_names_set_what_they_say() -> None:
    timed = read_search_name("ms=4,halving=8")
    assert (timed.milliseconds, timed.settings.considered) == (4, 8)
    read = read_search_name("sims=16,halving=8,policy=0.5,scale=0.25,spite=0.1")
    settings = read.settings
    assert (settings.considered, settings.policy_weight, settings.value_scale, settings.spite) == (8, 0.5, 0.25, 0.1)
    assert {one.variant for one in read.policies} == {"standard", "solo"}
    game = Game.new(4, seed=1)
    assert Board.default().hash == game.board.hash
    players = join_players({CODE: entry_address(entry_named("search"))}, {CODE: read.memory(197)})
    assert game.mask()[choice(game, players)] == 1
