"""Scores, winners and the ladder of a position; before the end, as if the game ended now (R12, S8)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.flow.dispatch import HAS_LEVEL_5
from endeavor_env.endeavor.flow.scoring import NUM_PARTS, PARTS
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observe.layouts import LEAST_LEADS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.game_rules import SolitaireInfos

# --- The ladder of results of a solitaire game, from defeat to total victory (S8.3, S8.4) ----------------------------

RUNG_NAMES = ("defeat", "minor victory", "victory", "major victory", "complete victory", "total victory")
TOP_RUNG = len(RUNG_NAMES) - 1


class Ladder(NamedTuple):
    """The result of a solitaire game."""

    name: str
    """One of RUNG_NAMES."""
    rung: int
    """0 for defeat up to 5 for total victory."""
    panache: bool
    """True for a victory with a level-5 building (S8.4)."""


def rung_of(lead: int) -> int:
    """Return the rung, 0..5, for a ``lead``: the player's Glory less the Opposition's (S8.3)."""
    return sum(lead >= least for least in LEAST_LEADS)


def ladder_of(lead: int, level_5: bool) -> Ladder:
    """Return the result for a ``lead``; ``level_5`` says whether the player has a building of level 5 (S8.4)."""
    rung = rung_of(lead)
    return Ladder(RUNG_NAMES[rung], rung, rung > 0 and level_5)


# --- Scores, winners and the ladder of a position; before the end, as if the game ended now (R12, S8) ----------------

OPPOSITION_NAME = "opposition"
"""Name of the second score of a solitaire game, which belongs to no seat."""
_COLUMNS = {  # columns of the breakdown that a variant has, by source of Glory
    variant: {part.key: column for column, part in enumerate(PARTS) if variant in part.variants}
    for variant in c.VARIANT_NAMES
}
States = npt.NDArray[np.void]
"""(1,) STATE."""


def is_solo(states: States) -> bool:
    """Return whether the game is of variant ``solo``."""
    return bool(states["variant"][0] == c.VARIANT_SOLO)


def scorers(states: States) -> list[int | str]:
    """Return whose scores there are, in their order: every seat; in ``solo`` seat 0 and the Opposition."""
    return [0, OPPOSITION_NAME] if is_solo(states) else list(range(int(states["num_seats"][0])))


def breakdowns(board: Board, states: States) -> npt.NDArray[np.int16]:
    """Return the Glory of each of ``scorers`` by source, (number of scores, NUM_PARTS), in the order of PARTS."""
    out = np.empty((c.MAX_SEATS, NUM_PARTS), np.int16)
    entry.scores(board.array, states, out)
    return out[: len(scorers(states))]


def breakdown(board: Board, states: States, row: int) -> dict[str, int]:
    """Return the Glory of scorer ``row`` by source, with the keys that its variant has (notation, section 4)."""
    glory = breakdowns(board, states)[row].tolist()
    columns = _COLUMNS[c.VARIANT_NAMES[states["variant"][0]]]
    return {key: glory[column] for key, column in columns.items()}


def scores(board: Board, states: States) -> list[int]:
    """Return the total Glory of each of ``scorers`` (R12, S8.1, S8.2)."""
    return breakdowns(board, states).sum(axis=1, dtype=np.int64).tolist()


def winners(board: Board, states: States) -> list[int]:
    """Return the seats with the highest total (R12.10); in ``solo`` seat 0 for any victory, no seat for a defeat."""
    totals = scores(board, states)
    if is_solo(states):
        return [0] if totals[0] >= totals[c.OPPOSITION] else []  # S8.3
    return [seat for seat, total in enumerate(totals) if total == max(totals)]


def ladder(board: Board, states: States) -> Ladder:
    """Return the result of a solitaire position (S8.3, S8.4)."""
    own, other = scores(board, states)
    levels: npt.NDArray[Any] = board.array["building_level"][0]
    return ladder_of(own - other, bool(states["buildings"][0, 0, levels == c.GRID_LEVELS].any()))


# --- Entries of ``info`` for a solitaire game that has ended (S8) ----------------------------------------------------


class AgainstOpposition(SolitaireInfos):
    """The lead over the Opposition, the place on the ladder and, of single games, both breakdowns (S8)."""

    texts = ("ladder",)

    def of_game(self, game: Any) -> dict[str, Any]:
        """Return ``margin``, ``ladder``, ``rung``, ``panache``, ``breakdown`` and ``opposition_breakdown``."""
        own, other = game.scores()
        found = ladder(game.board, game.state)
        return {
            "margin": own - other,
            "ladder": found.name,
            "rung": found.rung,
            "panache": found.panache,
            "breakdown": breakdown(game.board, game.state, 0),
            "opposition_breakdown": breakdown(game.board, game.state, c.OPPOSITION),
        }

    def of_games(self, scores: npt.NDArray[np.int64], notes: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[Any]]:
        """Return ``margin``, ``ladder``, ``rung`` and ``panache``."""
        margins = scores[:, 0] - scores[:, c.OPPOSITION]
        level_5 = notes & HAS_LEVEL_5 != 0
        found = [ladder_of(margin, top) for margin, top in zip(margins.tolist(), level_5.tolist(), strict=True)]
        return {
            "margin": margins,
            "ladder": np.array([result.name for result in found], object),
            "rung": np.array([result.rung for result in found], np.int64),
            "panache": np.array([result.panache for result in found], bool),
        }
