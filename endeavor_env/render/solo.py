"""What the text board shows of the solitaire game only: scale, grid, the Opposition's mat, what it did and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.opposition import Step, explain
from endeavor_env.render.pieces import States, cards_held, flowing, tokens_held, wrapped

if TYPE_CHECKING:
    from endeavor_env.game import Game

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
_SUPPLY = slice(c.FIRST_COLOUR, c.FIRST_COLOUR + c.NUM_COLOURS)


def news(game: Game, seen: int, *, from_the_start: bool) -> list[str]:
    """Returns what the Opposition did and why, and, once the game is over, how it ended.

    Args:
        game: A solitaire game.
        seen: How many moves of the player the reader has seen with all they led to.
        from_the_start: Whether to tell the set-up, too; ``seen`` is 0 then.
    """
    told = [line for step in explain(game) if from_the_start or _is_news(step, seen) for line in _told(step)]
    lines = ["The Opposition", *told] if told else []
    if game.over:
        own, other = game.scores()
        ladder = game.ladder()
        lines.append(f"Result: {ladder.name}, {own} to {other}" + (", with panache" if ladder.panache else ""))
    return lines


def _is_news(step: Step, seen: int) -> bool:
    """Tells whether a move after the first ``seen`` led to the step or, as the answer to a question, settled it."""
    return step.after > seen or (step.after == seen and step.decided_by == "player" and not step.asked)


def _told(step: Step) -> list[str]:
    """Returns a step as lines: who did what, then the clause, what narrowed the options, and who chose."""
    who = step.colour + (f" (disc {step.position})" if step.position else "")
    token = f", {step.token} token" if step.token else ""
    when = f"round {step.round}" if step.round else "set-up"
    why = [f"{step.clause} {step.reason}"]
    why += ["nothing useful is left (S4.3)"] if step.useless else []
    why += [f"{name}: {TIE_WORDS[name]}" for name in step.tie_breaks]
    why += [_decided(step)] if step.options else []
    done = step.move or ("?" if step.asked else "nothing")
    return [f"  {when}, {who}{token}: {done}", *flowing("; ".join(why), " " * 6)]


def _decided(step: Step) -> str:
    """Returns who chose among the options that were left, and which these were."""
    count, options = len(step.options), ", ".join(step.options)
    if count == 1:
        return "one option left"
    if step.asked:
        return f"the player is to choose 1 of {count}: {options}"
    return f"{'the player chose' if step.decided_by == 'player' else 'the first'} of {count}: {options}"


def decides(states: States) -> list[str]:
    """Returns who decides what, and the blue tokens that the Opposition has still to carry out (S5.5)."""
    state = states[0]
    if state.decision == c.DECIDE_OPPOSITION:
        lines = [
            f"The player decides for the Opposition{f' ({c.COLOUR_NAMES[state.acting]})' if state.acting > 0 else ''}"
        ]
    else:
        lines = [f"The player decides: {c.DECISION_NAMES[state.decision].replace('_', ' ')}"]
    if state.phase == c.PHASE_ACTION:
        lines.append(f"The {'Opposition' if state.opposition_first else 'player'} acts first this round")
    waiting = [c.TOKEN_NAMES[kind] for kind in state.waiting_kind[: state.num_waiting][::-1]]
    return lines + (wrapped(waiting, "Tokens to be carried out, in this order: ", indent=0) if waiting else [])


def mat(board: Board, states: States) -> list[str]:
    """Returns what lies on and beside the mat that the four colours share (S0)."""
    state = states[0]
    discs = [f"{name} {int(n)}" for name, n in zip(c.COLOUR_NAMES[_SUPPLY], state.supply[_SUPPLY], strict=True)]
    retained = [name for card, name in enumerate(board.cards) if state.card_place[card] == c.CARD_RETAINED]
    return [
        "Opposition",
        *wrapped(discs, "discs in supply: "),
        *wrapped(cards_held(board, states, c.OPPOSITION), "cards: "),
        *wrapped(retained, "retained Governors: "),
        *wrapped(tokens_held(states, c.OPPOSITION), "tokens: "),
    ]


def scale(states: States) -> list[str]:
    """Returns the action scale with the marker, its face, and the disc that is acting (S0, S2)."""
    state = states[0]
    acting = {c.TASK_ACTION: int(state.task_step), c.TASK_TOKEN: int(state.task_step), c.TASK_BONUS: int(state.ipf) - 1}
    shown = []
    for place, side in enumerate(state.scale):
        notes = []
        if place + 1 == state.ipf:
            notes.append(f"marker, {'Action side: a bonus draw is due' if state.bonus_due else 'Glory side'}")
        if place == acting.get(int(state.task)):
            notes.append("acting")
        shown.append(f"{place + 1} {c.COLOUR_NAMES[side]}" + (f" ({', '.join(notes)})" if notes else ""))
    return ["Action scale", *wrapped(shown)]


def grid(board: Board, states: States) -> list[str]:
    """Returns the building grid, highest level on top, with the crown and the types that wait for a row (S1.2, S7)."""
    state = states[0]
    width = max(map(len, board.buildings)) + 3
    columns = "".join(f"{f'column {column + 1}':<{width}}" for column in range(state.grid.shape[1]))
    lines = ["Building grid", f"           {columns}waiting"]
    for level in reversed(range(c.GRID_LEVELS)):
        cells = [_cell(board.buildings, building) for building in state.grid[level]]
        if level == state.isb_level:
            cells[state.isb_column] = f"[{cells[state.isb_column]}]"
        row = "".join(f"{cell:<{width}}" for cell in [*cells, _cell(board.buildings, state.pending[level])])
        lines.append(f"  level {level + 1}  {row}".rstrip())
    return lines


def _cell(buildings: Sequence[str], building: np.int8) -> str:
    return buildings[int(building)] if building != c.NONE else "-"
