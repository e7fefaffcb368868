"""Game: one game of Endeavor in readable words; and GameConfig: variant, seats, board, options and Exploits.

What draws a game is imported when it is drawn: programs that only play start without it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import plain_text, refuses_unknown_options, whole_number
from endeavor_env.endeavor import notation, results
from endeavor_env.endeavor.board import DEFAULT_BOARD_ID, Board
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.game_rules import ENDEAVOR
from endeavor_env.endeavor.options import (
    EXPLOITS,
    OPTIONS,
    RANDOM,
    check_exploits,
    check_options,
    exploits_of,
    options_of,
)
from endeavor_env.endeavor.results import OPPOSITION_NAME, Ladder
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD, check_players, read_setup, setup_to_dict
from endeavor_env.engine import game as engine
from endeavor_env.errors import InvalidOptionError, named, shown

FORMAT = "endeavor-game/1"
BoardGiven = Board | str | Path | None
"""A board, the path of a board file, or None for the board of 2009."""
_FIELDS = ("variant", "players", "board", "board_hash", "options", "exploits")


@dataclass(frozen=True, init=False, repr=False)
class GameConfig(engine.GameConfig):
    """What is played, without the random outcomes of a game. It is checked when it is made, and never changes.

    Two are equal if the same is played: the order of Exploits, options with their default and a path for a board make
    no difference. ``dataclasses.replace`` returns another with other values. ``str`` of one is a text for command
    lines, as ``"solo:difficulty=harder"``, which ``parse`` reads.
    """

    variant: str
    """A name of VARIANT_NAMES; the base game with Exploits is "exploits"."""
    players: int
    """Number of seats, 1 to 5."""
    board: Board
    """The board that is played on."""
    options: Mapping[str, Any] = field(hash=False)  # a mapping has no hash
    """The options that differ from their default, read only."""
    exploits: tuple[str, ...] | str
    """Names of Exploits in the order of EXPLOIT_NAMES, "random" for three that each game draws, () for none."""
    exploit_bits: int | None = field(init=False, compare=False)
    """The Exploits as kernels take them, None if each game draws them."""
    _numbers: npt.NDArray[np.int16] = field(init=False, compare=False)
    """(NUM_OPTIONS,) options and Exploits as kernels take them, read only."""

    @refuses_unknown_options("GameConfig")
    def __init__(
        self,
        variant: str = STANDARD,
        players: int | None = None,
        board: BoardGiven = None,
        options: Mapping[str, Any] | None = None,
        exploits: Sequence[str] | str | None = None,
    ) -> None:
        """Check what is to be played; every argument is that of ``Game.new``.

        Raises:
            InvalidOptionError: The variant, the player count, an option or the Exploits are not possible.
            InvalidBoardError: The board file has faults, or the variant cannot be played on the board.
        """
        seats = check_players(players, variant)
        bits, name = check_exploits(exploits, str(plain_text(variant)))
        chosen = check_options(options, name)
        on = Board.resolve(board)
        check_board(on, name)
        differing = {one.name: one.values[chosen[one.at]] for one in options_of(name) if chosen[one.at]}
        fix = object.__setattr__
        fix(self, "variant", name)
        fix(self, "players", seats)
        fix(self, "board", on)
        fix(self, "options", MappingProxyType(differing))
        fix(self, "exploits", RANDOM if bits is None else exploits_of(bits))
        fix(self, "exploit_bits", bits)
        if bits is not None:
            chosen[c.OPTION_EXPLOITS] = bits
        chosen.flags.writeable = False
        fix(self, "_numbers", chosen)

    rules = ENDEAVOR

    @property
    def board_array(self) -> npt.NDArray[np.void]:
        """(1,) board as kernels take it, read only."""
        return self.board.array

    @property
    def board_rows(self) -> npt.NDArray[np.int64]:
        """(1, words) int64, the board as kernels of the engine take it."""
        return self.board.rows

    @property
    def num_scores(self) -> int:
        """Number of scores at the end: one for each seat, and one for the Opposition in ``solo``."""
        return self.players + (self.variant == SOLO)

    @property
    def all_options(self) -> dict[str, Any]:
        """The value of each option that the variant has, defaults included, as a fresh dictionary."""
        return {option.name: self.options.get(option.name, option.values[0]) for option in options_of(self.variant)}

    def with_players(self, players: int) -> GameConfig:
        """Return the same with another number of seats; raise InvalidOptionError if the variant does not have it."""
        return replace(self, players=players)

    def option_array(self) -> npt.NDArray[np.int16]:
        """Return (NUM_OPTIONS,) options and Exploits as kernels take them that draw set-ups by themselves."""
        return self._numbers.copy()

    def draw_setup(self, seed: int) -> npt.NDArray[np.void]:
        """Return the set-up of a seed, (1,) SETUP, the same on every machine (R2.1, R2.5, S1, X1.1)."""
        drawn, bits = super().draw_setup(seed), self.exploit_bits
        if bits is not None:
            drawn["exploits"] = bits
        return drawn

    def read_setup(self, setup: object) -> npt.NDArray[np.void]:
        """Return a given set-up as kernels take it, (1,) SETUP; raise InvalidSetupError unless it fits."""
        return read_setup(self.board, self.players, setup, self.variant, self.exploit_bits)

    @property
    def game_class(self) -> type[Game]:
        """``Game``."""
        return Game

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; the board is its id and its hash."""
        return {
            "variant": self.variant,
            "players": self.players,
            "board": self.board.id,
            "board_hash": self.board.hash,
            "options": dict(self.options),
            "exploits": self.exploits if isinstance(self.exploits, str) else list(self.exploits),
        }

    def with_names(self) -> dict[str, Any]:
        """Return ``to_dict``, which has the names of everything."""
        return self.to_dict()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], board: BoardGiven = None) -> GameConfig:
        """Return what ``to_dict`` has written; fields that are left out have their default.

        Args:
            data: Any of the fields that ``to_dict`` writes.
            board: The board itself, for one whose id is not enough: neither that of 2009 nor a generated one.

        Raises:
            InvalidOptionError: An unknown field, another board than the one of ``data``, or what the constructor
                raises.
        """
        if not isinstance(data, Mapping):
            raise InvalidOptionError(f"{shown(data)} is no game: give a mapping with any of {', '.join(_FIELDS)}")
        unknown = [named(key) for key in data if plain_text(key) not in _FIELDS]
        if unknown:
            raise InvalidOptionError(f"a game has no field {unknown[0]}: its fields are {', '.join(_FIELDS)}")
        given = {str(key): value for key, value in data.items()}
        wanted = given.pop("board_hash", None)
        if board is not None:
            given["board"] = board
        config = cls(**given)
        if wanted is not None and wanted != config.board.hash:
            raise InvalidOptionError(
                f"the game is played on a board with the hash {shown(wanted)}, and {config.board.id} has "
                f"{config.board.hash}: give its board"
            )
        return config

    def __str__(self) -> str:
        """Return the text form: the variant, and after a colon what is not its default, separated by commas."""
        values = {} if self.players == check_players(None, self.variant) else {"players": str(self.players)}
        if isinstance(self.exploits, tuple) and self.exploits:
            values["exploits"] = "+".join(self.exploits)
        if self.board.id != DEFAULT_BOARD_ID:
            values["board"] = self.board.id
        values |= {name: str(value).lower() for name, value in self.options.items()}
        behind = ",".join(f"{name}={value}" for name, value in values.items())
        return f"{self.variant}:{behind}" if behind else self.variant

    def __repr__(self) -> str:
        """Return the text form, marked as what it is."""
        return f"<GameConfig {self}>"

    @classmethod
    def parse(cls, text: str, board: BoardGiven = None) -> GameConfig:
        """Return the game of a text such as "exploits:players=3,exploits=cartography+shield".

        Args:
            text: A variant, and after a colon any of ``players``, ``exploits``, ``board`` and the options of the
                variant, as name=value, separated by commas. Exploits are joined by "+".
            board: The board itself, instead of the one that the text names.

        Raises:
            InvalidOptionError: Something of another form, a name twice, or what the constructor raises.
        """
        if not isinstance(text, str):
            raise InvalidOptionError(f"{shown(text)} is no game: give a text such as 'standard:players=3'")
        variant, _, rest = text.partition(":")
        given = _read_values(text, rest)
        names, seats, named_board = (given.pop(name, None) for name in ("exploits", "players", "board"))
        players: Any = int(seats) if seats is not None and re.fullmatch("[0-9]{1,4}", seats) else seats
        options = {name: option_value(name, value) for name, value in given.items()}
        exploits = names if names is None or names == RANDOM else names.split("+")
        return cls(variant, players, named_board if board is None else board, options, exploits)

    def __reduce__(self) -> tuple[type[GameConfig], tuple[Any, ...]]:
        """Pickle the arguments: a mapping that is read only cannot be pickled."""
        return type(self), (self.variant, self.players, self.board, dict(self.options), self.exploits or None)


