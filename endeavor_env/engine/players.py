"""The players of a game by name: compiled ones, those that users register, and agents, which stand above this package.

A name is ``name`` or ``name:settings``. Its row says what settings look like, how its compiled player is made, and
which agent plays matches, if that is more than the compiled player.
"""

from __future__ import annotations

import functools
import math
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.players import PLAYER_SIGNATURE
from endeavor_env.errors import CheckpointError, InvalidOptionError, shown
from endeavor_env.kernels.calls import address_of
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at, record_at
from endeavor_env.kernels.switches import JIT_DISABLED

# --- A compiled player ------------------------------------------------------------------------------------------------

RANDOM = "random"
"""The player that every game has: kernels know it by its code."""
Memory = Callable[[int], npt.NDArray[np.uint8]]
"""Returns fresh memory of a player for games with so many action ids."""


@dataclass(frozen=True)
class CompiledPlayer:
    """A player whose choice is a kernel. Players of one game and name are equal if they were made from the same files.

    Attributes:
        name: Its whole name, with settings.
        entry: The code entry that chooses, of the kinds PLAYER_SIGNATURE.
        memory: Returns fresh memory for games with so many action ids.
        variants: The variants that it plays; none for all of its game.
        content: The SHA-256 in hex of the files that it was made from, "" if there are none.
        leaves: The code entry that values positions by its memory, of the kinds LEAF_SIGNATURE; None if it has none.
        players: The list that it is from, if it is from one.
    """

    name: str
    entry: Callable[..., Any] = field(compare=False)
    memory: Memory = field(compare=False)
    variants: tuple[str, ...] = ()
    content: str = ""
    leaves: Callable[..., Any] | None = field(default=None, compare=False)
    players: PlayerList | None = field(default=None, compare=False, repr=False)

    def check_plays(self, variant: str) -> None:
        """Raise InvalidOptionError if the player was not made for ``variant``."""
        if self.variants and variant not in self.variants:
            raise InvalidOptionError(
                f"player {shown(self.name)} does not play {variant!r}: it was made for {', '.join(self.variants)}"
            )

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledPlayer:
        """Return the player itself, which nobody changes: a copied game goes on with the same network."""
        return self

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle the name and the content: addresses mean nothing in another process, and networks are files."""
        if self.players is None:
            return super().__reduce__()
        return _player_again, (self.players, self.name, self.content)


def _player_again(players: PlayerList, name: str, content: str) -> CompiledPlayer:
    """Return the player that was pickled; raise CheckpointError if its files are others by now."""
    player = players.player(name)
    if player.content != content:
        raise CheckpointError(f"player {shown(name)} is another one than was pickled: its file was replaced since then")
    return player


@functools.cache
def entry_address(entry: Callable[..., Any]) -> int:
    """Return the address of a player's entry, compiled if needed."""
    address = address_of(entry, PLAYER_SIGNATURE)
    _at[address] = entry
    return address


_at: dict[int, Callable[..., Any]] = {}


def entry_at(address: int) -> Callable[..., Any] | None:
    """Return the entry whose address ``entry_address`` has returned in this process; None for another number."""
    return _at.get(address)


# --- The list of the players of a game --------------------------------------------------------------------------------

MOST_RECENT = 16
"""Most players that are kept for the case that they are named again; a network takes some MB."""
_COMPILED = "endeavor_env.agents.players.compiled:CompiledAgent"
"""The agent of a name whose row has none of its own."""


def no_memory(num_actions: int) -> npt.NDArray[np.uint8]:
    """Return memory of no bytes."""
    return np.zeros(0, np.uint8)


def no_files(settings: str) -> Sequence[Path]:
    """Return the files of settings that name none."""
    return ()


def never(settings: str) -> bool:
    """Return that settings name no file."""
    return False


class Made(NamedTuple):
    """What a compiled player is made of, besides its name."""

    memory: Memory = no_memory
    """Returns fresh memory for games with so many action ids."""
    variants: tuple[str, ...] | None = None
    """The variants that it plays; None for all of the game."""
    entry: Callable[..., Any] | None = None
    """Its entry, if the row has none."""


def needs_nothing(settings: str | None) -> Made:
    """Return what a player is made of that has no memory and plays all variants."""
    return Made()


