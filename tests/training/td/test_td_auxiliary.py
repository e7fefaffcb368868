"""Auxiliary heads: labels are what became of the games, heads learn them, and the network that is kept has none."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
import torch

from endeavor_env import Board, Game
from endeavor_env.endeavor.flow.scoring import PARTS
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.learning.self_play import MOST_ROUNDS, RECORDS_SEARCHED, RECORDS_VALUES, UNKNOWN
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS
from endeavor_env.endeavor.players.search.player import SearchSettings, search_memory
from endeavor_env.endeavor.players.value.player import NetworkArrays, value_memory
from endeavor_env.endeavor.results import OPPOSITION_NAME
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.td.__main__ import train
from endeavor_env.training.td.folder import TDRunFolder
from endeavor_env.training.td.games import PlayedGames, SeatedPlayer, fixtures_of, play, with_targets
from endeavor_env.training.td.heads import FACTORS, GLORY_SCALE, Heads, class_error, squared_error
from endeavor_env.training.td.labels import LABEL_SHAPES, NOBODY, labels_of
from endeavor_env.training.td.learner import Auxiliary, ValueLearner
from endeavor_env.training.td.population import LEARNER_CODE
from endeavor_env.training.td.replay import Replay
from endeavor_env.training.td.run import TDRun
from endeavor_env.training.td.settings import AUXILIARY, CITIES, GAMES, GLORY, REPLY, ROUNDS, preset
from tests.kits.networks import random_network
from tests.kits.td import CONSOLE, TINY, new_run, stop_after_two
from tests.players.test_value_player import choice, players_of, turn_goes_on

TABLES = [table for game in GAMES.values() for table in game if isinstance(table, GameConfig)]


def played(
    table: GameConfig, network: NetworkArrays, games: int = 1, seated: SeatedPlayer | None = None
) -> PlayedGames:
    """Return games of the value player with a network in all seats, of the seeds from 0 on."""
    memory = value_memory({c.VARIANT_NAMES.index(table.variant): network}, values_all=True)
    one = SeatedPlayer("value", memory, RECORDS_VALUES) if seated is None else seated
    codes = np.full((games, c.MAX_SEATS), LEARNER_CODE)
    fixtures = fixtures_of([table], np.zeros(games, np.int64), np.arange(games), codes)
    return play(Board.default(), fixtures, {LEARNER_CODE: one})


class Position(NamedTuple):
    """A position after a turn, as the plain game shows it."""

    seat: int
    round: int
    reply: int
    """The first action of the next seat, or UNKNOWN."""


class Whole(NamedTuple):
    """A game that was played by the rules in Python."""

    positions: list[Position]
    rounds: dict[int, list[int]]
    """The scores at the first decision after each round, and at the end."""
    game: Game


def by_hand(table: GameConfig, network: NetworkArrays) -> Whole:
    """Return the game of seed 0, decision by decision."""
    game = Game.new(table.players, table.variant, seed=0, options=dict(table.options))
    seated, moves, ended, rounds = players_of(network, table.variant), [], {}, {}
    while not game.over:
        seat, at = game.seat, int(game.state["round_number"][0])
        moves.append((seat, choice(game, seated)))
        game.apply(moves[-1][1])
        if at >= 1 and (game.over or int(game.state["round_number"][0]) > at):
            rounds[at] = game.scores()
        if not game.over and not turn_goes_on(game, seat):
            ended[len(moves)] = seat, int(game.state["round_number"][0])
    positions = []
    for number, (seat, at) in ended.items():
        follower, action = moves[number]
        positions.append(Position(seat, at, action if follower != seat else UNKNOWN))
    return Whole(positions, rounds, game)


def mats_of(game: Game) -> list[Any]:
    """Return the mats in playing order, as ``Game.breakdown`` names them."""
    return [0, OPPOSITION_NAME] if game.variant == "solo" else list(range(game.num_players))


def glory_by_hand(game: Game, seat: int) -> npt.NDArray[np.int64]:
    """Return the final Glory by source as a seat sees the mats."""
    found, mats = np.full(LABEL_SHAPES[GLORY], UNKNOWN), mats_of(game)
    for place in range(len(mats)):
        parts = game.breakdown(mats[(seat + place) % len(mats)])
        found[place] = [parts.get(part.key, 0) for part in PARTS]
    return found


def rounds_by_hand(whole: Whole, position: Position) -> npt.NDArray[np.int64]:
    """Return the Glory at the ends of the rounds still to come as a seat sees the mats."""
    found = np.full(LABEL_SHAPES[ROUNDS], UNKNOWN)
    for number, scores in whole.rounds.items():
        if number >= position.round:
            found[number - 1, : len(scores)] = scores[position.seat :] + scores[: position.seat]
    return found


def cities_by_hand(game: Game, seat: int) -> npt.NDArray[np.int64]:
    """Return who holds each city of the board at the end as a seat sees the mats."""
    found, mats = np.full(LABEL_SHAPES[CITIES], UNKNOWN), len(mats_of(game))
    for city in range(len(game.board.cities)):
        owner = int(game.state["city_owner"][0, city])
        if owner >= game.num_players:  # an opposing colour or neutral discs
            owner = c.OPPOSITION if game.variant == "solo" else c.NONE
        found[city] = NOBODY if owner < 0 else (owner - seat) % mats
    return found


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_labels_are_what_became_of_the_game_as_the_seat_sees_it(table: GameConfig) -> None:
    network = random_network(table.variant)
    found, whole = played(table, network), by_hand(table, network)
    labels, seats = labels_of(found, AUXILIARY), found.moments["seat"].tolist()
    assert seats == [position.seat for position in whole.positions]
    assert {name: one.shape for name, one in labels.items()} == {
        name: (len(seats), *shape) for name, shape in LABEL_SHAPES.items()
    }
    assert sorted(whole.rounds) == list(range(1, 8))
    for row, position in enumerate(whole.positions):
        assert labels[GLORY][row].tolist() == glory_by_hand(whole.game, position.seat).tolist()
        assert labels[ROUNDS][row].tolist() == rounds_by_hand(whole, position).tolist()
        assert labels[CITIES][row].tolist() == cities_by_hand(whole.game, position.seat).tolist()
        assert labels[REPLY][row] == position.reply
    assert (labels[REPLY] != UNKNOWN).any() == (table.players > 1)
    assert {NOBODY, 0, 1} <= set(labels[CITIES].ravel().tolist())


def test_labels_of_several_games_are_those_of_each() -> None:
    table, network = GAMES["standard"][1], random_network("standard")
    found, first = (labels_of(played(table, network, games), AUXILIARY) for games in (3, 1))
    for name in AUXILIARY:
        assert len(found[name]) > 2 * len(first[name])
        assert (found[name][: len(first[name])] == first[name]).all()


def test_positions_that_a_search_only_looked_at_have_no_labels() -> None:
    memory = search_memory({0: random_network("standard")}, SearchSettings(4))
    found = played(
        GAMES["standard"][0], random_network("standard"), 1, SeatedPlayer("search", memory, RECORDS_SEARCHED)
    )
    looked_at = found.moments["searched"] == 1
    assert 0 < looked_at.sum() < looked_at.size
    for labels in labels_of(found, AUXILIARY).values():
        known = (labels != UNKNOWN).reshape(labels.shape[0], -1).any(axis=1)
        assert not known[looked_at].any()
        assert known[~looked_at].mean() > 0.8


def test_losses_are_means_over_what_is_known() -> None:
    rng = np.random.default_rng(0)
    glory, found = np.array([[3, UNKNOWN], [-2, 40]], np.int16), rng.normal(size=(2, 2))
    wanted = np.mean([(found[row] - GLORY_SCALE * glory[row]) ** 2 for row in [(0, 0), (1, 0), (1, 1)]])
    assert float(squared_error(torch.from_numpy(found), torch.from_numpy(glory))) == pytest.approx(wanted)
    classes, logits = np.array([[2, UNKNOWN], [0, 1]], np.int16), rng.normal(size=(2, 3, 2))
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    wanted = -np.log([chances[0, 2, 0], chances[1, 0, 0], chances[1, 1, 1]]).mean()
    assert float(class_error(torch.from_numpy(logits), torch.from_numpy(classes))) == pytest.approx(wanted)
    nothing = torch.full((2, 2), UNKNOWN, dtype=torch.int16)
    assert float(squared_error(torch.from_numpy(found), nothing)) == 0.0
    assert float(class_error(torch.from_numpy(logits), nothing)) == 0.0


def test_fresh_heads_foresee_nothing_and_do_not_move_the_network() -> None:
    heads, actions = Heads(AUXILIARY, 8, num_actions("standard")), num_actions("standard")
    found = played(GAMES["standard"][0], random_network("standard"))
    labels = {name: torch.from_numpy(one) for name, one in labels_of(found, AUXILIARY).items()}
    hidden = torch.rand(found.moments.size, 8, requires_grad=True)
    losses = heads.losses(hidden, labels)
    torch.stack([*losses.values()]).sum().backward()
    assert list(losses) == list(AUXILIARY)
    assert losses[CITIES].detach() == pytest.approx(FACTORS[CITIES] * np.log(c.MAX_SEATS + 1))
    assert losses[REPLY].detach() == pytest.approx(FACTORS[REPLY] * np.log(actions), rel=1e-6)
    glory = labels[GLORY][:, :3].double()
    wanted = 0.075 * (GLORY_SCALE * glory).square().sum(2).mean()
    assert losses[GLORY].detach() == pytest.approx(float(wanted), rel=1e-5)
    assert hidden.grad is not None
    assert int(torch.count_nonzero(hidden.grad)) == 0
    moved = [int(torch.count_nonzero(one.grad)) for one in heads.parameters() if one.grad is not None]
    assert len(moved) == 2 * len(AUXILIARY)
    assert min(moved) > 0


def test_heads_learn_what_becomes_of_games() -> None:
    board, network = Board.default(), random_network("standard")
    replay = Replay(5000, board, AUXILIARY)
    replay.add_games([with_targets(played(GAMES["standard"][1], network, 12), 1.0)])
    auxiliary = Auxiliary(Heads(AUXILIARY, 32, num_actions("standard")), 1.0)
    learner, rng = ValueLearner((network.first.shape[0], 32, 8), 3, 128, auxiliary), np.random.default_rng(0)
    first = learner.learn(replay, 128, 1e-3, rng).auxiliary
    last = learner.learn(replay, 40_000, 3e-3, rng).auxiliary
    assert list(first) == list(AUXILIARY)
    assert all(last[name] < 0.7 * first[name] for name in AUXILIARY)


def weights(folder: TDRunFolder) -> list[npt.NDArray[np.float32]]:
    """Return the parameters of the final network of a run."""
    return list(VALUE_NETWORKS.read(folder.path / "value.npz").arrays)


def test_heads_change_what_is_learned_and_by_their_weight_alone(tmp_path: Path) -> None:
    runs = {}
    for name, change in {
        "plain": {},
        "without weight": {"auxiliary": AUXILIARY, "auxiliary_coef": 0.0},
        **{head: {"auxiliary": (head,)} for head in AUXILIARY},
    }.items():
        folder = new_run(tmp_path / name, TINY.replace(**change))
        assert train(folder, CONSOLE, progress=False)
        runs[name] = weights(folder)
    assert all((one == other).all() for one, other in zip(runs["plain"], runs["without weight"], strict=True))
    assert [one.shape for one in runs["plain"]] == [one.shape for one in runs[GLORY]]
    for one, other in pairwise(["plain", *AUXILIARY]):
        assert (runs[one][0] != runs[other][0]).any()


@pytest.mark.parametrize("game", ["standard", "solo"])
def test_a_run_with_heads_that_is_stopped_and_resumed_ends_as_an_unbroken_one(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads = tuple(name for name in AUXILIARY if (game, name) != ("solo", REPLY))
    settings = TINY.replace(game=game, iterations=4, auxiliary=heads, checkpoint_every=1)
    whole, broken = new_run(tmp_path / "whole", settings), new_run(tmp_path / "broken", settings)
    assert train(whole, CONSOLE, progress=False)
    stop_after_two(broken, monkeypatch)
    assert train(TDRunFolder.reopen(broken.path), CONSOLE, progress=False)
    assert all((mine == theirs).all() for mine, theirs in zip(weights(whole), weights(broken), strict=True))


def test_the_loss_of_each_head_is_a_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[dict[str, float]] = []
    monkeypatch.setattr(TDRun, "_draw", lambda _, points: drawn.append(points))
    assert train(new_run(tmp_path / "run", TINY.replace(auxiliary=(CITIES, REPLY))), CONSOLE, progress=False)
    losses = [{name: one[f"train/{name}"] for name in AUXILIARY if f"train/{name}" in one} for one in drawn]
    losses = [one for one in losses if one]
    assert len(losses) == TINY.iterations
    assert all(list(one) == [CITIES, REPLY] for one in losses)
    assert all(0.0 < loss < 1.0 for one in losses for loss in one.values())


@pytest.mark.parametrize(
    ("game", "change", "message"),
    [
        ("standard", "reply=1", "'reply=1' is no setting"),
        ("standard", 'auxiliary=["cities", "outcome"]', "should be glory or rounds or cities or reply"),
        ("standard", "auxiliary=cities", "it should be a list"),
        ("standard", 'auxiliary=["cities", "cities"]', "it should name each head once"),
        ("standard", "auxiliary_coef=-1", "the setting auxiliary_coef=-1 is not possible"),
        ("solo", 'auxiliary=["reply"]', "it should be without reply: no other seat plays solo"),
        ("merchants", 'auxiliary=["cities"]', "it should be empty: only Endeavor has auxiliary heads"),
    ],
)
def test_heads_that_cannot_be(game: str, change: str, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        preset("smoke", game).changed([change])


def test_heads_are_named_as_a_list() -> None:
    assert TINY.changed(['auxiliary=["glory", "reply"]', "auxiliary_coef=0.5"]).auxiliary == (GLORY, REPLY)
    assert TINY.auxiliary == ()
    assert int(Board.default().array["num_rounds"][0]) <= MOST_ROUNDS
