"""RailsTable: the table of environments of any game on the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import InvalidRenderModeError
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.engine.game import RailsGame
from endeavor_env.engine.game_rules import AnyConfig, GameRules, copied, rows_of
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.envs.display import show_rails_game
from endeavor_env.envs.settings import EnvSettings
from endeavor_env.envs.table import Mask, Table

_NEW_VECTOR = {"features": single.new_features, "compact": single.new_compact}


class _Observer(NamedTuple):
    """Makes observations of a game."""

    config: AnyConfig
    observation: str

    def __call__(self, boards: Any, states: Any, seat: int, size: int) -> npt.NDArray[Any]:
        """Return the observation of ``seat``."""
        new: Any = _NEW_VECTOR[self.observation]
        vector: npt.NDArray[Any] = new(self.config.rules.addresses, boards, states, seat, size)
        return vector


def _int8_copy(mask: Mask, size: int) -> Mask:
    return mask.copy()


def _bool_copy(mask: Mask, size: int) -> Mask:
    return mask.astype(np.bool_)


class RailsTable(Table):
    """A game of any rules. What chance decides stands in the log between the moves of seats, and counts as none."""

    def __init__(self, settings: EnvSettings, waiting: int = 0) -> None:
        """Prepare the arrays; arguments are those of ``Table``."""
        rules = settings.config.rules
        if settings.render_mode in ("human", "rgb_array") and not rules.faces.has_pictures:
            raise InvalidRenderModeError(
                f"render_mode {settings.render_mode!r} is not possible: {rules.faces.title} has no pictures; "
                "give 'ansi'"
            )
        self._new_vector = _Observer(settings.config, settings.observation)
        self._new_mask = _int8_copy if settings.mask_dtype == "int8" else _bool_copy
        self._chance_before = np.zeros(1, np.uint64)  # the generator of chance when the last step began
        super().__init__(settings, waiting)

    @property
    def _rules(self) -> GameRules:
        return self._config.rules  # which is not kept: copies for other processes are made of the config

    def _bind_game(self, game: BaseGame) -> None:
        self._boards, self._states = rows_of(self._config.board_array), rows_of(game.state)
        self._chance = cast(RailsGame, game).chance

    def _read_mask(self) -> int:
        single.write_mask(self._rules.addresses, self._boards, self._states, self.mask)
        return cast(BaseGame, self._game).seat

    # --- starting ----------------------------------------------------------------------------------------------------
    def new_game(self, seed: int, setup: Mapping[str, Any] | None = None) -> BaseGame:
        """Return a new game: from ``setup`` if given, else drawn from ``seed``, which draws what chance decides, too.

        Raises:
            InvalidSetupError: ``setup`` does not fit.
        """
        game = self._config.new_game(seed, setup)
        if setup is not None:
            game.seed = None  # it is that of the set-up
        return game

    def start(self, game: BaseGame) -> None:
        """Take a new game in place of the one in play; the environment sets ``sound`` at the end of its reset."""
        self._drawn_before = len(game.history)  # what chance drew before the first decision
        super().start(game)

    # --- playing -----------------------------------------------------------------------------------------------------
    def begin_step(self) -> None:
        """Begin a step of the environment; until it sets ``sound``, ``undo_step`` undoes it."""
        self._chance_before[:] = self._chance
        super().begin_step()

    def apply(self, action: int) -> None:
        """Make a move and draw what chance decides after it; ``mask[action]`` must be 1."""
        self._log.append((self.seat, action))
        self._moves += 1
        given = (self._rules.addresses, self._boards, self._states)
        seat: int = single.advance(*given, action, self.mask)
        if seat == CHANCE:
            cast(RailsGame, self._game).draw()
            seat = self._read_mask()
        self._set_seat(seat)

    def play_compiled(self, code: int, rng: npt.NDArray[np.uint64]) -> None:
        """Make the move that the compiled player of a code of ``seat_compiled`` chooses."""
        players = self._compiled.seat_alone(frozenset((code,)))
        self.apply(int(single.choose_compiled(code, players, self._boards, self._states, self.mask, rng)))

    def play_random(self, rng: npt.NDArray[np.uint64]) -> None:
        """Make one uniformly random legal move."""
        self.apply(int(single.choose(self.mask, rng)))

    def undo_step(self) -> None:
        """Go back to the position in which the step in progress began; the environment then sets ``sound``."""
        self._log[self._unfinished :] = []
        game, moves = copied(self._opening), 0
        given = (self._rules.addresses, self._boards, rows_of(game))
        mask = np.empty_like(self.mask)
        for seat, action in self._log[self._drawn_before :]:
            single.advance(*given, action, mask)
            moves += seat != CHANCE
        cast(BaseGame, self._game).state[:] = game
        self._chance[:] = self._chance_before
        self._moves, self.truncated = moves, False
        self._read_position()

    def show(self, render_mode: str | None, since: int | None = None) -> Any:
        """Show the game as the render mode says (``display.show_rails_game``)."""
        return show_rails_game(cast(RailsGame, self.game), render_mode, since)
