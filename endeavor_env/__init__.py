"""Endeavor (2009) as a reinforcement learning environment.

Importing the package registers ``Endeavor-v0`` and ``EndeavorSolo-v0`` with Gymnasium and ``endeavor/endeavor-v0``
with PettingZoo. Public names are loaded when they are first used: the import itself is quick, imports neither of these
libraries, and compiles nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from endeavor_env import errors
from endeavor_env.basics.lazy import loaded_when_used
from endeavor_env.basics.version import VERSION
from endeavor_env.envs.registration import register

if TYPE_CHECKING:
    from endeavor_env import endeavor_v0, merchants_v0, search
    from endeavor_env.endeavor.board import Board
    from endeavor_env.endeavor.declaration import GYMNASIUM_ID as GYMNASIUM_ID
    from endeavor_env.endeavor.declaration import GYMNASIUM_SOLO_ID as GYMNASIUM_SOLO_ID
    from endeavor_env.endeavor.declaration import PETTINGZOO_ID as PETTINGZOO_ID
    from endeavor_env.endeavor.game import Game, GameConfig
    from endeavor_env.endeavor.records import read_record, replay, write_record

__version__ = VERSION
__all__ = [
    "Board",
    "Game",
    "GameConfig",
    "__version__",
    "endeavor_v0",
    "errors",
    "merchants_v0",
    "read_record",
    "replay",
    "search",
    "write_record",
]

_DEFINED_IN = {
    "Board": "endeavor_env.endeavor.board",
    "Game": "endeavor_env.endeavor.game",
    "GameConfig": "endeavor_env.endeavor.game",
    "GYMNASIUM_ID": "endeavor_env.endeavor.declaration",
    "GYMNASIUM_SOLO_ID": "endeavor_env.endeavor.declaration",
    "PETTINGZOO_ID": "endeavor_env.endeavor.declaration",
    "read_record": "endeavor_env.endeavor.records",
    "replay": "endeavor_env.endeavor.records",
    "endeavor_v0": "endeavor_env.endeavor_v0",
    "merchants_v0": "endeavor_env.merchants_v0",
    "search": "endeavor_env.search",
    "write_record": "endeavor_env.endeavor.records",
}
__getattr__ = loaded_when_used(__name__, _DEFINED_IN)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register()
