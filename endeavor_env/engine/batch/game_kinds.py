"""The kinds of game that are played side by side, and as kernels take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import one_of
from endeavor_env.engine.batch.seats import cumulative_shares
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.tables import KIND
from endeavor_env.errors import InvalidOptionError
from endeavor_env.kernels.loading.once import ensure_parts

GAME_CHOICES = ("row", "draw")
MAX_KINDS = 1 << 15


class Kinds:
    """All kinds of game of one environment.

    Attributes:
        games: (K,) what is played in each kind.
        weights: (K,): how often games of each kind are drawn, in proportion to the others.
        drawn: Whether each game draws its kind; otherwise row i has kind i modulo their number.
        layout_variant: The variant whose masks and observations every row has: the one with most action ids.
        variants: The variants of all kinds, each once.
        variant: The variant of all kinds, None if they differ.
        least: Fewest seats of a kind.
        most: Most seats of a kind.
        scores: Most scores of a kind.
    """

    def __init__(
        self, games: Sequence[GameConfig], choice: Any = "row", weights: Sequence[float] | None = None
    ) -> None:
        """Take at least one kind, one of GAME_CHOICES, and checked weights; refuse another choice.

        Without ``weights`` all kinds are drawn equally often.
        """
        self.games = tuple(games)
        self.weights = (1.0,) * len(self.games) if weights is None else tuple(weights)
        drawn = one_of("game_choice", choice, GAME_CHOICES) == "draw"
        if len(games) >= MAX_KINDS:
            raise InvalidOptionError(f"{len(games)} kinds of game are too many: give fewer than {MAX_KINDS}")
        self.drawn = drawn and len(games) > 1
        variants = [game.variant for game in games]
        if (fault := self.rules.mixing_fault(variants)) is not None:
            raise InvalidOptionError(fault)
        self.layout_variant = max(variants, key=self.rules.num_actions)
        self.variants = tuple(dict.fromkeys(variants))
        self.variant = variants[0] if len(self.variants) == 1 else None
        self.least, self.most = min(game.players for game in games), max(game.players for game in games)
        self.scores = max(game.num_scores for game in games)

    @property
    def rules(self) -> GameRules:
        """The game of all kinds."""
        return self.games[0].rules

    def boards(self) -> list[npt.NDArray[np.void]]:
        """Return each board once, (1,) of the game's boards."""
        return list({id(game.board_array): game.board_array for game in self.games}.values())

    def array(self) -> npt.NDArray[np.void]:
        """Return (K,) KIND, in which ``board`` is an index into ``boards()``."""
        ensure_parts(*self.rules.needs(self.variants))
        boards, kinds = [id(board) for board in self.boards()], np.zeros(len(self.games), KIND)
        for row, game in zip(kinds, self.games, strict=True):
            row["players"], row["variant"], row["board"] = game.players, game.code, boards.index(id(game.board_array))
            options = game.option_array()
            row["options"][: options.size] = options
        kinds["until"] = cumulative_shares(self.weights)
        return kinds
