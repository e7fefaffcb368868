"""The parts of the game's machine code (``kernels.parts``): what a program mostly needs together is made together."""

from __future__ import annotations

from pathlib import Path

from endeavor_env.engine.kernels.parts import BATCH as BATCH
from endeavor_env.kernels.parts import WHOLE as WHOLE
from endeavor_env.kernels.parts import Part, declare_parts

_GAME = "endeavor_env.endeavor"
_ENGINE = "endeavor_env.engine.kernels"


def _player_modules() -> list[str]:
    """Return the modules with the entries of players that do not search: ``players/<name>/player.py``."""
    folders = sorted(file.parent.name for file in (Path(__file__).parents[1] / "players").glob("*/player.py"))
    return [f"{_GAME}.players.{name}.player" for name in folders if name != "search"]


RULES = Part(
    "rules",
    "the rules",
    (
        f"{_GAME}.flow.dispatch",
        f"{_GAME}.interface.entry",
        f"{_GAME}.observe.write",
        f"{_ENGINE}.rng",
    ),
)
EXPLOITS = Part(
    "exploits",
    "the Exploits",
    (f"{_GAME}.exploits.dispatch", f"{_GAME}.observe.exploits"),
)
PLAYERS = Part(
    "players",
    "the players",
    tuple(_player_modules()),
)
SEARCHES = Part(
    "searches",
    "the searches",
    (f"{_GAME}.players.search.lookahead", f"{_GAME}.players.search.player"),
)
LEARNING = Part(
    "learning",
    "what learns",
    tuple(f"{_GAME}.learning.{name}" for name in ("demonstrations", "rollouts", "self_play")),
)
CHECKS = Part(
    "checks",
    "the checks",
    (f"{_GAME}.checks.audit",),
)

declare_parts(RULES, EXPLOITS, PLAYERS, SEARCHES, LEARNING, CHECKS)
