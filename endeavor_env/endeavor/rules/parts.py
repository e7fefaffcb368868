"""The parts of the game's machine code (``kernels.parts``): what a program mostly needs together is made together."""

from __future__ import annotations

from pathlib import Path

from endeavor_env.engine.kernels.parts import BATCH as BATCH
from endeavor_env.kernels.parts import WHOLE as WHOLE
from endeavor_env.kernels.parts import Part, declare_parts

_GAME = "endeavor_env.endeavor"
_ENGINE = "endeavor_env.engine.kernels"


def _families(**names: str) -> dict[str, str]:
    """Return the family of each function, given the families with names of functions."""
    return {function: family for family, functions in names.items() for function in functions.split()}


def _player_modules() -> list[str]:
    """Return the modules with the entries of players that do not search: ``players/<name>/player.py``."""
    folders = sorted(file.parent.name for file in (Path(__file__).parents[1] / "players").glob("*/player.py"))
    return [f"{_GAME}.players.{name}.player" for name in folders if name != "search"]


RULES = Part(
    "rules",
    "the rules",
    (f"{_GAME}.flow.dispatch", f"{_GAME}.interface.entry", f"{_GAME}.interface.rules_entries", f"{_ENGINE}.rng"),
    {
        "rules_entry": 7.5,
        "status": 5.0,
        "observe_features": 3.5,
        "scores": 1.4,
        "new_game": 1.0,
        "random_setup": 0.8,
        "total": 0.8,
        "reseed": 0.5,
        "observe_compact": 0.5,
    },
    _families(
        moves="rules_entry begin_step opposition_step",
        networks="observe_features observe_compact new_features new_compact observe_entry",
        checks="status recount recount_choices",
    ),
)
EXPLOITS = Part(
    "exploits",
    "the Exploits",
    (f"{_GAME}.exploits.dispatch", f"{_GAME}.observe.exploits"),
    {"exploits_entry": 11.0, "exploit_rows_entry": 2.2},
)
PLAYERS = Part(
    "players",
    "the players",
    tuple(_player_modules()),
    {"automa_entry": 6.0, "greedy_entry": 7.0, "value_entry": 4.5, "policy_entry": 1.5, "advised_entry": 2.0},
    _families(networks="value_entry policy_entry advised_entry", heuristics="greedy_entry"),
)
SEARCHES = Part(
    "searches",
    "the searches",
    (f"{_GAME}.players.search.lookahead", f"{_GAME}.players.search.player"),
    {"lookahead_entry": 4.5, "search_entry": 3.5},
    _families(networks="search_entry", heuristics="lookahead_entry"),
)
LEARNING = Part(
    "learning",
    "what learns",
    tuple(f"{_GAME}.learning.{name}" for name in ("demonstrations", "rollouts", "self_play")),
    {"collect_rollouts": 5.5, "play_demonstrations": 3.0, "play_fixtures": 1.5},
    _families(networks="collect_rollouts begin_games play_fixtures write_all_inputs play_demonstrations"),
)
SEARCHED = Part(  # apart from the one above: value networks learn without waiting until searches are compiled
    "searched",
    "what learns from searches",
    tuple(f"{_GAME}.learning.{name}" for name in ("searched_games", "siblings")),
    {"play_searched": 1.5, "search_siblings": 1.5, "play_out_siblings": 1.0},
    _families(networks="play_searched list_siblings play_out_siblings search_siblings"),
)
CHECKS = Part(
    "checks",
    "the checks",
    (f"{_GAME}.checks.audit", f"{_GAME}.checks.audited_play"),
    {"audit": 3.0, "play_audited": 0.7},
    _families(checks="audit play_audited play_audited_by"),
)

declare_parts(RULES, EXPLOITS, PLAYERS, SEARCHES, LEARNING, SEARCHED, CHECKS)
