"""Registering the environments with Gymnasium and PettingZoo, as soon as these are there.

Importing them takes longer than a first game does, and a program that plays through ``Game`` needs neither. So each is
told of the environments at once if the program has imported it already, and else when the program imports it.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from endeavor_env.engine.declaration import DeclaredAgentsEnvironment, DeclaredEnvironment, GameDeclaration

LISTED = "endeavor_env.envs.listed"
"""The module that makes environments of games without functions of their own."""
_NO_WRAPPERS = {"order_enforce": False, "disable_env_checker": True}
"""The environments refuse by themselves what these wrappers would, which cost time in every step."""


def _listed() -> Mapping[str, GameDeclaration]:
    """Return the games that are installed; warn of those that cannot be listed."""
    from endeavor_env.engine.games import read_list  # read with the libraries: a game in words needs no list

    found = read_list()
    for fault in found.faults:
        warnings.warn(fault, stacklevel=2)
    return found.games


def gymnasium_specs() -> dict[str, dict[str, Any]]:
    """Return the arguments of ``gymnasium.register`` for each id of the games that are listed."""
    return {one.id: _spec(name, one) for name, game in _listed().items() for one in game.environments}


def _spec(game: str, declared: DeclaredEnvironment) -> dict[str, Any]:
    """Return the arguments of ``gymnasium.register`` for an environment of a game."""
    by_name = {"kwargs": {"game": game}} if declared.entry_point is None else {}
    return {
        "entry_point": declared.entry_point or f"{LISTED}:make_env",
        "vector_entry_point": declared.vector_entry_point or f"{LISTED}:make_vector_env",
        **by_name,
        **_NO_WRAPPERS,
    }


def register_with_gymnasium(gymnasium: Any) -> None:
    """Register the environments unless they are registered."""
    for name, spec in gymnasium_specs().items():
        if name not in gymnasium.registry:
            gymnasium.register(name, **spec)


def register_with_pettingzoo(pettingzoo: Any) -> None:
    """Register the environments unless they are registered."""
    for name, game in _listed().items():
        if game.agents_environment is not None:
            _register_agents(pettingzoo, name, game.agents_environment)


def _register_agents(pettingzoo: Any, game: str, declared: DeclaredAgentsEnvironment) -> None:
    """Register the environments of a game with PettingZoo."""
    kwargs = {"game": game} if declared.entry_point is None else None
    aec = declared.entry_point or f"{LISTED}:make_agents_env"
    parallel = declared.parallel_entry_point or f"{LISTED}:make_parallel_env"
    if declared.id not in pettingzoo.aec_registry:
        pettingzoo.register("aec", declared.id, entry_point=aec, kwargs=kwargs)
    if declared.id not in pettingzoo.parallel_registry:
        pettingzoo.register("parallel", declared.id, entry_point=parallel, kwargs=kwargs)


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
