"""Boards: the data a game is played on, read from files, checked, generated and written."""

from __future__ import annotations

from endeavor_env.endeavor.board.board import DEFAULT_BOARD_ID, MAX_SEED, Board

__all__ = ["DEFAULT_BOARD_ID", "MAX_SEED", "Board"]
