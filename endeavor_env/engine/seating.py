"""Seating: the compiled players of some games, as the codes by which kernels know them and with memory for each thread.

Codes belong to one roster. A roster holds its players, so a network that nobody plays any more is freed, and a game
keeps the network that it began with when the file is replaced.
"""

from __future__ import annotations

import copyreg
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.players import FIRST_ENTRY, NOBODY, SEAT_CALLABLE, SEAT_RANDOM, Players
from endeavor_env.engine.players import RANDOM, CompiledPlayer, PlayerList, entry_address, entry_at
from endeavor_env.errors import InvalidOptionError, shown

ALIGNMENT = 64  # bytes: where each player's memory begins


def names_around(seat: int, names: Sequence[str], players: int) -> dict[int, str]:
    """Return who plays each other seat of a table.

    Args:
        seat: The seat that somebody else plays.
        names: One for all others, or one for each in playing order.
        players: Seats of the table.
    """
    others = [*names] * (players - 1) if len(names) == 1 else names
    return {(seat + distance) % players: name for distance, name in zip(range(1, players), others, strict=False)}


class Roster:
    """Compiled players and their codes."""

    def __init__(self, of: PlayerList) -> None:
        """Begin with ``random`` alone.

        Args:
            of: The players of the game that is played.
        """
        self._of = of
        self._players: dict[int, CompiledPlayer] = {}

    def code_of(self, name: str) -> int:
        """Return the code of the player that a name stands for now; one that is new gets the first free code.

        Raises:
            InvalidOptionError: An unknown name, or too many players.
            CheckpointError: The file of a network cannot be used.
        """
        if name == RANDOM:
            return SEAT_RANDOM
        player = self._of.player(name)
        for code, known in self._players.items():
            if known == player:
                return code
        code = next(code for code in range(FIRST_ENTRY, SEAT_CALLABLE + 1) if code not in self._players)
        if code == SEAT_CALLABLE:
            most = SEAT_CALLABLE - FIRST_ENTRY
            raise InvalidOptionError(f"player {shown(name)} is one too many: at most {most} can be seated at once")
        self._players[code] = player
        return code

    def player(self, code: int) -> CompiledPlayer:
        """Return the player of a code other than SEAT_RANDOM."""
        return self._players[code]

    def keep(self, codes: Collection[int]) -> None:
        """Forget the players of all other codes, which can then stand for new ones."""
        self._players = {code: player for code, player in self._players.items() if code in codes}

    def seated(
        self, codes: Iterable[int], num_actions: int, own: Mapping[int, npt.NDArray[np.uint8]] | None = None
    ) -> Players:
        """Return the players of these codes with fresh memory, for one thread.

        Args:
            codes: Codes of ``code_of``; SEAT_RANDOM and codes of functions are passed over.
            num_actions: Number of action ids of the games.
            own: Memory by code, instead of the fresh memory of these players.
        """
        players = {code: self._players[code] for code in sorted(set(codes)) if FIRST_ENTRY <= code < SEAT_CALLABLE}
        memories = {code: player.memory(num_actions) for code, player in players.items()} | dict(own or {})
        return join_players({code: entry_address(player.entry) for code, player in players.items()}, memories)


class SeatedPlayers(Roster):
    """A roster whose players have memory, made when they are first needed; copies and pickles make their own."""

    def __init__(self, num_actions: int, of: PlayerList, threads: int = 1) -> None:
        """Seat nobody.

        Args:
            num_actions: Number of action ids of the games.
            of: The players of the game that is played.
            threads: How many threads play at once, each with memory of its own.
        """
        super().__init__(of)
        self._num_actions, self._threads = num_actions, threads
        self._forget_memory()

    def _forget_memory(self) -> None:
        self._seated, self._codes = _of_threads([NOBODY] * self._threads), frozenset((SEAT_RANDOM,))

    def __getstate__(self) -> dict[str, object]:
        """Leave out addresses and memory, which mean nothing in another process."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_seated", "_codes")}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore a copy, whose players get memory when they are first needed."""
        self.__dict__.update(state)
        self._forget_memory()

    def keep(self, codes: Collection[int]) -> None:
        """Forget the players of all other codes, and their memory when others are next seated."""
        super().keep(codes)
        self._codes = self._codes & frozenset((*codes, SEAT_RANDOM))

    def seat(self, codes: frozenset[int]) -> Players:
        """Return ``Players`` that has at least these codes, with memory for each thread."""
        if not codes <= self._codes:
            wanted = self._codes | codes
            self._seated = _of_threads([self.seated(wanted, self._num_actions) for _ in range(self._threads)])
            self._codes = wanted
        return self._seated

    def seat_alone(self, codes: frozenset[int]) -> Players:
        """Return the same for the first thread alone."""
        players = self.seat(codes)
        return players._replace(memory=players.memory[0])


def _of_threads(players: list[Players]) -> Players:
    """Return the players of several threads, the same for each, as one."""
    return players[0]._replace(memory=np.stack([own.memory for own in players]))


def join_players(addresses: dict[int, int], memories: dict[int, npt.NDArray[np.uint8]]) -> Players:
    """Return ``Players`` with the entry at each address, and a copy of each memory, by code; NOBODY for none."""
    if not addresses:
        return NOBODY
    count = max(addresses) + 1
    table, offsets = np.zeros(count, np.int64), np.zeros(count + 1, np.int64)
    for code in range(count):
        size = memories[code].size if code in memories else 0
        table[code] = addresses.get(code, 0)
        offsets[code + 1] = offsets[code] + -(-size // ALIGNMENT) * ALIGNMENT
    memory = np.zeros(int(offsets[-1]), np.uint8)
    for code, content in memories.items():
        memory[offsets[code] : offsets[code] + content.size] = content
    return Players(table, offsets, memory)


def _reduce_players(players: Players) -> tuple[Any, ...]:
    """Pickle entries in place of their addresses, which would end another process that called them."""
    entries = [entry_at(address) for address in players.addresses.tolist()]
    return _players_again, (entries, players.offsets, players.memory)


def _players_again(entries: list[Any], offsets: npt.NDArray[np.int64], memory: npt.NDArray[np.uint8]) -> Players:
    """Return pickled players with the addresses that their entries have in this process."""
    addresses = [0 if entry is None else entry_address(entry) for entry in entries]
    return Players(np.array(addresses, np.int64), offsets, memory)


copyreg.pickle(Players, _reduce_players)
