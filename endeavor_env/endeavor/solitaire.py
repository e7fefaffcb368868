"""Entries of ``info`` for a solitaire game that has ended (S8)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor import results
from endeavor_env.endeavor.interface.rules_entries import HAS_LEVEL_5
from endeavor_env.endeavor.ladder import ladder_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.game_rules import SolitaireInfos


class AgainstOpposition(SolitaireInfos):
    """The lead over the Opposition, the place on the ladder and, of single games, both breakdowns (S8)."""

    texts = ("ladder",)

    def of_game(self, game: Any) -> dict[str, Any]:
        """Return ``margin``, ``ladder``, ``rung``, ``panache``, ``breakdown`` and ``opposition_breakdown``."""
        own, other = game.scores()
        found = results.ladder(game.board, game.state)
        return {
            "margin": own - other,
            "ladder": found.name,
            "rung": found.rung,
            "panache": found.panache,
            "breakdown": results.breakdown(game.board, game.state, 0),
            "opposition_breakdown": results.breakdown(game.board, game.state, c.OPPOSITION),
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
