"""Endeavor as a game on the engine."""

from __future__ import annotations

from collections.abc import Sequence

from endeavor_env.endeavor.faces import EndeavorFaces
from endeavor_env.endeavor.flow.dispatch import rules_entry
from endeavor_env.endeavor.interface import rules_entries as entries
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.observe.write import observe_entry
from endeavor_env.endeavor.options import EXPLOITS as EXPLOITS_VARIANT
from endeavor_env.endeavor.players.of_endeavor import ENDEAVOR_PLAYERS
from endeavor_env.endeavor.rewards import SCALE
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions, ruleset_of
from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.parts import EXPLOITS, RULES
from endeavor_env.endeavor.rules.state import SETUP, STATE
from endeavor_env.endeavor.solitaire import AgainstOpposition
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.kernels.parts import Part


def mixing_fault(variants: Sequence[str]) -> str | None:
    """Return why games of some variants are not possible side by side, None if they are."""
    if len({ruleset_of(variant).name for variant in variants} - {"base"}) < 2:
        return None
    return (
        "games with Exploits and games of other variants are not possible side by side: their observations differ; "
        "games of the base game go with both"
    )


def needed_parts(variants: Sequence[str]) -> tuple[Part, ...]:
    """Return the parts of the machine code with the rules, and with the Exploits if they are played."""
    return (RULES, EXPLOITS) if EXPLOITS_VARIANT in variants else (RULES,)


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
        observe_entry,
        None,  # nothing is drawn after the set-up
        None,  # and nothing is hidden
    ),
    num_actions,
    layout_for,
    SCALE,
    dict(zip(c.VARIANT_NAMES, c.VARIANT_PLAYERS, strict=True)),
    faces=EndeavorFaces(),
    players=ENDEAVOR_PLAYERS,
    solitaire=AgainstOpposition(),
    first_player="first_player",
    mixing_fault=mixing_fault,
    needs=needed_parts,
)
