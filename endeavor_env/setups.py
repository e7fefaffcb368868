"""Set-ups: drawing one from a seed, and checking one that is given (R2; notation, section 4)."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.core import entry
from endeavor_env.core.constants import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    NONE,
    NUM_SPACES,
    TOKEN_NAMES,
    VARIANT_NAMES,
)
from endeavor_env.core.rng import seeded
from endeavor_env.errors import InvalidOptionError, InvalidSetupError
from endeavor_env.whole_numbers import whole_number


@dataclass(frozen=True)
class Setup:
    """Every random outcome of a game: the first player and the token kind lying on each space."""

    first_player: int
    tokens: npt.NDArray[np.int8]
    """(NUM_SPACES,) int8, -1 where the board has no space. Not to be written to."""

    def to_dict(self, board: Board) -> dict[str, Any]:
        """Returns the ``setup`` of a game record."""
        tokens = {name: TOKEN_NAMES[self.tokens[space]] for name, space in board.space_index.items()}
        return {"first_player": self.first_player, "tokens": tokens}


def check_players(players: object, variant: object = "standard") -> int:
    """Returns ``players`` as an int; raises InvalidOptionError unless variant and number go together."""
    if variant not in VARIANT_NAMES:
        raise InvalidOptionError(f"variant {variant!r} is unknown: this version plays {', '.join(VARIANT_NAMES)}")
    number = whole_number(players)
    if number is None or not MIN_PLAYERS <= number <= MAX_PLAYERS:
        raise InvalidOptionError(
            f"players={players!r} does not fit variant {variant!r}: it takes {MIN_PLAYERS} to {MAX_PLAYERS} players"
        )
    return number


def check_seed(seed: object) -> int | None:
    """Returns ``seed`` as an int or None; raises InvalidOptionError for anything else."""
    if seed is None:
        return None
    number = whole_number(seed)
    if number is None or number < 0:
        raise InvalidOptionError(f"seed={seed!r} is not possible: a seed is a non-negative whole number or None")
    return number


def fresh_seed() -> int:
    """Returns a seed from the operating system, in [0, 2**53) so that JSON readers keep it exact."""
    return secrets.randbits(53)


def draw_setup(board: Board, players: int, seed: int) -> Setup:
    """Draws the set-up of ``seed`` (R2.1, R2.5): the same on every machine, compiled or not."""
    tokens = np.empty(NUM_SPACES, np.int8)
    first_player = entry.random_setup(board.array, seeded(seed), players, tokens)
    return Setup(int(first_player), tokens)


def read_setup(board: Board, players: int, setup: object) -> Setup:
    """Returns a given set-up, checked against board and players; raises InvalidSetupError naming what is wrong."""
    if not isinstance(setup, Mapping):
        raise InvalidSetupError(f"setup is a {type(setup).__name__}: it must be a mapping of first_player and tokens")
    if set(setup) != {"first_player", "tokens"}:
        raise InvalidSetupError(
            f"setup has the fields {_listed(setup)}: a standard game needs exactly first_player and tokens"
        )
    first = whole_number(setup["first_player"])
    if first is None or not 0 <= first < players:
        given = setup["first_player"]
        raise InvalidSetupError(f"setup.first_player is {given!r}: it must be a seat, 0 to {players - 1}")
    return Setup(first, _read_tokens(board, setup["tokens"]))


def _read_tokens(board: Board, given: object) -> npt.NDArray[np.int8]:
    if not isinstance(given, Mapping):
        raise InvalidSetupError(f"setup.tokens is a {type(given).__name__}: it must map space ids to token kinds")
    missing = [name for name in board.space_index if name not in given]
    unknown = [name for name in given if name not in board.space_index]
    if missing or unknown:
        raise InvalidSetupError(
            f"setup.tokens must name each of the {len(board.space_index)} spaces of board {board.id} once; "
            f"missing: {_listed(missing)}; unknown: {_listed(unknown)}"
        )
    tokens = np.full(NUM_SPACES, NONE, np.int8)
    for name, kind in given.items():
        if kind not in TOKEN_NAMES:
            raise InvalidSetupError(f"setup.tokens[{name!r}] is {kind!r}: token kinds are {', '.join(TOKEN_NAMES)}")
        tokens[board.space_index[name]] = TOKEN_NAMES.index(kind)
    placed = Counter(given.values())
    for kind, count in zip(TOKEN_NAMES, board.array["token_count"][0].tolist(), strict=True):
        if placed[kind] != count:
            raise InvalidSetupError(f"setup.tokens places {placed[kind]} {kind} tokens: board {board.id} has {count}")
    return tokens


def _listed(names: Any) -> str:
    """Returns up to six names as text."""
    names = [str(name) for name in names]
    return (", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")) or "none"
