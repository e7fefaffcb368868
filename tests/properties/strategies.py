"""What Hypothesis draws: seats, seeds, boards, and positions of random games."""

from __future__ import annotations

import functools

from hypothesis import strategies as st

from endeavor_env.board import Board
from endeavor_env.game import Game
from endeavor_env.testing import MAX_DECISIONS, random_game

board_of = functools.lru_cache(maxsize=64)(Board.resolve)
"""The board of an id, made once."""

players = st.integers(3, 5)
seeds = st.integers(0, 2**32 - 1)
redraws = st.integers(-4, 4)
boards = st.one_of(st.just("endeavor_2009"), st.integers(0, 15).map("generated_{}".format))
"""The id of the board of 2009, or of one of 16 generated ones."""


@st.composite
def positions(draw: st.DrawFn, whole_games: bool = False) -> Game:
    """A position after some random moves on any board; with ``whole_games`` the end of the game."""
    return random_game(
        draw(players),
        draw(seeds),
        board=board_of(draw(boards)),
        decisions=MAX_DECISIONS if whole_games else draw(st.integers(0, 240)),
        redraws=draw(redraws),
    )
