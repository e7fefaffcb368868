"""Merchants of Europe as a game on the engine."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.endings import Scale
from endeavor_env.engine.layouts import Layout
from endeavor_env.kernels.parts import Part
from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.observe.layout import LAYOUTS
from endeavor_env.merchants.observe.write import observe_entry
from endeavor_env.merchants.players import PLAYERS
from endeavor_env.merchants.presenter import MerchantsPresenter
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import parts as parts  # which declares the part of the machine code
from endeavor_env.merchants.rules import rules_entries as entries
from endeavor_env.merchants.rules.board_record import BOARD
from endeavor_env.merchants.rules.parts import MERCHANTS
from endeavor_env.merchants.rules.state import SETUP, STATE
from endeavor_env.merchants.words import BoardWords

MARGIN = 5.0
"""The lead in goods that counts as a margin of 1: the fewest goods that win a game."""
SCALE = Scale(MARGIN, MARGIN, np.zeros(1, np.int64))
"""Scale of rewards; nobody plays alone, so there is no ladder."""
VARIANTS: dict[str, tuple[int, int]] = dict.fromkeys(c.SIDE_NAMES, (c.MIN_SEATS, c.MAX_SEATS))
"""The variants, which are the sides of the board, with their seats."""


def _setup_fault(_board: Any, setup: Any, players: int, *_played: Any) -> str | None:
    """Return what is wrong with a set-up that somebody gives, as a sentence without subject."""
    if not c.NONE <= setup["first"][0] < players:
        return f"begins with seat {setup['first'][0]}: give 0 to {players - 1}, or -1 to draw it"
    return None


def _num_actions(_variant: str) -> int:
    """Return the number of action ids, which is the same on both sides."""
    return actions.NUM_ACTIONS


def _layout_for(_variant: str, observation: str) -> Layout:
    """Return the layout of a kind of observation, which is the same on both sides."""
    return LAYOUTS[observation]


def _needed_parts(variants: Sequence[str]) -> tuple[Part, ...]:
    """Return the part of the machine code with the rules."""
    return (MERCHANTS,)


@functools.cache
def rules_for(board: Board) -> GameRules:
    """Return the game on a board, whose moves have the names of the board; play it with ``board_record(board)``."""
    return GameRules(
        "merchants",
        BOARD,
        STATE,
        SETUP,
        (
            entries.moves_entry,
            entries.draw_setup_entry,
            entries.begin_entry,
            entries.score_entry,
            observe_entry,
            entries.chance_entry,
            entries.resample_entry,
        ),
        _num_actions,
        _layout_for,
        SCALE,
        VARIANTS,
        BoardWords(board),
        _setup_fault,
        MerchantsPresenter(),
        PLAYERS,
        needs=_needed_parts,
    )
