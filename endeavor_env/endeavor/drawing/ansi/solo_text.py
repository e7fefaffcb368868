"""The parts of the text board that only a solitaire game has: what the Opposition did, its mat, scale and grid."""

from __future__ import annotations

from collections.abc import Sequence

from endeavor_env.endeavor.drawing.ansi.lines import filled, plain, wrapped
from endeavor_env.endeavor.drawing.ansi.seat_text import card_lines, token_lines
from endeavor_env.endeavor.drawing.view import Mat, SolitaireTable, View
from endeavor_env.endeavor.opposition import Step
from endeavor_env.endeavor.results import OPPOSITION_NAME
from endeavor_env.endeavor.rules import constants as c

LEGEND = (
    "> decides, <colour> a disc of that side, white being the player's; tracks run from the far end",
    "a city has one * a Glory; a connection shows its token, - once taken, then the side that controls it",
    "discs below the marker act; a tile n columns from the crown, shown as [ ], lets n more of them act",
)
TIE_WORDS = {
    "T1": "most blue tokens",
    "T2": "token of its least advanced status",
    "S5.2": "a blue token as well",
    "most present": "where the colour has most discs",
    "C1": "greatest advance",
    "C2": "most icons in its least advanced statuses",
    "C3": "none above 15",
    "swing": "most Glory changes hands",
    "best holding": "leaves it best off",
}
"""What narrows the options of the Opposition, by the names that ``Step.tie_breaks`` uses."""


def decision_lines(view: View, table: SolitaireTable) -> list[str]:
    """Return what the player decides, who acts first, and the blue tokens still to be carried out (S5.5)."""
    who = plain(view.who(0))
    player = who[:1].upper() + who[1:]
    if view.decision == "opposition":
        lines = [f"{player} decides for the Opposition{f' ({table.acting})' if table.acting else ''}"]
    else:
        lines = [f"{player} decides: {view.decision.replace('_', ' ')}"]
    if view.phase == "action":
        lines.append(f"{'The Opposition' if table.opposition_first else player} acts first this round")
    if table.waiting_tokens:
        lines += wrapped(table.waiting_tokens, "Tokens to be carried out, in this order: ", indent=0)
    return lines


def step_lines(steps: Sequence[Step]) -> list[str]:
    """Return what the Opposition did and why, under a heading; nothing without a step."""
    lines = ["The Opposition"] if steps else []
    for step in steps:
        lines += _one_step(step)
    return lines


def _one_step(step: Step) -> list[str]:
    """Return who did what, then the clause, what narrowed the options, and who chose."""
    when = f"round {step.round}" if step.round else "set-up"
    who = "the Opposition" if step.colour == OPPOSITION_NAME else step.colour
    who += f" (disc {step.position})" if step.position else ""
    token = f", {step.token} token" if step.token else ""
    done = step.move or ("?" if step.asked else "nothing")
    why = [f"{step.clause} {step.reason}"]
    why += ["nothing useful is left (S4.3)"] if step.useless else []
    why += [f"{name}: {TIE_WORDS[name]}" for name in step.tie_breaks]
    why += [_choice(step)] if step.options else []
    return [f"  {when}, {who}{token}: {done}", *filled("; ".join(why), " " * 6)]


def _choice(step: Step) -> str:
    """Return which options were left, and who chose among them."""
    count, options = len(step.options), ", ".join(step.options)
    if count == 1:
        return "one option left"
    if step.asked:
        return f"the player is to choose 1 of {count}: {options}"
    return f"{'the player chose' if step.decided_by == 'player' else 'the first'} of {count}: {options}"


def result_lines(view: View, table: SolitaireTable) -> list[str]:
    """Return the result of a finished game."""
    if table.result is None:
        return []
    own, other = (mat.glory for mat in view.mats)
    return [f"Result: {table.result.name}, {own} to {other}" + (", with panache" if table.result.panache else "")]


def opposition_lines(mat: Mat, table: SolitaireTable) -> list[str]:
    """Return what lies on and beside the mat that the four colours share (S0)."""
    return [
        mat.name,
        *wrapped([f"{colour} {count}" for colour, count in table.supply.items()], "discs in supply: "),
        *card_lines(mat),
        *wrapped(table.retained, "retained Governors: "),
        *token_lines(mat),
    ]


def scale_lines(table: SolitaireTable) -> list[str]:
    """Return the action scale with the marker, its face, and the disc that is acting (S0, S2)."""
    shown = []
    for position, colour in enumerate(table.scale, 1):
        notes = []
        if position == table.marker:
            notes.append(f"marker, {'Action side: a bonus draw is due' if table.bonus_due else 'Glory side'}")
        if position == table.acting_position:
            notes.append("acting")
        shown.append(f"{position} {colour}" + (f" ({', '.join(notes)})" if notes else ""))
    return ["Action scale", *wrapped(shown)]


def grid_lines(table: SolitaireTable, buildings: Sequence[str]) -> list[str]:
    """Return the building grid, highest level on top, with the crown and the types that wait for a row (S1.2, S7)."""
    width = max(map(len, buildings)) + 3
    columns = "".join(f"{f'column {column}':<{width}}" for column in range(1, c.GRID_COLUMNS + 1))
    lines = ["Building grid", f"           {columns}waiting"]
    crown_row, crown_column = table.crown
    for row in reversed(range(len(table.grid))):
        cells = [building or "-" for building in (*table.grid[row], table.pending[row])]
        if row == crown_row:
            cells[crown_column] = f"[{cells[crown_column]}]"
        lines.append(f"  level {row + 1}  {''.join(f'{cell:<{width}}' for cell in cells)}".rstrip())
    return lines
