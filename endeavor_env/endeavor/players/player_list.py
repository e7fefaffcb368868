"""Who plays: one list of names, and what each stands for in the kernels and in matches.

A name is ``name`` or ``name:settings``. Its row says what settings look like, how its compiled player is made, and
which agent plays matches, if that is more than the compiled player. Agents stand above this package, so rows name them
as text, and they are imported when one is made. A new compiled player is a row here; ``register`` adds those of
users.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.players.advised.player import advised_entry
from endeavor_env.endeavor.players.advised.settings import read_advised_name
from endeavor_env.endeavor.players.automa.player import automa_entry
from endeavor_env.endeavor.players.greedy.player import greedy_entry, greedy_memory
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS, read_weights
from endeavor_env.endeavor.players.named_networks import in_games_of, named_files, played_networks, split_network
from endeavor_env.endeavor.players.network_file import named_network_files
from endeavor_env.endeavor.players.policy.networks import PUBLISHED as PUBLISHED_POLICIES
from endeavor_env.endeavor.players.policy.networks import (
    checkpoint_files,
    is_checkpoint,
    policy_files,
    published_policy,
    published_policy_file,
    read_policy_network,
)
from endeavor_env.endeavor.players.policy.player import policy_entry, policy_memory
from endeavor_env.endeavor.players.program_name import CODE, PROCESS, code_files, command_files
from endeavor_env.endeavor.players.search.lookahead import lookahead_entry, lookahead_memory
from endeavor_env.endeavor.players.search.player import search_entry
from endeavor_env.endeavor.players.search.settings import read_search_name, uses_policy
from endeavor_env.endeavor.players.value.networks import published_networks, published_value_file, read_value_network
from endeavor_env.endeavor.players.value.player import value_entry, value_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidOptionError, shown


class Made(NamedTuple):
    """What a compiled player is made of, besides its name."""

    memory: Callable[[int], npt.NDArray[np.uint8]]
    """Returns fresh memory for games with so many action ids."""
    variants: tuple[str, ...] = c.VARIANT_NAMES
    """The variants that it plays."""
    entry: Callable[..., Any] | None = None
    """Its entry, if the row has none."""


@dataclass(frozen=True)
class Row:
    """A row of the list."""

    name: str
    entry: Callable[..., Any] | None = None
    """The entry of its compiled players, None if each has its own."""
    make: Callable[[str | None], Made] | None = None
    """Makes the compiled player, given the settings after the colon, None without a colon. None for agents only."""
    settings: str = ""
    """What its settings look like, "" if it has none."""
    agent_settings: str = ""
    """What settings look like that are possible for an agent only."""
    plain: bool = True
    """Whether the name is possible without settings."""
    files: Callable[[str], Sequence[Path]] = lambda settings: ()
    """Returns the files that settings name, the network first. If one has changed, the name is another player's."""
    networks: Callable[[str | None, str], Sequence[Path]] | None = None
    """Returns the files of the networks with which it plays a variant; None if it is the first of its files."""
    agent: str = ""
    """Makes the agent, as "module:function" of the settings, if that is more than the compiled player in a match."""
    runs_programs: bool = False
    """Whether the settings name a program, so that only the user of this machine may give them."""

    def names_files(self, settings: str | None) -> bool:
        """Return whether settings name a file or a program: by their text alone, whether there is one or not."""
        if self.files is named_files:
            return split_network(settings or "")[1]
        return bool(settings) and (self.networks is not None or not self.plain)

    def played_files(self, settings: str | None, variant: str) -> Sequence[Path]:
        """Return the files of the networks, or of the program, with which settings play a variant."""
        if self.networks is not None:
            return self.networks(settings, variant)
        return self.files(settings)[:1] if settings else ()


def _one_network(
    files: Callable[[str], Sequence[Path]], published: Callable[[str], Path | None]
) -> Callable[[str | None, str], Sequence[Path]]:
    """Return what finds the network of settings, the first of their files, or that of the package for a variant."""

    def found(settings: str | None, variant: str) -> Sequence[Path]:
        if settings:
            return files(settings)[:1]
        file = published(variant)
        return () if file is None else (file,)

    return found


def _without_memory(settings: str | None) -> Made:
    """Return a player that needs no memory."""
    return Made(lambda _: np.zeros(0, np.uint8))


def _random(settings: str | None) -> Made:
    """Refuse to make a player of ``random``."""
    raise InvalidOptionError("player 'random' has no entry: kernels know it by its code")


def _greedy(settings: str | None) -> Made:
    """Return a greedy player, with the weights that ``settings`` names."""
    weights = WEIGHTS if settings is None else WEIGHTS.changed(read_weights(settings, f"greedy:{settings}"))
    return Made(lambda num_actions: greedy_memory(num_actions, weights))


def _value(path: str | None) -> Made:
    """Return a value player with the network of a file, or with those of the package."""
    networks = published_networks() if path is None else [read_value_network(path)]
    by_variant = {variant: network.arrays for network in networks for variant in network.variants}
    return Made(lambda num_actions: value_memory(in_games_of(num_actions, by_variant)), tuple(by_variant))


