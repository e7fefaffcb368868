"""The value player: its network, its search over a turn, and where it can play."""

from __future__ import annotations

from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.exploits.galleons import FOLLOW_GIVE
from endeavor_env.endeavor.learning.self_play import write_all_inputs
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.players import entry_named
from endeavor_env.endeavor.players.network_file import num_inputs
from endeavor_env.endeavor.players.value.inputs import NUM_ESTIMATES, outcome
from endeavor_env.endeavor.players.value.player import Exploration, NetworkArrays, value_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.network import NETWORK, STRIDE, add_differences, begin_sums, write_outputs
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.errors import InvalidOptionError
from endeavor_env.search import Positions, rollout
from tests.kits.games import PLAYERS
from tests.kits.networks import inputs_of, network_file, random_network, value_by_numpy

TABLES = [("standard", 3), ("standard", 5), *PLAYERS.items()]
CODE = 2


def players_of(network: NetworkArrays, variant: str, exploration: Exploration = Exploration()):  # noqa: B008
    """Return the ``Players`` in which CODE is the value player with ``network``."""
    memory = value_memory({c.VARIANT_NAMES.index(variant): network}, exploration)
    return join_players({CODE: entry_address(entry_named("value"))}, {CODE: memory})


def choice(game: Game, players, rng: np.ndarray | None = None) -> int:
    """Return the action that CODE chooses."""
    from endeavor_env.engine.kernels.single import choose_action

    mask = np.empty(game.mask().size, np.int8)
    return int(choose_action(CODE, players, *game.given, mask, seeded(0) if rng is None else rng))


def turn_goes_on(game: Game, seat: int) -> bool:
    """Return whether ``seat`` is in the middle of its turn, told from the words of the decision."""
    looked_into = game.decision == "follow_up" and int(game.state["follow_up"][0]) != FOLLOW_GIVE
    return game.seat == seat and (looked_into or game.decision in ("target", "discard", "neutral"))


def final_value(game: Game, seat: int) -> float:
    """Return what the end of a game is worth to ``seat``, from the scores."""
    scores = game.scores()
    others = [score for other, score in enumerate(scores) if other != seat]
    if game.variant == "solo":
        share = float(scores[0] >= scores[1])
    else:
        share = 1.0 / scores.count(max(scores)) if scores[seat] == max(scores) else 0.0
    return share + 0.02 * max(-30, min(30, scores[seat] - max(others)))


def best_by_hand(game: Game, network: NetworkArrays, seat: int, depth: int = 1) -> float:
    """Return the value of the best way to play on the turn of ``seat``, by the plain rules and NumPy."""
    if game.over:
        return final_value(game, seat)
    if depth == 5 or not turn_goes_on(game, seat):
        return value_by_numpy(network, inputs_of(game, seat))
    values = []
    for action in game.legal_actions():
        after = game.clone()
        after.apply(action)
        values.append(best_by_hand(after, network, seat, depth + 1))
    return max(values)


