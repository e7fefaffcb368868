"""Table: one game at the speed of the kernels, with the masks and the observations that the environments hand out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.compile.ensure import ensure_players_compiled
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core.actions import num_actions
from endeavor_env.core.policies.choose import choose_action
from endeavor_env.core.state import copy_states
from endeavor_env.envs.reset_needed import ResetNeededError
from endeavor_env.envs.settings import EnvSettings
from endeavor_env.errors import IllegalActionError
from endeavor_env.game import Game
from endeavor_env.observation import layout_for
from endeavor_env.players.seating import SeatedPlayers
from endeavor_env.terms.options import RANDOM, exploits_of
from endeavor_env.terms.results import OPPOSITION_NAME
from endeavor_env.terms.setups import SOLO, draw_setup

Mask = npt.NDArray[Any]
"""(actions,) int8 or bool, one entry for each action id, 1 = legal."""
Observation = Any
"""``{"observation": vector, "action_mask": mask}``, both fresh arrays; with ``flat`` the vector alone.

The option ``observation_key`` gives the vector another key.
"""

MAX_GAME_SEED = 1 << 53  # JSON readers keep smaller seeds exact
_NEW_VECTOR = {"features": entry.new_features, "compact": entry.new_compact}
_NEW_MASK = {"int8": entry.new_mask, "bool": entry.new_bool_mask}


class Table:
    """The game of an environment, kept as arrays.

    The kernels are called on the state of a ``Game`` directly, and legality is read off the mask that is computed
    anyway.

    A step of the environment begins with ``begin_step``, and ends when the environment sets ``sound``. A step that
    stops in between, as at Ctrl-C or at an error of an opponent, is undone by ``undo_step``: state, mask and moves
    never disagree.

    Attributes:
        board: The board played on.
        players: Number of seats, 1 to 5.
        variant: A name of VARIANT_NAMES.
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

    def __init__(self, settings: EnvSettings, waiting: int = 0) -> None:
        """Prepare the arrays; ``start`` begins a game.

        Args:
            settings: The options of the environment.
            waiting: 0 or 1, every entry of the mask of a seat that is not to move.
        """
        config = settings.config
        self.players, self.variant, self.board = config.players, config.variant, config.board
        self._config, self._settings = config, settings
        self.num_actions = num_actions(self.variant)
        self._waiting_mask = np.full(self.num_actions, waiting, np.int8)
        self._game: Game | None = None
        self.game_seed: int | None = None
        self._log: list[tuple[int, ...]] = []  # (seat, action), and (0, generator, moves) for a compiled loop
        self._loops = False  # whether there are entries of the second kind
        self._moves = 0
        self._unfinished = c.NONE  # length of the log when the last step began
        self._compiled = SeatedPlayers(self.num_actions)
        self.sound = False
        self.seat = c.NONE
        self.over, self.truncated = True, False
        self.mask = np.ones(self.num_actions, np.int8)
        self._totals = np.zeros(c.MAX_SEATS, np.int16)
        self._num_scores = config.num_scores
        layout = layout_for(self.variant, settings.observation)
        self._size, self._new_vector = layout.size, _NEW_VECTOR[settings.observation]
        self._new_mask = _NEW_MASK[settings.mask_dtype]
        self._key = None if settings.flat else settings.observation_key
        self._max_cycles = settings.max_cycles
        self._bind()

    # --- starting ----------------------------------------------------------------------------------------------------
    def new_game(self, seed: int, setup: Mapping[str, Any] | None = None, first_player: int | None = None) -> Game:
        """Return a new game: from ``setup`` if given, else drawn from ``seed``, with ``first_player`` if given.

        Raises:
            InvalidSetupError: ``setup`` does not fit.
        """
        config = self._config
        if first_player is not None:
            drawn = draw_setup(self.board, self.players, seed, self.variant)
            setup = drawn.with_first_player(first_player).to_dict(self.board)
            if config.exploits == RANDOM:  # a set-up does not hold them
                config = replace(config, exploits=exploits_of(int(drawn.array["exploits"][0])))
        return config.new_game(seed if setup is None else None, setup)

    def start(self, game: Game) -> None:
        """Take a new game in place of the one in play; the environment sets ``sound`` at the end of its reset."""
        self._unfinished = c.NONE  # first: an interrupt must not undo a step of the game before
        self.sound = False
        self._game, self.game_seed = game, game.seed
        self._opening = copy_states(game.state)
        self._loops, self._moves, self.truncated = False, 0, False
        self._bind()
        self._read_position()

    def why_unsound(self, asked: str) -> ResetNeededError:
        """Return the error for what was ``asked`` while there is no game to go on with."""
        return ResetNeededError(asked if self._game is None else f"{asked} after a reset that failed")

    @property
    def interrupted(self) -> bool:
        """Whether a step began and did not end."""
        return not self.sound and self._unfinished != c.NONE

    @property
    def game(self) -> Game:
        """The game in play itself, with all its moves in ``history``; raises ResetNeededError if none was started."""
        if self._game is None:
            raise ResetNeededError("game")
        if self._loops:
            self._expand_loops()
        return self._game

    def _bind(self) -> None:
        """Store the arrays of the game as attributes, so that a decision costs no look-ups."""
        self.allowed = self.mask.data
        if self._game is not None:
            self._boards, self._states = self.board.array, self._game.state
            self._log = self._game.history  # type: ignore[assignment]  # loops are expanded before others see it

    def _read_position(self) -> None:
        """Set ``seat``, ``over``, ``truncated`` and ``mask``."""
        entry.legal(self._boards, self._states, self.mask)
        self._set_seat(entry.seat(self._states))

    def _set_seat(self, seat: int) -> None:
        """Set ``seat``, ``over`` and ``truncated``; ``mask`` is that of ``seat``, which is to move by the rules."""
        if seat >= 0 and self._moves < self._max_cycles:
            self.seat, self.over = seat, False
        else:
            self.truncated = seat >= 0
            self.stop()

    def stop(self) -> None:
        """End the episode without a move; the game stays as it is."""
        self.seat, self.over = c.NONE, True
        self.mask.fill(1)

    # --- playing -----------------------------------------------------------------------------------------------------
    def begin_step(self) -> None:
        """Begin a step of the environment; until it sets ``sound``, ``undo_step`` undoes it."""
        self._unfinished = len(self._log)
        self.sound = False

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

    def seat_compiled(self, name: str) -> int:
        """Return the code for ``play_compiled`` of a compiled player, a name of ``endeavor_env.players``.

        It stands for the player of that name as it is now, also if its network is replaced on disk.
        """
        return self._compiled.code_of(name)

    def play_compiled(self, code: int, rng: npt.NDArray[np.uint64]) -> None:
        """Make the move that the compiled player of a code of ``seat_compiled`` chooses."""
        ensure_players_compiled()
        players = self._compiled.seat_alone(frozenset((code,)))
        self.apply(int(choose_action(code, players, self._boards, self._states, self.mask, rng)))

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
        states, mask, rng = copy_states(self._opening), np.empty_like(self.mask), np.zeros(1, np.uint64)
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

    def refuse(self, action: Any) -> IllegalActionError:
        """Return the error that says why ``action`` cannot be made and which ones can; nothing is changed."""
        try:
            self.game.clone().apply(action)
        except IllegalActionError as error:
            return error
        raise AssertionError("the action is legal")

    # --- observing ---------------------------------------------------------------------------------------------------
    def mask_of(self, seat: int) -> Mask:
        """Return the mask that ``seat`` is given, a fresh array: all 1 when the episode is over."""
        shown = self.mask if seat == self.seat or self.over else self._waiting_mask
        mask: Mask = self._new_mask(shown, self.num_actions)
        return mask

    def vector(self, seat: int) -> npt.NDArray[Any]:
        """Return the observation of ``seat`` without the mask, a fresh array: the whole position, its seat first."""
        vector: npt.NDArray[Any] = self._new_vector(self._boards, self._states, seat, self._size)
        return vector

    def observation(self, seat: int, mask: Mask) -> Observation:
        """Return the observation of ``seat`` with its ``mask``; with ``flat`` the vector alone."""
        vector = self._new_vector(self._boards, self._states, seat, self._size)
        return vector if (key := self._key) is None else {key: vector, "action_mask": mask}

    def look(self, seat: int) -> tuple[Observation, Mask]:
        """Return the observation and the mask of ``seat`` at once, which saves each decision a call."""
        shown = self.mask if seat == self.seat or self.over else self._waiting_mask
        mask: Mask = self._new_mask(shown, self.num_actions)
        vector = self._new_vector(self._boards, self._states, seat, self._size)
        return vector if (key := self._key) is None else {key: vector, "action_mask": mask}, mask

    def scores(self) -> list[int]:
        """Return the Glory of each seat, in ``solo`` of player and Opposition, as if the game ended now (R12, S8)."""
        entry.total(self._boards, self._states, self._totals)
        return self._totals[: self._num_scores].tolist()

    def result(self) -> dict[str, Any]:
        """Return the entries of ``info`` for a game that ended or was cut short, ``winners`` as seats.

        In ``solo`` with the lead over the Opposition, the place on the ladder and both breakdowns (S8). The scores of
        a game that was cut short are those of its last position.
        """
        assert self._game is not None  # not the property: neither winners nor breakdowns need the history
        game, scores = self._game, self.scores()
        reason = "max_cycles" if self.truncated else "game_over"
        result: dict[str, Any] = {"reason": reason, "scores": scores, "winners": game.winners()}
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
        """Return the attributes except those ``_bind`` sets: a copied view would still belong to the old array."""
        bound = ("_boards", "_states", "_log", "allowed")
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, which goes on with the same game."""
        self.__dict__.update(state)
        self._log = []
        self._bind()
