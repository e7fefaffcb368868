"""Agents by name. They stand above this package, so the one that a name stands for is imported when it is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endeavor_env.endeavor.players.player_list import imported, read_name, unknown_name
from endeavor_env.errors import InvalidOptionError, shown

_COMPILED = "endeavor_env.agents.players.compiled:CompiledAgent"
"""The agent of a name whose row has none of its own."""


def names_around(seat: int, names: Sequence[str], players: int) -> dict[int, str]:
    """Return who plays each other seat of a table.

    Args:
        seat: The seat that somebody else plays.
        names: One for all others, or one for each in playing order.
        players: Seats of the table.
    """
    others = [*names] * (players - 1) if len(names) == 1 else names
    return {(seat + distance) % players: name for distance, name in zip(range(1, players), others, strict=False)}


def agent_named(name: object, *, programs: bool = False, files: bool = True) -> Any:
    """Return a fresh agent, an object with ``reset(seed)`` and ``act(game)``; names are those of the list of players.

    Args:
        name: The name.
        programs: Whether it may name a program that is run, which nobody but the user of this machine may: not what
            comes over a network or in a file.
        files: Whether it may name a file; if not, nobody looks whether there is one, which the error would tell.

    Raises:
        InvalidOptionError: No such agent, settings it does not have, or a file or program where none may be named.
        CheckpointError: The file of a network cannot be used.
    """
    row, settings = read_name(name) or (None, None)
    if row is None:
        raise unknown_name("agent", name, as_agent=True)
    if row.runs_programs and not programs:
        raise InvalidOptionError(f"agent {shown(name)} is not possible here: it would run a program of this machine")
    if not files and row.names_files(settings):
        raise InvalidOptionError(f"agent {shown(name)} is not possible here: it names a file of this machine")
    if not row.agent:
        return imported(_COMPILED, f"agent {shown(name)}")(name)
    make = imported(row.agent, f"agent {shown(name)}")
    return make() if settings is None else make(settings)