def test_the_kernels_compute_the_network_and_its_differences() -> None:
    inputs, first, second = 70, 12, 6
    rng = np.random.default_rng(1)
    shapes = ((inputs, first), (first,), (first, second), (second,), (second, 1), (1,))
    network = NetworkArrays(*(rng.normal(size=shape).astype(np.float32) for shape in shapes))
    record = np.array([(inputs, 0, first, second, 1, 0)], NETWORK)[0]
    padded = -(-inputs // STRIDE) * STRIDE
    seen = np.zeros((3, padded), np.float32)
    seen[1, :inputs] = rng.normal(size=inputs) * (rng.random(inputs) < 0.3)
    seen[2] = seen[1]
    seen[2, [0, 5, 33, 69]] = [0.5, 0.0, -1.0, 2.0]
    sums, out, parameters = np.zeros(first, np.float32), np.zeros(1, np.float32), network.flat()
    scratch = np.zeros(padded, np.int64), np.zeros(padded, np.float32)
    begin_sums(record, parameters, sums)
    for before, after in ((0, 1), (1, 2)):
        add_differences(record, parameters, seen[before], seen[after], sums, *scratch)
        write_outputs(record, parameters, sums, np.zeros(second, np.float32), out, *scratch)
        assert out[0] == pytest.approx(value_by_numpy(network, seen[after, :inputs]), abs=1e-4)


@pytest.mark.parametrize(
    ("variant", "scores", "values"),
    [
        ("standard", (50, 40, 45), (1 + 0.02 * 5, -0.02 * 10, -0.02 * 5)),
        ("standard", (50, 50, 10), (0.5, 0.5, -0.02 * 30)),
        ("solo", (40, 40), (1.0,)),
        ("solo", (39, 40), (-0.02,)),
        ("solo", (90, 40), (1.6,)),
    ],
)
def test_outcomes(variant: str, scores: tuple[int, ...], values: tuple[float, ...]) -> None:
    state = np.zeros(1, STATE)
    state["variant"], state["num_seats"] = c.VARIANT_NAMES.index(variant), len(values)
    table = np.zeros(c.MAX_SEATS, np.int64)
    table[: len(scores)] = scores
    for seat, value in enumerate(values):
        assert outcome(state[0], table, len(scores), seat) == pytest.approx(value)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_it_plays_the_turn_that_ends_in_the_best_position(variant: str, players: int) -> None:
    network, game = random_network(variant), Game.new(players, variant, seed=5)
    seated, checked = players_of(network, variant), 0
    while not game.over:
        chosen = choice(game, seated)
        legal = game.legal_actions()
        if len(legal) > 1 and len(game.history) % 9 == 0:
            values = {}
            for action in legal:
                after = game.clone()
                after.apply(action)
                values[action] = best_by_hand(after, network, game.seat)
            assert values[chosen] == pytest.approx(max(values.values()), abs=1e-4)
            checked += 1
        game.apply(chosen)
    assert checked > 3


def test_a_temperature_draws_and_the_generator_decides() -> None:
    network, game = random_network("standard"), Game.new(4, seed=1)
    seated = players_of(network, "standard", Exploration(temperature=5.0))
    drawn = {choice(game, seated, seeded(seed)) for seed in range(30)}
    assert drawn == set(game.legal_actions())
    assert choice(game, seated, seeded(3)) == choice(game, seated, seeded(3))
    everything = players_of(network, "standard", Exploration(share=1.0))
    assert {choice(game, everything, seeded(seed)) for seed in range(30)} == set(game.legal_actions())


def test_it_is_named_by_the_path_of_its_network_everywhere(tmp_path: Path) -> None:
    name = f"value:{network_file(tmp_path)}"
    env = gym.make("endeavor_env:Endeavor-v0", players=3, opponents=name)
    env.reset(seed=2)
    assert env.get_wrapper_attr("game")().num_players == 3
    envs = gym.make_vec("Endeavor-v0", num_envs=2, players=3, opponents=[name, "greedy"])
    envs.reset(seed=2)
    envs.close()
    game = Game.new(3, seed=4)
    results = rollout(Positions.of(game), name, 1)
    agent = make_agent(name)
    while not game.over:
        game.apply(agent.act(game))
    assert results.scores[0, 0].tolist() == game.scores()


def test_it_refuses_variants_that_its_network_does_not_play(tmp_path: Path) -> None:
    name = f"value:{network_file(tmp_path)}"
    wrong = "does not play 'neutral_2': it was made for standard"
    with pytest.raises(InvalidOptionError, match=wrong):
        gym.make("endeavor_env:Endeavor-v0", variant="neutral_2", opponents=name)
    with pytest.raises(InvalidOptionError, match=wrong):
        gym.make_vec("Endeavor-v0", num_envs=1, variant="neutral_2", opponents=name)
    game = Game.new(2, "neutral_2", seed=0)
    with pytest.raises(InvalidOptionError, match=wrong):
        rollout(Positions.of(game), name, 0)
    with pytest.raises(InvalidOptionError, match=wrong):
        make_agent(name).act(game)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_networks_see_the_features_and_the_estimates_of_the_greedy_player(variant: str, players: int) -> None:
    game, seen = Game.new(players, variant, seed=6), np.empty((1, num_inputs(variant)), np.float32)
    agent, checked = make_agent("greedy"), 0
    while not game.over:
        for seat in range(players if len(game.history) % 2 == 0 else 0):
            write_all_inputs(game.board.array, game.state, np.array([seat]), seen, 0, 1)
            np.testing.assert_allclose(seen[0], inputs_of(game, seat), rtol=1e-5, atol=1e-5)
            checked += 1
        game.apply(agent.act(game))
    assert checked > 20
    assert seen.shape[1] == layout_for(variant, "features").size + NUM_ESTIMATES


@pytest.mark.parametrize("exploration", [Exploration(), Exploration(temperature=0.1)])
def test_values_that_are_no_numbers_still_choose_a_legal_action(exploration: Exploration) -> None:
    network = random_network("standard")
    players = players_of(network._replace(last_bias=np.full(1, np.nan, np.float32)), "standard", exploration)
    game, rng = Game.new(seed=4), seeded(1)
    while not game.over:
        action = choice(game, players, rng)
        assert action in game.legal_actions()
        game.apply(action)