@dataclass(frozen=True)
class PlayerRow:
    """A name, and what its players and agents are made of.

    Attributes:
        name: The name, without a colon.
        entry: The code entry of its compiled players, of the kinds PLAYER_SIGNATURE; None if each has its own.
        make: Makes the compiled player, given the settings after the colon, None without a colon; None for agents only.
        settings: The form of its settings, "" if it has none.
        agent_settings: The form of settings that only an agent takes.
        plain: Whether the name is possible without settings.
        files: Returns the files that settings name, the network first. If one has changed, the name is another
            player's.
        names_files: Whether settings name a file or a program: by their text alone, whether there is one or not.
        networks: Returns the files of the networks with which it plays a variant, given the settings and the variant;
            None if it is the first of its files.
        agent: The function that makes the agent, as "module:function" of the settings, if that is more than the
            compiled player in a match.
        runs_programs: Whether the settings name a program, so that only the user of this machine may give them.
        leaves: As of ``CompiledPlayer``.
    """

    name: str
    entry: Callable[..., Any] | None = None
    make: Callable[[str | None], Made] | None = None
    settings: str = ""
    agent_settings: str = ""
    plain: bool = True
    files: Callable[[str], Sequence[Path]] = no_files
    names_files: Callable[[str], bool] = never
    networks: Callable[[str | None, str], Sequence[Path]] | None = None
    agent: str = ""
    runs_programs: bool = False
    leaves: Callable[..., Any] | None = None

    def played_files(self, settings: str | None, variant: str) -> Sequence[Path]:
        """Return the files of the networks, or of the program, with which settings play a variant."""
        if self.networks is not None:
            return self.networks(settings, variant)
        return self.files(settings)[:1] if settings else ()


def refuse_random(settings: str | None) -> Made:
    """Refuse to make a player of ``random``."""
    raise InvalidOptionError("player 'random' has no entry: kernels know it by its code")


