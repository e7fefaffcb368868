"""The game and its agents, as TextArena has environments and agents."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from endeavor_env.basics.inputs import check_names, check_seed, derived_seed, fresh_seed
from endeavor_env.endeavor.game import BoardGiven, Game
from endeavor_env.endeavor.players import agent_named
from endeavor_env.endeavor.rewards import SOLO
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.text import TextOptions, TextTable, primer
from endeavor_env.engine.game import game_for
from endeavor_env.errors import InvalidOptionError, shown

try:
    import textarena as ta
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"endeavor_env.textarena needs {missing.name}: install it with pip install textarena", name=missing.name
    ) from missing

IDS = {
    "Endeavor-v0" if variant == c.VARIANT_NAMES[0] else f"Endeavor-v0-{variant}": variant for variant in c.VARIANT_NAMES
}
"""The variant of each id."""
_TOLD = tuple(one.name for one in fields(TextOptions))
_PROMPT, _BOARD = ta.ObservationType.PROMPT, ta.ObservationType.GAME_BOARD
_ANSWER, _MOVE = ta.ObservationType.PLAYER_ACTION, ta.ObservationType.GAME_ACTION_DESCRIPTION


class EndeavorEnv(ta.Env):
    """A game whose seats are TextArena's players.

    Attributes:
        table: The table in words, from the first ``reset`` on; ``table.game`` is the game.
    """

    table: TextTable

    def __init__(
        self,
        variant: str = c.VARIANT_NAMES[0],
        *,
        board: BoardGiven = None,
        exploits: Sequence[str] | str | None = None,
        options: Mapping[str, Any] | None = None,
        **text: Any,
    ) -> None:
        """Say what is played, as in ``Game.new``, and what players are told, as in ``TextOptions``.

        The default reward is "rank", from 1 for the first to -1 for the last, and "margin" in the solitaire game.

        Raises:
            InvalidOptionError: A value that is not possible.
        """
        check_names("EndeavorEnv", text, ("variant", "board", "exploits", "options", *_TOLD))
        self._played = {"variant": variant, "board": board, "exploits": exploits, "options": options}
        told = TextOptions(**{"reward": "margin" if variant == SOLO else "rank", **text})
        if told.illegal_action != "terminate":
            raise InvalidOptionError(
                f"illegal_action={shown(told.illegal_action)} is not possible: TextArena ends games"
            )
        self._with_primer = told.primer
        self._options = replace(told, primer=False)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game; None draws another set-up each time.

        Raises:
            InvalidOptionError: A number of players or a seed that is not possible.
        """
        self.table = TextTable(Game.new(num_players, seed=seed, **self._played), self._options)
        self.state = ta.FFAMultiPlayerState(num_players, seed, error_allowance=self._options.retries)
        self.state.reset(game_state={"table": self.table}, player_prompt_function=self._prompt)
        self._go_on()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Read the answer of the player to move; return whether the game is over, and TextArena's info.

        Raises:
            GameOverError: The game is over.
        """
        state, seat = self.state, self.state.current_player_id
        state.add_observation(action, _ANSWER, from_id=seat, to_id=seat)
        reply = self.table.answer(action)
        if reply.move is None:
            state.set_invalid_move(reply.message)
        else:
            state.add_observation(f"Player {seat}: {reply.move}", _MOVE)
        rewards = self.table.rewards()
        if rewards is not None:
            state.set_game_outcome(rewards, self._reason(seat, reply.message))
        done, info = state.step(rotate_player=False)
        if reply.move is not None and not done:
            self._go_on()
        return done, info

    def get_board_str(self) -> str:
        """Return the text board, which TextArena's renderer shows."""
        return str(self.table.game)

    def _go_on(self) -> None:
        """Show the position to whose decision it is."""
        seat = self.table.game.seat
        self.state.manually_set_current_player_id(seat)
        self.state.add_observation(self.table.prompt(), _BOARD, to_id=seat)

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        rules = f"{primer(self.table.game.config)}\n\n" if self._with_primer else ""
        return f"{rules}You are Player {player_id}, in seat {player_id}."

    def _reason(self, seat: int, refused: str) -> str:
        """Return why the game ended."""
        if refused:
            return f"Invalid Move of Player {seat}: {refused}"
        scores = ", ".join(map(str, self.table.game.scores()))
        return f"Final scores: {scores}"


class EndeavorAgent(ta.Agent):
    """An agent of this package as one of TextArena's: it looks at the game and not at the observation."""

    def __init__(self, env: Any, name: str, seed: int | None = None) -> None:
        """Play in ``env`` as the agent of a name does.

        Args:
            env: The environment.
            name: The name, such as "greedy".
            seed: Of its random choices, which differ from game to game and from seat to seat, so that one seed does for
                all agents of a table; None draws one.

        Raises:
            InvalidOptionError: No such agent, settings it does not have, or a seed that is not possible.
            CheckpointError: The file of a network cannot be used.
        """
        checked = check_seed(seed)
        self._env, self._agent = env, agent_named(name)
        self._seed = fresh_seed() if checked is None else checked
        self._games = 0
        self._table: TextTable | None = None

    def __call__(self, observation: str) -> str:
        """Return the agent's move in brackets."""
        table: TextTable = self._env.table
        if table is not self._table:
            self._table = table
            self._games += 1
            self._agent.reset(derived_seed(self._seed, self._games, table.game.seat))
        return f"[{table.game.describe(int(self._agent.act(game_for(self._agent, table.game))))}]"


def register() -> None:
    """Make the games known to TextArena; once more does nothing.

    An id alone shows a player all messages and the last position, ``-train`` what TextArena shows for board games,
    where neither answers nor refusals stand, and ``-raw`` a list of messages.
    """
    shown = {
        "default": [ta.wrappers.SettlersOfCatanObservationWrapper],
        "-train": [ta.wrappers.GameMessagesAndCurrentBoardObservationWrapper],
    }
    for name, variant in IDS.items():
        if name not in ENV_REGISTRY:
            register_with_versions(name, EndeavorEnv, shown, variant=variant)
