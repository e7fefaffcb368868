"""Table: one game of any rules, with the masks and the observations that the environments hand out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MASK_KEY
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.engine.game_rules import copied
from endeavor_env.engine.kernels.rules import NONE
from endeavor_env.engine.rewards import Shaping, margin_scale
from endeavor_env.engine.seating import SeatedPlayers
from endeavor_env.envs.reset_needed import ResetNeededError
from endeavor_env.envs.settings import EnvSettings
from endeavor_env.errors import IllegalActionError

Mask = npt.NDArray[Any]
"""(actions,) int8 or bool, one entry for each action id, 1 = legal."""
Observation = Any
"""``{"observation": vector, "action_mask": mask}``, both fresh arrays; with ``flat`` the vector alone.

The option ``observation_key`` gives the vector another key.
"""

MAX_GAME_SEED = 1 << 53  # JSON readers keep smaller seeds exact


class Table(ABC):
    """The game of an environment, kept as arrays. What its rules are, a subclass says.

    The kernels are called on the state of a game directly, and legality is read off the mask that is computed anyway.

    A step of the environment begins with ``begin_step``, and ends when the environment sets ``sound``. A step that
    stops in between, as at Ctrl-C or at an error of an opponent, is undone by ``undo_step``: state, mask and moves
    never disagree.

    Attributes:
        players: Number of seats.
        variant: Name of the variant.
        sound: Whether there is a game, running or over, and no reset or step of it was left half done. Set to True by
            the environment at the end of each.
        seat: The seat to move, -1 when there is none: before the first game, after its end and after ``stop``.
        num_actions: Number of action ids.
        mask: (num_actions,) int8, 1 = legal. All 1 when no seat is to move: any action is then ignored. Read only for
            others.
        allowed: The same as a memoryview, which is quicker to look into.
        game_seed: The seed of the set-up of the game in play, None if the set-up was given.
        over: Whether the episode has ended, by the rules, by ``stop`` or by ``max_cycles``.
        truncated: Whether it was cut short by ``max_cycles``.
    """

    setup_options: tuple[str, ...] = ("setup",)
    """The arguments of ``new_game`` besides the seed, which are options of a reset."""
    texts: tuple[str, ...] = ()
    """The names of the texts of ``result`` besides the reason."""
    _new_vector: Callable[..., npt.NDArray[Any]]
    """Takes board, position, seat and size, the first two as ``_bind_game`` stores them; returns an observation."""
    _boards: Any
    _states: Any
    """The board and the live position, in the form in which the kernels of the game take them."""
    _new_mask: Callable[[Mask, int], Mask]
    """Takes a mask and its size; returns a copy of the dtype of the settings."""

    def __init__(self, settings: EnvSettings, waiting: int = 0) -> None:
        """Prepare the arrays; ``start`` begins a game.

        Args:
            settings: The options of the environment.
            waiting: 0 or 1, every entry of the mask of a seat that is not to move.
        """
        config = settings.config
        self.players, self.variant = config.players, config.variant
        self._config, self._settings = config, settings
        self.num_actions = config.rules.num_actions(self.variant)
        self._waiting_mask = np.full(self.num_actions, waiting, np.int8)
        self._game: BaseGame | None = None
        self.game_seed: int | None = None
        self._log: list[tuple[int, ...]] = []  # (seat, action)
        self._moves = 0
        self._unfinished = NONE  # length of the log when the last step began
        self.sound = False
        self.seat = NONE
        self.over, self.truncated = True, False
        self.mask = np.ones(self.num_actions, np.int8)
        self._compiled = SeatedPlayers(self.num_actions, of=config.rules.players)
        self._num_scores = config.num_scores
        self._margin = margin_scale(config.rules.scale, config.num_scores > config.players)
        self._size = config.rules.layout_for(self.variant, settings.observation).size
        self._key = None if settings.flat else settings.observation_key
        self._max_cycles = settings.max_cycles
        self._bind()

    # --- starting ----------------------------------------------------------------------------------------------------
    def new_game(self, seed: int, setup: Mapping[str, Any] | None = None) -> BaseGame:
        """Return a new game: from ``setup`` if given, else drawn from ``seed``.

        Raises:
            InvalidSetupError: ``setup`` does not fit.
        """
        return self._config.new_game(seed if setup is None else None, setup)

    def checked(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return arguments of ``new_game``, as a reset is given them, checked except for the set-up.

        Raises:
            InvalidOptionError: One that is not possible.
        """
        return given

    def start(self, game: BaseGame) -> None:
        """Take a new game in place of the one in play; the environment sets ``sound`` at the end of its reset."""
        self._unfinished = NONE  # first: an interrupt must not undo a step of the game before
        self.sound = False
        self._game, self.game_seed = game, game.seed
        self._opening = copied(game.state)
        self._moves, self.truncated = 0, False
        self._bind()
        self._read_position()

    def why_unsound(self, asked: str) -> ResetNeededError:
        """Return the error for what was ``asked`` while there is no game to go on with."""
        return ResetNeededError(asked if self._game is None else f"{asked} after a reset that failed")

    @property
    def interrupted(self) -> bool:
        """Whether a step began and did not end."""
        return not self.sound and self._unfinished != NONE

    @property
    def game(self) -> BaseGame:
        """The game in play itself, with all its moves in ``history``; raises ResetNeededError if none was started."""
        if self._game is None:
            raise ResetNeededError("game")
        return self._game

    def _bind(self) -> None:
        """Store the arrays of the game as attributes, so that a decision costs no look-ups."""
        self.allowed = self.mask.data
        if self._game is not None:
            self._bind_game(self._game)
            self._log = self._game.history  # type: ignore[assignment]  # others see it without entries of loops

    @abstractmethod
    def _bind_game(self, game: BaseGame) -> None:
        """Store board and position of ``game`` in the form in which kernels take them."""

    def _read_position(self) -> None:
        """Set ``seat``, ``over``, ``truncated`` and ``mask``."""
        self._set_seat(self._read_mask())

    @abstractmethod
    def _read_mask(self) -> int:
        """Write ``mask`` as the rules have it, and return the seat to move, -1 when the game is over."""

    def _set_seat(self, seat: int) -> None:
        """Set ``seat``, ``over`` and ``truncated``; ``mask`` is that of ``seat``, which is to move by the rules."""
        if seat >= 0 and self._moves < self._max_cycles:
            self.seat, self.over = seat, False
        else:
            self.truncated = seat >= 0
            self.stop()

    def stop(self) -> None:
        """End the episode without a move; the game stays as it is."""
        self.seat, self.over = NONE, True
        self.mask.fill(1)

    # --- playing -----------------------------------------------------------------------------------------------------
    def begin_step(self) -> None:
        """Begin a step of the environment; until it sets ``sound``, ``undo_step`` undoes it."""
        self._unfinished = len(self._log)
        self.sound = False

    @abstractmethod
    def apply(self, action: int) -> None:
        """Make a move; ``mask[action]`` must be 1."""

    def seat_compiled(self, name: str) -> int:
        """Return the code for ``play_compiled`` of a compiled player, a name of the game's players.

        It stands for the player of that name as it is now, also if its network is replaced on disk.
        """
        return self._compiled.code_of(name)

    @abstractmethod
    def play_compiled(self, code: int, rng: npt.NDArray[np.uint64]) -> None:
        """Make the move that the compiled player of a code of ``seat_compiled`` chooses."""

    @abstractmethod
    def play_random(self, rng: npt.NDArray[np.uint64]) -> None:
        """Make one uniformly random legal move."""

    def play_random_until(self, seat: int, rng: npt.NDArray[np.uint64], action: int = NONE) -> None:
        """Make uniformly random legal moves until ``seat`` is to move or the episode is over.

        ``action`` is a move to be made before them, as by ``apply``; NONE for none.
        """
        if action != NONE:
            self.apply(action)
        while not self.over and self.seat != seat:
            self.play_random(rng)

    @abstractmethod
    def undo_step(self) -> None:
        """Go back to the position in which the step in progress began; the environment then sets ``sound``."""

    def refuse(self, action: Any) -> IllegalActionError:
        """Return the error that says why ``action`` cannot be made and which ones can; nothing is changed."""
        try:
            self.game.clone(same_chance=True).apply(action)
        except IllegalActionError as error:
            return error
        raise AssertionError("the action is legal")

    # --- observing ---------------------------------------------------------------------------------------------------
    def mask_of(self, seat: int) -> Mask:
        """Return the mask that ``seat`` is given, a fresh array: all 1 when the episode is over."""
        shown = self.mask if seat == self.seat or self.over else self._waiting_mask
        return self._new_mask(shown, self.num_actions)

    def vector(self, seat: int) -> npt.NDArray[Any]:
        """Return the observation of ``seat`` without the mask, a fresh array: what it may see, its seat first."""
        return self._new_vector(self._boards, self._states, seat, self._size)

    def observation(self, seat: int, mask: Mask) -> Observation:
        """Return the observation of ``seat`` with its ``mask``; with ``flat`` the vector alone."""
        vector = self._new_vector(self._boards, self._states, seat, self._size)
        return vector if (key := self._key) is None else {key: vector, "action_mask": mask}

    def decision(self) -> dict[str, npt.NDArray[Any]]:
        """Return what the seat to move decides by: its observation with its mask, whatever the option ``flat`` says."""
        return {self._settings.observation_key: self.vector(self.seat), MASK_KEY: self.mask_of(self.seat)}

    def look(self, seat: int) -> tuple[Observation, Mask]:
        """Return the observation and the mask of ``seat`` at once, which saves each decision a call."""
        shown = self.mask if seat == self.seat or self.over else self._waiting_mask
        mask = self._new_mask(shown, self.num_actions)
        vector = self._new_vector(self._boards, self._states, seat, self._size)
        return vector if (key := self._key) is None else {key: vector, "action_mask": mask}, mask

    @abstractmethod
    def show(self, render_mode: str | None, since: int | None = None) -> Any:
        """Show the game as the render mode says; ``since`` is how many moves a reader of text has seen already."""

    # --- results -----------------------------------------------------------------------------------------------------
    def scores(self) -> list[int]:
        """Return the score of each mat, as if the game ended now."""
        return self.game.scores()

    def potential(self, shaping: Shaping, seat: int) -> float:
        """Return the potential of ``seat`` as the game stands."""
        return shaping.potential(self._margin, self.scores(), seat)

    def result(self) -> dict[str, Any]:
        """Return the entries of ``info`` for a game that ended or was cut short, ``winners`` as seats.

        The scores of a game that was cut short are those of its last position.
        """
        assert self._game is not None  # not the property: winners need no history
        reason = "max_cycles" if self.truncated else "game_over"
        return {"reason": reason, "scores": self.scores(), "winners": self._game.winners()}

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes except those ``_bind`` sets: a copied view would still belong to the old array."""
        bound = ("_boards", "_states", "_log", "allowed")
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, which goes on with the same game."""
        vars(self).update(state)
        self._log = []
        self._bind()
