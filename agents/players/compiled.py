"""Agents that compiled players decide for: any name of ``endeavor_env.players``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from endeavor_env import Game
from endeavor_env.basics.inputs import fresh_seed
from endeavor_env.compile.ensure import ensure_players_compiled
from endeavor_env.core.actions import RULESETS, num_actions
from endeavor_env.core.policies.choose import choose_action
from endeavor_env.players import RANDOM
from endeavor_env.players.seating import Roster
from endeavor_env.rails.kernels.rng import seeded


class CompiledAgent:
    """Plays as a compiled player does."""

    only_reads = True

    def __init__(
        self, player: str, name: str | None = None, memory: Callable[[int], npt.NDArray[np.uint8]] | None = None
    ) -> None:
        """Make an agent with a seed of its own until its first ``reset``; the first on a machine compiles its kernels.

        Args:
            player: A name of ``endeavor_env.players``.
            name: How the agent is called; the player's name if left out.
            memory: Returns the memory of the player for games with so many action ids; None for that of its name.
        """
        ensure_players_compiled()
        self.name = player if name is None else name
        roster = Roster()
        code = self._code = roster.code_of(player)
        self._player = None if player == RANDOM else roster.player(code)
        sizes = {ruleset.num_actions for ruleset in RULESETS.values()}
        self._masks = {size: np.zeros(size, np.int8) for size in sizes}
        self._players = {
            size: roster.seated([code], size, None if memory is None else {code: memory(size)}) for size in sizes
        }
        self.reset(fresh_seed())

    def reset(self, seed: int) -> None:
        """Seed what the player draws, if it draws anything."""
        self._rng = seeded(seed)

    def act(self, game: Game) -> int:
        """Return the legal action that the player chooses for the seat to move.

        Raises:
            InvalidOptionError: The player does not play this variant.
        """
        if self._player is not None:
            self._player.check_plays(game.variant)
        size = num_actions(game.variant)
        boards, mask, players = game.board.array, self._masks[size], self._players[size]
        return int(choose_action(self._code, players, boards, game.state, mask, self._rng))
