"""The headline and the common supply of buildings, with the legend under it."""

from __future__ import annotations

from endeavor_env.drawing.shapes import Area, Label, Rect, Shape
from endeavor_env.endeavor.drawing.scene.legend import legend_shapes
from endeavor_env.endeavor.drawing.scene.pieces import LETTER, shortened
from endeavor_env.endeavor.drawing.scene.places import Box
from endeavor_env.endeavor.drawing.scene.theme import Theme
from endeavor_env.endeavor.drawing.view import View
from endeavor_env.endeavor.drawing.words import asked_in_words, move_in_words

LEGEND_HEIGHT = 104.0
"""Of the legend under the supply, pixels."""
TYPES_HEIGHT = 72.0
"""Of the building types of a level under each other."""
TYPES_TOP = 36.0
"""From the upper edge of the supply to its first building."""
LEVEL_TOP = 20.0
"""From the upper edge of the supply to what says the level."""
LAST_MOVE = 13
"""Size of the letters of the last move."""


def head_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the headline: round, phase, who is asked what, and the last move."""
    y = area.y + area.height / 2
    over = view.seat < 0
    asked = outcome_of(view) if over else headline_of(view)
    asked = shortened(asked, 14, area.width - 320)
    shapes: list[Shape] = [
        Label(area.x, y, when_of(view), 16, theme.ink, bold=True),
        Label(area.x + 300, y, asked, 14, theme.gold if over else theme.highlight, bold=True),
    ]
    if view.moves:
        room = area.width - 300 - 1.1 * LETTER * 14 * len(asked) - 40
        said = f"last move: {_last_move(view)}"
        shapes.append(Label(area.x + area.width, y, shortened(said, LAST_MOVE, room), LAST_MOVE, theme.muted, "end"))
    return shapes


def when_of(view: View) -> str:
    """Return round and phase."""
    if not view.round:
        return "Set-up"
    return f"Round {view.round} of {view.num_rounds}" + ("" if view.seat < 0 else f" · {view.phase} phase")


def headline_of(view: View) -> str:
    """Return who is asked what, such as "Ada: sail or draw a card"."""
    return f"{view.who(view.seat)}: {asked_in_words(view.board, view.decision, view.open_actions, view.follow_up)}"


def _last_move(view: View) -> str:
    last = view.moves[-1]
    return f"{view.who(last.seat)} {move_in_words(view.board, last.text)}"


def outcome_of(view: View) -> str:
    """Return who won a game that is over."""
    best = max(mat.glory for mat in view.mats)
    if view.solitaire is not None:
        own, other = (mat.glory for mat in view.mats)
        result = view.solitaire.result
        return f"{result.name if result else 'over'}: {own} to {other} Glory"
    winners = [view.who(seat) for seat, mat in enumerate(view.mats) if mat.glory == best]
    who = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the win"
    return f"the game is over: {who} with {best} Glory"


def supply_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the building supply by level, with the copies left of each type, and the legend."""
    levels, columns = view.board.array["building_level"][0], _levels(view)
    shapes: list[Shape] = [Rect(*area, fill=theme.panel, stroke=theme.faint, radius=6)]
    shapes.append(Label(area.x + 10, area.y + 13, "Building supply", 12, theme.ink, bold=True))
    width, row_height = _column_width(view, area), supply_row(view)
    for column, level in enumerate(columns):
        x = area.x + 8 + column * width
        shapes.append(Label(x + 2, area.y + 29, f"level {level}", 10, theme.muted))
        names = [name for index, name in enumerate(view.board.buildings) if levels[index] == level]
        for row, name in enumerate(names):
            left = view.building_supply.get(name, 0)
            box = Box(x, area.y + TYPES_TOP + row_height * row, width - 5, row_height - 3)
            ink = theme.ink if left else theme.muted
            shapes += [
                Rect(*box, fill=theme.background if left else theme.closed, stroke=theme.faint, radius=4),
                Label(
                    box.x + 5, box.y + box.height / 2, shortened(view.board.names[name], 10, box.width - 20), 10, ink
                ),
                Label(box.x + box.width - 5, box.y + box.height / 2, f"{left}", 11, ink, "end", bold=True),
                Area(*box, f"build:{name}", f"{view.board.names[name]}: {left} left"),
            ]
    return shapes + legend_shapes(view, legend_box(area), theme)


def supply_columns(view: View, area: Box) -> list[Box]:
    """Return where each level of the building supply stands, with what says the level."""
    width, height = _column_width(view, area), TYPES_TOP - LEVEL_TOP + TYPES_HEIGHT
    return [
        Box(area.x + 5.5 + column * width, area.y + LEVEL_TOP, width, height) for column in range(len(_levels(view)))
    ]


def supply_row(view: View) -> float:
    """Return how far apart the building types of a level are."""
    levels = view.board.array["building_level"][0]
    return TYPES_HEIGHT / max([3, *(int((levels == level).sum()) for level in _levels(view))])


def legend_box(area: Box) -> Box:
    """Return where the legend stands."""
    return Box(area.x + 10, area.y + area.height - LEGEND_HEIGHT, area.width - 20, LEGEND_HEIGHT)


def _levels(view: View) -> list[int]:
    """Return the levels of the building supply, the lowest first."""
    levels = view.board.array["building_level"][0]
    return sorted({int(levels[index]) for index in range(len(view.board.buildings))} - {0})


def _column_width(view: View, area: Box) -> float:
    return (area.width - 14) / max(1, len(_levels(view)))
