"""Positions say of every row what ``Game`` says, and move as it does."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import torch

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.observation import observe
from endeavor_env.endeavor.rewards import REWARDS, SOLO_REWARDS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError
from endeavor_env.search import Positions
from tests.kits.games import on_the_way, random_walk
from tests.kits.search import KINDS


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_rows_say_what_games_say(kind: dict[str, Any]) -> None:
    games = [game.clone() for game in random_walk(5, **kind)]
    positions = Positions.of(games)
    players = games[0].num_players
    assert (len(positions), positions.players, positions.variant) == (len(games), players, games[0].variant)
    assert positions.seats().tolist() == [game.seat for game in games]
    assert positions.over().tolist() == [game.over for game in games] == [False] * (len(games) - 1) + [True]
    assert [c.DECISION_NAMES[kind] for kind in positions.decisions()] == [game.decision for game in games]
    assert (positions.masks() == [game.mask() for game in games]).all()
    assert positions.legal_counts().tolist() == [len(game.legal_actions()) for game in games]
    assert positions.scores().tolist() == [game.scores() for game in games]
    for observation in ("features", "compact"):
        for seat in (None, 0, players - 1):
            wanted = np.array([observe(game, seat, observation) for game in games])
            seen = positions.observe(observation, seat)
            assert (seen.dtype, seen.tobytes()) == (wanted.dtype, wanted.tobytes())


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_returns_are_the_rewards_of_the_scores(kind: dict[str, Any]) -> None:
    positions = Positions.of([game.clone() for game in random_walk(6, **kind)][::9])
    scores = positions.scores().tolist()
    for name, reward in (SOLO_REWARDS if positions.variant == "solo" else REWARDS).items():
        np.testing.assert_allclose(positions.returns(name), [reward(row) for row in scores], rtol=0, atol=1e-12)
    own = positions.returns(lambda row: [score / 3 for score in row[: positions.players]])
    assert (own == np.array(scores)[:, : positions.players] / 3).all()
    with pytest.raises(InvalidOptionError, match="reward 'best' is not known"):
        positions.returns("best")


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_steps_are_those_of_games(kind: dict[str, Any]) -> None:
    games = [Game.new(seed=seed, **kind) for seed in range(3)]
    games.append(on_the_way(40, **kind))  # which ends earlier than the others
    positions, rng = Positions.of(games), np.random.default_rng(0)
    while not positions.over().all():
        actions = [-1 if game.over else int(rng.choice(game.legal_actions())) for game in games]
        positions.step(actions)
        for game, action in zip(games, actions, strict=True):
            if action >= 0:
                game.apply(action)
        assert positions.states.tobytes() == b"".join(game.state.tobytes() for game in games)
    before = positions.states.tobytes()
    positions.step(np.full(4, -1))
    assert positions.states.tobytes() == before


ILLEGAL: list[tuple[Any, type[Exception], str]] = [
    ([1, 0, -1], IllegalActionError, r"action 0 is not possible in row 1; legal there are \[1, 2, 3\], -1 leaves it"),
    ([1, -2, -1], IllegalActionError, "action -2 is not possible in row 1"),
    ([10**6, 1, -1], IllegalActionError, "action 1000000 is not possible in row 0"),
    (
        np.array([1, 2**64 - 1, 1], np.uint64),
        IllegalActionError,
        "action 18446744073709551615 is not possible in row 1",
    ),
    ([1, 1, 1], GameOverError, "in row 2: its game is over; give -1 to leave it as it is"),
    ([1, 1], IllegalActionError, r"actions of shape \(2,\) and type int64 are not possible: give 3 whole numbers"),
    ([[1, 1, -1]], IllegalActionError, r"actions of shape \(1, 3\)"),
    ([1.0, 1.0, -1.0], IllegalActionError, "type float64"),
    ([True, True, False], IllegalActionError, "type bool"),
    (1, IllegalActionError, r"actions of shape \(\)"),
]


@pytest.mark.parametrize(("actions", "error", "message"), ILLEGAL, ids=[message for _, _, message in ILLEGAL])
def test_illegal_steps_leave_every_row_untouched(actions: Any, error: type[Exception], message: str) -> None:
    start = Game.new(players=3, seed=0)
    positions = Positions.of([start, start, on_the_way(10**6, players=3)])
    before = positions.states.tobytes()
    with pytest.raises(error, match=message):
        positions.step(actions)
    assert positions.states.tobytes() == before


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_children_are_every_legal_move_made(kind: dict[str, Any]) -> None:
    games = [game.clone() for game in random_walk(7, **kind)][::6]
    games.append(on_the_way(10**6, **kind))
    positions = Positions.of(games)
    before = positions.states.tobytes()
    children, actions, rows = positions.expand()
    wanted = [(row, action) for row, game in enumerate(games) for action in game.legal_actions()]
    assert list(zip(rows.tolist(), actions.tolist(), strict=True)) == wanted
    for child, (row, action) in enumerate(wanted):
        after = games[row].clone()
        after.apply(action)
        assert children.states[child].tobytes() == after.state.tobytes()
    some = positions.expand([2, 0])
    assert set(some.rows.tolist()) == {0, 2}
    assert some.positions.states.tobytes() == children[(rows == 2).nonzero()[0].tolist()].states.tobytes() + (
        children[rows == 0].states.tobytes()
    )
    assert positions.states.tobytes() == before


def test_finished_games_cannot_be_expanded() -> None:
    positions = Positions.of([Game.new(players=3, seed=0), on_the_way(10**6, players=3)])
    assert set(positions.expand().rows.tolist()) == {0}
    with pytest.raises(GameOverError, match="every game asked for is over"):
        positions.expand(1)


def test_copies_are_independent() -> None:
    games = [on_the_way(decisions, players=4) for decisions in (5, 25, 45)]
    positions = Positions.of(games, copies=2)
    parts = [positions.states[row].tobytes() for row in range(6)]
    assert parts == [game.state.tobytes() for game in games for _ in range(2)]
    for rows, wanted in [
        (1, [1]),
        (-1, [5]),
        (slice(1, 6, 2), [1, 3, 5]),
        ([4, 0, 4], [4, 0, 4]),
        (np.array([True, False, False, True, False, False]), [0, 3]),
    ]:
        assert positions[rows].states.tobytes() == b"".join(parts[row] for row in wanted)
    joined = Positions.join([positions[4:], positions[:1]])
    assert joined.states.tobytes() == b"".join(parts[row] for row in (4, 5, 0))
    assert [row.states.tobytes() for row in positions] == parts
    for other in (positions[:], positions.copy(), positions.repeat(1), pickle.loads(pickle.dumps(positions))):
        other.step(other.masks().argmax(axis=1))
        assert other.states.tobytes() != b"".join(parts)
        assert positions.states.tobytes() == b"".join(parts)
    assert b"".join(game.state.tobytes() for game in games) == b"".join(parts[::2])


def test_rows_that_are_not_there() -> None:
    positions = Positions.of(Game.new(seed=0), copies=3)
    for rows in (3, [0, -4], np.array([True, False]), "a", 0.5, [[0], [1, 2]], torch.ones(2, requires_grad=True)):
        with pytest.raises(IndexError):
            positions[rows]  # type: ignore[index]
    with pytest.raises(InvalidOptionError, match="no row is left"):
        positions[positions.over()]


def test_what_cannot_be_positions() -> None:
    four, other = Game.new(players=4, seed=0), Game.new(players=4, seed=0, board="generated_7")
    config, states = four.config, np.zeros(4, STATE)
    solo, three = Game.new(variant="solo", seed=0), Game.new(players=3, seed=0)
    exploits = Game.new(players=4, seed=0, exploits=["sun"])
    on_one, on_another = Positions.of(four), Positions.of(other)
    frozen = np.frombuffer(bytes(STATE.itemsize), STATE)
    for make, message in [
        (lambda: Positions.of([]), "give a Game, or a list of at least one"),
        (lambda: Positions.of([four, "b"]), "give a Game"),  # type: ignore[list-item]
        (lambda: Positions.of(5), "positions cannot be made of 5: give a Game"),  # type: ignore[arg-type]
        (lambda: Positions.of(10**5000), "give a Game"),  # type: ignore[arg-type]
        (lambda: Positions.of(range(10**30)), "give a Game"),  # type: ignore[arg-type]
        (lambda: Positions.of([four, other]), "different boards"),
        (lambda: Positions.of([four, three]), "different kinds"),
        (lambda: Positions.of([four, solo]), "different kinds"),
        (lambda: Positions.of([four, exploits]), "different kinds"),
        (lambda: Positions.of(four, copies=0), "copies=0 is not possible: give a positive whole number"),
        (lambda: Positions.of(four, copies=10**12), "copies=1000000000000 is not possible: at .* GB; give at most"),
        (lambda: Positions.of(four, copies=10**400), "copies="),
        (lambda: on_one.repeat(10**12), "GB; give at most"),
        (lambda: Positions.join(5), "5 cannot be joined: give a list of Positions"),  # type: ignore[arg-type]
        (lambda: Positions.join([on_one, 5]), "give a list of Positions"),  # type: ignore[list-item]
        (lambda: Positions("2009", states), "config '2009' is not possible here"),  # type: ignore[arg-type]
        (lambda: Positions.of(four, threads=0), "threads=0 is not possible"),
        (lambda: Positions.join([on_one, on_another]), "different boards"),
        (lambda: Positions.join([]), "none at all"),
        (lambda: Positions.join([on_one, Positions.of(three)]), "different kinds"),
        (lambda: Positions(config, states[::2]), "contiguous, writable array of positions"),
        (lambda: Positions(config, states.reshape(2, 2)), r"array of shape \(2, 2\)"),
        (lambda: Positions(config, frozen), "writable"),
        (lambda: Positions(config, np.zeros(2)), r"array of shape \(2,\)"),  # type: ignore[arg-type]
        (lambda: Positions(config, [four]), "this list"),  # type: ignore[arg-type]
        (lambda: Positions(config, states[:0]), "at least one"),
        (lambda: on_one.observe("pixels"), "observation='pixels' is not possible"),
        (lambda: on_one.observe(seat=4), "seat 4 is not at the table: seats are 0 to 3"),
        (lambda: on_one.observe(seat=True), "seat True is not at the table"),
    ]:
        with pytest.raises(InvalidOptionError, match=message):
            make()


def test_results_do_not_depend_on_threads() -> None:
    games = [on_the_way(decisions, seed=1, players=5) for decisions in range(0, 120, 4)]
    found = []
    for threads in (1, 2, 3):
        positions = Positions.of(games, copies=40, threads=threads)
        children, actions, rows = positions.expand()
        seen = positions.masks(), positions.scores(), positions.observe("compact"), children.states, actions, rows
        positions.step(positions.masks().argmax(axis=1))
        found.append([array.tobytes() for array in (*seen, positions.states)])
        assert children.threads == positions[3:].threads == positions.copy().threads == threads
    assert found[0] == found[1] == found[2]


def test_repr_says_what_they_are() -> None:
    assert repr(Positions.of(Game.new(players=3, seed=0), copies=2)) == (
        "<Positions: 2 positions of endeavor, standard, 3 seats, on endeavor_2009>"
    )
    assert repr(Positions.of(Game.new(seed=0, exploits=["sun"]))) == (
        "<Positions: 1 position of endeavor, exploits, 4 seats, on endeavor_2009>"
    )


def test_rows_of_games_with_different_exploits_are_played_side_by_side() -> None:
    games = [Game.new(players=3, seed=0, exploits=names) for names in (["sun"], ["voc", "haiti"], c.EXPLOIT_NAMES)]
    positions, rng = Positions.of(games), np.random.default_rng(2)
    for _ in range(80):
        actions = [int(rng.choice(game.legal_actions())) for game in games]
        positions.step(actions)
        for game, action in zip(games, actions, strict=True):
            game.apply(action)
    assert positions.states.tobytes() == b"".join(game.state.tobytes() for game in games)
    assert positions.scores().tolist() == [game.scores() for game in games]
