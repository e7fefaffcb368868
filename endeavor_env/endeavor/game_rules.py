"""Endeavor as a game on the engine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.flow import dispatch as entries
from endeavor_env.endeavor.flow.dispatch import rules_entry
from endeavor_env.endeavor.observe.write import observe_entry
from endeavor_env.endeavor.options import EXPLOITS as EXPLOITS_VARIANT
from endeavor_env.endeavor.players import PLAYERS
from endeavor_env.endeavor.presenter import EndeavorPresenter
from endeavor_env.endeavor.results import AgainstOpposition
from endeavor_env.endeavor.rewards import SCALE
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions, ruleset_of
from endeavor_env.endeavor.rules.board_array import BOARD
from endeavor_env.endeavor.rules.parts import EXPLOITS, RULES
from endeavor_env.endeavor.rules.state import BASE_SIZE, EMPTY_STATE, SETUP, STATE
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.layouts import Layout
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


def _layout_for(variant: str, observation: str) -> Layout:
    """Return the layout of the observations of a variant."""
    from endeavor_env.endeavor.observation import layout_for  # which a game that is only played does without

    return layout_for(variant, observation)


def clear_unread(positions: npt.NDArray[np.void]) -> None:
    """Clear two fields of solitaire games: who acted first in the last round, and how Europe was set up."""
    if positions["variant"][0] == c.VARIANT_SOLO:
        positions["opposition_first"][positions["phase"] != c.PHASE_ACTION] = 0
        positions["europe_order"][positions["round_number"] > 0] = c.NONE


def unused(variant: str) -> bytes:
    """Return the bytes behind BASE_SIZE, which games without Exploits never write."""
    return b"" if variant == EXPLOITS_VARIANT else EMPTY_STATE.tobytes()[BASE_SIZE:]


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
    _layout_for,
    SCALE,
    dict(zip(c.VARIANT_NAMES, c.VARIANT_PLAYERS, strict=True)),
    presenter=EndeavorPresenter(),
    players=PLAYERS,
    solitaire=AgainstOpposition(),
    first_player="first_player",
    mixing_fault=mixing_fault,
    needs=needed_parts,
    clear_unread=clear_unread,
    unused=unused,
)
