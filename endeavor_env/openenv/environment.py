"""One seat of a game as an environment of OpenEnv; agents of this package play the others."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

import threading
import weakref
from dataclasses import fields
from typing import Any
from uuid import uuid4

from endeavor_env.basics.inputs import check_names
from endeavor_env.basics.version import VERSION
from endeavor_env.endeavor.rewards import SOLO
from endeavor_env.endeavor.text import TextOptions, primer
from endeavor_env.endeavor.text.among_agents import MOST_BYTES, USUAL, AgentTable, config_by_name
from endeavor_env.errors import InvalidOptionError
from endeavor_env.openenv.models import EndeavorAction, EndeavorObservation, EndeavorState

from openenv.core.env_server.interfaces import Environment  # isort: skip
from openenv.core.env_server.types import EnvironmentMetadata  # isort: skip

TOLD = tuple(one.name for one in fields(TextOptions) if not one.name.startswith("illegal_"))
"""The options of a reset that say what the player is told, and what a finished game pays."""


_tables: weakref.WeakSet[AgentTable] = weakref.WeakSet()
"""The tables of all sessions of this process."""
_one_at_a_time = threading.Lock()


def _with_room(table: AgentTable) -> AgentTable:
    """Return a table after counting its agents; raise InvalidOptionError if those of other sessions leave no room."""
    with _one_at_a_time:
        taken = sum(other.nbytes for other in _tables)
        if taken + table.nbytes > MOST_BYTES:
            raise InvalidOptionError(
                f"these agents take {table.nbytes / 1e6:,.0f} MB of memory, and other sessions have taken "
                f"{taken / 1e6:,.0f} of {MOST_BYTES / 1e6:,.0f}: close some, or name other opponents"
            )
        _tables.add(table)
    return table


class EndeavorEnvironment(Environment[EndeavorAction, EndeavorObservation, EndeavorState]):
    """A game after a reset, whose steps are answers in words; rewards lie between -1 and 1, and are 0 before the end.

    Attributes:
        table: The table, from the first reset on.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    table: AgentTable | None

    def __init__(self) -> None:
        """Begin no game yet."""
        super().__init__()
        self.table = None
        self._episode, self._steps = "", 0

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        game: str = "standard",
        seat: int = 0,
        opponents: str | list[str] = USUAL,
        **told: Any,
    ) -> EndeavorObservation:
        """Begin a game and return its first decision of the player.

        Args:
            seed: Draws the set-up and begins the agents' random choices; None takes another each time.
            episode_id: What the state calls the episode.
            game: What is played, as ``GameConfig.parse`` reads it: "solo", "standard:players=3".
            seat: The player's seat.
            opponents: The agent of the other seats, or one for each in playing order.
            told: Any of ``TOLD``, as in ``TextOptions``; the reward is "win", and "margin" in the solitaire game.

        Raises:
            EndeavorError: A value that is not possible.
        """
        if not told.keys() <= set(TOLD):
            check_names("reset", told, ("seed", "episode_id", "game", "seat", "opponents", *TOLD))
        config = config_by_name(game)
        options = TextOptions(**{"reward": "margin" if config.variant == SOLO else "win", **told, "primer": False})
        rules = told.get("primer", True)
        self.table = None  # whose agents make room
        self.table = _with_room(AgentTable(config.new_game(seed), seat, opponents, options))
        self._episode, self._steps = episode_id or str(uuid4()), 0
        return self._observation(rules=primer(self.table.game.config) if rules else "", reward=None)

    def step(self, action: EndeavorAction, timeout_s: float | None = None, **ignored: Any) -> EndeavorObservation:
        """Read an answer and return the player's next decision, which is the same one after an answer without a move.

        Raises:
            EndeavorError: There is no game, or it is over.
        """
        table = self._begun()
        reply = table.answer(action.answer)
        self._steps += 1
        rewards = table.rewards()
        reward = 0.0 if rewards is None else float(rewards[table.seat])
        return self._observation(refused=reply.message, retries_left=reply.retries_left, reward=reward)

    @property
    def state(self) -> EndeavorState:
        """The episode; without a game before the first reset."""
        if self.table is None:
            return EndeavorState()
        table = self.table
        return EndeavorState(
            episode_id=self._episode,
            step_count=self._steps,
            game=str(table.game.config),
            seat=table.seat,
            opponents=table.names,
            refused=table.refused[table.seat],
            forfeited=table.forfeited is not None,
            record=table.game.record(),
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """Return what the server says of itself."""
        return EnvironmentMetadata(
            name="endeavor",
            description="The board game Endeavor in words: one seat answers, agents play the others.",
            version=VERSION,
        )

    def render_web(self, observation: dict[str, Any]) -> str | None:
        """Return the picture of the position for OpenEnv's web page."""
        return None if self.table is None else self.table.game.svg()

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """Return the legal moves for OpenEnv's web page."""
        if self.table is None or self.table.over:
            return []
        return [(move, {"answer": f"[{move}]"}) for move in self.table.game.legal_moves()]

    def _begun(self) -> AgentTable:
        if self.table is None:
            raise InvalidOptionError("a step is not possible: no game is begun, reset first")
        return self.table

    def _observation(self, **given: Any) -> EndeavorObservation:
        table = self._begun()
        message = table.message()
        return EndeavorObservation(
            **{"retries_left": table.options.retries, **given},
            prompt="" if table.over else table.prompt(),
            seat=table.seat,
            legal_moves=message["legal_moves"],
            news=[dict(event) for event in table.news()],
            result=None if message["result"] is None else dict(message["result"]),
            done=table.over,
        )
