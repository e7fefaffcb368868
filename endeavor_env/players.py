"""The compiled players by name, and how to add one: the only place where players are registered.

A registered name can be used wherever ``"greedy"`` can: as an opponent in environments and batches, in rollouts, and as
an agent in matches. ``docs/agents.md`` has an example.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.compile_once import compile_once
from endeavor_env.core import constants as c
from endeavor_env.core.policies.automa.player import automa_entry
from endeavor_env.core.policies.calls import ENTRY, entry_of
from endeavor_env.core.policies.greedy.player import greedy_entry, greedy_memory
from endeavor_env.core.policies.greedy.weights import WEIGHTS
from endeavor_env.core.policies.policy.player import policy_entry, policy_memory
from endeavor_env.core.policies.search.lookahead import lookahead_entry, lookahead_memory
from endeavor_env.core.policies.search.player import search_entry
from endeavor_env.core.policies.value.player import value_entry, value_memory
from endeavor_env.errors import CheckpointError, InvalidOptionError, shown
from endeavor_env.greedy_weights import read_weights
from endeavor_env.machine.entries import Entry
from endeavor_env.machine.outside import address_of
from endeavor_env.machine.parts import part_of
from endeavor_env.network_file import content_digest, network_files
from endeavor_env.policy_network import PUBLISHED as PUBLISHED_POLICIES
from endeavor_env.policy_network import PolicyNetwork, published_policy, read_policy_network
from endeavor_env.search_player import network_of, read_search_name
from endeavor_env.value_network import ValueNetwork, published_networks, read_value_network

RANDOM = "random"
MOST_RECENT = 16
"""Most players with settings or files that are kept for the case that they are named again; a network takes some MB."""


@dataclass(frozen=True)
class CompiledPlayer:
    """A player whose choice is a kernel. Players of one name are equal if they were made from the same files."""

    name: str
    entry: Callable[..., Any] = field(compare=False)
    """As ``core.policies.calls.ENTRY`` describes."""
    memory: Callable[[int], npt.NDArray[np.uint8]] = field(compare=False)
    """Returns fresh memory for games with so many action ids."""
    variants: tuple[str, ...] = c.VARIANT_NAMES
    """The variants that it plays."""
    content: str = ""
    """The SHA-256 in hex of the files that it was made from, "" if there are none."""

    def check_plays(self, variant: str) -> None:
        """Raise InvalidOptionError if the player was not made for ``variant``."""
        if variant not in self.variants:
            raise InvalidOptionError(
                f"player {shown(self.name)} does not play {variant!r}: it was made for {', '.join(self.variants)}"
            )

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledPlayer:
        """Return the player itself, which nobody changes: a copied game goes on with the same network."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the name and the content: addresses mean nothing in another process, and networks are files."""
        return _player_again, (self.name, self.content)


def _player_again(name: str, content: str) -> CompiledPlayer:
    """Return the player that was pickled; raise CheckpointError if its files are others by now."""
    player = player_of(name)
    if player.content != content:
        raise CheckpointError(f"player {shown(name)} is another one than was pickled: its file was replaced since then")
    return player


ENTRIES: dict[str, Callable[..., Any]] = {
    "greedy": greedy_entry,
    "automa": automa_entry,
    "value": value_entry,
    "lookahead": lookahead_entry,
    "search": search_entry,
    "policy": policy_entry,
}
"""The entries of this package, by the names of the players."""


def _no_memory(num_actions: int) -> npt.NDArray[np.uint8]:
    """Return the memory of a player that needs none."""
    return np.zeros(0, np.uint8)


_AT_ONCE = (
    CompiledPlayer("greedy", greedy_entry, greedy_memory),
    CompiledPlayer("automa", automa_entry, _no_memory),
    CompiledPlayer("lookahead", lookahead_entry, lookahead_memory),
)
"""Players that are made at once."""
_players: dict[str, CompiledPlayer] = {player.name: player for player in _AT_ONCE}
"""The players that never change, by name."""
_recent: OrderedDict[str, CompiledPlayer] = OrderedDict()
"""The players last named that have settings or files; games under way hold theirs in any case."""


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


def _no_files(settings: str) -> Sequence[Path]:
    """Return the files of a player that is not made from any."""
    return ()