class PlayerList:
    """The players of a game by name, ``random`` among them, and those that users register."""

    def __init__(
        self,
        rows: Sequence[PlayerRow] | str = (),
        variants: Sequence[str] = (),
        records: tuple[np.dtype[np.void], np.dtype[np.void]] | None = None,
    ) -> None:
        """Make a list of rows.

        Args:
            rows: The rows; or "module:name" of them, which is imported when a name is first looked up.
            variants: The variants of a player that says nothing else; none for all of the game.
            records: The dtypes of board and position, as registered players get them.
        """
        self._given = rows, tuple(variants), records
        self._recent: OrderedDict[str, CompiledPlayer] = OrderedDict()

    @functools.cached_property
    def rows(self) -> dict[str, PlayerRow]:
        """The rows by name."""
        given = self._given[0]
        rows: Sequence[PlayerRow] = imported(given, "this game") if isinstance(given, str) else given
        return {RANDOM: PlayerRow(RANDOM, None, refuse_random)} | {row.name: row for row in rows}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle where the rows stand: a process has one such list."""
        return (players_at if isinstance(self._given[0], str) else PlayerList), self._given

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the list itself."""
        return self

    # --- names ---
    def read_name(self, name: object) -> tuple[PlayerRow, str | None] | None:
        """Return the row that a name stands for, and the settings after its colon, None without a colon.

        Returns:
            None for anything that is no name of an agent or player.
        """
        kind, colon, settings = name.partition(":") if isinstance(name, str) else ("", "", "")
        row = self.rows.get(kind)
        if row is None or not (row.plain or settings) or (colon and not (row.settings or row.agent_settings)):
            return None
        return row, settings if colon else None

    def names(self) -> tuple[str, ...]:
        """Return the names of all compiled players that need no settings, those of the package first."""
        return tuple(row.name for row in self.rows.values() if row.plain and row.make is not None)

    def possible_names(self, *, as_agent: bool) -> tuple[str, ...]:
        """Return every form of a name: of the compiled players, or of all agents."""
        rows = [row for row in self.rows.values() if as_agent or row.make is not None]
        forms = [(row.name, row.settings, row.agent_settings if as_agent else "") for row in rows]
        behind = [f"{name}:{settings}" for name, *both in forms for settings in both if settings]
        return *(row.name for row in rows if row.plain), *behind

    def unknown(self, role: str, given: object, *others: str, as_agent: bool = False) -> InvalidOptionError:
        """Return the error for somebody who cannot play in a place, with everybody who can.

        Args:
            role: What the place calls who plays there, as "opponent".
            given: Who was asked for.
            others: Who else can play there, besides compiled players.
            as_agent: Whether all agents can.
        """
        why = "is unknown" if isinstance(given, str) else "cannot play here"
        if not as_agent and self.read_name(given) is not None:
            why = "is possible as an agent only"
        possible = ", ".join(map(repr, self.possible_names(as_agent=as_agent)))
        return InvalidOptionError(f"{role} {shown(given)} {why}: possible are {', or '.join((possible, *others))}")

    # --- compiled players ---
    def find(self, name: object) -> CompiledPlayer | None:
        """Return the player of a name, made if need be, and again if its files have changed; None if there is none.

        Raises:
            InvalidOptionError: ``random``, or settings that the player does not have.
            CheckpointError: The file of a network cannot be used.
        """
        row, settings = self.read_name(name) or (None, None)
        if row is None or row.make is None:
            return None
        from endeavor_env.engine.network_file import content_digest  # games that nobody plays need none of it

        key = str(name)
        content = "" if settings is None else content_digest(row.files(settings))
        player = self._recent.pop(key, None)
        if player is None or player.content != content:
            made = row.make(settings)
            entry = made.entry or row.entry
            assert entry is not None  # of one of the two, as the row says
            variants = self._given[1] if made.variants is None else made.variants
            player = CompiledPlayer(key, entry, made.memory, variants, content, row.leaves, self)
        self._recent[key] = player
        while len(self._recent) > MOST_RECENT:
            self._recent.popitem(last=False)
        return player

    def player(self, name: object, role: str = "player", *others: str) -> CompiledPlayer:
        """Return the player that a name other than ``random`` stands for now.

        Args:
            name: The name.
            role: What the place calls who plays there, for messages.
            others: Who else can play there, for messages.

        Raises:
            InvalidOptionError: An unknown name, or ``random``.
            CheckpointError: The file of a network cannot be used.
        """
        player = self.find(name)
        if player is None:
            raise self.unknown(role, name, *others)
        return player

    def is_player(self, name: object) -> bool:
        """Return whether ``name`` is that of a compiled player.

        Raises:
            InvalidOptionError: Settings that the player does not have.
            CheckpointError: The file of a network cannot be used.
        """
        return name == RANDOM or self.find(name) is not None

    def check_plays(self, name: object, variant: str) -> None:
        """Raise InvalidOptionError if ``name`` is that of a compiled player that does not play ``variant``."""
        player = None if name == RANDOM else self.find(name)
        if player is not None:
            player.check_plays(variant)

    def check(self, role: str, given: object, variants: Sequence[str], others: Sequence[str] = ()) -> None:
        """Raise InvalidOptionError unless ``given`` is ``random`` or the name of a player of all these variants.

        Args:
            role: What the place calls who plays there, as "opponent".
            given: Who was asked for.
            variants: Those that are played.
            others: Who else can play there, for messages.
        """
        if isinstance(given, str) and given == RANDOM:
            return
        player = self.player(given, role, *others)
        for variant in variants:
            player.check_plays(variant)

    def entry_named(self, name: str) -> Callable[..., Any]:
        """Return the entry that all players of a name have, to be played with another memory."""
        row = self.rows.get(name)
        if row is None or row.entry is None:
            raise self.unknown("player", name)
        return row.entry

    # --- players of users ---
    def register(self, name: str, player: Callable[..., Any], memory: npt.NDArray[Any] | None = None) -> None:
        """Make a player of the caller's known under a name.

        Args:
            name: A name that no other player has, without a colon.
            player: ``player(board, state, mask, memory, rng)``, a function that Numba can compile, or one compiled with
                ``numba.njit``: it returns a legal action id for ``state.seat``, given the records of board and
                position, which it must not change, the mask of legal actions (n,) int8, its memory (m,) uint8, and a
                generator (1,) uint64 for ``engine.kernels.rng.next_below``. Illegal actions are not noticed and spoil
                the game.
            memory: Copied for each thread, and handed to the player as bytes: settings and scratch space. None for
                none.

        Raises:
            InvalidOptionError: The name is taken or is no such name, or there is no function.
        """
        self._check_free("name", name)
        if not callable(player):
            raise InvalidOptionError(f"player {shown(player)} is no function of (board, state, mask, memory, rng)")
        given = np.ascontiguousarray(np.zeros(0, np.uint8) if memory is None else memory).reshape(-1).view(np.uint8)
        kept, records = given.copy(), self._given[2]
        assert records is not None  # of a game whose players users register
        self.rows[name] = PlayerRow(name, _entry_of(player, *records), lambda _: Made(lambda _: kept.copy()))

    def register_kind(
        self, kind: str, make: Callable[[str], CompiledPlayer], files: Callable[[str], Sequence[Path]] = no_files
    ) -> None:
        """Make players known whose names are ``<kind>:<settings>``.

        Args:
            kind: A name that no other player has, without a colon.
            make: Returns the player of the settings; called when one is named. The player has its whole name.
            files: Returns the files that ``make`` reads for the settings. When one is named again after they changed,
                it is made again.

        Raises:
            InvalidOptionError: The name is taken or is no such name.
        """
        self._check_free("kind", kind)

        def made(settings: str | None) -> Made:
            player = make(settings or "")
            return Made(player.memory, player.variants, player.entry)

        self.rows[kind] = PlayerRow(kind, None, made, "<settings>", plain=False, files=files, names_files=bool)

    def _check_free(self, argument: str, name: object) -> None:
        """Raise InvalidOptionError unless ``name`` can be that of a new row."""
        if not isinstance(name, str) or not name or ":" in name:
            raise InvalidOptionError(f"{argument}={shown(name)} is not possible: give a text without a colon")
        if name in self.rows:
            taken = ", ".join(map(repr, self.possible_names(as_agent=True)))
            raise InvalidOptionError(f"{argument}={name!r} is taken: the known players are {taken}")

    # --- agents ---
    def agent(self, name: object, *, programs: bool = False, files: bool = True) -> Any:
        """Return a fresh agent, an object with ``reset(seed)`` and ``act(game)``.

        Args:
            name: The name.
            programs: Whether it may name a program that is run, which nobody but the user of this machine may: not what
                comes over a network or in a file.
            files: Whether it may name a file; if not, nobody looks whether there is one, which the error would tell.

        Raises:
            InvalidOptionError: No such agent, settings it does not have, or a file or program where none may be named.
            CheckpointError: The file of a network cannot be used.
        """
        row, settings = self.read_name(name) or (None, None)
        if row is None:
            raise self.unknown("agent", name, as_agent=True)
        if row.runs_programs and not programs:
            raise InvalidOptionError(
                f"agent {shown(name)} is not possible here: it would run a program of this machine"
            )
        if not files and settings and row.names_files(settings):
            raise InvalidOptionError(f"agent {shown(name)} is not possible here: it names a file of this machine")
        if not row.agent:
            return imported(_COMPILED, f"agent {shown(name)}")(name, players=self)
        make = imported(row.agent, f"agent {shown(name)}")
        return make() if settings is None else make(settings)


