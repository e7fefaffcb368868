"""What the Opposition did over many solitaire games: a row for each of its steps, and how often which rule decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from endeavor_env.analysis.columns import TYPES, Column
from endeavor_env.analysis.sources import read
from endeavor_env.analysis.summaries import Matrix
from endeavor_env.analysis.table import Table
from endeavor_env.errors import InvalidOptionError
from endeavor_env.game_config import BoardGiven
from endeavor_env.opposition import Step, explain

STEP_COLUMNS = (
    Column("game", "integer", "number of the game in what was given, from 0"),
    Column("after", "integer", "moves the player had made before, 0 in the set-up"),
    Column("round", "integer", "1 to 7, 0 in the set-up"),
    Column("colour", "text", "the colour that acts; opposition where all four do"),
    Column(
        "position", "integer", "position of its disc on the action scale, 1 to 8; 0 outside actions and bonus draws"
    ),
    Column("token", "text", "the blue token that is carried out"),
    Column("verb", "text", "first word of the move"),
    Column("move", "text", "what was done, such as occupy:tangier; empty if nothing was feasible"),
    Column("clause", "text", "the rule that led there, such as S4.1d.ii"),
    Column("reason", "text", "that rule in a few words"),
    Column("useless", "flag", "whether nothing useful was feasible (S4.3)"),
    Column("tie_breaks", "text", "what narrowed the options, in order, with spaces between"),
    Column("options", "integer", "moves left in the end"),
    Column("decided_by", "text", "who chose among them: rules, player or first"),
)
"""The columns of ``opposition_steps``."""
DECIDERS = ("the list alone", "a tie-break", "the player", "data-file order")
"""What settles a step: nothing was left to settle, S5 left one option, the player chose, or opposition_ties=first."""
ACTION_CLAUSES = {
    "S4.1a": "a  completes a connection",
    "S4.1b": "b  occupies a free city",
    "S4.1c": "c  completes a track",
    "S4.1d.i": "d.i  ships, has the first space",
    "S4.1d.ii": "d.ii  ships, has a later space",
    "S4.1d.iii": "d.iii  goes beside a full track",
    "S4.1e": "e  draws a card",
    "S4.2": "nothing is feasible",
}
"""The items of the priority list (S4) in their order, in a few words."""
OTHER_CLAUSES = {
    "S1.8a": "set-up: near a first space",
    "S1.8b": "set-up: near a second space",
    "S1.8c": "set-up: any free city",
    "S1.9": "set-up: a blue token leaves",
    "S3.6": "bonus draw",
    "S5.4": "token: draws a card",
    "S5.5": "token: attacks or takes a token",
    "S7.1": "discards a card",
}
"""What else the Opposition does, by clause."""
CLAUSE_NAMES = ACTION_CLAUSES | OTHER_CLAUSES
"""All clauses that ``endeavor_env.opposition`` names, in a few words."""


def opposition_steps(given: Any, boards: BoardGiven | Sequence[BoardGiven] = None) -> Table:
    """Return the table "opposition_steps" with the columns STEP_COLUMNS, a row for each step of the Opposition.

    Args:
        given: Games of the variant "solo", records of them, or folders of these, as for ``analysis.decisions``.
        boards: As for ``analysis.decisions``.

    Raises:
        InvalidOptionError: A game of another variant, or something that holds no moves.
        RecordError: A record that cannot be read or does not replay.
    """
    rows = []
    for number, source in enumerate(read(given, boards)):
        if source.game is None:
            raise InvalidOptionError(
                f"the steps of game {number} are not known: they need moves, give games or records"
            )
        rows += [_row(number, step) for step in explain(source.game)]
    columns = {}
    for index, column in enumerate(STEP_COLUMNS):
        columns[column.name] = np.array([row[index] for row in rows], TYPES[column.type])
    return Table("opposition_steps", columns)


def _row(game: int, step: Step) -> tuple[Any, ...]:
    """Return the row of a step, in the order of STEP_COLUMNS."""
    where = (game, step.after, step.round, step.colour, step.position or 0, step.token)
    what = (step.move.partition(":")[0], step.move, step.clause, step.reason, step.useless)
    return *where, *what, " ".join(step.tie_breaks), len(step.options), step.decided_by


def actions_of(steps: Table) -> Table:
    """Return the steps that are actions of discs on the scale (S4): no set-up, tokens, bonus draws and discards."""
    clauses = np.isin(steps["clause"].astype(str), list(ACTION_CLAUSES))
    return steps.where(clauses & (steps["position"] > 0) & (steps["token"] == ""))


def clauses_by_round(steps: Table) -> Matrix:
    """Return how often each item of the priority list decided an action.

    Args:
        steps: The table of ``opposition_steps``.

    Returns:
        A row for each clause of ACTION_CLAUSES, a column for each round 1 to 7, and the mean number of actions in a
        game as values.
    """
    actions, rounds = actions_of(steps), range(1, 8)
    games = max(1, np.unique(steps["game"]).size)
    counts = [
        [np.sum((actions["clause"] == clause) & (actions["round"] == number)) / games for number in rounds]
        for clause in ACTION_CLAUSES
    ]
    return Matrix(tuple(ACTION_CLAUSES), tuple(rounds), np.array(counts, float))


def deciders(steps: Table) -> Matrix:
    """Return what settled the steps of each clause.

    Args:
        steps: The table of ``opposition_steps``, or some of its rows.

    Returns:
        A row for each clause that occurs, in the order of CLAUSE_NAMES, a column for each of DECIDERS, and numbers of
        steps as values.
    """
    clauses = [clause for clause in CLAUSE_NAMES if np.any(steps["clause"] == clause)]
    settled = np.where(steps["tie_breaks"] == "", DECIDERS[0], DECIDERS[1]).astype(object)
    settled[steps["decided_by"] == "player"] = DECIDERS[2]
    settled[steps["decided_by"] == "first"] = DECIDERS[3]
    counts = [[np.sum((steps["clause"] == clause) & (settled == by)) for by in DECIDERS] for clause in clauses]
    return Matrix(tuple(clauses), DECIDERS, np.array(counts, float).reshape(len(clauses), len(DECIDERS)))
