"""Compiled players by name, and those that users register."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.calls import entry_of
from endeavor_env.endeavor.players.player_list import ROWS, Made, Row, possible_names, read_name, unknown_name
from endeavor_env.engine import game_players
from endeavor_env.engine.game_players import RANDOM
from endeavor_env.engine.network_file import content_digest
from endeavor_env.errors import CheckpointError, InvalidOptionError, shown

MOST_RECENT = 16
"""Most players that are kept for the case that they are named again; a network takes some MB."""
_recent: OrderedDict[str, CompiledPlayer] = OrderedDict()
"""The players last named; games under way hold theirs in any case."""


class CompiledPlayer(game_players.CompiledPlayer):
    """A player of Endeavor, whose entry is as ``endeavor.players.calls.ENTRY`` describes."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the name and the content: addresses mean nothing in another process, and networks are files."""
        return _player_again, (self.name, self.content)


def _player_again(name: str, content: str) -> CompiledPlayer:
    """Return the player that was pickled; raise CheckpointError if its files are others by now."""
    player = player_of(name)
    if player.content != content:
        raise CheckpointError(f"player {shown(name)} is another one than was pickled: its file was replaced since then")
    return player


def names() -> tuple[str, ...]:
    """Return the names of all players that need no settings, those of the package first."""
    return tuple(row.name for row in ROWS.values() if row.plain and row.make is not None)


def register(name: str, player: Callable[..., Any], memory: npt.NDArray[Any] | None = None) -> None:
    """Make a player of the caller's known under a name.

    Args:
        name: A name that no other player has, without a colon.
        player: ``player(board, state, mask, memory, rng)``, a function that Numba can compile, or one compiled with
            ``numba.njit``: it returns a legal action id for ``state.seat``, given the BOARD and STATE records, which it
            must not change, the mask of legal actions (n,) int8, its memory (m,) uint8, and a generator (1,) uint64
            for ``engine.kernels.rng.next_below``. Illegal actions are not noticed and spoil the game.
        memory: Copied for each thread, and handed to the player as bytes: settings and scratch space. None for none.

    Raises:
        InvalidOptionError: The name is taken or is no such name, or there is no function.
    """
    _check_free("name", name)
    if not callable(player):
        raise InvalidOptionError(f"player {shown(player)} is no function of (board, state, mask, memory, rng)")
    given = np.ascontiguousarray(np.zeros(0, np.uint8) if memory is None else memory).reshape(-1).view(np.uint8).copy()
    made = Made(lambda _: given.copy())
    ROWS[name] = Row(name, entry_of(player), lambda _: made)


def register_kind(
    kind: str,
    make: Callable[[str], CompiledPlayer],
    files: Callable[[str], Sequence[Path]] = lambda settings: (),
) -> None:
    """Make players known whose names are ``<kind>:<settings>``.

    Args:
        kind: A name that no other player has, without a colon.
        make: Returns the player of the settings; called when one is named. The player has its whole name.
        files: Returns the files that ``make`` reads for the settings. When one is named again after they changed, it
            is made again.

    Raises:
        InvalidOptionError: The name is taken or is no such name.
    """
    _check_free("kind", kind)

    def made(settings: str | None) -> Made:
        player = make(settings or "")
        return Made(player.memory, player.variants, player.entry)

    ROWS[kind] = Row(kind, None, made, "<settings>", plain=False, files=files)


def _check_free(argument: str, name: object) -> None:
    """Raise InvalidOptionError unless ``name`` can be that of a new row."""
    if not isinstance(name, str) or not name or ":" in name:
        raise InvalidOptionError(f"{argument}={shown(name)} is not possible: give a text without a colon")
    if name in ROWS:
        taken = ", ".join(map(repr, possible_names(as_agent=True)))
        raise InvalidOptionError(f"{argument}={name!r} is taken: the known players are {taken}")


def find_player(name: object) -> CompiledPlayer | None:
    """Return the player of a name, made if need be, and again if its files have changed; None if there is none.

    Raises:
        InvalidOptionError: ``random``, or settings that the player does not have.
        CheckpointError: The file of a network cannot be used.
    """
    row, settings = read_name(name) or (None, None)
    if row is None or row.make is None:
        return None
    key = str(name)
    content = "" if settings is None else content_digest(row.files(settings))
    player = _recent.pop(key, None)
    if player is None or player.content != content:
        made = row.make(settings)
        entry = made.entry or row.entry
        assert entry is not None  # of one of the two, as Row says
        player = CompiledPlayer(key, entry, made.memory, made.variants, content)
    _recent[key] = player
    while len(_recent) > MOST_RECENT:
        _recent.popitem(last=False)
    return player


def is_player(name: object) -> bool:
    """Return whether ``name`` is that of a compiled player.

    Raises:
        InvalidOptionError: Settings that the player does not have.
        CheckpointError: The file of a network cannot be used.
    """
    return name == RANDOM or find_player(name) is not None


def player_of(name: object) -> CompiledPlayer:
    """Return the player that a name other than ``random`` stands for now.

    Raises:
        InvalidOptionError: An unknown name, or ``random``.
        CheckpointError: The file of a network cannot be used.
    """
    player = find_player(name)
    if player is None:
        raise unknown_name("player", name)
    return player


def check_plays(name: object, variant: str) -> None:
    """Raise InvalidOptionError if ``name`` is that of a compiled player that does not play ``variant``."""
    player = None if name == RANDOM else find_player(name)
    if player is not None:
        player.check_plays(variant)


def entry_named(name: str) -> Callable[..., Any]:
    """Return the entry that all players of a name of the package have, to be played with another memory."""
    entry = ROWS[name].entry
    if entry is None:
        raise unknown_name("player", name)
    return entry