@functools.cache
def players_at(
    rows: str,
    variants: tuple[str, ...] = (),
    records: tuple[np.dtype[np.void], np.dtype[np.void]] | None = None,
) -> PlayerList:
    """Return the list whose rows stand at "module:name", one for all that ask; arguments are those of PlayerList."""
    return PlayerList(rows, variants, records)


def imported(reference: str, what: str) -> Any:
    """Return what "module:name" names; raise InvalidOptionError if a library is missing that ``what`` needs."""
    module, _, name = reference.partition(":")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"{what} needs {error.name}: install it with pip install 'endeavor-env[train]'"
        ) from error


# --- The entries of players that users register -----------------------------------------------------------------------


def _entry_of(
    player: Callable[..., Any], board_record: np.dtype[np.void], position: np.dtype[np.void]
) -> Callable[..., Any]:
    """Return an entry for a player of the caller's: ``player(board, state, mask, memory, rng)``.

    Its machine code is not saved. The players of this package write their entries out, so that theirs is.
    """
    compile_it: Any = _unchanged if JIT_DISABLED else _compile
    compiled = player if hasattr(player, "py_func") else compile_it(player)
    board_at, state_at = record_at(board_record), record_at(position)

    def entry(board, state, mask, num_actions, memory, size, rng):  # no types: compiled
        allowed, own, generator = bytes_at(mask, num_actions), memory_at(memory, size), generator_at(rng, 1)
        return np.int64(compiled(board_at(board), state_at(state), allowed, own, generator))

    return compile_it(entry)


def _unchanged(function: Any) -> Any:
    return function


def _compile(function: Any) -> Any:
    from endeavor_env.kernels.numba_kernels import compiled_alone

    return compiled_alone(function)


# --- Weights of players as text, as in "disc=0.5,growth=1" -----------------------------------------------------------


def read_weights(settings: str, name: str, known: Collection[str], known_in_words: str) -> dict[str, float]:
    """Return the weights that ``settings``, "weight=number,...", names.

    Args:
        settings: The text after the colon of a player's name.
        name: What errors call the player.
        known: The weights that there are.
        known_in_words: How errors list them.

    Raises:
        InvalidOptionError: An unknown weight, or a value that is no finite number.
    """
    given = {}
    for setting in settings.split(","):
        weight, _, text = setting.partition("=")
        if weight not in known:
            raise InvalidOptionError(f"player {shown(name)} has no weight {shown(weight)}: they are {known_in_words}")
        given[weight] = _number(name, weight, text)
    return given


def _number(name: str, weight: str, text: str) -> float:
    """Return the value of a weight; raise InvalidOptionError unless it is a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidOptionError(f"player {shown(name)} sets {weight} to {shown(text)}: it must be a finite number")
    return value
