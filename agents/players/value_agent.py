"""The agent "value": it plays inside the kernels, and can say what its network makes of every move and every seat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from endeavor_env import Game
from endeavor_env.agents.base import ActionValue
from endeavor_env.agents.players.compiled import CompiledAgent
from endeavor_env.basics.thread_guard import guarded
from endeavor_env.endeavor.players.value.inputs import MARGIN_WEIGHT, MOST_MARGIN
from endeavor_env.endeavor.players.value.player import Workspace, workspace_of
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.engine.kernels.players import FIRST_ENTRY, Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.single import choose_action
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players


class ValueAgent(CompiledAgent):
    """Plays the turn whose last position a value network likes best."""

    def __init__(self, settings: str = "", player: str = "value") -> None:
        """Make an agent.

        Args:
            settings: The file of a value network; "" for those of the package. Of "advised", its settings.
            player: "value" or "advised".

        Raises:
            InvalidOptionError: An unknown setting, or a value that it cannot take.
            CheckpointError, CheckpointMismatchError: A network cannot be used.
        """
        super().__init__(f"{player}:{settings}" if settings else player)
        self._telling: dict[int, Players] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the player takes in the games played and told of so far."""
        return super().nbytes + sum(players.memory.nbytes for players in self._telling.values())

    @guarded
    def expect(self, game: Game) -> list[ActionValue]:
        """Return every legal move with the value of the best turn that begins with it, the one it likes best first.

        Raises:
            InvalidOptionError: The network does not play this variant.
        """
        workspace, legal = self._look(game), game.legal_actions()
        merits = workspace.merits if workspace.settings["policy_weight"][0] > 0 and len(legal) > 1 else workspace.values
        ranked = sorted(legal, key=lambda action: -merits[action])
        return [ActionValue(action, float(workspace.values[action]), None) for action in ranked]

    @guarded
    def expect_of_seats(self, game: Game) -> list[float]:
        """Return what the network expects for each seat: its share of the win and 0.02 for each Glory of lead.

        The network is at its best after a seat's own turn, so the game is played on with the best turn of every seat,
        and the value for a seat is that of its next turn. Of a game that ends before that, the result counts.

        Args:
            game: A game that is not over; it stays as it is.

        Raises:
            InvalidOptionError: The network does not play this variant.
        """
        played, values = game.clone(), [np.nan] * game.num_players
        while np.isnan(values).any() and not played.over:
            workspace, seat = self._look(played), played.seat
            if np.isnan(values[seat]):
                values[seat] = float(workspace.settings["value"][0])
            for action in workspace.settings["plan"][0, : int(workspace.settings["plan_length"][0])]:
                played.apply(int(action))
        scores = played.scores()
        return [_outcome(scores, seat) if np.isnan(value) else value for seat, value in enumerate(values)]

    def _look(self, game: Game) -> Workspace:
        """Return the memory of the player after it has valued all legal moves of a game and forgotten its plans."""
        player = self._player
        if player is None:
            raise AssertionError("the value player is a compiled player")
        player.check_plays(game.variant)
        size = num_actions(game.variant)
        telling = self._telling.get(size)
        if telling is None:
            memory = player.memory(size)
            workspace_of(memory).settings["values_all"] = True  # also where one move is legal
            telling = join_players({FIRST_ENTRY: entry_address(player.entry)}, {FIRST_ENTRY: memory})
            self._telling[size] = telling
        workspace = workspace_of(telling.memory)
        workspace.settings["plan_length"] = 0
        mask = np.zeros(size, np.int8)
        choose_action(FIRST_ENTRY, telling, *game.given, mask, seeded(0))
        return workspace


def advised_agent(settings: str = "") -> ValueAgent:
    """Return an agent that plays as ``ValueAgent`` does, and lets a policy network advise it."""
    return ValueAgent(settings, "advised")


def _outcome(scores: Sequence[int], seat: int) -> float:
    """Return what the end of a game at a table is worth to a seat, as ``endeavor.players.value.inputs`` says."""
    own, best = scores[seat], max(score for other, score in enumerate(scores) if other != seat)
    share = 1.0 / scores.count(own) if own >= best else 0.0
    return share + MARGIN_WEIGHT * min(MOST_MARGIN, max(-MOST_MARGIN, own - best))
