"""The compiled players by name, and how to add one; the names of this package are the rows of ``player_list``.

A registered name can be used wherever ``"greedy"`` can: as an opponent in environments and batches, in rollouts, and as
an agent in matches. ``docs/agents.md`` has an example.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from endeavor_env.basics.lazy import loaded_when_used

if TYPE_CHECKING:
    from endeavor_env.endeavor.players.compiled import (
        RANDOM,
        CompiledPlayer,
        check_plays,
        entry_named,
        is_player,
        names,
        player_of,
        register,
        register_kind,
    )

__all__ = [
    "RANDOM",
    "CompiledPlayer",
    "check_plays",
    "entry_named",
    "is_player",
    "names",
    "player_of",
    "register",
    "register_kind",
]

__getattr__ = loaded_when_used(__name__, dict.fromkeys(__all__, "endeavor_env.endeavor.players.compiled"))
