"""Endeavor (2009) as a reinforcement learning environment.

Importing the package registers ``Endeavor-v0`` and ``EndeavorSolo-v0`` with Gymnasium and ``endeavor/endeavor-v0``
with PettingZoo. Public names are loaded when they are first used: the import itself is quick and compiles nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from endeavor_env import errors
from endeavor_env.version import ENVIRONMENT, VERSION

if TYPE_CHECKING:
    from endeavor_env import endeavor_v0, search
    from endeavor_env.board import Board
    from endeavor_env.game import Game
    from endeavor_env.records import read_record, replay, write_record

__version__ = VERSION
__all__ = ["Board", "Game", "__version__", "endeavor_v0", "errors", "read_record", "replay", "search", "write_record"]

GYMNASIUM_ID = ENVIRONMENT
GYMNASIUM_SOLO_ID = "EndeavorSolo-v0"
PETTINGZOO_ID = "endeavor/endeavor-v0"

_NO_WRAPPERS = {"order_enforce": False, "disable_env_checker": True}
"""The environments refuse by themselves what these wrappers would, which cost time in every step."""
_GYMNASIUM: dict[str, dict[str, Any]] = {
    GYMNASIUM_ID: {
        "entry_point": "endeavor_env.envs.gym_env:EndeavorEnv",
        "vector_entry_point": "endeavor_env.envs.vector.vector_env:EndeavorVectorEnv",
        **_NO_WRAPPERS,
    },
    GYMNASIUM_SOLO_ID: {
        "entry_point": "endeavor_env.envs.solo_env:EndeavorSoloEnv",
        "vector_entry_point": "endeavor_env.envs.vector.vector_env:EndeavorSoloVectorEnv",
        **_NO_WRAPPERS,
    },
}
"""Where ``gymnasium.register`` finds each environment."""
_DEFINED_IN = {  # public names that are not modules
    "Board": "endeavor_env.board",
    "Game": "endeavor_env.game",
    "read_record": "endeavor_env.records",
    "replay": "endeavor_env.records",
    "write_record": "endeavor_env.records",
}


def __getattr__(name: str) -> Any:
    """Return a public name, importing the module that defines it."""
    if name in ("endeavor_v0", "search"):
        return importlib.import_module(f"endeavor_env.{name}")
    if name in _DEFINED_IN:
        value = getattr(importlib.import_module(_DEFINED_IN[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _register() -> None:
    """Register the environments once, also when the module is loaded again."""
    for name, entry_points in _GYMNASIUM.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, **entry_points)
    if PETTINGZOO_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", PETTINGZOO_ID, entry_point="endeavor_env.endeavor_v0:env")
    if PETTINGZOO_ID not in pettingzoo.parallel_registry:
        pettingzoo.register("parallel", PETTINGZOO_ID, entry_point="endeavor_env.endeavor_v0:parallel_env")


_register()
