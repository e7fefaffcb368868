"""Agents by name, as the command lines take them; the list of names is ``endeavor_env.players.player_list``."""

from __future__ import annotations

import hashlib

from endeavor_env.agents.base import Agent
from endeavor_env.agents.players.compiled import CompiledAgent
from endeavor_env.errors import EndeavorError, shown
from endeavor_env.players.player_list import imported, possible_names, read_name, unknown_name
from endeavor_env.rails.played import Player

NAMES = possible_names(as_agent=True)
"""Every form of a name of the package, for help texts."""


def make_agent(name: str) -> Agent:
    """Return a fresh agent.

    Args:
        name: "random"; "greedy", with other weights as in "greedy:disc=0.5,growth=1"; "automa"; "value", or
            "value:<path>" for another network; "checkpoint:<path>", a trained policy, which needs the extra ``train``;
            "policy", the network of the package, or "policy:<path>", that of a file or checkpoint, in the kernels; or
            any other compiled player.

    Raises:
        InvalidOptionError: No such agent, or settings it does not have.
        CheckpointError: The checkpoint is missing, truncated, edited, or made for other layouts.
    """
    row, settings = read_name(name) or (None, None)
    if row is None:
        raise unknown_name("agent", name, as_agent=True)
    if not row.agent:
        return CompiledAgent(name)
    make = imported(row.agent, f"agent {shown(name)}")
    return make() if settings is None else make(settings)


def weights_hash(name: str, variant: str) -> str | None:
    """Return the SHA-256 in hex of the file of the network with which an agent plays a variant.

    Returns:
        64 digits, as ``sha256sum`` prints them; None for agents without a network, unknown ones, and files that cannot
        be read.
    """
    row, settings = read_name(name) or (None, None)
    if row is None:
        return None
    try:
        files = row.files(settings) if settings else ()
        file = files[0] if files else row.published(variant)
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
