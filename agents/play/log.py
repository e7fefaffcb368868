"""The moves of a game in words, with what the Opposition of the solitaire game did in between and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endeavor_env.agents.play.timeline import CHOICE, TimelineMove
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.scene.theme import SIDES
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.opposition import Step

LINES = 150
"""Lines that the page lists."""


def log_of(
    game: Game, made: Sequence[TimelineMove], steps: Sequence[Step], known: int, titles: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the last lines of the log, oldest first.

    Args:
        game: The game.
        made: Its moves.
        steps: What the Opposition did; empty in other variants.
        known: How many moves are no news.
        titles: What the seats are called.
    """
    by_move: dict[int, list[Step]] = {}
    for step in steps:
        if not step.asked:
            by_move.setdefault(step.after, []).append(step)
    lines = [_step_line(game.board, step, known) for step in by_move.get(0, ())]
    for number, move in enumerate(made, 1):
        if move.decision != CHOICE:  # the step that a choice settled says what was chosen
            lines.append({**_move_line(game, move, titles), "new": number > known})
        lines += [_step_line(game.board, step, known) for step in by_move.get(number, ())]
    return lines[-LINES:]


def _move_line(game: Game, move: TimelineMove, titles: Sequence[str]) -> dict[str, Any]:
    side = "white" if game.variant == "solo" else str(move.seat)
    words = f"{titles[move.seat]} {move_in_words(game.board, game.describe(move.action))}"
    return {"round": move.round, "words": words, "why": "", "disc": disc_of(side)}


def _step_line(board: Board, step: Step, known: int) -> dict[str, Any]:
    """Return one act of the Opposition with its reason."""
    words = move_in_words(board, step.move) if step.move else "can do nothing"
    chosen = ", as you chose" if step.decided_by == "player" else ""
    why = f"{step.clause} {step.reason}"
    return {
        "round": step.round,
        "words": f"{step.colour.capitalize()} {words}{chosen}",
        "why": why,
        "disc": disc_of(step.colour),
        "new": step.after >= known,
    }


def disc_of(side: str) -> dict[str, str]:
    """Return how the disc of a side looks."""
    piece = SIDES[side]
    return {"letter": piece.letter, "fill": piece.fill, "ink": piece.ink}
