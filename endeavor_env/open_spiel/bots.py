"""The agents of this package as bots of OpenSpiel."""
# pyright: reportMissingImports=false

from __future__ import annotations

from typing import Any

from endeavor_env.basics.inputs import check_seed, derived_seed, fresh_seed
from endeavor_env.endeavor.players import agent_named
from endeavor_env.engine.game import game_for
from endeavor_env.open_spiel.game import EndeavorState, pyspiel


def bot(name: str, seed: int | None = None) -> EndeavorBot:
    """Return a bot that plays as the agent of a name does, such as "greedy", "value" or "search:ms=50".

    Args:
        name: The name.
        seed: As for ``EndeavorBot``.

    Raises:
        InvalidOptionError: No such agent, settings it does not have, or a seed that is not possible.
        CheckpointError: The file of a network cannot be used.
    """
    return EndeavorBot(agent_named(name), seed)


class EndeavorBot(pyspiel.Bot):
    """Any agent with ``reset(seed)`` and ``act(game)`` as a bot; it plays whatever seat is to move."""

    def __init__(self, agent: Any, seed: int | None = None) -> None:
        """Play as ``agent``.

        Args:
            agent: The agent.
            seed: Of its random choices, which differ from game to game and from seat to seat, so that one seed does for
                all bots of a table; None draws one.

        Raises:
            InvalidOptionError: A seed that is not possible.
        """
        super().__init__()
        checked = check_seed(seed)
        self._agent, self._seed = agent, fresh_seed() if checked is None else checked
        self._games = 0
        self.restart()

    def restart(self) -> None:
        """Forget the last game; the next one gets another seed."""
        self._games += 1
        self._begun = False

    def restart_at(self, state: EndeavorState) -> None:
        """Forget the last game, to go on from ``state``."""
        self.restart()

    def step(self, state: EndeavorState) -> int:
        """Return the agent's action."""
        if not self._begun:
            self._agent.reset(derived_seed(self._seed, self._games, state.current_player()))
            self._begun = True
        return int(self._agent.act(game_for(self._agent, state.endeavor_game)))

    def inform_action(self, state: EndeavorState, player: int, action: int) -> None:
        """Do nothing: the game holds all that happened."""

    def provides_policy(self) -> bool:
        """Return False: agents choose, and say no probabilities."""
        return False
