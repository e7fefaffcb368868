"""The agents of this package as bots of OpenSpiel."""
# pyright: reportMissingImports=false

from __future__ import annotations

from typing import Any

from endeavor_env.open_spiel.game import EndeavorState, pyspiel
from endeavor_env.players.named import agent_named
from endeavor_env.rails.base_game import game_for


def bot(name: str, seed: int = 0) -> EndeavorBot:
    """Return a bot that plays as the agent of a name does, such as "greedy", "value" or "search:ms=50".

    Raises:
        InvalidOptionError: No such agent, or settings it does not have.
        CheckpointError: The file of a network cannot be used.
    """
    return EndeavorBot(agent_named(name), seed)


class EndeavorBot(pyspiel.Bot):
    """Any agent with ``reset(seed)`` and ``act(game)`` as a bot; it plays whatever seat is to move."""

    def __init__(self, agent: Any, seed: int = 0) -> None:
        """Play as ``agent``, whose random choices begin with ``seed``."""
        super().__init__()
        self._agent, self._seed = agent, seed
        self.restart()

    def restart(self) -> None:
        """Forget the last game; the next one gets another seed."""
        self._agent.reset(self._seed)
        self._seed += 1

    def restart_at(self, state: EndeavorState) -> None:
        """Forget the last game, to go on from ``state``."""
        self.restart()

    def step(self, state: EndeavorState) -> int:
        """Return the agent's action."""
        return int(self._agent.act(game_for(self._agent, state.endeavor_game)))

    def inform_action(self, state: EndeavorState, player: int, action: int) -> None:
        """Do nothing: the game holds all that happened."""

    def provides_policy(self) -> bool:
        """Return False: agents choose, and say no probabilities."""
        return False
