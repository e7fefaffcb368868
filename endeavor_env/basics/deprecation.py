"""What is deprecated, since when, until when, and what to use in its place: the mechanism behind docs/versions.md.

A name that is going away has one entry in ``DEPRECATIONS``. Its module gives it out through ``moved_names``, or what
takes it (a function, an option, a word) calls ``warn_deprecated``. The first use in a process warns, so that a loop
is not flooded; a test fails as soon as an entry is past the version in which it was to go.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

MINOR_RELEASES = 2
"""For how many minor releases a name keeps working: what 0.3 deprecates goes in 0.5 at the earliest."""


def release(version: str) -> tuple[int, int, int]:
    """Return the numbers of a release such as ``0.3.0``, and of ``0.3.0rc1`` those of the release to come."""
    found = re.match(r"(\d+)\.(\d+)\.(\d+)(?:(?:a|b|rc)\d+|\.(?:dev|post)\d+)?$", version)
    if found is None:
        raise ValueError(f"{version!r} is no version: three numbers with dots are, as 0.3.0")
    return int(found[1]), int(found[2]), int(found[3])


@dataclass(frozen=True)
class Deprecation:
    """When a name was deprecated, when it goes, and what to write in its place."""

    since: str
    removed_in: str
    use: str

    def __post_init__(self) -> None:
        """Refuse an entry that leaves users less time than the policy promises."""
        since, removed = release(self.since), release(self.removed_in)
        if removed < (since[0], since[1] + MINOR_RELEASES, 0) and removed[0] == since[0]:
            raise ValueError(
                f"deprecated in {self.since} and removed in {self.removed_in}: "
                f"a name stays for {MINOR_RELEASES} minor releases, or until the next major one"
            )
        if removed <= since:
            raise ValueError(f"deprecated in {self.since} and removed in {self.removed_in}, which is not later")
        if not self.use:
            raise ValueError("a deprecation says what to use in its place")


MOVED_MODULES = {
    "endeavor_env.endeavor_rules": "endeavor_env.game.endeavor_rules",
    "endeavor_env.envs.gym_opponents": "endeavor_env.envs.opponents",
    "endeavor_env.game_config": "endeavor_env.game.config",
    "endeavor_env.game_like": "endeavor_env.terms.game_like",
    "endeavor_env.ladder": "endeavor_env.terms.ladder",
    "endeavor_env.notation": "endeavor_env.terms.notation",
    "endeavor_env.notes": "endeavor_env.game.notes",
    "endeavor_env.opposition": "endeavor_env.terms.opposition",
    "endeavor_env.played": "endeavor_env.rails.played",
    "endeavor_env.records": "endeavor_env.game.records",
    "endeavor_env.rewards": "endeavor_env.terms.rewards",
    "endeavor_env.sampling": "endeavor_env.envs.sampling",
    "endeavor_env.setups": "endeavor_env.terms.setups",
}
"""The former name of each module that has moved, and the name it has now; ``former_modules`` finds them."""

DEPRECATIONS: dict[str, Deprecation] = {
    **{former: Deprecation("0.1.0", "0.3.0", now) for former, now in MOVED_MODULES.items()},
    "measuring speed by endeavor bench run": Deprecation("0.1.0", "0.3.0", "endeavor bench speed"),
}
"""Every deprecated name, in full (``endeavor_env.board.Board.old``, ``option old of Endeavor-v0``)."""

_WARNED: set[str] = set()


def overdue(version: str) -> list[str]:
    """Return the names that ``version`` should no longer have."""
    return [name for name, entry in DEPRECATIONS.items() if release(entry.removed_in) <= release(version)]


def warn_deprecated(name: str, stacklevel: int = 2) -> None:
    """Warn, at the first use in this process, that ``name`` is going away; 2 blames the caller's caller."""
    if name in _WARNED:
        return
    entry = DEPRECATIONS[name]
    warnings.warn(
        f"{name} is deprecated since {entry.since} and goes in {entry.removed_in}: use {entry.use}",
        DeprecationWarning,
        stacklevel=stacklevel + 1,
    )
    _WARNED.add(name)  # not before: where warnings are errors, each use is one


def moved_names(module: str, moved: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for ``module``: an old name gives what ``moved`` says, as ``package.module:name``."""

    def get_moved(name: str) -> Any:
        if name not in moved:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_deprecated(f"{module}.{name}")
        home, _, new_name = moved[name].partition(":")
        return getattr(importlib.import_module(home), new_name)

    return get_moved
