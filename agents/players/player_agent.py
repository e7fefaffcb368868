"""Agents of any game by name: its compiled players, and the search by simulations."""

from __future__ import annotations

import re
from typing import Any

from endeavor_env.agents.base import ActionValue, AgentOf
from endeavor_env.basics.inputs import fresh_seed
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.engine.game import Game, only_reads
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.rng import next_seed, seeded
from endeavor_env.engine.players import RANDOM
from endeavor_env.engine.search.trees import tree_search
from endeavor_env.errors import InvalidOptionError, shown

# --- The agent that searches any game on the engine by simulations, without a look at what its seat cannot know -------


@only_reads
class TreeAgent:
    """Plays the move that a search tries most."""

    def __init__(self, simulations: int = 400, name: str | None = None, **settings: Any) -> None:
        """Make an agent with a seed of its own until its first ``reset``.

        Args:
            simulations: How many for each decision with more than one legal action.
            name: The name in tables and records; None for "tree:sims=<simulations>".
            settings: Other arguments of ``endeavor_env.search.tree_search``.
        """
        self.name = f"tree:sims={simulations}" if name is None else name
        self._simulations, self._settings = simulations, settings
        self._guard = ThreadGuard()
        self.reset(fresh_seed())

    @guarded
    def reset(self, seed: int) -> None:
        """Seed the searches of the next game."""
        self._seeds = seeded(seed)

    @guarded
    def act(self, game: Game) -> int:
        """Return the move that a search tries most."""
        legal = game.legal_actions()
        if len(legal) == 1:
            return legal[0]
        return tree_search(game, self._simulations, int(next_seed(self._seeds)), **self._settings).best

    @guarded
    def expect(self, game: Game) -> list[ActionValue]:
        """Return the moves that a search tried, the most tried first, each with its share of the simulations."""
        legal = game.legal_actions()
        if len(legal) == 1:
            return [ActionValue(legal[0], None, 1.0)]
        found = tree_search(game, self._simulations, int(next_seed(self._seeds)), **self._settings)
        shares = found.visits / found.visits.sum()
        return [
            ActionValue(int(action), None, round(float(share), 3))
            for action, share in zip(found.actions, shares, strict=True)
        ]


# --- Agents of any game on the engine, by name: its compiled players, and the search ----------------------------------

TREE = "tree"
"""The name of the search; "tree:sims=<number>" says how many simulations it makes."""
MOST_SIMULATIONS = 100_000
"""Simulations of a search by name, which comes from pages too."""


def make_player_agent(rules: GameRules, name: str) -> AgentOf[Game]:
    """Return a fresh agent of a game.

    Args:
        rules: The game.
        name: "random", a compiled player of the game, "tree", or "tree:sims=<number>".

    Raises:
        InvalidOptionError: No such agent.
    """
    kind, colon, settings = name.partition(":")
    if kind != TREE:
        if name != RANDOM and rules.players.find(name) is None:
            raise rules.players.unknown("agent", name, f"'{TREE}:sims=<number>'")
        return rules.players.agent(name)
    word, _, number = settings.partition("=")
    simulations = int(number) if re.fullmatch("[0-9]{1,9}", number) else 0
    if colon and (word != "sims" or not 1 <= simulations <= MOST_SIMULATIONS):
        raise InvalidOptionError(
            f"agent {shown(name)} is not possible: write {TREE}:sims=400, or another number up to {MOST_SIMULATIONS:,}"
        )
    return TreeAgent(simulations) if colon else TreeAgent()