class Game(engine.Game):
    """One game: its board, its state and the moves that led there.

    Attributes:
        history: The moves made, as (seat, action id).
        drawn: Every random outcome, as kernels take it; ``setup()`` gives it in words.
        seed: The seed of the set-up, None if the set-up was given.
    """

    config: GameConfig

    def __init__(
        self, config: GameConfig, drawn: npt.NDArray[np.void], seed: int | None, chance: npt.NDArray[np.uint64]
    ) -> None:
        """Begin a game, and draw nothing. Use ``Game.new`` to start one."""
        if config.exploits == RANDOM:
            config = replace(config, exploits=exploits_of(int(drawn["exploits"][0])))
        super().__init__(config, drawn, seed, chance)

    @classmethod
    @refuses_unknown_options("Game.new")
    def new(
        cls,
        players: int | None = None,
        variant: str = "standard",
        seed: int | None = None,
        *,
        setup: Mapping[str, Any] | None = None,
        board: BoardGiven = None,
        exploits: Sequence[str] | str | None = None,
        options: Mapping[str, Any] | None = None,
        config: GameConfig | None = None,
    ) -> Game:
        """Start a game at its first decision.

        Args:
            players: 3 to 5 in the base game, 4 if left out; a variant has one number: 1 in "solo", 2 in "soloplay_2"
                and "neutral_2", 3 in "soloplay_3".
            variant: "standard", "solo", "soloplay_2", "soloplay_3", "neutral_2", or "exploits" for the base game with
                Exploits.
            seed: Draws the set-up (R2.1, R2.5, S1); None takes one from the operating system and remembers it.
            setup: Every random outcome, as in a game record; then nothing is drawn.
            board: A Board, the path of a board file, or None for the board of 2009.
            exploits: The Exploits in play, names of EXPLOIT_NAMES in any order, or "random" for three drawn with the
                set-up (X1.1). None means none in the base game, and "random" in the variant "exploits".
            options: Options of the variant by name, see ``endeavor_env.endeavor.options``; the base game has none.
            config: What is played as one value, in place of players, variant, board, exploits and options.

        Raises:
            InvalidOptionError: The variant, player count, seed, exploits or an option is not possible, or one of them
                stands beside ``config``.
            InvalidSetupError: The set-up does not fit board, players or variant.
            InvalidBoardError: The board file has faults, or the variant cannot be played on the board.
        """
        return given_config(config, variant, players, board, options, exploits).new_game(seed, setup)

    @property
    def board(self) -> Board:
        """The board played on."""
        return self.config.board

    @property
    def exploits(self) -> tuple[str, ...]:
        """Names of the Exploits in play, in the order of EXPLOIT_NAMES."""
        return tuple(self.config.exploits)

    @property
    def options(self) -> dict[str, Any]:
        """The value of each option that the variant has (``endeavor_env.endeavor.options``), as a fresh dictionary."""
        return self.config.all_options

    @property
    def round(self) -> int:
        """The round, 1 to 7; 0 while decisions of the set-up are made."""
        return int(self.state["round_number"][0])

    @property
    def phase(self) -> str:
        """The phase: setup, build, growth, salary, action or over."""
        return c.PHASE_NAMES[self.state["phase"][0]]

    @property
    def decision(self) -> str:
        """The kind of decision that is due: a name of DECISION_NAMES, "nothing" when the game is over.

        Every game has build, salary, turn, target, discard and round_end_discard. Some variants have remove and neutral
        (V2S, V2F). ``solo`` has opposition: a choice that the rules of the Opposition leave to the player (S10).
        """
        return c.DECISION_NAMES[self.state["decision"][0]]

    def encode(self, move: str) -> int:
        """Return the action id of a move text, legal now or not; raise IllegalActionError if it is no move."""
        return notation.to_action(self.board, move, self.variant)

    def move_text(self, seat: int, action: int) -> str:
        """Return the text of a move that a seat made or makes; errors as ``describe``."""
        return notation.to_text(self.board, action, self.variant)

    def _decision_text(self) -> str:
        return f"decision {self.decision!r} of seat {self.seat}"

    def _no_move_text(self) -> str:
        return f"no move on board {self.board.id}"

    def breakdown(self, seat: int | str) -> dict[str, int]:
        """Return the Glory of ``seat`` by source; the values sum to its score (R12).

        Args:
            seat: A seat, or "opposition" in ``solo`` (S8.2).

        Raises:
            InvalidOptionError: There is no such seat.
        """
        return results.breakdown(self.board, self.state, self._score_row(seat))

    def _score_row(self, seat: int | str) -> int:
        """Return the row of ``seat`` among the scores; raise InvalidOptionError if it is not at the table."""
        number, solo = whole_number(seat), results.is_solo(self.state)
        if number is not None and 0 <= number < self.num_players:
            return number
        if solo and isinstance(seat, str) and seat == OPPOSITION_NAME:
            return c.OPPOSITION
        seats = f"the seat is 0, the other side {OPPOSITION_NAME!r}"
        if not solo:
            seats = f"seats are 0 to {self.num_players - 1}"
        raise InvalidOptionError(f"seat {shown(seat)} is not at the table: {seats}")

    def ladder(self) -> Ladder:
        """Return the result of a solitaire game, before its end as if it ended now (S8.3, S8.4).

        Raises:
            InvalidOptionError: The game is of another variant.
        """
        if not results.is_solo(self.state):
            raise InvalidOptionError(
                f"variant {self.variant!r} has no ladder of results: only a solo game has; ask winners() or scores()"
            )
        return results.ladder(self.board, self.state)

    def setup(self) -> dict[str, Any]:
        """Return every random outcome of this game, to be passed to ``Game.new(setup=...)``."""
        return setup_to_dict(self.board, self.variant, self.drawn)

    def _heading(self) -> dict[str, Any]:
        """Return the first fields of an ``endeavor-game/1`` record."""
        return {
            "format": FORMAT,
            "board": self.board.id,
            "players": self.num_players,
            "variant": STANDARD if self.variant == EXPLOITS else self.variant,
            "exploits": list(self.exploits),
            "options": dict(self.config.options),
        }

    def _result(self) -> dict[str, Any]:
        breakdowns = [self.breakdown(seat) for seat in results.scorers(self.state)]
        return {"scores": self.scores(), "breakdown": breakdowns}

    def svg(self, *, theme: str = "light", targets: bool = False) -> str:
        """Return a picture of the position and the last moves as SVG, 1280 x 800 pixels.

        Args:
            theme: "light" or "dark".
            targets: Whether the targets of the legal moves get a frame.

        Raises:
            InvalidOptionError: A wrong argument.
        """
        from endeavor_env.drawing import svg
        from endeavor_env.endeavor.drawing import scene

        moves = self.legal_moves() if targets else ()
        return svg.to_svg(scene.draw_game(self, theme, moves))

    def _repr_html_(self) -> str:
        """Return the picture, which notebooks show by themselves."""
        return self.svg()

    def __str__(self) -> str:
        """Return the text board."""
        from endeavor_env.endeavor.drawing import ansi

        return ansi.render(self)

    def __repr__(self) -> str:
        where = "over" if self.over else f"round {self.round}, {self.decision} of seat {self.seat}"
        who = f"{self.num_players} players" if self.variant == c.VARIANT_NAMES[0] else self.variant
        return f"<Game {who} on {self.board.id}, {where}, {len(self.history)} moves>"


