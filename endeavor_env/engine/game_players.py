"""The compiled players that a game has, by name: what seating, batches, rollouts and tables ask of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.kernels.kinds import INTEGER, pointer
from endeavor_env.kernels.outside import address_of

RANDOM = "random"
"""The player that every game has: kernels know it by its code."""
PLAYER_KINDS = (
    pointer(),  # the board
    pointer(),  # the position, in which a seat is to move
    pointer(),  # the mask of its legal actions, int8
    INTEGER,  # number of action ids
    pointer(),  # the player's memory, uint8
    INTEGER,  # its size in bytes
    pointer(),  # the generator, (1,) uint64
)
"""The kinds of the arguments of a player's code entry, which returns an action id, int64."""
LEAF_KINDS = (pointer(), pointer(), pointer(), INTEGER, pointer())
"""The kinds of the arguments of a code entry that values a position: board, position, the player's memory and its size,
and (MAX_SEATS,) float64 for what the position is worth to each seat by what it may see; a share of the win, about."""
Memory = Callable[[int], npt.NDArray[np.uint8]]
"""Returns fresh memory of a player for games with so many action ids."""


@dataclass(frozen=True)
class CompiledPlayer:
    """A player whose choice is a kernel. Players of one game and name are equal if they were made from the same files.

    Attributes:
        name: Its whole name, with settings.
        entry: The code entry that chooses, of the kinds PLAYER_KINDS.
        memory: Returns fresh memory for games with so many action ids.
        variants: The variants that it plays; none for all of its game.
        content: The SHA-256 in hex of the files that it was made from, "" if there are none.
        leaves: The code entry that values positions by its memory, of the kinds LEAF_KINDS; None if it has none.
    """

    name: str
    entry: Callable[..., Any] = field(compare=False)
    memory: Memory = field(compare=False)
    variants: tuple[str, ...] = ()
    content: str = ""
    leaves: Callable[..., Any] | None = field(default=None, compare=False)

    def check_plays(self, variant: str) -> None:
        """Raise InvalidOptionError if the player was not made for ``variant``."""
        if self.variants and variant not in self.variants:
            raise InvalidOptionError(
                f"player {shown(self.name)} does not play {variant!r}: it was made for {', '.join(self.variants)}"
            )

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledPlayer:
        """Return the player itself, which nobody changes: a copied game goes on with the same network."""
        return self


class PlayersOfGame(Protocol):
    """The compiled players of a game besides ``random``."""

    def find(self, name: object) -> CompiledPlayer | None:
        """Return the player that a name stands for now; None if the game has none of this name.

        Raises:
            InvalidOptionError: Settings that the player does not have.
        """
        ...

    def unknown(self, role: str, given: object, *others: str) -> InvalidOptionError:
        """Return the error for somebody who cannot play in a place, with everybody who can.

        Args:
            role: What the place calls who plays there, as "opponent".
            given: Who was asked for.
            others: Who else can play there, besides compiled players.
        """
        ...


def no_memory(settings: str | None) -> Memory:
    """Return the memory of a player that needs none and has no settings."""
    return _nothing


def _nothing(num_actions: int) -> npt.NDArray[np.uint8]:
    """Return memory of no bytes."""
    return np.zeros(0, np.uint8)


def no_files(settings: str | None) -> Sequence[Path]:
    """Return the files of a player that is made from none."""
    return ()


@dataclass(frozen=True)
class PlayerRow:
    """A name, and what its players are made of.

    Attributes:
        name: The name, without a colon.
        entry: The code entry of its players, of the kinds PLAYER_KINDS.
        memory: Returns what makes their memory, given the settings after the colon, None without a colon.
        settings: What settings look like, "" if there are none.
        variants: The variants that they play; none for all.
        variants_of: Returns the variants, given the settings as before, where files say them.
        files: Returns the files that they are made from, given the settings as before.
        leaves: As of ``CompiledPlayer``.
    """

    name: str
    entry: Callable[..., Any]
    memory: Callable[[str | None], Memory] = no_memory
    settings: str = ""
    variants: tuple[str, ...] = ()
    variants_of: Callable[[str | None], tuple[str, ...]] | None = None
    files: Callable[[str | None], Sequence[Path]] = no_files
    leaves: Callable[..., Any] | None = None


@dataclass(frozen=True)
class ListedPlayers:
    """The players of a game as a list of rows; names are ``name`` or ``name:settings``."""

    rows: Sequence[PlayerRow] = ()

    def find(self, name: object) -> CompiledPlayer | None:
        """Return the player of a name; see ``PlayersOfGame``."""
        kind, colon, settings = name.partition(":") if isinstance(name, str) else ("", "", "")
        row = next((row for row in self.rows if row.name == kind), None)
        if row is None or (colon and not row.settings):
            return None
        given = settings if colon else None
        from endeavor_env.engine.network_file import content_digest  # a game without players needs none of it

        content = content_digest(row.files(given))
        variants = row.variants if row.variants_of is None else row.variants_of(given)
        return CompiledPlayer(str(name), row.entry, row.memory(given), variants, content, row.leaves)

    def unknown(self, role: str, given: object, *others: str) -> InvalidOptionError:
        """Return the error for somebody who cannot play; see ``PlayersOfGame``."""
        why = "is unknown" if isinstance(given, str) else "cannot play here"
        behind = [f"{row.name}:{row.settings}" for row in self.rows if row.settings]
        possible = ", ".join(map(repr, (RANDOM, *(row.name for row in self.rows), *behind)))
        return InvalidOptionError(f"{role} {shown(given)} {why}: possible are {', or '.join((possible, *others))}")


def find_player(players: PlayersOfGame, role: str, name: object, *others: str) -> CompiledPlayer:
    """Return the player that a name other than ``random`` stands for; raise InvalidOptionError if there is none."""
    player = players.find(name)
    if player is None:
        raise players.unknown(role, name, *others)
    return player


def check_player(
    players: PlayersOfGame, role: str, given: object, variants: Sequence[str], others: Sequence[str] = ()
) -> None:
    """Raise InvalidOptionError unless ``given`` is ``random`` or the name of a player of all these variants.

    Args:
        players: Those of the game.
        role: What the place calls who plays there, as "opponent".
        given: Who was asked for.
        variants: Those that are played.
        others: Who else can play there, for messages.
    """
    if isinstance(given, str) and given == RANDOM:
        return
    player = find_player(players, role, given, *others)
    for variant in variants:
        player.check_plays(variant)


@functools.cache
def entry_address(entry: Callable[..., Any]) -> int:
    """Return the address of a player's entry, compiled if needed."""
    address = address_of(entry, PLAYER_KINDS)
    _at[address] = entry
    return address


_at: dict[int, Callable[..., Any]] = {}


def entry_at(address: int) -> Callable[..., Any] | None:
    """Return the entry whose address ``entry_address`` has returned in this process; None for another number."""
    return _at.get(address)
