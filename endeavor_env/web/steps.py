"""The last position of a game as a page shows it, complete in itself: for programs that keep a game step by step."""

from __future__ import annotations

from typing import Any

from endeavor_env.engine.base_game import BaseGame
from endeavor_env.web.film import Film

FORMAT = "endeavor-step/1"
_HEAD = ("unit", "period", "names", "sides", "letters", "side_colours")


def step_of(game: BaseGame) -> dict[str, Any]:
    """Return what a page needs that shows the positions before the last one of a game, as JSON takes it.

    A film numbers its lines through a whole game; here they are texts, so that a step depends on its position alone.
    The step of a game without a move also says who plays.
    """
    made = len(game.history)
    film = Film(game.at_move(max(0, made - 1)))
    if made:
        film.add(game.history[-1][1])
    part = film.part()
    row, lines = part["rows"][-1], part["lines"]
    changes = [[place, removed, [lines[number] for number in added]] for place, removed, added in row["changes"]]
    step = {"format": FORMAT, "over": part["over"], "row": {**row, "changes": changes}}
    return step if made else {**step, **{name: part[name] for name in _HEAD if name in part}}
