"""A compiled player of the toy game: it plays its card if that is as high as its settings say, else it rolls."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from endeavor_env.engine.kernels.players import player_entry
from endeavor_env.engine.players import Made, PlayerRow, players_at
from endeavor_env.kernels.intrinsics import bytes_at, memory_at, record_at
from endeavor_env.kernels.parts import Part, declare_parts
from tests.toy_game.rules import FACES, PLAY, POSITION, ROLL, TOY_GAME

declare_parts(Part("toy_player", "the toy player", ("tests.kits.toy_player",)))
_position_at = record_at(POSITION)
LEAST = 4
"""The lowest card that it plays unless its settings give another."""


@player_entry
def careful_entry(_board, place, mask, num_actions, memory, size, _rng):
    """Return the move."""
    position, least = _position_at(place), memory_at(memory, size)[0]
    plays = bytes_at(mask, num_actions)[PLAY] == 1 and position.hand[position.seat] >= least
    return np.int64(PLAY) if plays else np.int64(ROLL)


def _memory(least: int, _num_actions: int):
    return np.array([least], np.uint8)


def _careful(settings: str | None):
    """Return the player, whose memory is one byte: the lowest card that it plays."""
    return Made(partial(_memory, LEAST if settings is None else int(settings)), ("toy",))


ROWS = (PlayerRow("careful", careful_entry, _careful, f"<1 to {FACES}>"),)
TOY_WITH_PLAYER = replace(TOY_GAME, players=players_at("tests.kits.toy_player:ROWS"))
