"""The part of the text board about the seats: a table of numbers, then what each of them holds."""

from __future__ import annotations

from endeavor_env.endeavor.drawing.ansi.lines import all_counted, counted, plain, wrapped
from endeavor_env.endeavor.drawing.view import Mat, View
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.played import is_named


def seat_lines(view: View) -> list[str]:
    """Return the table of all mats, the holdings of the seats, and the neutral discs that left the game."""
    solo = view.solitaire is not None
    first_column = "side" if solo else "seat"
    labels, named = [_label(mat) for mat in view.mats], any(is_named(mat.title) for mat in view.mats)
    width, side = max(len("seat"), *map(len, labels)), "<" if named else ">"
    head = "".join(f"{status:>10}" for status in c.STATUS_NAMES) + f"{'harbor':>8}{'supply':>8}{'glory':>7}"
    head += "".join(f"  {heading}" for heading in view.mats[0].neutral)
    lines = [f"     {first_column:{side}{width}}{head}"]
    for mat, label in zip(view.mats, labels, strict=True):
        marks = (">" if mat.decides else " ") + ("*" if mat.first_player else " ")
        lines.append(f"  {marks} {label:{side}{width}}{_numbers(mat)}{'  passed' if mat.passed else ''}")
    for mat in view.mats[:1] if solo else view.mats:
        lines += [plain(mat.title), *_holding(mat)]
    if view.neutral_out:
        lines.append(counted("Neutral discs out of the game", view.neutral_out))
    return lines


def _label(mat: Mat) -> str:
    """Return the number of a seat, which its discs carry, and its name if it has one."""
    return f"{mat.name} {plain(mat.title)}" if is_named(mat.title) else mat.name


def _numbers(mat: Mat) -> str:
    """Return the row of a mat in the table."""
    discs = ["-" if count is None else count for count in (mat.harbor, mat.supply)]
    cells = "".join(f"{icons:>10}" for icons in mat.statuses.values()) + "".join(f"{count:>8}" for count in discs)
    cells += f"{mat.glory:>7}"
    return cells + "".join(f"{count:>{len(heading) + 2}}" for heading, count in mat.neutral.items())


def _holding(mat: Mat) -> list[str]:
    buildings = [
        counted(building.id, building.copies) + (f" ({building.occupied} in use)" if building.occupied else "")
        for building in mat.buildings
    ]
    items = wrapped(all_counted(mat.items), "items: ") if mat.items else []
    return [*wrapped(buildings, "buildings: "), *card_lines(mat), *token_lines(mat), *items]


def card_lines(mat: Mat) -> list[str]:
    """Return the cards of a mat, those that lie face down as a number."""
    face_down = [counted("face down", mat.face_down)] if mat.face_down else []
    return wrapped([*mat.cards, *face_down], "cards: ")


def token_lines(mat: Mat) -> list[str]:
    """Return the trade tokens of a mat."""
    return wrapped(all_counted(mat.tokens), "tokens: ")
