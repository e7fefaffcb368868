"""The compiled players by name, and how to add one: the only place where players are registered.

A registered name can be used wherever ``"greedy"`` can: as an opponent in environments and batches, in rollouts, and as
an agent in matches. ``docs/agents.md`` has an example.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.compile_once import compile_once
from endeavor_env.core import constants as c
from endeavor_env.core.policies.automa.player import automa_entry
from endeavor_env.core.policies.calls import address_of, entry_of
from endeavor_env.core.policies.choose import FIRST_ENTRY, NOBODY, SEAT_CALLABLE, SEAT_RANDOM, Players
from endeavor_env.core.policies.greedy.player import greedy_entry, greedy_memory
from endeavor_env.core.policies.greedy.weights import WEIGHTS
from endeavor_env.core.policies.policy.player import policy_entry, policy_memory
from endeavor_env.core.policies.search.lookahead import lookahead_entry, lookahead_memory
from endeavor_env.core.policies.search.player import search_entry
from endeavor_env.core.policies.value.player import value_entry, value_memory
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.greedy_weights import read_weights
from endeavor_env.policy_network import PUBLISHED as PUBLISHED_POLICIES
from endeavor_env.policy_network import PolicyNetwork, published_policy, read_policy_network
from endeavor_env.search_player import read_search_name
from endeavor_env.value_network import ValueNetwork, published_networks, read_value_network

RANDOM = "random"
ALIGNMENT = 64  # bytes: where each player's memory begins


@dataclass(frozen=True)
class CompiledPlayer:
    """A player whose choice is a kernel."""

    name: str
    entry: Callable[..., Any]
    """As ``core.policies.calls.ENTRY`` describes."""
    memory: Callable[[int], npt.NDArray[np.uint8]]
    """Returns fresh memory for games with so many action ids."""
    variants: tuple[str, ...] = c.VARIANT_NAMES
    """The variants that it plays."""


ENTRIES: dict[str, Callable[..., Any]] = {
    "greedy": greedy_entry,
    "automa": automa_entry,
    "value": value_entry,
    "lookahead": lookahead_entry,
    "search": search_entry,
    "policy": policy_entry,
}
"""The entries of this package, whose machine code is saved between processes."""


def _no_memory(num_actions: int) -> npt.NDArray[np.uint8]:
    """Return the memory of a player that needs none."""
    return np.zeros(0, np.uint8)


_players: dict[str, CompiledPlayer] = {}
_codes: dict[str, int] = {RANDOM: SEAT_RANDOM}


def _add(player: CompiledPlayer) -> None:
    """Add a player under the next free code."""
    if len(_codes) + 1 >= SEAT_CALLABLE:
        raise InvalidOptionError(f"player {player.name!r} is one too many: at most {SEAT_CALLABLE - 2} can be known")
    _players[player.name] = player
    _codes[player.name] = len(_codes) + 1


_add(CompiledPlayer("greedy", greedy_entry, greedy_memory))
_add(CompiledPlayer("automa", automa_entry, _no_memory))
_add(CompiledPlayer("lookahead", lookahead_entry, lookahead_memory))
_AT_ONCE = tuple(_codes)
"""Players that are made at once."""


def _value_player(name: str, networks: Sequence[ValueNetwork]) -> CompiledPlayer:
    """Return a value player with these networks, of which no two play the same variant."""
    by_variant = {variant: network.arrays for network in networks for variant in network.variants}
    memory = value_memory({c.VARIANT_NAMES.index(variant): arrays for variant, arrays in by_variant.items()})
    return CompiledPlayer(name, value_entry, lambda _: memory.copy(), tuple(by_variant))


def _weighted_greedy(name: str, settings: str) -> CompiledPlayer:
    """Return a greedy player with the weights that ``settings`` names."""
    weights = WEIGHTS.changed(read_weights(settings, name))
    return CompiledPlayer(name, greedy_entry, lambda num_actions: greedy_memory(num_actions, weights))


def _search_player(name: str, settings: str) -> CompiledPlayer:
    """Return a search player with these settings."""
    read = read_search_name(settings)
    if read.milliseconds is not None:
        raise InvalidOptionError(f"player {shown(name)} is possible as an agent only: give sims instead of ms")
    return CompiledPlayer(name, search_entry, lambda _: read.memory(), read.variants)


def _policy_player(name: str, networks: Sequence[PolicyNetwork]) -> CompiledPlayer:
    """Return a policy player with these networks, of which no two play the same variant."""
    memory = policy_memory({c.VARIANT_NAMES.index(network.variant): network.logits for network in networks})
    return CompiledPlayer(name, policy_entry, lambda _: memory.copy(), tuple(network.variant for network in networks))


def stored_policy_player(path: str) -> CompiledPlayer:
    """Return the player "policy:<path>" of a file of ``training.export``, which always makes the most likely move.

    Raises:
        InvalidOptionError: The path is that of a checkpoint of PyTorch.
        CheckpointError: The network is missing, damaged, or made for other layouts.
    """
    if path.endswith(".zip"):
        raise InvalidOptionError(
            f"player 'policy:{path}' needs PyTorch: import agents.registry first, or write the network without it by "
            f"python -m training.export {path}"
        )
    return _policy_player(f"policy:{path}", [read_policy_network(path)])


_MADE_WHEN_NAMED: dict[str, Callable[[str], CompiledPlayer]] = {
    "value": lambda _: _value_player("value", published_networks()),
    "value:": lambda path: _value_player(f"value:{path}", [read_value_network(path)]),
    "greedy:": lambda settings: _weighted_greedy(f"greedy:{settings}", settings),
    "policy": lambda _: _policy_player("policy", [published_policy(variant) for variant in PUBLISHED_POLICIES]),
    "policy:": stored_policy_player,
    "search": lambda _: _search_player("search", ""),
    "search:": lambda settings: _search_player(f"search:{settings}", settings),
}
"""Players that are made when they are first named, since that reads files; after a colon their settings follow."""


def _resolve(name: object) -> CompiledPlayer | None:
    """Return the player of a name, made if need be; None if there is none."""
    if not isinstance(name, str):
        return None
    if name not in _codes:
        kind, colon, settings = name.partition(":")
        make = _MADE_WHEN_NAMED.get(kind + colon)
        if make is not None:
            _add(make(settings))
    return _players.get(name)


def register(name: str, player: Callable[..., Any], memory: npt.NDArray[Any] | None = None) -> None:
    """Make a player of the caller's known under a name.

    Args:
        name: A name that no other player has, without a colon.
        player: ``player(board, state, mask, memory, rng)``, a function that Numba can compile, or one compiled with
            ``numba.njit``: it returns a legal action id for ``state.seat``, given the BOARD and STATE records, which it
            must not change, the mask of legal actions (n,) int8, its memory (m,) uint8, and a generator (1,) uint64
            for ``core.rng.next_below``. Illegal actions are not noticed and spoil the game.
        memory: Copied for each thread, and handed to the player as bytes: settings and scratch space. None for none.

    Raises:
        InvalidOptionError: The name is taken or is no such name, or there is no function.
    """
    if not isinstance(name, str) or not name or ":" in name:
        raise InvalidOptionError(f"name={shown(name)} is not possible: give a text without a colon")
    if name in names():
        raise InvalidOptionError(f"name={name!r} is taken: the known players are {known_names()}")
    if not callable(player):
        raise InvalidOptionError(f"player {shown(player)} is no function of (board, state, mask, memory, rng)")
    given = np.ascontiguousarray(np.zeros(0, np.uint8) if memory is None else memory).reshape(-1).view(np.uint8).copy()
    _add(CompiledPlayer(name, entry_of(player), lambda _: given.copy()))


def register_kind(kind: str, make: Callable[[str], CompiledPlayer]) -> None:
    """Make players known whose names are ``<kind>:<settings>``.

    Args:
        kind: A name that no other player has, without a colon.
        make: Returns the player of the settings; called when one is first named. The player has its whole name.
    """
    _MADE_WHEN_NAMED[f"{kind}:"] = make


def names() -> tuple[str, ...]:
    """Return the names of all players that need no settings, those of the package first."""
    named = [*_AT_ONCE, *_MADE_WHEN_NAMED, *_codes]
    return tuple(dict.fromkeys(name for name in named if ":" not in name))


def known_names() -> str:
    """Return every form of a player's name for a message."""
    settings = {"greedy:": "<weight>=<number>,...", "search:": "sims=<number>,..."}
    kinds = [kind for kind in _MADE_WHEN_NAMED if kind.endswith(":")]
    forms = [f"'{kind}{settings.get(kind, '<path of a network>')}'" for kind in kinds]
    return ", ".join([*map(repr, names()), *forms])


