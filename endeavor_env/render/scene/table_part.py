"""The headline and the common supply of buildings, with a legend of the signs."""

from __future__ import annotations

from endeavor_env.render.scene.pieces import shortened, token
from endeavor_env.render.scene.places import Box
from endeavor_env.render.scene.shapes import Area, Circle, Label, Line, Rect, Shape
from endeavor_env.render.scene.theme import TOKENS, Theme
from endeavor_env.render.view import View
from endeavor_env.render.words import move_in_words

LETTER = 0.56
"""Width of a letter, as a part of its size."""
LEGEND_HEIGHT = 66.0
"""Of the legend under the supply, pixels."""


def head_shapes(view: View, area: Box, theme: Theme) -> list[Shape]:
    """Return the headline: round, phase, who decides what, and the last move."""
    y = area.y + area.height / 2
    over = view.seat < 0
    phase = "" if over else f" · {view.phase} phase"
    when = f"Round {view.round} of {view.num_rounds}{phase}" if view.round else "Set-up"
    decision = view.follow_up or view.decision.replace("_", " ")
    asked = _outcome(view) if over else f"{view.who(view.seat)} decides: {decision}"
    asked = shortened(asked, 14, area.width - 320)
    shapes: list[Shape] = [
        Label(area.x, y, when, 16, theme.ink, bold=True),
        Label(area.x + 300, y, asked, 14, theme.gold if over else theme.highlight, bold=True),
    ]
    if view.moves:
        last = view.moves[-1]
        room = area.width - 330 - LETTER * 14 * len(asked)
        said = f"last move: {view.who(last.seat)} {move_in_words(view.board, last.text)}"
        shapes.append(Label(area.x + area.width, y, shortened(said, 13, room), 13, theme.muted, "end"))
    return shapes


def _outcome(view: View) -> str:
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
    levels = view.board.array["building_level"][0]
    shapes: list[Shape] = [Rect(*area, fill=theme.panel, stroke=theme.faint, radius=6)]
    shapes.append(Label(area.x + 10, area.y + 13, "Building supply", 12, theme.ink, bold=True))
    columns = sorted({int(levels[index]) for index in range(len(view.board.buildings))} - {0})
    width = (area.width - 14) / max(1, len(columns))
    for column, level in enumerate(columns):
        x = area.x + 8 + column * width
        shapes.append(Label(x + 2, area.y + 32, f"level {level}", 10, theme.muted))
        names = [name for index, name in enumerate(view.board.buildings) if levels[index] == level]
        for row, name in enumerate(names):
            left = view.building_supply.get(name, 0)
            box = Box(x, area.y + 42 + 30 * row, width - 5, 26)
            ink = theme.ink if left else theme.muted
            shapes += [
                Rect(*box, fill=theme.background if left else theme.closed, stroke=theme.faint, radius=4),
                Label(box.x + 5, box.y + 13, shortened(view.board.names[name], 10, box.width - 20), 10, ink),
                Label(box.x + box.width - 5, box.y + 13, f"{left}", 11, ink, "end", bold=True),
                Area(*box, f"build:{name}", f"{view.board.names[name]}: {left} left"),
            ]
    legend = Box(area.x + 10, area.y + area.height - LEGEND_HEIGHT, area.width - 20, LEGEND_HEIGHT)
    return shapes + _legend(legend, theme)


def _legend(area: Box, theme: Theme) -> list[Shape]:
    """Return what the signs on tokens, cards and cities mean."""
    shapes: list[Shape] = [Line(area.x, area.y, area.x + area.width, area.y, theme.faint)]
    width = area.width / 4
    for index, kind in enumerate(TOKENS):
        x, y = area.x + width * (index % 4), area.y + 14 + 19 * (index // 4)
        shapes += token(x + 7, y, 14, kind)
        shapes.append(Label(x + 19, y, kind.replace("_", " or "), 10, theme.ink))
    y = area.y + 53
    shapes += [
        Circle(area.x + 7, y, 7.5, theme.gold, None),
        Circle(area.x + 7, y, 5, theme.panel, theme.ink, 1),
        Label(area.x + 19, y, "worth 2 Glory", 10, theme.ink),
        Label(area.x + width, y, "+1", 10, theme.gold, bold=True),
        Label(area.x + width + 19, y, "Glory of a card", 10, theme.ink),
        Circle(area.x + 2 * width + 7, y, 3.2, theme.ink, theme.muted, 0.9),
        Label(area.x + 2 * width + 19, y, "building in use", 10, theme.ink),
        Label(area.x + 3 * width, y, "6x", 9, theme.muted),
        Label(area.x + 3 * width + 19, y, "cards left", 10, theme.ink),
    ]
    return shapes
