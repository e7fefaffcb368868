"""Who plays in the seats of games: compiled players, as codes with memory for each thread, and functions of callers."""

from __future__ import annotations

import copyreg
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.players import FIRST_ENTRY, NOBODY, SEAT_CALLABLE, SEAT_RANDOM, Players
from endeavor_env.engine.kernels.tables import MIX, SHARES, STAYS
from endeavor_env.engine.kernels.turn import OVER
from endeavor_env.engine.players import RANDOM, CompiledPlayer, PlayerList, entry_address, entry_at
from endeavor_env.errors import IllegalActionError, InvalidOptionError, shown

# --- Compiled players of some games as codes, with memory for each thread --------------------------------------------
# Codes belong to one roster. A roster holds its players, so a network that nobody plays any more is freed, and a game
# keeps the network that it began with when the file is replaced.

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


# --- Who decides for a seat of a batch or a rollout: compiled players by name, and functions of the caller -----------

BatchPolicy = Callable[[npt.NDArray[Any], npt.NDArray[np.int8]], npt.NDArray[Any]]
"""(observations (n, size), masks (n, actions) int8) -> (n,) legal action ids, one for each row."""

BatchOpponent = str | BatchPolicy
"""A name of a compiled player of the game, or a function of (observations, masks)."""


def check_policy(role: str, policy: object, function: str, rules: GameRules, variants: Sequence[str]) -> None:
    """Raise InvalidOptionError unless ``policy`` can play: the name of a compiled player, or a function and no class.

    Args:
        role: What the place calls who plays there, as "opponent".
        policy: Who was asked for.
        function: What a function there must be, for messages.
        rules: The game, which must have a compiled player of this name; ``random`` plays all.
        variants: Those of its variants that are played.
    """
    if callable(policy) and not isinstance(policy, type | str):
        return
    rules.players.check(role, policy, variants, (function,))


def is_function(code: int) -> bool:
    """Return whether the code of a seat stands for a function of the caller."""
    return code >= SEAT_CALLABLE


def legal_answers(
    role: str, function: BatchPolicy, answers: Any, masks: npt.NDArray[np.int8], place: Callable[[int], str]
) -> npt.NDArray[np.integer[Any]]:
    """Return the actions that a function of the caller chose, (n,), if each is legal in its row of ``masks``.

    Args:
        role: What the function is used as, for the message.
        function: The function.
        answers: What it returned.
        masks: (n, actions) int8, the legal actions; not the array that the function was given, and may have changed.
        place: Returns the words for a row of the masks, for the message.

    Raises:
        IllegalActionError: ``answers`` are no whole numbers of the right shape, or one of them is illegal.
    """
    wanted = f"it must return {len(masks)} whole numbers, one for each row of the observations"
    try:
        chosen = np.asarray(answers)
    except Exception as error:  # ragged lists, tensors with gradients, classes of the caller's
        raise IllegalActionError(f"{role} {shown(function)} returned {shown(answers)}: {wanted}") from error
    if chosen.shape != masks.shape[:1] or chosen.dtype.kind not in "iu":
        raise IllegalActionError(
            f"{role} {shown(function)} returned an array of shape {chosen.shape} and type {chosen.dtype}: {wanted}"
        )
    inside = (chosen >= 0) & (chosen < masks.shape[1])
    wrong = np.flatnonzero(~inside | (masks[np.arange(len(masks)), np.where(inside, chosen, 0)] != 1))
    if wrong.size:
        row = int(wrong[0])
        raise IllegalActionError(
            f"{role} {shown(function)} chose {chosen[row]} in {place(row)}, which is illegal there; "
            f"legal are {np.flatnonzero(masks[row]).tolist()}"
        )
    return chosen


# --- Seats: who plays in the games of a batch, as the codes that kernels take, and the functions of the caller -------


