"""GameConfig: what is played, as one value: variant, number of seats, board, options and Exploits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import plain_text, refuses_unknown_options
from endeavor_env.endeavor.board import DEFAULT_BOARD_ID, Board
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.options import OPTIONS, RANDOM, check_exploits, check_options, exploits_of, options_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD, check_players, read_setup
from endeavor_env.errors import InvalidOptionError, named, shown

if TYPE_CHECKING:
    from endeavor_env.endeavor.game import Game
    from endeavor_env.engine.game_rules import GameRules

BoardGiven = Board | str | Path | None
"""A board, the path of a board file, or None for the board of 2009."""
_FIELDS = ("variant", "players", "board", "board_hash", "options", "exploits")


@dataclass(frozen=True, init=False, repr=False)
class GameConfig:
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

    @property
    def code(self) -> int:
        """The variant as kernels take it, VARIANT_*."""
        return c.VARIANT_NAMES.index(self.variant)

    @property
    def rules(self) -> GameRules:
        """Endeavor, as the engine take it."""
        from endeavor_env.endeavor.game_rules import ENDEAVOR  # a game in words needs none of it, and starts sooner

        return ENDEAVOR

    @property
    def board_array(self) -> npt.NDArray[np.void]:
        """(1,) board as kernels take it, read only."""
        return self.board.array

    @property
    def num_scores(self) -> int:
        """Number of scores at the end: one for each seat, and one for the Opposition in ``solo``."""
        return self.players + (self.variant == SOLO)

    @property
    def exploit_bits(self) -> int | None:
        """The Exploits as kernels take them, None if each game draws them."""
        return check_exploits(self.exploits or None, self.variant)[0]

    @property
    def all_options(self) -> dict[str, Any]:
        """The value of each option that the variant has, defaults included, as a fresh dictionary."""
        return {option.name: self.options.get(option.name, option.values[0]) for option in options_of(self.variant)}

    def with_players(self, players: int) -> GameConfig:
        """Return the same with another number of seats; raise InvalidOptionError if the variant does not have it."""
        return replace(self, players=players)

    def option_array(self) -> npt.NDArray[np.int16]:
        """Return (NUM_OPTIONS,) options and Exploits as kernels take them that draw set-ups by themselves."""
        chosen, bits = check_options(self.options, self.variant), self.exploit_bits
        if bits is not None:
            chosen[c.OPTION_EXPLOITS] = bits
        return chosen

    def read_setup(self, setup: object) -> npt.NDArray[np.void]:
        """Return a given set-up as kernels take it, (1,) SETUP; raise InvalidSetupError unless it fits."""
        return read_setup(self.board, self.players, setup, self.variant, self.exploit_bits).array

    def new_game(self, seed: int | None = None, setup: Mapping[str, Any] | None = None) -> Game:
        """Return a game at its first decision; arguments and errors are those of ``Game.new``."""
        from endeavor_env.endeavor.game import Game  # which has a GameConfig, and so imports this module

        return Game.new(seed=seed, setup=setup, config=self)

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