def _policy(path: str | None) -> Made:
    """Return a player that always makes the most likely move of a policy network of a file, or of those of the package.

    Only the network of a checkpoint needs PyTorch.
    """
    if path is not None and is_checkpoint(path):
        arrays, variant = imported(
            "endeavor_env.agents.players.policy:read_policy", f"player {shown(f'policy:{path}')}"
        )(path)
        by_variant = {variant: arrays}
    else:
        networks = map(published_policy, PUBLISHED_POLICIES) if path is None else [read_policy_network(path)]
        by_variant = {network.variant: network.logits for network in networks}
    return Made(lambda num_actions: policy_memory(in_games_of(num_actions, by_variant)), tuple(by_variant))


def _advised(settings: str | None) -> Made:
    """Return an advised player with these settings."""
    read = read_advised_name(settings or "")
    return Made(read.memory, read.variants)


def _search(settings: str | None) -> Made:
    """Return a search player with these settings."""
    read = read_search_name(settings or "")
    if read.milliseconds is not None:
        name = shown(f"search:{settings}")
        raise InvalidOptionError(f"player {name} is possible as an agent only: give sims instead of ms")
    return Made(read.memory, read.variants)


_WEIGHTS, _NETWORK = "<weight>=<number>,...", "<path of a network>"
ROWS = {
    row.name: row
    for row in (
        Row("random", None, _random, agent="endeavor_env.agents.players.compiled:RandomAgent"),
        Row("greedy", greedy_entry, _greedy, _WEIGHTS, agent="endeavor_env.agents.players.compiled:greedy_agent"),
        Row("automa", automa_entry, _without_memory, agent="endeavor_env.agents.players.automa:AutomaAgent"),
        Row("lookahead", lookahead_entry, lambda _: Made(lookahead_memory)),
        Row(
            *("value", value_entry, _value, _NETWORK),
            files=named_network_files,
            networks=_one_network(named_network_files, published_value_file),
            agent="endeavor_env.agents.players.value_agent:ValueAgent",
        ),
        Row(
            *("advised", advised_entry, _advised, "weight=<number>"),
            files=named_files,
            networks=lambda settings, variant: played_networks(settings, variant, policy=True),
            agent="endeavor_env.agents.players.value_agent:advised_agent",
        ),
        Row(
            *("policy", policy_entry, _policy, _NETWORK),
            files=policy_files,
            networks=_one_network(policy_files, published_policy_file),
            agent="endeavor_env.agents.players.policy_agent:policy_agent",
        ),
        Row(
            *("search", search_entry, _search, "sims=<number>,..."),
            agent_settings="ms=<number>,...",
            files=named_files,
            networks=lambda settings, variant: played_networks(settings, variant, uses_policy(settings)),
            agent="endeavor_env.agents.players.search:SearchAgent",
        ),
        Row(
            "checkpoint",
            agent_settings="<path>",
            plain=False,
            files=checkpoint_files,
            agent="endeavor_env.agents.players.learned:LearnedAgent",
        ),
        Row(
            CODE,
            agent_settings="<file>",
            plain=False,
            files=code_files,
            agent="endeavor_env.agents.own_process.agent:code_agent",
            runs_programs=True,
        ),
        Row(
            PROCESS,
            agent_settings="<command>",
            plain=False,
            files=command_files,
            agent="endeavor_env.agents.own_process.agent:process_agent",
            runs_programs=True,
        ),
    )
}
"""Who plays, by name."""


def imported(reference: str, what: str) -> Callable[..., Any]:
    """Return the function "module:function"; raise InvalidOptionError if a library is missing that ``what`` needs."""
    module, _, function = reference.partition(":")
    try:
        return getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"{what} needs {error.name}: install it with pip install 'endeavor-env[train]'"
        ) from error


def read_name(name: object) -> tuple[Row, str | None] | None:
    """Return the row that a name stands for, and the settings after its colon, None without a colon.

    Returns:
        None for anything that is no name of an agent or player.
    """
    kind, colon, settings = name.partition(":") if isinstance(name, str) else ("", "", "")
    row = ROWS.get(kind)
    if row is None or not (row.plain or settings) or (colon and not (row.settings or row.agent_settings)):
        return None
    return row, settings if colon else None


def possible_names(*, as_agent: bool) -> tuple[str, ...]:
    """Return every form of a name: of the compiled players, or of all agents."""
    rows = [row for row in ROWS.values() if as_agent or row.make is not None]
    forms = [(row.name, row.settings, row.agent_settings if as_agent else "") for row in rows]
    behind = [f"{name}:{settings}" for name, *both in forms for settings in both if settings]
    return *(row.name for row in rows if row.plain), *behind


def unknown_name(role: str, given: object, *others: str, as_agent: bool = False) -> InvalidOptionError:
    """Return the error for somebody who cannot play in a place, with everybody who can.

    Args:
        role: What the place calls who plays there, as "opponent".
        given: Who was asked for.
        others: Who else can play there, besides compiled players.
        as_agent: Whether all agents can.
    """
    why = "is unknown" if isinstance(given, str) else "cannot play here"
    if not as_agent and read_name(given) is not None:
        why = "is possible as an agent only"
    possible = ", ".join(map(repr, possible_names(as_agent=as_agent)))
    return InvalidOptionError(f"{role} {shown(given)} {why}: possible are {', or '.join((possible, *others))}")
