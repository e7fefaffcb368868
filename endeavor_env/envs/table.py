"""Table: one game at the speed of the kernels, with the mask and the observations that the environments hand out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.game_kinds import Kind
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core.actions import num_actions
from endeavor_env.core.observe.write import observe_compact, observe_features
from endeavor_env.core.state import copy_states
from endeavor_env.envs.reset_needed import ResetNeededError
from endeavor_env.errors import IllegalActionError
from endeavor_env.game import OPPOSITION_NAME, Game
from endeavor_env.observation import layout_for
from endeavor_env.setups import SOLO, draw_setup

Observation = dict[str, npt.NDArray[Any]]
"""``{"observation": vector, "action_mask": int8, one entry for each action id}``, both fresh arrays."""

MAX_GAME_SEED = 1 << 53  # JSON readers keep smaller seeds exact
_NO_LIMIT = 1 << 30
_WRITE = {"features": observe_features, "compact": observe_compact}


_RandomRun = tuple[int, int, int]
"""Moves of one compiled loop, which are missing in the history until somebody asks for it.

Number of moves in the history and state of the generator when the loop began, and number of its moves. A plain tuple,
because a named one costs three percent of a step.
"""


class Table:
    """The game of an environment, kept as arrays.

    The kernels are called on the state of a ``Game`` directly, and legality is read off the mask that is computed
    anyway. The history of that game is completed when somebody asks for it.

    Attributes:
        board: The board played on.
        players: Number of seats, 1 to 5.
        variant: A name of VARIANT_NAMES.
        observation: "features" or "compact".
        seat: The seat to move, -1 when there is none: before the first game, after its end and after ``stop``.
        mask: (num_actions(variant),) int8, 1 = legal, all 0 when no seat is to move. Read only for others.
        over: Whether the episode has ended, by the rules or by ``stop``.
    """

    def __init__(self, kind: Kind, observation: str) -> None:
        """Prepare the arrays; ``start`` begins a game."""
        self.players, self.variant, self.board = kind.players, kind.variant, kind.board
        self.observation = observation
        self._kind = kind
        self._game: Game | None = None
        self._random_runs: list[_RandomRun] = []
        self.seat = c.NONE
        self.over = True
        self.mask = np.zeros(num_actions(self.variant), np.int8)
        self._totals = np.zeros(c.MAX_SEATS, np.int16)
        self._num_scores = kind.scores
        layout = layout_for(self.variant, observation)
        self._size, self._dtype = layout.size, layout.dtype

    def start(self, seed: int, setup: Mapping[str, Any] | None = None, first_player: int | None = None) -> None:
        """Start a game: from ``setup`` if given, else drawn from ``seed``, with ``first_player`` if given.

        Raises:
            InvalidSetupError: ``setup`` does not fit; the game in play goes on.
        """
        if first_player is not None:
            drawn = draw_setup(self.board, self.players, seed, self.variant)
            setup = drawn.with_first_player(first_player).to_dict(self.board)
        self._game = self._kind.new_game(seed if setup is None else None, setup)
        self._opening = copy_states(self._game.state)
        self._random_runs.clear()
        self._bind()
        self._read_position()

    @property
    def started(self) -> bool:
        """Whether there is a game, running or over."""
        return self._game is not None

    @property
    def game(self) -> Game:
        """The game in play itself, all its moves in ``history``; raises ResetNeededError if none was started."""
        if self._game is None:
            raise ResetNeededError("game")
        if self._random_runs:
            self._complete_history()
        return self._game

    def _bind(self) -> None:
        """Store the arrays of the game as attributes, so that a decision costs no look-ups."""
        if self._game is not None:
            self._boards, self._states, self._history = self.board.array, self._game.state, self._game.history
            self._seat_view = self._states["seat"]

    def _read_position(self) -> None:
        """Set ``seat``, ``over`` and ``mask``."""
        entry.legal(self._boards, self._states, self.mask)
        self.seat = self._seat_view.item()
        self.over = self.seat < 0

    def apply(self, action: int) -> None:
        """Make a move; ``mask[action]`` must be 1."""
        self._history.append((self.seat, action))
        entry.step(self._boards, self._states, action)
        self._read_position()

    def play_random(self, rng: npt.NDArray[np.uint64]) -> None:
        """Make one uniformly random legal move."""
        self.apply(int(entry.choose(self.mask, rng)))

    def play_random_until(self, seat: int, rng: npt.NDArray[np.uint64]) -> None:
        """Make uniformly random legal moves until ``seat`` is to move or the game is over, in one compiled loop."""
        before = rng.item()
        made = entry.play_random(self._boards, self._states, rng, self.mask, seat, _NO_LIMIT)
        if made:
            self._random_runs.append((len(self._history), before, made))
            self._read_position()

    def _complete_history(self) -> None:
        """Enter the moves of the compiled loops into the history, by playing the game again from its opening."""
        states, mask, rng = copy_states(self._opening), np.empty_like(self.mask), np.zeros(1, np.uint64)
        moves: list[tuple[int, int]] = []
        known = iter([*self._history])
        at = 0
        for start, before, made in [*self._random_runs, (len(self._history), 0, 0)]:
            for _ in range(start - at):
                moves.append(next(known))
                entry.step(self._boards, states, moves[-1][1])
            rng[0], at = before, start
            for _ in range(made):
                entry.legal(self._boards, states, mask)
                moves.append((states["seat"].item(), int(entry.choose(mask, rng))))
                entry.step(self._boards, states, moves[-1][1])
        self._history[:] = moves
        self._random_runs.clear()

    def stop(self) -> None:
        """End the episode without a move; the game stays as it is."""
        self.seat, self.over = c.NONE, True
        self.mask[:] = 0

    def refuse(self, action: Any) -> IllegalActionError:
        """Return the error that says why ``action`` cannot be made and which ones can; nothing is changed."""
        try:
            self.game.clone().apply(action)
        except IllegalActionError as error:
            return error
        raise AssertionError(f"action {action!r} is legal")

    def vector(self, seat: int) -> npt.NDArray[Any]:
        """Return the observation of ``seat`` without the mask, a fresh array: the whole position, its seat first."""
        vector = np.empty(self._size, self._dtype)
        _WRITE[self.observation](self._boards, self._states, seat, vector)
        return vector

    def observe(self, seat: int) -> Observation:
        """Return the observation of ``seat``; the mask is all zeros unless this seat is to move."""
        mask = self.mask.copy() if seat == self.seat else np.zeros(self.mask.size, np.int8)
        return {"observation": self.vector(seat), "action_mask": mask}

    def scores(self) -> list[int]:
        """Return the Glory of each seat, in ``solo`` of player and Opposition, as if the game ended now (R12, S8)."""
        entry.total(self._boards, self._states, self._totals)
        return self._totals[: self._num_scores].tolist()

    def result(self) -> dict[str, Any]:
        """Return the entries of ``info`` for a game that ended by the rules, ``winners`` as seats.

        In ``solo`` with the lead over the Opposition, the place on the ladder and both breakdowns (S8).
        """
        assert self._game is not None  # not the property: neither winners nor breakdowns need the history
        game, scores = self._game, self.scores()
        result: dict[str, Any] = {"reason": "game_over", "scores": scores, "winners": game.winners()}
        if self.variant == SOLO:
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

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes except those ``_bind`` sets: a copied view would still belong to the old state."""
        bound = ("_boards", "_states", "_history", "_seat_view")
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, which goes on with the same game."""
        self.__dict__.update(state)
        self._bind()
