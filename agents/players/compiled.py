"""Agents that compiled players decide for, by name."""

from __future__ import annotations

import functools
from _thread import get_ident
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from endeavor_env import Game
from endeavor_env.basics.inputs import fresh_seed
from endeavor_env.basics.thread_guard import NOBODY, ThreadGuard, guarded
from endeavor_env.endeavor.ensure import ensure_players_compiled
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.players import PLAYERS, RANDOM
from endeavor_env.endeavor.players.greedy.player import greedy_memory
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS, Weights, read_weights
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.game import only_reads
from endeavor_env.engine.kernels.players import Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.single import choose_action
from endeavor_env.engine.players import PlayerList
from endeavor_env.engine.seating import Roster

# --- Agents that compiled players of any game decide for -------------------------------------------------------------


@only_reads
class CompiledAgent:
    """Plays as a compiled player does."""

    def __init__(
        self,
        player: str,
        name: str | None = None,
        memory: Callable[[int], npt.NDArray[np.uint8]] | None = None,
        players: PlayerList = PLAYERS,
    ) -> None:
        """Make an agent with a seed of its own until its first ``reset``; the first on a machine compiles its kernels.

        Args:
            player: The name of a player in ``players``, or "random".
            name: How the agent is called; the player's name if left out.
            memory: Returns the memory of the player for games with so many action ids; None for that of its name.
            players: The players of the game that is played.

        Raises:
            InvalidOptionError: There is no such player.
        """
        if players is PLAYERS:
            ensure_players_compiled()
        self.name = player if name is None else name
        self._roster, self._memory = Roster(players), memory
        code = self._code = self._roster.code_of(player)
        self._player = None if player == RANDOM else self._roster.player(code)
        self._players: dict[int, Players] = {}
        self._masks: dict[int, npt.NDArray[np.int8]] = {}
        self._guard = ThreadGuard()
        self.reset(fresh_seed())

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the player takes in the games played so far."""
        return sum(players.memory.nbytes for players in self._players.values())

    def _seated(self, size: int) -> Players:
        """Return the player with its memory for games with so many action ids."""
        if size not in self._players:
            own = None if self._memory is None else {self._code: self._memory(size)}
            self._players[size] = self._roster.seated([self._code], size, own)
            self._masks[size] = np.zeros(size, np.int8)
        return self._players[size]

    @guarded
    def reset(self, seed: int) -> None:
        """Seed what the player draws, if it draws anything."""
        self._rng = seeded(seed)

    def act(self, game: Game | AnyGame) -> int:
        """Return the legal action that the player chooses for the seat to move.

        Raises:
            InvalidOptionError: The player does not play this variant.
            OverlappingCallsError: Another thread is inside.
        """
        guard, me, outer = self._guard, get_ident(), self._guard.caller
        if outer != NOBODY and outer != me:
            raise guard.refusal("act")
        guard.caller, guard.running = me, "act"
        try:
            if self._player is not None:
                self._player.check_plays(game.variant)
            size = game.rules.num_actions(game.variant)
            players = self._seated(size)
            return int(choose_action(self._code, players, *game.given, self._masks[size], self._rng))
        finally:
            guard.caller = outer


# --- The greedy agent ------------------------------------------------------------------------------------------------
# Plays the move after which its own turn ends in the best position, by a weighted estimate.
# The estimate is Glory "as if the game ended now" plus weighted terms for what may still come. The kernels are in
# ``endeavor.players.greedy.player``.

__all__ = ["WEIGHTS", "GreedyAgent", "Weights", "greedy_agent"]


@only_reads
class GreedyAgent(CompiledAgent):
    """Plays the best turn by a weighted estimate; chooses among equal moves at random."""

    def __init__(self, weights: Weights = WEIGHTS, name: str = "greedy") -> None:
        """Make an agent with a seed of its own until its first ``reset``; the first one compiles its kernels."""
        super().__init__("greedy", name, functools.partial(greedy_memory, weights=weights))
        self.weights = weights


def greedy_agent(settings: str | None = None) -> GreedyAgent:
    """Return a greedy agent, with other weights if settings say so.

    Args:
        settings: "weight=number,..."; "disc" is a weight of games at a table, "solo.disc" the same in the solitaire
            game, "solo.bonus_draw" one that only the solitaire game has. Weights that are left out keep their default.

    Raises:
        InvalidOptionError: An unknown weight, or a value that is no finite number.
    """
    if settings is None:
        return GreedyAgent()
    name = f"greedy:{settings}"
    return GreedyAgent(WEIGHTS.changed(read_weights(settings, name)), name)


# --- The agent that plays any legal move, each as likely as the others -----------------------------------------------


@only_reads
class RandomAgent:
    """Plays uniformly random legal moves."""

    def __init__(self, name: str = "random") -> None:
        """Make an agent with a seed of its own until its first ``reset``."""
        self.name = name
        self.reset(fresh_seed())

    def reset(self, seed: int) -> None:
        """Seed the choices of the next games."""
        self._rng = seeded(seed)

    def act(self, game: Game) -> int:
        """Return a random legal action of the seat to move."""
        mask = np.empty(num_actions(game.variant), np.int8)  # its own: threads may share the agent
        entry.legal(game.board.array, game.state, mask)
        return int(entry.choose(mask, self._rng))
