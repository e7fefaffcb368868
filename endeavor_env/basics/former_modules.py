"""Modules by the names that they had before they moved: found after everything else, with a warning."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class FormerModules:
    """Stands last among Python's finders; the names are in ``deprecation``, which is imported when one is missed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module is loaded that has moved; None for every other name."""
        if not name.startswith("endeavor_env."):
            return None
        from endeavor_env.basics.deprecation import MOVED_MODULES

        return ModuleSpec(name, self) if name in MOVED_MODULES else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave the making of the module to Python: the one that has moved takes its place."""

    def exec_module(self, module: ModuleType) -> None:
        """Warn, and let the former name stand for the module where it is now."""
        from endeavor_env.basics.deprecation import MOVED_MODULES, warn_deprecated

        warn_deprecated(module.__name__)
        sys.modules[module.__name__] = importlib.import_module(MOVED_MODULES[module.__name__])


def find_former_modules() -> None:
    """Put the finder behind those of Python, unless it is there."""
    if not any(type(finder).__name__ == FormerModules.__name__ for finder in sys.meta_path):
        sys.meta_path.append(FormerModules())  # type: ignore[arg-type]
