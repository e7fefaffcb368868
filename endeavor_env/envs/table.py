"""Table: one game of any rules, with the masks and the observations that the environments hand out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MASK_KEY, InvalidRenderModeError, seat_number
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.parts import SINGLE
from endeavor_env.engine.kernels.rules import CHANCE, MAX_SEATS, NONE
from endeavor_env.engine.rewards import Shaping, margin_scale
from endeavor_env.engine.seating import SeatedPlayers
from endeavor_env.envs.display import close_shown, show
from endeavor_env.envs.settings import EnvSettings
from endeavor_env.errors import EndeavorError, IllegalActionError
from endeavor_env.kernels.loading.once import ensure_parts

G = TypeVar("G", bound=Game)
Mask = npt.NDArray[Any]
"""(actions,) int8 or bool, one entry for each action id, 1 = legal."""
Observation = Any
"""``{"observation": vector, "action_mask": mask}``, both fresh arrays; with ``flat`` the vector alone.

The option ``observation_key`` gives the vector another key.
"""

MAX_GAME_SEED = 1 << 53  # JSON readers keep smaller seeds exact


class ResetNeededError(EndeavorError, gymnasium.error.ResetNeeded, AttributeError):
    """A request to an environment that has no game in play, as before its first ``reset()``.

    It is an AttributeError as well, because PettingZoo promises one for ``agents`` and similar attributes before a
    reset.
    """

    def __init__(self, asked: str) -> None:
        """Take what was ``asked``, as the subject of the message."""
        self.asked = asked
        super().__init__(f"{asked} is not possible before a reset(): call reset() to start a game")

    def __reduce__(self) -> tuple[type[ResetNeededError], tuple[str]]:
        """Pickle the argument."""
        return type(self), (self.asked,)


class Table:
    """The game of an environment, kept as arrays.

    The kernels are called on the position of a game directly, with what they get of it bound when the game begins, and
    legality is read off the mask that is computed anyway.

    A step of the environment begins with ``begin_step``, and ends when the environment sets ``sound``. A step that
    stops in between, as at Ctrl-C or at an error of an opponent, is undone by ``undo_step``: position, mask and moves
    never disagree.

    The log has an entry (seat, action) for each move, those of chance included, and an entry
    (generator, generator of chance, number of moves) for each compiled loop of random moves; ``game`` replaces the
    latter by their moves.

    Attributes:
        players: Number of seats.
        variant: Name of the variant.
        setup_options: The options of a reset that say how the game begins.
        texts: The names of the texts of ``result`` besides the reason.
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

    _addresses: npt.NDArray[np.int64]
    """(NUM_ENTRIES,): the entries of the rules, which kernels take with the following two."""
    _boards: npt.NDArray[np.int64]
    """(1, words)."""
    _positions: npt.NDArray[np.int64]
    """(1, words): the live position."""
    _advance: Callable[..., int]
    """Entry of ``single``, like the following two."""
    _new_vector: Callable[..., npt.NDArray[Any]]
    _new_mask: Callable[[Mask, int], Mask]

    def __init__(self, settings: EnvSettings) -> None:
        """Prepare the arrays; ``start`` begins a game. Raise InvalidRenderModeError for pictures of a game without."""
        config = settings.config
        rules = config.rules
        if settings.render_mode in ("human", "rgb_array") and not rules.presenter.has_pictures:
            raise InvalidRenderModeError(
                f"render_mode {settings.render_mode!r} is not possible: {rules.presenter.title} has no pictures; "
                "give 'ansi'"
            )
        self.players, self.variant = config.players, config.variant
        self._config, self._rules, self._settings = config, rules, settings
        self._solitaire = rules.solitaire if config.num_scores > config.players else None
        self.texts = () if self._solitaire is None else self._solitaire.texts
        self.setup_options = ("setup",) if rules.first_player is None else ("setup", "first_player")
        self.num_actions = rules.num_actions(self.variant)
        self._waiting_mask = np.zeros(self.num_actions, np.int8)
        self._game: Game | None = None
        self.game_seed: int | None = None
        self._log: list[tuple[int, ...]] = []
        self._loops = False  # whether the log has entries of compiled loops
        self._drawn_before = 0  # length of the log before the first decision: what chance drew
        self._moves = 0
        self._unfinished = NONE  # length of the log when the last step began
        self.sound = False
        self.seat = NONE
        self.over, self.truncated = True, False
        self.mask = np.ones(self.num_actions, np.int8)
        self._draws = rules.has_chance
        self._chance = np.zeros(1, np.uint64)  # the generator of what is drawn in the game
        self._chance_before = np.zeros(1, np.uint64)  # the same when the last step began
        self._totals = np.zeros(MAX_SEATS, np.int64)
        self._compiled = SeatedPlayers(self.num_actions, of=rules.players)
        self._num_scores = config.num_scores
        self._margin = margin_scale(rules.scale, config.num_scores > config.players)
        self._size = rules.layout_for(self.variant, settings.observation).size
        self._key = None if settings.flat else settings.observation_key
        self._max_cycles = settings.max_cycles
        self._bind()

    def let_waiting_act(self) -> None:
        """Allow every action to a seat that is not to move, where such actions are ignored."""
        self._waiting_mask.fill(1)

    # --- starting ----------------------------------------------------------------------------------------------------
    def new_game(self, seed: int, setup: Mapping[str, Any] | None = None, first_player: int | None = None) -> Game:
        """Return a new game: from ``setup`` if given, else drawn from ``seed``, with ``first_player`` if given.

        The seed draws what chance decides in the game, too.

        Raises:
            InvalidSetupError: ``setup`` does not fit.
        """
        config = self._config
        if first_player is not None:
            drawn = config.new_game(seed)
            field = str(self._rules.first_player)
            config, setup = drawn.config, {**drawn.setup(), field: first_player}
        game = config.new_game(seed, setup)
        if setup is not None:
            game.seed = None  # it is that of the set-up
        return game

    def checked(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return arguments of ``new_game``, as a reset is given them, checked except for the set-up.

        Raises:
            InvalidOptionError: A first player that is not possible.
        """
        if "first_player" in given:
            return {**given, "first_player": seat_number("first_player", given["first_player"], self.players)}
        return given

    def start(self, game: Game) -> None:
        """Take a new game in place of the one in play; the environment sets ``sound`` at the end of its reset."""
        self._unfinished = NONE  # first: an interrupt must not undo a step of the game before
        self.sound = self._loops = False
        self._game, self.game_seed = game, game.seed
        self._moves, self.truncated = 0, False
        self._bind()
        self._opening, self._drawn_before = self._positions.copy(), len(game.history)
        self._read_position()

    def why_unsound(self, asked: str) -> ResetNeededError:
        """Return the error for what was ``asked`` while there is no game to go on with."""
        return ResetNeededError(asked if self._game is None else f"{asked} after a reset that failed")

    @property
    def interrupted(self) -> bool:
        """Whether a step began and did not end."""
        return not self.sound and self._unfinished != NONE

    @property
    def game(self) -> Game:
        """The game in play itself, with all its moves in ``history``; raises ResetNeededError if none was started."""
        if self._game is None:
            raise ResetNeededError("game")
        if self._loops:
            self._expand_loops()
        return self._game

    def _bind(self) -> None:
        """Store what every decision needs as attributes, so that it costs no look-ups."""
        self.allowed = self.mask.data
        game = self._game
        if game is None:
            return
        self._addresses, self._boards, self._positions = game.given
        if self._draws:
            self._chance = game.chance
        self._advance = single.advance
        self._new_vector = single.new_features if self._settings.observation == "features" else single.new_compact
        self._new_mask = single.new_mask if self._settings.mask_dtype == "int8" else single.new_bool_mask
        self._log = game.history  # type: ignore[assignment]  # others see it without entries of loops

    def _read_position(self) -> None:
        """Set ``seat``, ``over``, ``truncated`` and ``mask``."""
        self._set_seat(single.write_mask(self._addresses, self._boards, self._positions, self.mask))

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
        if self._draws:
            self._chance_before[:] = self._chance
        self._unfinished = len(self._log)
        self.sound = False

    def apply(self, action: int) -> None:
        """Make a move and draw what chance decides after it; ``mask[action]`` must be 1."""
        self._log.append((self.seat, action))
        self._moves += 1
        seat = self._advance(self._addresses, self._boards, self._positions, action, self.mask)
        if seat >= 0 and self._moves < self._max_cycles:
            self.seat = seat
        elif seat == CHANCE:
            self._draw()
        else:
            self._set_seat(seat)

    def _draw(self) -> None:
        """Draw what chance decides, and read the position that follows."""
        assert self._game is not None
        self._game.draw()
        self._read_position()

    def seat_compiled(self, name: str) -> int:
        """Return the code for ``play_compiled`` of a compiled player, a name of the game's players.

        It stands for the player of that name as it is now, also if its network is replaced on disk.
        """
        return self._compiled.code_of(name)

    def play_compiled(self, code: int, rng: npt.NDArray[np.uint64]) -> None:
        """Make the move that the compiled player of a code of ``seat_compiled`` chooses."""
        players = self._compiled.seat_alone(frozenset((code,)))
        given = players, self._boards, self._positions, self.mask
        self.apply(int(single.choose_compiled(code, *given, rng)))

    def play_random(self, rng: npt.NDArray[np.uint64]) -> None:
        """Make one uniformly random legal move."""
        self.apply(single.choose(self.mask, rng))

    def play_random_until(self, seat: int, rng: npt.NDArray[np.uint64], action: int = NONE) -> None:
        """Make uniformly random legal moves until ``seat`` is to move or the episode is over, in one compiled loop.

        ``action`` is a move to be made before them, as by ``apply``; NONE for none.
        """
        chance, given = self._chance, (self._addresses, self._boards, self._positions)
        before, drawn, most = rng.item(), chance.item(), self._max_cycles - self._moves
        if action != NONE:
            self._log.append((self.seat, action))
            self._moves += 1
            most -= 1
        made = single.play_random_on(*given, action, rng, seat, most, chance, self.mask)
        if made or (self._draws and drawn != chance.item()):
            self._loops = True
            self._log.append((before, drawn, made))
            self._moves += made
        self._set_seat(single.seat(self._positions))

    def undo_step(self) -> None:
        """Go back to the position in which the step in progress began; the environment then sets ``sound``."""
        self._log[self._unfinished :] = []
        position, moves = self._opening.copy(), 0
        for entered in self._log[self._drawn_before :]:
            moves += sum(seat != CHANCE for seat, _ in self._made(position, entered))
        self._positions[:] = position
        if self._draws:
            self._chance[:] = self._chance_before
        self._moves, self.truncated = moves, False
        self._read_position()

    def _expand_loops(self) -> None:
        """Replace the entries of compiled loops in the log by their moves."""
        before = self._unfinished if self.interrupted else NONE
        position, moves = self._opening.copy(), self._log[: self._drawn_before]
        for number, entered in enumerate(self._log[self._drawn_before :], self._drawn_before):
            if number == before:
                before = len(moves)
            moves += self._made(position, entered)
        self._log[:] = moves
        self._unfinished, self._loops = before, False

    def _made(self, position: npt.NDArray[np.int64], entered: tuple[int, ...]) -> list[tuple[int, int]]:
        """Make the moves of an entry of the log in a ``position``, (1, words), again; return them as (seat, action)."""
        rules, boards, mask = self._addresses, self._boards, np.empty_like(self.mask)
        if len(entered) == 2:
            single.advance(rules, boards, position, entered[1], mask)
            return [entered]
        rng, chance, moves = np.zeros(1, np.uint64), np.zeros(1, np.uint64), []
        rng[0], chance[0], left = entered
        while (seat := single.write_mask(rules, boards, position, mask)) == CHANCE or left:
            if seat == CHANCE:
                moves.append((seat, single.draw(rules, boards, position, chance)))
                continue
            moves.append((seat, single.choose(mask, rng)))
            single.advance(rules, boards, position, moves[-1][1], mask)
            left -= 1
        return moves

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
        return self._new_vector(self._addresses, self._boards, self._positions, seat, self._size)

    def observation(self, seat: int, mask: Mask) -> Observation:
        """Return the observation of ``seat`` with its ``mask``; with ``flat`` the vector alone."""
        vector = self._new_vector(self._addresses, self._boards, self._positions, seat, self._size)
        return vector if (key := self._key) is None else {key: vector, "action_mask": mask}

    def decision(self) -> dict[str, npt.NDArray[Any]]:
        """Return what the seat to move decides by: its observation with its mask, whatever the option ``flat`` says."""
        return {self._settings.observation_key: self.vector(self.seat), MASK_KEY: self.mask_of(self.seat)}

    def look(self, seat: int) -> tuple[Observation, Mask]:
        """Return the observation and the mask of ``seat`` at once, which saves each decision a call."""
        shown = self.mask if seat == self.seat or self.over else self._waiting_mask
        mask = self._new_mask(shown, self.num_actions)
        vector = self._new_vector(self._addresses, self._boards, self._positions, seat, self._size)
        return vector if (key := self._key) is None else {key: vector, "action_mask": mask}, mask

    def show(self, render_mode: str | None, since: int | None = None) -> Any:
        """Show the game as the render mode says; ``since`` is how many moves a reader of text has seen already."""
        return show(self.game, self._rules.presenter, render_mode, since)

    # --- results -----------------------------------------------------------------------------------------------------
    def scores(self) -> list[int]:
        """Return the score of each mat, as if the game ended now."""
        single.score(self._addresses, self._boards, self._positions, self._totals)
        return self._totals[: self._num_scores].tolist()

    def potential(self, shaping: Shaping, seat: int) -> float:
        """Return the potential of ``seat`` as the game stands."""
        return shaping.potential(self._margin, self.scores(), seat)

    def result(self) -> dict[str, Any]:
        """Return the entries of ``info`` for a game that ended or was cut short, ``winners`` as seats.

        Against an opponent without a seat with what the game says of it (``GameRules.solitaire``). The scores of a
        game that was cut short are those of its last position.
        """
        game = self._game
        assert game is not None  # not the property: winners need no history
        reason = "max_cycles" if self.truncated else "game_over"
        more = {} if self._solitaire is None else self._solitaire.of_game(game)
        return {"reason": reason, "scores": self.scores(), "winners": game.winners(), **more}

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes except those that a copy makes itself.

        A copied view would still belong to the old array, and the rules have other addresses in another process.
        """
        arrays = ("_addresses", "_boards", "_positions", "_log", "allowed")
        bound = ("_rules", "_new_vector", "_advance", "_new_mask", *arrays)
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, which goes on with the same game."""
        vars(self).update(state)
        self._rules, self._log = self._config.rules, []
        if self._game is not None:
            ensure_parts(SINGLE, *self._rules.needs((self.variant,)))
        self._bind()


class TableEnv(Generic[G]):
    """The environment of one game: what all interfaces answer in the same way."""

    _table: Table
    _guard: ThreadGuard
    render_mode: str | None

    def _undo_step(self) -> None:
        """Go back to the decision at which a step began that did not end; do nothing if there is none."""
        raise NotImplementedError

    def _require_game(self, asked: str) -> None:
        """Undo a step that was interrupted; raise ResetNeededError, about what was ``asked``, if there is no game."""
        self._undo_step()
        if not self._table.sound:
            raise self._table.why_unsound(asked)

    @guarded
    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions as a fresh bool array with an entry for each id, as sb3-contrib needs it.

        They are those of the learner, or of the agent to move. All are True when the episode is over: no action is
        asked for, and any is allowed.
        """
        self._require_game("action_masks()")
        return self._table.mask.astype(np.bool_)

    @guarded
    def game(self) -> G:
        """Return an independent copy of the game in play, to search on, describe or record; chance draws anew in it."""
        self._require_game("game()")
        return cast(G, self._table.game.clone())

    @guarded
    def close(self) -> None:
        """Close the window of ``human``; there is nothing else to release. It may be called any number of times."""
        close_shown(self.render_mode)
