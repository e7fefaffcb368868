"""What happens in a solitaire game that few games show, so that a test can ask for it by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.opposition import Step, explain
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.variants.solo import priority_list as reasons

RARE = {
    *(f"set-up, {clause}" for clause in ("S1.8a", "S1.8b", "S1.8c", "S1.9")),
    *(f"item {clause}" for clause in ("S4.1a", "S4.1b", "S4.1c", "S4.1d.i", "S4.1d.ii", "S4.1d.iii", "S4.1e")),
    "item S4.1b for 2 Glory",
    "nothing useful is left",
    "a bonus draw",
    "a bonus draw without a legal pile",
    *(f"sail_draw: {act}" for act in ("sail", "draw in its region", "draw elsewhere", "nothing")),
    *(f"occupy_draw: {act}" for act in ("occupy", "draw in its region", "draw elsewhere", "nothing")),
    *("attack: attack", "attack: nothing", "pay: take", "pay: nothing"),
    "a token that leads to another",
    "a token won by Sail that is carried out",
    "a token without effect",
    *(f"by {name}" for name in reasons.TIE_NAMES.values()),
    *(f"the player settles {verb}" for verb in ("occupy", "remove", "sail", "attack", "draw", "take", "discard")),
    "the first option settles",
    "the Opposition acts first",
    "six actions in a round",
    "a Governor for the player",
    "a Governor for the Opposition",
    "the player attacks the Opposition",
    "abolition while the Opposition holds Slavery cards",
    *(f"the Opposition discards {what}" for what in ("a Governor", "a Slavery card", "another card")),
    "the Opposition discards at the end of the round",
    "a tile waits to come back",
    "a tile that waited comes",
    "a tile without stock leaves its cell empty",
    "a tile above the player's Industry",
    "a defeat",
    "a victory",
    "panache",
}


def seen_in(finished: Game) -> set[str]:
    """Return everything of RARE that happens in a solitaire game."""
    ladder = finished.ladder()
    found = {"panache" if ladder.panache else "", "a victory" if ladder.rung else "a defeat"}
    for step in explain(finished):
        found.update(_of_step(step))
    for before, after in _acts(finished):
        found.update(_of_tokens(before, after))
        found.update(_of_cards(finished, before, after))
        found.update(_of_round(finished, before, after))
    return found - {""}


def _acts(finished: Game) -> Iterator[tuple[Any, Any]]:
    """Yield the states before and after every single act, of the player or of the Opposition."""
    game = Game.new(variant="solo", setup=finished.setup(), board=finished.board, options=finished.options)
    boards, states, out = game.board.array, game.state, np.zeros(4, np.int64)
    for _, action in finished.history:
        before = states.copy()
        entry.begin_step(boards, states, action)
        yield before[0], states[0]
        before = states.copy()
        while entry.opposition_step(boards, states, out):
            yield before[0], states[0]
            before = states.copy()


def _of_step(step: Step) -> Iterator[str]:
    """Yield what a step of the Opposition shows: its rule, its tie-breaks, and who settled the rest."""
    verb = step.move.partition(":")[0] or "nothing"
    where = {
        reasons.ITEM_TEXTS[reasons.ITEM_DRAW_HERE]: " in its region",
        reasons.ITEM_TEXTS[reasons.ITEM_DRAW_ANYWHERE]: " elsewhere",
    }.get(step.reason, "")
    if step.token:
        yield f"{step.token}: {verb}{where}"
    elif step.round == 0:
        yield f"set-up, {step.clause}"
    elif step.clause in ("S3.6", "S5.4"):
        yield "a bonus draw" if step.move else "a bonus draw without a legal pile"
    elif step.clause.startswith("S4.1"):
        glorious = step.reason == reasons.ITEM_TEXTS[reasons.ITEM_GLORY]
        yield f"item {step.clause}{' for 2 Glory' if glorious else ''}"
    if step.useless:
        yield "nothing useful is left"
    yield from (f"by {name}" for name in step.tie_breaks)
    if step.decided_by != "rules":
        yield f"the player settles {verb}" if step.decided_by == "player" else "the first option settles"


def _of_tokens(before: Any, after: Any) -> Iterator[str]:
    """Yield what becomes of the Opposition's blue tokens."""
    if before.task not in (c.TASK_ACTION, c.TASK_TOKEN):
        return
    blue_gone = int((before.token >= c.FIRST_BLUE).sum()) - int((after.token >= c.FIRST_BLUE).sum())
    gained = int(after.num_waiting) - int(before.num_waiting) + (before.task == c.TASK_TOKEN)
    if before.task == c.TASK_TOKEN and gained > 0:
        yield "a token that leads to another"
    if gained > 0 and after.track_next.sum() > before.track_next.sum():
        yield "a token won by Sail that is carried out"
    if blue_gone > gained and after.decision != c.DECIDE_OPPOSITION:
        yield "a token without effect"


def _of_cards(game: Game, before: Any, after: Any) -> Iterator[str]:
    """Yield Governors, attacks, abolition and what the Opposition discards."""
    if after.open.sum() > before.open.sum():
        yield f"a Governor for the {'player' if after.num_governors[0] > before.num_governors[0] else 'Opposition'}"
    if ((before.city_owner > 0) & (after.city_owner == 0)).any():
        yield "the player attacks the Opposition"
    if after.abolished > before.abolished:
        yield from ["abolition while the Opposition holds Slavery cards"] if before.num_slavery[c.OPPOSITION] else []
        return
    for card in np.flatnonzero((before.card_place == c.OPPOSITION) & (after.card_place != c.OPPOSITION)):
        slavery = game.board.array[0].card_slavery[card]
        kept = after.card_place[card] == c.CARD_RETAINED
        yield f"the Opposition discards {'a Governor' if kept else 'a Slavery card' if slavery else 'another card'}"
        if before.task == c.TASK_END_DISCARD:
            yield "the Opposition discards at the end of the round"


def _of_round(game: Game, before: Any, after: Any) -> Iterator[str]:
    """Yield what building tile and action scale show."""
    board = game.board.array[0]
    if before.decision == c.DECIDE_BUILD:
        allowed = board.build_level[min(c.NUM_MARKERS - 1, int(before.status[0, c.INDUSTRY]))]
        if board.building_level[after.last_built] > allowed:
            yield "a tile above the player's Industry"
    if before.task == c.TASK_ACTION and before.task_step == c.SCALE_SIZE - 3:
        yield "six actions in a round"
    if before.task == c.TASK_ACTION and before.opposition_first:
        yield "the Opposition acts first"
    waited, waits = before.pending >= 0, after.pending >= 0
    if (waits & ~waited).any():
        yield "a tile waits to come back"
    elif before.last_built >= 0 and after.last_built == c.NONE:
        tiles = (after.grid >= 0).sum(axis=1) - (before.grid >= 0).sum(axis=1)
        if (tiles[waited] > 0).any():
            yield "a tile that waited comes"
        if not (waited & waits).any() and after.grid[after.isb_level].min() == c.NONE:
            yield "a tile without stock leaves its cell empty"
