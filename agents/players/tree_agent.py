"""The agent that searches any game on the rails by simulations, without a look at what its seat cannot know."""

from __future__ import annotations

from typing import Any

from endeavor_env.agents.noting import Expectation
from endeavor_env.basics.inputs import fresh_seed
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.engine.base_game import only_reads
from endeavor_env.engine.game import RailsGame
from endeavor_env.engine.kernels.rng import next_seed, seeded
from endeavor_env.search.trees import tree_search


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
    def act(self, game: RailsGame) -> int:
        """Return the move that a search tries most."""
        legal = game.legal_actions()
        if len(legal) == 1:
            return legal[0]
        return tree_search(game, self._simulations, int(next_seed(self._seeds)), **self._settings).best

    @guarded
    def expect(self, game: RailsGame) -> list[Expectation]:
        """Return the moves that a search tried, the most tried first, each with its share of the simulations."""
        legal = game.legal_actions()
        if len(legal) == 1:
            return [Expectation(legal[0], None, 1.0)]
        found = tree_search(game, self._simulations, int(next_seed(self._seeds)), **self._settings)
        shares = found.visits / found.visits.sum()
        return [
            Expectation(int(action), None, round(float(share), 3))
            for action, share in zip(found.actions, shares, strict=True)
        ]