def is_player(name: object) -> bool:
    """Return whether ``name`` is that of a compiled player.

    Raises:
        CheckpointError: The file of a network cannot be used.
    """
    return name == RANDOM or _resolve(name) is not None


def code_of(name: str) -> int:
    """Return the code by which kernels know a player.

    Raises:
        InvalidOptionError: An unknown name.
        CheckpointError: The file of a network cannot be used.
    """
    if not is_player(name):
        raise InvalidOptionError(f"player {shown(name)} is unknown: possible are {known_names()}")
    return _codes[name]


def check_plays(name: object, variant: str) -> None:
    """Raise InvalidOptionError if ``name`` is that of a compiled player that does not play ``variant``."""
    player = _resolve(name)
    if player is not None and variant not in player.variants:
        raise InvalidOptionError(
            f"player {name!r} does not play {variant!r}: it was made for {', '.join(player.variants)}"
        )


@functools.cache
def entry_address(entry: Callable[..., Any]) -> int:
    """Return the address of a player's entry, compiled if needed."""
    for name, known in ENTRIES.items():
        if known is entry:
            _compile_entry(name)
    return address_of(entry)


def _compile_entry(name: str) -> bool:
    """Compile the entry of a name in ENTRIES unless that was done before; return whether it was compiled now."""

    def compile_it() -> None:
        address_of(ENTRIES[name])

    return compile_once(f"the player {name}", compile_it)


