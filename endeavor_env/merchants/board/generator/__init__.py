"""The generator of random boards, step by step as section 4 of the board format lists them."""

from __future__ import annotations

from endeavor_env.merchants.board.generator.generator import generate_board

__all__ = ["generate_board"]
