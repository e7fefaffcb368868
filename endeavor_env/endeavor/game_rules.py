"""Endeavor as a game on the rails."""

from __future__ import annotations

from endeavor_env.endeavor.flow.dispatch import rules_entry
from endeavor_env.endeavor.interface import rules_entries as entries
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.players.of_endeavor import ENDEAVOR_PLAYERS
from endeavor_env.endeavor.rewards import SCALE
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.state import SETUP, STATE
from endeavor_env.engine.game_rules import GameRules

ENDEAVOR = GameRules(
    "endeavor",
    BOARD,
    STATE,
    SETUP,
    (
        rules_entry,
        entries.draw_setup_entry,
        entries.begin_entry,
        entries.score_entry,
        entries.observe_entry,
        None,  # nothing is drawn after the set-up
        None,  # and nothing is hidden
    ),
    num_actions,
    layout_for,
    SCALE,
    dict(zip(c.VARIANT_NAMES, c.VARIANT_PLAYERS, strict=True)),
    players=ENDEAVOR_PLAYERS,
)


def is_endeavor(rules: GameRules) -> bool:
    """Return whether a game is Endeavor; copies from other processes are as well."""
    return rules.name == ENDEAVOR.name