def compile_players() -> list[str]:
    """Compile the entries of this package; return the names of those that were missing."""
    return [f"the player {name}" for name in ENTRIES if _compile_entry(name)]


def player_of(name: str) -> CompiledPlayer:
    """Return a player other than ``random``; raise InvalidOptionError for any other name."""
    code_of(name)
    if name == RANDOM:
        raise InvalidOptionError("player 'random' has no entry: kernels know it by its code")
    return _players[name]


def seat_players(
    codes: Iterable[int], num_actions: int, own: Mapping[int, npt.NDArray[np.uint8]] | None = None
) -> Players:
    """Return the players of these codes with fresh memory, for one thread.

    Args:
        codes: Codes of ``code_of``; SEAT_RANDOM and codes of functions are passed over.
        num_actions: Number of action ids of the games.
        own: Memory by code, instead of the fresh memory of these players.
    """
    names_of = {code: name for name, code in _codes.items()}
    seated = sorted(code for code in set(codes) if FIRST_ENTRY <= code < SEAT_CALLABLE)
    if not seated:
        return NOBODY
    memories = {code: _players[names_of[code]].memory(num_actions) for code in seated} | dict(own or {})
    return join_players({code: entry_address(_players[names_of[code]].entry) for code in seated}, memories)


class SeatedPlayers:
    """The compiled players of some games, made when they are first needed; copies and pickles make their own."""

    def __init__(self, num_actions: int, threads: int = 1) -> None:
        """Seat nobody.

        Args:
            num_actions: Number of action ids of the games.
            threads: How many threads play at once, each with memory of its own.
        """
        self._num_actions, self._threads = num_actions, threads
        self._players, self._codes = _of_threads([NOBODY] * threads), frozenset((SEAT_RANDOM,))

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out addresses and memory, which mean nothing in another process."""
        return SeatedPlayers, (self._num_actions, self._threads)

    def seat(self, codes: frozenset[int]) -> Players:
        """Return ``Players`` that has at least these codes, with memory for each thread."""
        if not codes <= self._codes:
            wanted = self._codes | codes
            self._players = _of_threads([seat_players(wanted, self._num_actions) for _ in range(self._threads)])
            self._codes = wanted
        return self._players

    def seat_alone(self, codes: frozenset[int]) -> Players:
        """Return the same for the first thread alone."""
        players = self.seat(codes)
        return players._replace(memory=players.memory[0])


def _of_threads(players: list[Players]) -> Players:
    """Return the players of several threads, the same for each, as one."""
    return players[0]._replace(memory=np.stack([own.memory for own in players]))


def join_players(addresses: dict[int, int], memories: dict[int, npt.NDArray[np.uint8]]) -> Players:
    """Return ``Players`` with the entry at each address, and a copy of each memory, by code."""
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
