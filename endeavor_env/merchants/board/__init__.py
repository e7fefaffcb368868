"""Boards of Merchants of Europe: the data a game is played on, read from files, checked, generated and written."""

from __future__ import annotations

from endeavor_env.merchants.board.board import Board
from endeavor_env.merchants.board.files import check_board, dump_board, load_board, parse_board
from endeavor_env.merchants.board.generator import generate_board

__all__ = ["Board", "check_board", "dump_board", "generate_board", "load_board", "parse_board"]