class _Maker(NamedTuple):
    """How players are made when they are named."""

    make: Callable[[str], CompiledPlayer]
    """Returns the player of the settings after the colon."""
    files: Callable[[str], Sequence[Path]] = _no_files
    """Returns the files that it is made from: if one of them has changed, the name stands for another player."""


def _search_files(settings: str) -> Sequence[Path]:
    """Return the files of the network that the settings of a search player name."""
    path = network_of(settings)
    return () if path is None else network_files(path)


_MADE_WHEN_NAMED: dict[str, _Maker] = {
    "value": _Maker(lambda _: _value_player("value", published_networks())),
    "value:": _Maker(lambda path: _value_player(f"value:{path}", [read_value_network(path)]), network_files),
    "greedy:": _Maker(lambda settings: _weighted_greedy(f"greedy:{settings}", settings)),
    "policy": _Maker(lambda _: _policy_player("policy", [published_policy(one) for one in PUBLISHED_POLICIES])),
    "policy:": _Maker(stored_policy_player, network_files),
    "search": _Maker(lambda _: _search_player("search", "")),
    "search:": _Maker(lambda settings: _search_player(f"search:{settings}", settings), _search_files),
}
"""Players that are made when they are named, since that reads files; after a colon their settings follow."""


def _resolve(name: object) -> CompiledPlayer | None:
    """Return the player of a name, made if need be, and again if its files have changed; None if there is none.

    Raises:
        InvalidOptionError: Settings that the player does not have.
        CheckpointError: The file of a network cannot be used.
    """
    if not isinstance(name, str):
        return None
    kind, colon, settings = name.partition(":")
    maker = _MADE_WHEN_NAMED.get(kind + colon)
    if name in _players or maker is None:
        return _players.get(name)
    content = content_digest(maker.files(settings))
    player = _recent.pop(name, None)
    if player is None or player.content != content:
        player = replace(maker.make(settings), content=content)
    _recent[name] = player
    while len(_recent) > MOST_RECENT:
        _recent.popitem(last=False)
    return player


def register(name: str, player: Callable[..., Any], memory: npt.NDArray[Any] | None = None) -> None:
    """Make a player of the caller's known under a name.

    Args:
        name: A name that no other player has, without a colon.
        player: ``player(board, state, mask, memory, rng)``, a function that Numba can compile, or one compiled with
            ``numba.njit``: it returns a legal action id for ``state.seat``, given the BOARD and STATE records, which it
            must not change, the mask of legal actions (n,) int8, its memory (m,) uint8, and a generator (1,) uint64
            for ``rails.kernels.rng.next_below``. Illegal actions are not noticed and spoil the game.
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
    _players[name] = CompiledPlayer(name, entry_of(player), lambda _: given.copy())


def register_kind(
    kind: str, make: Callable[[str], CompiledPlayer], files: Callable[[str], Sequence[Path]] = _no_files
) -> None:
    """Make players known whose names are ``<kind>:<settings>``.

    Args:
        kind: A name that no other player has, without a colon.
        make: Returns the player of the settings; called when one is named. The player has its whole name.
        files: Returns the files that ``make`` reads for the settings. When one is named again after they changed, it
            is made again.
    """
    _MADE_WHEN_NAMED[f"{kind}:"] = _Maker(make, files)


def names() -> tuple[str, ...]:
    """Return the names of all players that need no settings, those of the package first."""
    named = [RANDOM, *(player.name for player in _AT_ONCE), *_MADE_WHEN_NAMED, *_players]
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


def player_of(name: object) -> CompiledPlayer:
    """Return the player that a name other than ``random`` stands for now.

    Raises:
        InvalidOptionError: An unknown name, or ``random``.
        CheckpointError: The file of a network cannot be used.
    """
    if name == RANDOM:
        raise InvalidOptionError("player 'random' has no entry: kernels know it by its code")
    player = _resolve(name)
    if player is None:
        raise InvalidOptionError(f"player {shown(name)} is unknown: possible are {known_names()}")
    return player


def check_plays(name: object, variant: str) -> None:
    """Raise InvalidOptionError if ``name`` is that of a compiled player that does not play ``variant``."""
    player = _resolve(name)
    if player is not None:
        player.check_plays(variant)


@functools.cache
def entry_address(entry: Callable[..., Any]) -> int:
    """Return the address of a player's entry, compiled if needed."""
    part = part_of(entry.symbol) if isinstance(entry, Entry) else None
    if part is not None:
        compile_once(part)
    return address_of(entry, ENTRY)