def cumulative_shares(weights: Sequence[float]) -> npt.NDArray[np.int64]:
    """Return the cumulative shares of positive ``weights``, (n,), which end with SHARES; each is at least one share.

    Entry i is drawn when a random number below SHARES is at least share i - 1 and below share i.
    """
    scaled = np.ldexp(weights, -math.frexp(max(weights))[1])  # by a power of two: exact, and no sum overflows
    parts = np.cumsum(scaled / scaled.sum())
    until = np.rint(parts * (SHARES - len(weights))).astype(np.int64) + np.arange(1, len(weights) + 1)
    until[-1] = SHARES
    return until


class Seats:
    """The players of a batch: writes ``TABLE.home``, ``rotates`` and ``opponents`` and keeps the mix and the functions.

    Attributes:
        mix: (M,) MIX, the opponents that new games draw from; empty if each distance from the learner has a fixed one.
        functions: Whether any seat may be a function's.
        codes: The codes that any seat may have.
    """

    def __init__(self, tables: npt.NDArray[np.void], status: npt.NDArray[np.int8], players: SeatedPlayers) -> None:
        """Take the arrays of the batch, (N,) TABLE and (N,) int8, and its compiled players."""
        self._tables, self._status, self._players = tables, status, players
        self._functions: list[BatchPolicy | None] = []  # index + SEAT_CALLABLE is the code; None is a free place
        self.mix = np.zeros(0, MIX)
        self.functions = False
        self.codes: frozenset[int] = frozenset()

    def seat_learner(self, home: int, rotates: int = STAYS) -> None:
        """Set the learner's seat in the next games.

        Args:
            home: The first seat; NONE for every seat.
            rotates: STAYS, ROTATES or IS_DRAWN, how the seat changes from one game of a row to the next.
        """
        self._tables["home"] = home
        self._tables["rotates"] = rotates

    def seat_opponents(self, opponents: Sequence[BatchOpponent], weights: Sequence[float] | None = None) -> None:
        """Set the opponents in games that start from now on; games under way keep theirs.

        Args:
            opponents: Checked by the caller. Without weights, the opponents at distance 1, 2, ... from the learner;
                with weights, the opponents from which each seat of each game draws one.
            weights: Above 0, one for each opponent.
        """
        seated = self._seated_codes()
        codes = self._codes(opponents, seated)
        every = frozenset((*seated, *codes))
        functions = any(map(is_function, every))
        # An interrupt can come between any of these lines, so no seat gets a player before its code is noted.
        self.functions, self.codes = self.functions or functions, self.codes | every
        if weights is None:
            self.mix = np.zeros(0, MIX)
            self._tables["opponents"][:, : len(codes)] = codes
        else:
            mix = np.zeros(len(codes), MIX)
            mix["policy"], mix["until"] = codes, cumulative_shares(weights)
            self.mix = mix
        self.functions, self.codes = functions, every
        self._players.keep(every)

    def function(self, code: int) -> BatchPolicy:
        """Return the function that a seat's ``code`` stands for."""
        function = self._functions[code - SEAT_CALLABLE]
        assert function is not None
        return function

    def _seated_codes(self) -> set[int]:
        """Return the codes of the seats of games under way."""
        return set(np.unique(self._tables["policies"][self._status < OVER]).tolist())

    def _codes(self, opponents: Sequence[BatchOpponent], seated: set[int]) -> list[int]:
        """Return the codes of ``opponents``; functions that no game needs any more make room for new ones."""
        wanted = [other for other in opponents if not isinstance(other, str)]
        for place, function in enumerate(self._functions):
            if SEAT_CALLABLE + place not in seated and not any(function is other for other in wanted):
                self._functions[place] = None
        code_of = self._players.code_of
        return [code_of(other) if isinstance(other, str) else self._code_of(other) for other in opponents]

    def _code_of(self, function: BatchPolicy) -> int:
        """Return the code of ``function``, which takes the first free place if it has none."""
        for sought in (function, None):
            for place, known in enumerate(self._functions):
                if known is sought:
                    self._functions[place] = function
                    return SEAT_CALLABLE + place
        self._functions.append(function)
        return SEAT_CALLABLE + len(self._functions) - 1
