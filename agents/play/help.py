"""The symbols and actions that the help of the page explains, as HTML."""

from __future__ import annotations

from html import escape

from endeavor_env.drawing.svg import element
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.pieces import token
from endeavor_env.endeavor.drawing.scene.theme import TOKENS
from endeavor_env.endeavor.explain import Sentence, about
from endeavor_env.endeavor.explain.things import ACTION_SENTENCES
from endeavor_env.endeavor.rules.constants import ACTION_NAMES

SIZE = 26
"""Of a token, pixels."""


def token_rows() -> str:
    """Return a row for each kind of trade token: how it looks and what it does."""
    board = Board.default()
    return "\n".join(_row(_picture(kind), about(board, f"kind:{kind}")) for kind in TOKENS)


def action_rows() -> str:
    """Return a row for each of the five actions."""
    return "\n".join(_row("", ACTION_SENTENCES[name]) for name in ACTION_NAMES)


def _picture(kind: str) -> str:
    shapes = "".join(map(element, token(SIZE / 2, SIZE / 2, SIZE - 2, kind)))
    return f'<svg width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}" aria-hidden="true">{shapes}</svg>'


def _row(picture: str, sentence: Sentence | None) -> str:
    assert sentence is not None
    return f"<li>{picture}<span>{escape(sentence.text)} <small>{escape(sentence.clause)}</small></span></li>"
