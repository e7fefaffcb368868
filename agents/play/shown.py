"""A session as the page shows it."""

from __future__ import annotations

from typing import Any

from agents.play.session import Session
from endeavor_env.render.scene import Area, draw_scene
from endeavor_env.render.scene.targets import areas_of_moves
from endeavor_env.render.svg import to_svg
from endeavor_env.render.view import view_game
from endeavor_env.render.words import move_in_words

LAST = 60
"""Moves that the page lists."""


def shown_session(session: Session, theme: str = "light") -> dict[str, Any]:
    """Return everything that the page needs, as JSON takes it."""
    with session.lock:
        game = session.game
        asked = session.asks_human
        moves = game.legal_moves() if asked else []
        scene = draw_scene(view_game(game, max(0, len(game.history) - 12)), theme, moves)
        areas = areas_of_moves(scene, moves, "player" if game.variant == "solo" else str(game.seat))
        return {
            "number": len(game.history),
            "svg": to_svg(scene),
            "moves": [
                {"move": move, "words": move_in_words(game.board, move), "area": _box(areas.get(move))}
                for move in moves
            ],
            "asked": asked,
            "over": game.over,
            "seat": game.seat,
            "seats": list(session.seats),
            "scores": game.scores(),
            "result": _result(session) if game.over else None,
            "log": [_made(session, seat, action) for seat, action in game.history[-LAST:]],
        }


def _box(area: Area | None) -> list[float] | None:
    return None if area is None else [area.x, area.y, area.width, area.height]


def _made(session: Session, seat: int, action: int) -> str:
    """Return who made a move, and the move in words."""
    game = session.game
    who = "player" if game.variant == "solo" else f"seat {seat}"
    return f"{who} {move_in_words(game.board, game.describe(action))}"


def _result(session: Session) -> str:
    game = session.game
    if game.variant == "solo":
        own, other = game.scores()
        return f"{game.ladder().name}: {own} to {other} Glory"
    winners = game.winners()
    if len(winners) > 1:
        return f"seats {', '.join(map(str, winners))} share the win"
    return f"seat {winners[0]} ({session.seats[winners[0]]}) wins with {max(game.scores())} Glory"
