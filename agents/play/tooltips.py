"""Explanations of the page: tooltips of what lies on the table, and the symbols and actions of the help."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from endeavor_env.drawing.svg import element
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene import Area, Scene
from endeavor_env.endeavor.drawing.scene.pieces import token
from endeavor_env.endeavor.drawing.scene.theme import TOKENS
from endeavor_env.endeavor.explain import Sentence, about
from endeavor_env.endeavor.explain.reasons import Reasons
from endeavor_env.endeavor.explain.things import ACTION_SENTENCES
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.constants import ACTION_NAMES

# --- Tooltips of what lies on the table: what it does, and why it cannot be used now ---------------------------------


def tooltips(game: Game, scene: Scene, usable: Sequence[Area], asked: bool) -> list[dict[str, Any]]:
    """Return everything in the picture that has a sentence, as JSON takes it.

    Args:
        game: The game.
        scene: Its picture.
        usable: The areas of the legal moves.
        asked: Whether a person is asked: only then it is told why a thing cannot be used.
    """
    reasons = Reasons(game) if asked else None
    used = {area.key for area in usable}
    found = []
    for area in scene.shapes:
        if not isinstance(area, Area) or (sentence := about(game.board, area.key)) is None:
            continue
        why = reasons.here(area.key) if reasons and area.key not in used else None
        found.append(
            {
                "key": area.key,
                "area": [area.x, area.y, area.width, area.height],
                "title": area.title[:1].upper() + area.title[1:],
                "says": sentence.text,
                "clause": sentence.clause,
                "why": None if why is None else str(why),
            }
        )
    return found


# --- The help of the page: rows of symbols and actions, as HTML ------------------------------------------------------

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
