"""Tables of what the Opposition did, and how often each of its rules decided."""

from __future__ import annotations

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.analysis.opposition_steps import (
    ACTION_CLAUSES,
    CLAUSE_NAMES,
    DECIDERS,
    STEP_COLUMNS,
    actions_of,
    clauses_by_round,
    deciders,
    opposition_steps,
)
from endeavor_env.analysis.table import Table
from endeavor_env.errors import InvalidOptionError
from endeavor_env.opposition import explain
from endeavor_env.sampling import generator, sample_action


def played(seed: int, **options: str) -> Game:
    """Return a solitaire game played at random to its end."""
    game, rng = Game.new(variant="solo", seed=seed, options=options), generator(seed)
    while not game.over:
        game.apply(sample_action(game.mask(), rng))
    return game


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [played(seed) for seed in range(6)]


@pytest.fixture(scope="module")
def steps(games: list[Game]) -> Table:
    return opposition_steps(games)


def test_every_step_of_every_game_is_a_row(games: list[Game], steps: Table) -> None:
    assert steps.columns == tuple(column.name for column in STEP_COLUMNS)
    explained = [(number, step) for number, game in enumerate(games) for step in explain(game)]
    assert len(steps) == len(explained) > 100
    for row, (number, step) in zip(steps.rows(), explained, strict=True):
        assert (row["game"], row["move"], row["clause"]) == (number, step.move, step.clause)
        assert (row["round"], row["colour"], row["position"]) == (step.round, step.colour, step.position or 0)
        assert row["tie_breaks"].split(" ") == " ".join(step.tie_breaks).split(" ")
        assert row["options"] == len(step.options)
        assert row["verb"] == step.move.split(":")[0]


def test_every_clause_has_a_name(steps: Table) -> None:
    assert set(steps["clause"].tolist()) <= set(CLAUSE_NAMES)
    assert {"S4.1a", "S4.1b", "S4.1d.i", "S1.9"} <= set(steps["clause"].tolist())


def test_actions_are_those_of_the_discs_below_the_marker(games: list[Game], steps: Table) -> None:
    actions = actions_of(steps)
    assert set(actions["clause"].tolist()) <= set(ACTION_CLAUSES)
    for number in range(len(games)):
        for round_number in range(1, 8):
            own = (actions["game"] == number) & (actions["round"] == round_number)
            positions = actions.where(own)["position"].tolist()
            assert positions == list(range(1, len(positions) + 1))
            assert len(positions) >= 2


def test_the_clauses_of_a_round_add_up_to_its_actions(games: list[Game], steps: Table) -> None:
    matrix, actions = clauses_by_round(steps), actions_of(steps)
    assert matrix.rows == tuple(ACTION_CLAUSES)
    assert matrix.columns == tuple(range(1, 8))
    assert matrix.values.sum() == pytest.approx(len(actions) / len(games))
    first = np.sum((actions["round"] == 1) & (actions["clause"] == "S4.1b")) / len(games)
    assert matrix.values[matrix.rows.index("S4.1b"), 0] == pytest.approx(first)


def test_each_step_is_settled_by_one_of_four(steps: Table) -> None:
    matrix = deciders(steps)
    assert matrix.columns == DECIDERS
    assert matrix.values.sum() == len(steps)
    assert list(matrix.rows) == [clause for clause in CLAUSE_NAMES if clause in set(steps["clause"].tolist())]
    assert matrix.values[:, DECIDERS.index("the player")].sum() == np.sum(steps["decided_by"] == "player") > 0
    assert matrix.values[:, DECIDERS.index("data-file order")].sum() == 0


def test_with_ties_first_the_player_settles_nothing() -> None:
    matrix = deciders(opposition_steps(played(3, opposition_ties="first")))
    assert matrix.values[:, DECIDERS.index("the player")].sum() == 0
    assert matrix.values[:, DECIDERS.index("data-file order")].sum() > 0


def test_no_steps_give_empty_summaries(steps: Table) -> None:
    none = steps.where(slice(0))
    assert clauses_by_round(none).values.sum() == 0
    assert deciders(none).values.shape == (0, len(DECIDERS))


def test_games_without_opposition_or_without_moves_are_refused(games: list[Game]) -> None:
    with pytest.raises(InvalidOptionError, match="'standard' has no Opposition"):
        opposition_steps(Game.new(seed=1))
    with pytest.raises(InvalidOptionError, match="the steps of game 0 are not known: they need moves"):
        opposition_steps(games[0].state)
