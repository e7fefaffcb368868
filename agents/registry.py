"""Agents by name, as the command lines take them.

A new agent is one line in ``AGENTS``; a compiled player that is registered in ``endeavor_env.players`` needs none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from agents.base import Agent
from agents.players.automa import AutomaAgent
from agents.players.compiled import CompiledAgent
from agents.players.greedy import GreedyAgent, weighted_greedy
from agents.players.policy_agent import PolicyAgent
from agents.players.random_agent import RandomAgent
from agents.players.search import SearchAgent
from agents.players.value_agent import ValueAgent
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown
from endeavor_env.network_file import array_path, network_files
from endeavor_env.played import Player
from endeavor_env.players import CompiledPlayer, names, register_kind, stored_policy_player
from endeavor_env.policy_network import published_policy_file
from endeavor_env.search_player import network_of
from endeavor_env.value_network import published_value_file


def no_network(settings: str, variant: str) -> Path | None:
    """Return the file of the network of an agent that has none."""
    return None


@dataclass(frozen=True)
class Registered:
    """How to make the agent of a name, with and without settings after a colon."""

    plain: Callable[[], Agent] | None
    """Makes the agent "name"; None if it needs settings."""
    with_settings: Callable[[str], Agent] | None = None
    """Makes the agent "name:settings" from the settings; None if it has none."""
    settings: str = ""
    """What the settings look like, for help texts."""
    network: Callable[[str, str], Path | None] = no_network
    """Returns the file of the network that it plays a variant with, given its settings and the variant."""


def checkpoint_agent(path: str) -> Agent:
    """Return the agent of a checkpoint; PyTorch is imported only here."""
    if not path:
        raise unknown_agent("checkpoint:")
    try:
        from agents.players.learned import LearnedAgent
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"agent 'checkpoint:{path}' needs {error.name}: install it with pip install 'endeavor-env[train]'"
        ) from error
    return LearnedAgent(path)


def policy_player(path: str) -> CompiledPlayer:
    """Return the compiled player of a policy network; PyTorch is imported only for that of a checkpoint."""
    if path.endswith(".npz"):
        return stored_policy_player(path)
    try:
        from agents.players import policy
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"player 'policy:{path}' needs {error.name}: install it with pip install 'endeavor-env[train]'"
        ) from error
    return policy.policy_player(path)


def policy_files(path: str) -> Sequence[Path]:
    """Return the files that ``policy_player`` reads."""
    if path.endswith(".npz"):
        return network_files(path)
    checkpoint = path.removesuffix(".zip").removesuffix(".json")
    return Path(f"{checkpoint}.zip"), Path(f"{checkpoint}.json")


def value_agent(path: str) -> Agent:
    """Return the value player with the network of a file."""
    return ValueAgent(path)


def policy_agent(path: str) -> Agent:
    """Return the compiled player of a policy network; that of a file can say what it thinks, too."""
    return PolicyAgent(path) if path.endswith(".npz") else CompiledAgent(f"policy:{path}")


def value_file(path: str, variant: str) -> Path | None:
    """Return the file of the value network with which "value:<path>" plays a variant, "value" if the path is empty."""
    return array_path(path) if path else published_value_file(variant)


def search_file(settings: str, variant: str) -> Path | None:
    """Return the file of the value network with which a search plays a variant."""
    return value_file(network_of(settings) or "", variant)


def policy_file(path: str, variant: str) -> Path | None:
    """Return the file of the policy network with which "policy:<path>" plays a variant, or "checkpoint:<path>"."""
    return policy_files(path)[0] if path else published_policy_file(variant)


register_kind("policy", policy_player, policy_files)
AGENTS = {
    **{name: Registered(partial(CompiledAgent, name)) for name in names()},
    "random": Registered(RandomAgent),
    "greedy": Registered(GreedyAgent, weighted_greedy, "<weight>=<number>,..."),
    "automa": Registered(AutomaAgent),
    "value": Registered(ValueAgent, value_agent, "<path of a network>", value_file),
    "search": Registered(SearchAgent, SearchAgent, "sims=<number> or ms=<number>,...", search_file),
    "checkpoint": Registered(None, checkpoint_agent, "<path>", policy_file),
    "policy": Registered(PolicyAgent, policy_agent, "<path>", policy_file),
}
NAMES = tuple(
    shown
    for name, agent in AGENTS.items()
    for shown in ([name] if agent.plain else []) + ([f"{name}:{agent.settings}"] if agent.with_settings else [])
)
"""Every form of a name, for help texts and error messages."""


def make_agent(name: str) -> Agent:
    """Return a fresh agent.

    Args:
        name: "random"; "greedy", with other weights as in "greedy:disc=0.5,growth=1"; "automa"; "value", or
            "value:<path>" for another network; "checkpoint:<path>", a trained policy, which needs the extra ``train``;
            "policy", the network of the package, or "policy:<path>", that of a file or checkpoint, in the kernels.

    Raises:
        InvalidOptionError: No such agent, or settings it does not have.
        CheckpointError: The checkpoint is missing, truncated, edited, or made for other layouts.
    """
    kind, colon, settings = name.partition(":") if isinstance(name, str) else ("", "", "")
    registered = AGENTS.get(kind)
    if registered and registered.plain and not colon:
        return registered.plain()
    if registered and registered.with_settings and colon:
        return registered.with_settings(settings)
    raise unknown_agent(name)


def weights_hash(name: str, variant: str) -> str | None:
    """Return the SHA-256 in hex of the file of the network with which an agent plays a variant.

    Returns:
        64 digits, as ``sha256sum`` prints them; None for agents without a network, unknown ones, and files that cannot
        be read.
    """
    kind, _, settings = name.partition(":")
    registered = AGENTS.get(kind)
    if registered is None:
        return None
    try:
        file = registered.network(settings, variant)
        return None if file is None else hashlib.sha256(file.read_bytes()).hexdigest()
    except (EndeavorError, OSError, ValueError):
        return None


def player_named(name: str, variant: str, called: str | None = None) -> Player:
    """Return who plays a seat, for records.

    Args:
        name: The name that makes the agent.
        variant: The variant that it plays.
        called: What people call it; by default its name without the folders of files.
    """
    return Player.of_agent(name, weights_hash(name, variant), called)


def unknown_agent(name: object) -> InvalidOptionError:
    """Return the error for a name that no agent has."""
    return InvalidOptionError(f"agent {shown(name)} is unknown: possible are {', '.join(NAMES)}")
