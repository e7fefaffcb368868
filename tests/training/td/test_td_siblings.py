"""Sibling labels: which ends of a turn are labelled, what labels are, and what a network learns from their order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch

from endeavor_env import Board, Game
from endeavor_env.endeavor.players import entry_named
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS, published_network
from endeavor_env.endeavor.players.search.player import SearchSettings, search_memory
from endeavor_env.endeavor.players.search.tree import tree_of
from endeavor_env.endeavor.players.value.player import Exploration, NetworkArrays, value_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import STATE, copy_states
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.training.td.__main__ import _new, train
from endeavor_env.training.td.folder import SIBLINGS as SIBLINGS_FILE
from endeavor_env.training.td.folder import TDRunFolder
from endeavor_env.training.td.games import PlayedGames
from endeavor_env.training.td.learner import Order, ValueLearner, order_loss
from endeavor_env.training.td.replay import Replay
from endeavor_env.training.td.settings import SIBLINGS
from endeavor_env.training.td.siblings import SEARCHES, Labelling, SiblingReplay, Siblings, label
from tests.kits.networks import random_network
from tests.kits.td import CONSOLE, TINY, new_run, stop_after_two
from tests.players.test_value_player import best_by_hand, choice, final_value, players_of, turn_goes_on

TABLES = [("standard", 3), ("standard", 4), ("solo", 1), ("exploits", 3)]
ALL = 400
"""More ends than a turn has in the positions of these tests."""
TEACHER = random_network("standard")


def labelling(network: NetworkArrays, variant: str = "standard", temperature: float = 0.0, **how: int) -> Labelling:
    """Return how all ends of turns are labelled by playouts, unless ``how`` says otherwise."""
    memory = value_memory({c.VARIANT_NAMES.index(variant): network}, Exploration(temperature), values_all=True)
    given = {"share": 1.0, "best": ALL, "drawn": 0} | how
    return Labelling(memory, **given)  # type: ignore[arg-type]


def labelled(games: list[Game], how: Labelling, seed: int = 1) -> Siblings:
    """Return the labelled siblings of the positions of games."""
    states = np.concatenate([game.state for game in games])
    return label(Board.default(), states, how, num_actions(games[0].variant), seed)


def choices(variant: str, players: int, count: int, seed: int = 3) -> list[Game]:
    """Return positions of a game of the value player in which a seat begins a turn and has a choice."""
    network, game, found = random_network(variant), Game.new(players, variant, seed=seed), []
    seated, ends = players_of(network, variant, Exploration(share=0.3)), True
    while not game.over and len(found) < count:
        if ends and len(game.legal_actions()) > 1 and len(game.history) % 7 == 0:
            found.append(game.clone())
        seat = game.seat
        game.apply(choice(game, seated))
        ends = game.over or not turn_goes_on(game, seat)
    return found


def after_each_action(game: Game) -> list[Game]:
    """Return the positions after each legal action."""
    found = []
    for action in game.legal_actions():
        found.append(game.clone())
        found[-1].apply(action)
    return found


def ends_by_hand(game: Game) -> dict[bytes, Game]:
    """Return the different positions after the turn at hand, by their bytes, from the plain rules."""
    seat, found = game.seat, {}

    def follow(position: Game, depth: int) -> None:
        for after in after_each_action(position):
            if after.over:
                continue
            if depth < 5 and turn_goes_on(after, seat):
                follow(after, depth + 1)
            else:
                found[after.state.tobytes()] = after

    follow(game, 1)
    return found


def ends_of(siblings: Siblings, row: int) -> list[bytes]:
    """Return the bytes of the ends of a decision."""
    return [end.tobytes() for end in siblings.ends[row, : siblings.counts[row]]]


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_all_different_ends_of_a_turn_are_listed_the_best_first(variant: str, players: int) -> None:
    network = random_network(variant)
    for game in choices(variant, players, 4):
        siblings, wanted = labelled([game], labelling(network, variant)), ends_by_hand(game)
        if len(wanted) < 2:
            continue
        found = ends_of(siblings, 0)
        assert set(found) == set(wanted)
        assert len(found) == len(wanted)
        assert siblings.seats.tolist() == [game.seat]
        values = [best_by_hand(wanted[end], network, game.seat, depth=5) for end in found]
        assert values == pytest.approx(sorted(values, reverse=True), abs=1e-4)


def test_of_many_ends_the_best_are_kept_and_some_others_drawn() -> None:
    drawn = set()
    for game in choices("standard", 4, 6):
        everything = ends_of(labelled([game], labelling(TEACHER)), 0)
        for seed in range(20):
            few = labelled([game], labelling(TEACHER, best=3, drawn=2), seed)
            found = ends_of(few, 0)
            assert found[:3] == everything[:3]
            assert len(set(found)) == len(found) == min(5, len(everything))
            assert set(found[3:]) <= set(everything[3:])
            assert all((end == few.ends[0, 0]).all() for end in few.ends[0, few.counts[0] :])
            drawn |= {everything.index(end) for end in found[3:]}
    assert drawn >= set(range(3, 10))


def value_after_playout(game: Game, network: NetworkArrays, seat: int, last_round: int) -> float:
    """Return what a playout of the value player finds the position worth to ``seat``, by the rules and NumPy."""
    game, seated = game.clone(), players_of(network, game.variant)
    ends = True
    while not game.over:
        if ends and game.seat == seat and int(game.state["round_number"][0]) > last_round:
            return max(best_by_hand(after, network, seat) for after in after_each_action(game))
        mover = game.seat
        game.apply(choice(game, seated))
        ends = game.over or not turn_goes_on(game, mover)
    return final_value(game, seat)


@pytest.mark.parametrize(("variant", "players"), TABLES)
@pytest.mark.parametrize("rounds", [-1, 0, 20])
def test_labels_are_what_playouts_by_the_plain_rules_end_in(variant: str, players: int, rounds: int) -> None:
    network = random_network(variant)
    for game in choices(variant, players, 2, seed=8):
        siblings = labelled([game], labelling(network, variant, best=3, rounds=rounds))
        ends, last_round = ends_by_hand(game), int(game.state["round_number"][0]) + rounds
        for row in range(siblings.counts.size):
            for place, end in enumerate(ends_of(siblings, row)):
                wanted = value_after_playout(ends[end], network, game.seat, last_round)
                assert siblings.labels[row, place] == pytest.approx(wanted, abs=1e-3)


def test_playouts_of_all_siblings_draw_the_same_numbers_and_labels_are_their_mean() -> None:
    games = choices("standard", 4, 4)
    one, two, again = (labelled(games, labelling(TEACHER, temperature=0.5, playouts=k)).labels for k in (1, 8, 8))
    exact = labelled(games, labelling(TEACHER, temperature=0.0, playouts=8)).labels
    assert (two == again).all()
    assert (one != two).any()
    assert (two != exact).any()
    without_noise = labelled(games, labelling(TEACHER)).labels
    np.testing.assert_allclose(exact, without_noise, rtol=1e-6)


def test_labels_of_searches_are_those_of_the_search_player() -> None:
    compared = 0
    for game in choices("standard", 3, 4):
        settings = SearchSettings(simulations=6)
        memory = search_memory({0: TEACHER}, settings)
        siblings = labelled([game], Labelling(memory, 1.0, 4, 0, SEARCHES))
        ends = ends_by_hand(game)
        for place, end in enumerate(ends_of(siblings, 0)):
            after, own = ends[end], search_memory({0: TEACHER}, settings)
            while len(after.legal_actions()) == 1 and not after.over:
                after.apply(after.legal_actions()[0])
            players = join_players({2: entry_address(entry_named("search"))}, {2: own})
            choice(after, players)
            root = tree_of(players.memory[players.offsets[2] : players.offsets[3]]).nodes[0]
            wanted = root["sums"][game.seat] / root["visits"]
            assert siblings.labels[0, place] == pytest.approx(wanted, rel=1e-6)
            compared += 1
    assert compared > 8


def test_a_share_of_the_positions_is_labelled_and_positions_without_a_choice_are_not() -> None:
    games = choices("standard", 4, 12)
    ended, half = games[0].clone(), labelling(TEACHER, share=0.5, best=2)  # type: ignore[arg-type]
    while not ended.over:
        ended.apply(ended.legal_actions()[0])
    assert labelled([ended] * 3, labelling(TEACHER)).counts.size == 0
    assert 0 < labelled(games, half).counts.size < len(games)


def by_numpy(values: npt.NDArray[np.float64], labels: npt.NDArray[np.float64], temperature: float) -> float:
    """Return the divergence of the softmax of values from that of labels, times the temperature."""
    found, wanted = (np.exp(row / temperature) / np.exp(row / temperature).sum() for row in (values, labels))
    return float(temperature * (wanted * np.log(wanted / found)).sum())


def test_the_loss_of_order_is_the_divergence_of_two_softmaxes_over_the_siblings_there_are() -> None:
    rng = np.random.default_rng(0)
    values, labels, counts = rng.normal(size=(3, 6)), rng.normal(size=(3, 6)), np.array([2, 6, 4])
    given = torch.from_numpy(values), torch.from_numpy(labels), torch.from_numpy(counts)
    rows = [by_numpy(values[row, :count], labels[row, :count], 0.7) for row, count in enumerate(counts)]
    assert float(order_loss(*given, 0.7)) == pytest.approx(np.mean(rows))
    assert float(order_loss(given[1] + 3.0, *given[1:], 0.7)) == pytest.approx(0.0, abs=1e-9)  # the level is free
    values = given[0].requires_grad_()
    order_loss(values, *given[1:], 0.01).backward()
    assert values.grad is not None
    assert torch.isfinite(values.grad).all()
    assert (values.grad[0, 2:] == 0).all()


def test_learning_the_order_of_siblings_lowers_the_disorder_of_decisions_not_seen() -> None:
    board, how = Board.default(), labelling(published_network("standard").arrays, best=4, drawn=4)
    seen, unseen = (
        labelled([one for seed in seeds for one in choices("standard", 4, 9, seed)], how)
        for seeds in (range(20, 44), range(60, 66))
    )
    replay, held_out = (SiblingReplay(400, how.width, board) for _ in range(2))
    assert replay.add_found([seen]) == seen.counts.sum()
    held_out.add_found([unseen])
    values = Replay(10, board)
    states = copy_states(seen.ends[0, :1].copy().view(STATE).reshape(-1))
    moments = np.zeros(1, [("seat", np.int8), ("target", np.float64)])
    values.add_games([PlayedGames(states, moments, np.empty((0, 5), np.int64), np.empty((0, 5)), 0)])
    learner = ValueLearner((TEACHER.first.shape[0], 24, 8), seed=0, batch=2)

    def disorder() -> float:
        drawn = held_out.draw_seen(200, TEACHER.first.shape[0], np.random.default_rng(0))
        observed, labels, counts = map(torch.from_numpy, drawn)
        with torch.no_grad():
            return float(order_loss(learner.model(observed).view(labels.shape), labels, counts, 0.1))

    before = disorder()
    order = Order(replay, 10.0, 0.1)
    errors = learner.learn(values, 120, 2e-3, np.random.default_rng(1), order)
    assert np.isfinite(errors.order)
    assert disorder() < 0.8 * before


def test_the_ring_of_decisions_keeps_the_newest_and_is_stored(tmp_path: Path) -> None:
    games, board = choices("standard", 4, 8), Board.default()
    how = labelling(TEACHER, best=2, drawn=1)
    ring, other = SiblingReplay(5, how.width, board), SiblingReplay(5, how.width, board)
    ring.add_found([labelled(games[:4], how)])
    ring.add_found([labelled(games[4:7], how)])
    assert (ring.size, ring.newest) == (5, 3)
    ring.save(tmp_path / "ring.npy", 7)
    assert not other.load(tmp_path / "ring.npy", 8)
    assert not SiblingReplay(6, how.width, board).load(tmp_path / "ring.npy", 7)
    assert other.load(tmp_path / "ring.npy", 7)
    for one, same in zip(
        *(kept.draw_seen(30, TEACHER.first.shape[0], np.random.default_rng(2)) for kept in (ring, other)), strict=True
    ):
        assert (one == same).all()
    labels = set(ring.draw_seen(60, TEACHER.first.shape[0], np.random.default_rng(3))[1].ravel().tolist())
    newest = set(labelled(games[4:7], how).labels.ravel().tolist())
    assert newest <= labels


@pytest.mark.parametrize("labels", ["playouts", "search"])
def test_a_run_with_siblings_that_is_stopped_and_resumed_ends_as_an_unbroken_one(
    labels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = TINY.replace(iterations=3, siblings=0.2, sibling_labels=labels, simulations=2, siblings_best=3)
    whole, broken = new_run(tmp_path / "whole", settings), new_run(tmp_path / "broken", settings)
    assert train(whole, CONSOLE, progress=False)
    assert not whole.memory(SIBLINGS_FILE, 3).exists()
    stop_after_two(broken, monkeypatch)
    assert broken.memory(SIBLINGS_FILE, 2).exists()
    assert train(TDRunFolder.reopen(broken.path), CONSOLE, progress=False)
    one, other = (VALUE_NETWORKS.read(run.path / "value.npz").arrays for run in (whole, broken))
    assert all((mine == theirs).all() for mine, theirs in zip(one, other, strict=True))
    plain = new_run(tmp_path / "plain", settings.replace(siblings=0.0))
    assert train(plain, CONSOLE, progress=False)
    assert (VALUE_NETWORKS.read(plain.path / "value.npz").arrays.first != one.first).any()


def test_the_option_of_the_command_sets_the_share(tmp_path: Path) -> None:
    for name, siblings in (("with", True), ("without", False)):
        asked = _new("smoke", None, tmp_path / name, None, None, None, (), siblings, None)
        assert asked.settings.siblings == (SIBLINGS if siblings else 0.0)
