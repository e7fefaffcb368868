"""Endeavor with observations in JSON, and with a history of states that the visualizer shows.

An observation has the position, the legal moves, the last moves and the result as ``endeavor.text`` writes them, in
the format ``endeavor-text/1``, whose schema is ``endeavor/text/schema.json``. All seats see the same, as nothing is
hidden. The string of a state is what the last move changed in the picture of the game, which keeps a replay small.
"""
# pyright: reportMissingImports=false, reportUntypedBaseClass=false

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pyspiel
from kaggle_environments.envs.open_spiel_env import proxy

import endeavor_env.open_spiel  # noqa: F401  (registers the game)
from endeavor_env.endeavor.text import TextTable
from endeavor_env.web import step_of

NAME = "endeavor"


class EndeavorState(proxy.State):
    """A position, told in JSON."""

    def state_dict(self, player: int | None = None) -> dict[str, Any]:
        """Return the position; the same for every player."""
        told = {"current_player": int(self.current_player()), "is_terminal": self.is_terminal()}
        if self.is_chance_node():
            return told
        game = self.endeavor_game
        winners = game.winners() if game.over else None
        return {**told, "winners": winners, "scores": game.scores(), **TextTable(game).message()}

    def observation_string(self, player: int) -> str:
        """Return the position as JSON."""
        return _written(self.state_dict(player))

    def __str__(self) -> str:
        """Return what the visualizer needs of this state, as JSON."""
        told: dict[str, Any] = {"current_player": int(self.current_player()), "is_terminal": self.is_terminal()}
        return _written(told if self.is_chance_node() else {**told, "step": step_of(self.endeavor_game)})


class EndeavorGame(proxy.Game):
    """The game whose states are told in JSON."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Load the game of endeavor_env with its parameters."""
        game = pyspiel.load_game(NAME, dict(params or {}))
        super().__init__(game, short_name=f"{NAME}_proxy", long_name="Endeavor (proxy)")

    def new_initial_state(self, *args: Any) -> EndeavorState:
        """Return a new state."""
        return EndeavorState(self.__wrapped__.new_initial_state(*args), game=self)


def _written(values: dict[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":"))


pyspiel.register_game(EndeavorGame().get_type(), EndeavorGame)
