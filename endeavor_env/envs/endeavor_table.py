"""EndeavorTable: the table of Endeavor's environments, at the speed of the kernels that know the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import seat_number
from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.ensure import ensure_players_compiled
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.options import RANDOM, exploits_of
from endeavor_env.endeavor.results import OPPOSITION_NAME
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, setup_to_dict
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.engine.game_rules import copied, rows_of
from endeavor_env.engine.kernels import single
from endeavor_env.envs.display import show
from endeavor_env.envs.settings import EnvSettings
from endeavor_env.envs.table import Table

_NEW_VECTOR = {"features": entry.new_features, "compact": entry.new_compact}
_NEW_MASK = {"int8": entry.new_mask, "bool": entry.new_bool_mask}


class EndeavorTable(Table):
    """A game of Endeavor.

    The log may also hold (0, generator, moves) for a compiled loop of random moves; ``game`` replaces these entries.

    Attributes:
        board: The board played on.
    """

    setup_options = ("setup", "first_player")

    def __init__(self, settings: EnvSettings, waiting: int = 0) -> None:
        """Prepare the arrays; arguments are those of ``Table``."""
        assert isinstance(settings.config, GameConfig)
        self.board = settings.config.board
        self._loops = False  # whether there are entries of compiled loops
        self._totals = np.zeros(c.MAX_SEATS, np.int16)
        self._new_vector = _NEW_VECTOR[settings.observation]
        self._new_mask = _NEW_MASK[settings.mask_dtype]
        super().__init__(settings, waiting)
        self.texts = ("ladder",) if self.variant == SOLO else ()

    # --- starting ----------------------------------------------------------------------------------------------------
    def new_game(self, seed: int, setup: Mapping[str, Any] | None = None, first_player: int | None = None) -> Game:
        """Return a new game: from ``setup`` if given, else drawn from ``seed``, with ``first_player`` if given.

        Raises:
            InvalidSetupError: ``setup`` does not fit.
        """
        config = cast(GameConfig, self._config)
        if first_player is not None:
            drawn = config.draw_setup(seed)
            drawn["first_player"] = first_player
            setup = setup_to_dict(self.board, self.variant, drawn)
            if config.exploits == RANDOM:  # a set-up does not hold them
                config = replace(config, exploits=exploits_of(int(drawn["exploits"][0])))
        return config.new_game(seed if setup is None else None, setup)

    def checked(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return arguments of ``new_game`` with the seat of the first player checked."""
        if "first_player" in given:
            return {**given, "first_player": seat_number("first_player", given["first_player"], self.players)}
        return given

    def start(self, game: BaseGame) -> None:
        """Take a new game in place of the one in play; the environment sets ``sound`` at the end of its reset."""
        self._loops = False
        super().start(game)

    @property
    def game(self) -> BaseGame:
        """The game in play itself, with all its moves in ``history``; raises ResetNeededError if none was started."""
        if self._game is not None and self._loops:
            self._expand_loops()
        return super().game

    def _bind_game(self, game: BaseGame) -> None:
        self._boards, self._states = self.board.array, game.state
        self._rows = rows_of(self._boards), rows_of(self._states)

    def _read_mask(self) -> int:
        entry.legal(self._boards, self._states, self.mask)
        return entry.seat(self._states)

    # --- playing -----------------------------------------------------------------------------------------------------
    def apply(self, action: int) -> None:
        """Make a move; ``mask[action]`` must be 1."""
        self._log.append((self.seat, action))
        self._moves += 1
        seat: Any = entry.advance(self._boards, self._states, action, self.mask)
        if seat >= 0 and self._moves < self._max_cycles:
            self.seat = seat
        else:
            self._set_seat(seat)

    def play_random(self, rng: npt.NDArray[np.uint64]) -> None:
        """Make one uniformly random legal move."""
        self.apply(int(entry.choose(self.mask, rng)))

    def play_compiled(self, code: int, rng: npt.NDArray[np.uint64]) -> None:
        """Make the move that the compiled player of a code of ``seat_compiled`` chooses."""
        ensure_players_compiled()
        players = self._compiled.seat_alone(frozenset((code,)))
        self.apply(int(single.choose_compiled(code, players, *self._rows, self.mask, rng)))

    def play_random_until(self, seat: int, rng: npt.NDArray[np.uint64], action: int = c.NONE) -> None:
        """Make uniformly random legal moves until ``seat`` is to move or the episode is over, in one compiled loop.

        ``action`` is a move to be made before them, as by ``apply``; NONE for none.
        """
        before, most = rng.item(), self._max_cycles - self._moves
        if action != c.NONE:
            self._log.append((self.seat, action))
            self._moves += 1
            most -= 1
        made = entry.play_random_on(self._boards, self._states, action, rng, seat, most, self.mask)
        if made:
            self._loops = True
            self._log.append((0, before, made))
            self._moves += made
        self._set_seat(entry.seat(self._states))

    def undo_step(self) -> None:
        """Go back to the position in which the step in progress began; the environment then sets ``sound``."""
        self._log[self._unfinished :] = []
        states, moves = self._replay()
        self._states[:] = states
        self._moves = len(moves)
        self.truncated = False
        self._read_position()

    def _expand_loops(self) -> None:
        """Replace the entries of compiled loops in the log by their moves."""
        before = self._unfinished if self.interrupted else c.NONE
        if before != c.NONE:
            before = sum(1 if len(entered) == 2 else entered[2] for entered in self._log[:before])
        _, moves = self._replay()
        self._log[:] = moves
        self._unfinished, self._loops = before, False

    def _replay(self) -> tuple[npt.NDArray[np.void], list[tuple[int, ...]]]:
        """Play the moves of the log again, from the opening; return the position, (1,) STATE, and all moves."""
        states, mask, rng = copied(self._opening), np.empty_like(self.mask), np.zeros(1, np.uint64)
        moves: list[tuple[int, ...]] = []
        for entered in self._log:
            if len(entered) == 2:
                moves.append(entered)
                entry.step(self._boards, states, entered[1])
                continue
            _, rng[0], made = entered
            for _ in range(made):
                entry.legal(self._boards, states, mask)
                moves.append((states["seat"].item(), int(entry.choose(mask, rng))))
                entry.step(self._boards, states, moves[-1][1])
        return states, moves

    # --- showing and results -----------------------------------------------------------------------------------------
    def show(self, render_mode: str | None, since: int | None = None) -> Any:
        """Show the board as the render mode says (``display.show``)."""
        return show(cast(Game, self.game), render_mode, since)

    def scores(self) -> list[int]:
        """Return the Glory of each seat, in ``solo`` of player and Opposition, as if the game ended now (R12, S8)."""
        entry.total(self._boards, self._states, self._totals)
        return self._totals[: self._num_scores].tolist()

    def result(self) -> dict[str, Any]:
        """Return the entries of ``info`` for a game that ended or was cut short, ``winners`` as seats.

        In ``solo`` with the lead over the Opposition, the place on the ladder and both breakdowns (S8). The scores of
        a game that was cut short are those of its last position.
        """
        result = super().result()
        if self.variant == SOLO:
            game, scores = cast(Game, self._game), result["scores"]
            ladder = game.ladder()
            result.update(
                margin=scores[0] - scores[c.OPPOSITION],
                ladder=ladder.name,
                rung=ladder.rung,
                panache=ladder.panache,
                breakdown=game.breakdown(0),
                opposition_breakdown=game.breakdown(OPPOSITION_NAME),
            )
        return result
