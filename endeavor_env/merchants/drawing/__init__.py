"""Pictures of boards of Merchants of Europe, and of what stands on them, as shapes."""

from __future__ import annotations

from endeavor_env.merchants.drawing.palette import NEUTRAL
from endeavor_env.merchants.drawing.picture import draw_board
from endeavor_env.merchants.drawing.pieces import Pieces
from endeavor_env.merchants.drawing.seen import pieces_seen

__all__ = ["NEUTRAL", "Pieces", "draw_board", "pieces_seen"]
