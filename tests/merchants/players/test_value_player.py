"""The value player of Merchants of Europe: what its network sees, what it finds positions worth, and its files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env.engine.game_rules import rows_of
from endeavor_env.engine.kernels.players import FIRST_ENTRY, VALUED
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.single import choose_compiled
from endeavor_env.engine.seating import join_players
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.kernels.calls import address_of
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.players import PLAYERS
from endeavor_env.merchants.players.greedy.player import greedy_entry, greedy_memory
from endeavor_env.merchants.players.greedy.weights import WEIGHTS
from endeavor_env.merchants.players.player_list import VALUE_NETWORKS
from endeavor_env.merchants.players.value.inputs import FACTORS, INPUTS, ROWS
from endeavor_env.merchants.players.value.player import (
    MOST_MOVES,
    network_in,
    search_entry,
    search_memory,
    value_entry,
    value_memory,
)
from endeavor_env.merchants.rules.actions import NUM_ACTIONS
from endeavor_env.search import Positions, rollout, tree_search
from tests.kits.merchants_networks import games_among_planners, network_file, random_network, wins_alone
from tests.kits.networks import value_by_numpy

CONFIG = MerchantsConfig(4, "short")


def positions(count: int) -> Positions:
    """Return positions from the midst of games of planners."""
    rows = Positions.of([CONFIG.new_game(seed) for seed in range(count)])
    rng = np.random.default_rng(0)
    rows.draw(0)
    for number in range(150):
        masks = rows.masks()
        rows.step(np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]))
        rows.draw(number)
    return rows


def test_rows_of_inputs_fill_the_layout() -> None:
    assert sum(row.size for row in ROWS) == INPUTS == FACTORS.size
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_values_are_those_of_the_network_for_what_is_recorded() -> None:
    network = random_network()
    played, compared = games_among_planners(network), 0
    seen = np.ascontiguousarray(played.states).view(np.int8).reshape(-1, INPUTS)
    for row, moment in zip(seen, played.moments, strict=True):
        assert moment["value"] == pytest.approx(value_by_numpy(network, row * FACTORS), abs=1e-4)
        compared += 1
    assert compared > 100
    assert set(played.moments["seat"]) == {1}


def test_the_network_in_a_memory_is_the_one_it_was_made_of() -> None:
    for given, found in zip(network := random_network(), network_in(value_memory(network)), strict=True):
        np.testing.assert_array_equal(given, found)


def chosen(entry: Callable[..., Any], memory: npt.NDArray[np.uint8], rows: Positions) -> tuple[list[int], list[float]]:
    """Return the legal move of a player in each position where a seat moves, and what it finds that worth."""
    players = join_players({FIRST_ENTRY: address_of(entry)}, {FIRST_ENTRY: memory})
    board, masks, moves, values = rows_of(CONFIG.board_array), rows.masks(), [], []
    for index in np.flatnonzero(rows.seats() >= 0):
        position = rows_of(rows.states[index : index + 1])
        moves.append(int(choose_compiled(FIRST_ENTRY, players, board, position, masks[index], seeded(0))))
        values.append(players.memory[players.offsets[FIRST_ENTRY] :][: VALUED.itemsize].view(VALUED)["value"].item())
        assert masks[index][moves[-1]]
    return moves, values


def agreement(first: list[int], second: list[int]) -> float:
    """Return the share of equal moves."""
    return sum(one == other for one, other in zip(first, second, strict=True)) / len(first)


def test_greedy_lists_the_moves_whose_turns_are_compared() -> None:
    network, rows = random_network(), positions(80)
    greedy, _ = chosen(greedy_entry, greedy_memory(WEIGHTS, NUM_ACTIONS), rows)
    alone, _ = chosen(value_entry, value_memory(network, turns=1), rows)
    many, values = chosen(value_entry, value_memory(network, turns=MOST_MOVES), rows)
    assert agreement(alone, greedy) > 0.95  # but for moves that greedy finds equal
    assert agreement(many, greedy) < 0.9
    assert np.nanmax(np.abs(values)) < 20


def test_the_sum_of_greedy_counts_when_ends_of_turns_are_compared() -> None:
    network, rows = random_network(), positions(80)
    without, values = chosen(value_entry, value_memory(network, prior=0.0), rows)
    with_it, others = chosen(value_entry, value_memory(network, prior=1.0), rows)
    assert agreement(without, with_it) < 0.95
    alike = [index for index, move in enumerate(without) if move == with_it[index]]
    np.testing.assert_array_equal(np.array(values)[alike], np.array(others)[alike])  # the value alone is noted


def test_positions_are_recorded_alike_again_and_random_moves_are_noted() -> None:
    first, again = games_among_planners(random_network()), games_among_planners(random_network())
    np.testing.assert_array_equal(first.states, again.states)
    np.testing.assert_array_equal(first.scores, again.scores)
    assert not first.moments["explored"].any()
    assert games_among_planners(random_network(), epsilon=0.2).moments["explored"].any()


def test_named_players_need_a_network_of_the_side(tmp_path: Path) -> None:
    path = network_file(tmp_path)
    player = PLAYERS.find(f"value:{path}")
    assert player is not None
    assert player.variants == ("short",)
    player.check_plays("short")
    with pytest.raises(InvalidOptionError, match="does not play 'expert'"):
        player.check_plays("expert")
    with pytest.raises(InvalidOptionError, match="does not play 'expert'"):
        PLAYERS.player("value").check_plays("expert")
    results = rollout(positions(2), [f"value:{path}", "planner", f"search:{path}", "greedy"], 3, limit=12)
    assert results.scores.shape[0] == 2


def test_a_player_is_another_one_when_its_file_is_replaced(tmp_path: Path) -> None:
    path = network_file(tmp_path)
    before = PLAYERS.find(f"value:{path}")
    assert before == PLAYERS.find(f"value:{path}")
    other = network_file(tmp_path, seed=1)
    other.replace(path)
    card = json.loads(other.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps(card))
    assert PLAYERS.find(f"value:{path}") != before


def test_the_network_of_the_package_beats_greedy() -> None:
    assert wins_alone("value", "greedy", 16) >= 28  # of 64; it won 61 % of 1,200, equal players win 16 of 64


def test_damaged_networks_are_refused(tmp_path: Path) -> None:
    path = network_file(tmp_path)
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(CheckpointError, match="truncated or edited"):
        VALUE_NETWORKS.read(path)
    card = json.loads(path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps(card | {"format": "endeavor-value/1"}))
    with pytest.raises(CheckpointError, match="must be merchants-value/1"):
        VALUE_NETWORKS.read(path)


@pytest.mark.parametrize(
    ("entry", "memory"),
    [(value_entry, value_memory(random_network())), (search_entry, search_memory(random_network()))],
    ids=["value", "search"],
)
def test_the_player_sees_nothing_that_its_seat_cannot_know(
    entry: Callable[..., Any], memory: npt.NDArray[np.uint8]
) -> None:
    """What is hidden is drawn anew: neither the move nor its value changes."""
    changed, hidden = 0, positions(12)
    players = join_players({FIRST_ENTRY: address_of(entry)}, {FIRST_ENTRY: memory})
    board, masks = rows_of(CONFIG.board_array), hidden.masks()
    other = hidden.repeat(1)
    other.resample(None, 5)
    for index in np.flatnonzero(hidden.seats() >= 0):
        found = []
        for rows in (hidden, other):
            position = rows_of(rows.states[index : index + 1])
            action = choose_compiled(FIRST_ENTRY, players, board, position, masks[index], seeded(0))
            memory_now = players.memory[players.offsets[FIRST_ENTRY] :][: VALUED.itemsize]
            found.append((action, memory_now.view(VALUED)["value"].item()))
        np.testing.assert_equal(found[0], found[1])
        changed += hidden.states[index].tobytes() != other.states[index].tobytes()
    assert changed > 0


def test_tree_search_values_leaves_by_a_network(tmp_path: Path) -> None:
    path, game = network_file(tmp_path), CONFIG.new_game(3)
    game.draw()
    found = tree_search(game, 60, leaves=f"value:{path}", exploration=0.1)
    assert found.visits.sum() >= 59
    again = tree_search(game, 60, leaves=f"value:{path}", exploration=0.1)
    np.testing.assert_array_equal(found.values, again.values)
    with pytest.raises(InvalidOptionError, match="does not value positions"):
        tree_search(game, 4, leaves="planner")