def given_config(
    config: GameConfig | None,
    variant: str,
    players: int | None,
    board: BoardGiven,
    options: Mapping[str, Any] | None,
    exploits: Sequence[str] | str | None,
) -> GameConfig:
    """Return ``config``, or without one what the other arguments say; raise InvalidOptionError for both at once."""
    if config is None:
        return GameConfig(variant, players, board, options, exploits)
    if not isinstance(config, GameConfig):
        raise InvalidOptionError(f"config={shown(config)} is not possible: give a GameConfig")
    check_config_alone(variant, players, board, options, exploits)
    return config


def check_config_alone(
    variant: str,
    players: int | None,
    board: BoardGiven,
    options: Mapping[str, Any] | None,
    exploits: Sequence[str] | str | None,
) -> None:
    """Raise InvalidOptionError if something is said beside a ``config``, of any game, which says what is played."""
    others = {"variant": variant, "players": players, "board": board, "options": options, "exploits": exploits}
    for name, value in others.items():
        if value is not None and (name, value) != ("variant", STANDARD):
            raise InvalidOptionError(f"{name}={shown(value)} is not possible beside config, which says what is played")


def option_value(name: str, text: str) -> Any:
    """Return the value that ``text`` stands for in the option ``name``; what it does not have stays a text."""
    known = [value for option in OPTIONS if option.name == name for value in option.values]
    return next((value for value in known if str(value).lower() == text.lower()), text)


def _read_values(whole: str, text: str) -> dict[str, str]:
    """Return the values of the part of a text form behind the colon, by name."""
    values: dict[str, str] = {}
    for part in text.split(",") if text else ():
        name, equals, value = part.partition("=")
        if not equals or not name or name in values:
            raise InvalidOptionError(
                f"{shown(whole)} is no game: write variant:name=value,name=value with each name once, where it has "
                f"{shown(part)}"
            )
        values[name] = value
    return values
