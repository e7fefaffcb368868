"""Registering the environments with Gymnasium and PettingZoo, as soon as these are there.

Importing them takes longer than a first game does, and a program that plays through ``Game`` needs neither. So each is
told of the environments at once if the program has imported it already, and else when the program imports it.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from endeavor_env.basics.version import ENVIRONMENT

GYMNASIUM_ID = ENVIRONMENT
GYMNASIUM_SOLO_ID = "EndeavorSolo-v0"
GYMNASIUM_MERCHANTS_ID = "Merchants-v0"
PETTINGZOO_ID, PETTINGZOO_MERCHANTS_ID = "endeavor/endeavor-v0", "endeavor/merchants-v0"

_NO_WRAPPERS = {"order_enforce": False, "disable_env_checker": True}
"""The environments refuse by themselves what these wrappers would, which cost time in every step."""
_GYMNASIUM: dict[str, dict[str, Any]] = {
    GYMNASIUM_ID: {
        "entry_point": "endeavor_env.envs.endeavor:make_endeavor",
        "vector_entry_point": "endeavor_env.envs.endeavor:make_endeavor_vector",
        **_NO_WRAPPERS,
    },
    GYMNASIUM_SOLO_ID: {
        "entry_point": "endeavor_env.envs.endeavor:make_endeavor_solo",
        "vector_entry_point": "endeavor_env.envs.endeavor:make_endeavor_solo_vector",
        **_NO_WRAPPERS,
    },
    GYMNASIUM_MERCHANTS_ID: {
        "entry_point": "endeavor_env.envs.merchants:make_merchants",
        "vector_entry_point": "endeavor_env.envs.merchants:make_merchants_vector",
        **_NO_WRAPPERS,
    },
}
"""Where ``gymnasium.register`` finds each environment."""
_PETTINGZOO = {PETTINGZOO_ID: "endeavor_env.endeavor_v0", PETTINGZOO_MERCHANTS_ID: "endeavor_env.merchants_v0"}
"""The module of each PettingZoo environment."""


def id_of(made: type) -> str:
    """Return the id by which a class of environments is made, else the name of the environment, else of the class."""
    place = f"{made.__module__}:{made.__name__}"
    for name, entry_points in _GYMNASIUM.items():
        if place in entry_points.values():
            return name
    name_of_agents: str = getattr(made, "metadata", {}).get("name", made.__name__)
    return name_of_agents


def register_with_gymnasium(gymnasium: Any) -> None:
    """Register the environments unless they are registered."""
    for name, entry_points in _GYMNASIUM.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, **entry_points)


def register_with_pettingzoo(pettingzoo: Any) -> None:
    """Register the environments unless they are registered."""
    for name, module in _PETTINGZOO.items():
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point=f"{module}:env")
        if name not in pettingzoo.parallel_registry:
            pettingzoo.register("parallel", name, entry_point=f"{module}:parallel_env")


_LIBRARIES: dict[str, Callable[[Any], None]] = {
    "gymnasium": register_with_gymnasium,
    "pettingzoo": register_with_pettingzoo,
}


class _Watcher:
    """Stands among Python's finders of modules until both libraries are imported, and registers after each import."""

    def __init__(self, names: Sequence[str]) -> None:
        self._waiting = set(names)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where Python finds one of the libraries, so that its import ends with the registration."""
        if name not in self._waiting:
            return None
        self._waiting.discard(name)  # the search below comes here again
        if not self._waiting:
            sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            self._waiting.add(name)
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            _LIBRARIES[name](module)

        loader.exec_module = execute_and_register
        return spec


def register() -> None:
    """Register the environments with each library, now or when it is imported."""
    for name, register_with in _LIBRARIES.items():
        library = sys.modules.get(name)
        if library is not None and hasattr(library, "registry" if name == "gymnasium" else "aec_registry"):
            register_with(library)
    later = [name for name in _LIBRARIES if name not in sys.modules]
    if later and not any(type(finder).__name__ == _Watcher.__name__ for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watcher(later))  # type: ignore[arg-type]
