"""What lies on the table, as the page shows it: where each thing is, what it does, and why it cannot be used now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endeavor_env.endeavor.drawing.scene import Area, Scene
from endeavor_env.endeavor.explain import about
from endeavor_env.endeavor.explain.reasons import Reasons
from endeavor_env.endeavor.game import Game


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
