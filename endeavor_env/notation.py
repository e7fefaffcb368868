"""Moves as text: ``verb:target`` with the ids of the board (notation, sections 1 and 2).

Each function takes the variant that a move is meant for, because a variant may lack some blocks of action ids; None
admits every block there is. An id means the same in every variant.
"""

from __future__ import annotations

import functools

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core.actions import BLOCKS, Block, num_actions
from endeavor_env.errors import IllegalActionError
from endeavor_env.inputs import whole_number

_NUM_IDS = BLOCKS[-1].offset + BLOCKS[-1].size  # of all blocks together


def targets(board: Board, block: Block) -> tuple[str | None, ...]:
    """Return the target that each index within ``block`` names on ``board``.

    None stands at the index of a shipping space that a shorter track lacks. Such an index, and an index beyond the end
    of the tuple, is never legal on this board.
    """
    if block.targets == "shipping space":
        return board.spaces[c.TRACK_SPACES : c.TRACK_SPACES + c.NUM_REGIONS * c.MAX_TRACK]
    return {
        "building": board.buildings,
        "blue token kind": c.TOKEN_NAMES[c.FIRST_BLUE :],
        "nothing": ("",),
        "region": board.regions,
        "city": board.cities,
        "deck": board.decks,
        "card": board.cards,
        "status": c.STATUS_NAMES,
    }[block.targets]


def blocks(variant: str | None = None) -> tuple[Block, ...]:
    """Return the blocks of action ids that ``variant`` has."""
    size = _num_ids(variant)
    return tuple(block for block in BLOCKS if block.offset < size)


def _num_ids(variant: str | None) -> int:
    return _NUM_IDS if variant is None else num_actions(variant)


@functools.lru_cache(maxsize=16)
def _texts(board: Board) -> tuple[str | None, ...]:
    """Return the move text of every action id, None for ids that name no move on this board."""
    texts: list[str | None] = [None] * _NUM_IDS
    for block in BLOCKS:
        for index, target in enumerate(targets(board, block)):
            if target is not None:
                texts[block.offset + index] = f"{block.verb}:{target}" if target else block.verb
    return tuple(texts)


@functools.lru_cache(maxsize=16)
def _actions(board: Board) -> dict[str, int]:
    """Return the action id of every move text of this board."""
    return {text: action for action, text in enumerate(_texts(board)) if text is not None}


def to_text(board: Board, action: int, variant: str | None = None) -> str:
    """Return the move text of an action id; raise IllegalActionError for an id that names no move on this board."""
    number, size = whole_number(action), _num_ids(variant)
    text = _texts(board)[number] if number is not None and 0 <= number < size else None
    if text is None:
        raise IllegalActionError(
            f"action {action} names no move on board {board.id}: ids 0..{size - 1} are listed in docs/actions.md"
        )
    return text


def to_action(board: Board, move: str, variant: str | None = None) -> int:
    """Return the action id of a move text; raise IllegalActionError if the text is not a move of this board."""
    action = _actions(board).get(move) if isinstance(move, str) else None
    if action is not None and action < _num_ids(variant):
        return action
    verb = move.partition(":")[0] if isinstance(move, str) else ""
    forms = [_form(board, block) for block in blocks(variant) if block.verb == verb]
    if forms:
        raise IllegalActionError(f"{move!r} is no move on board {board.id}: the form is {', or '.join(forms)}")
    verbs = ", ".join(dict.fromkeys(block.verb for block in blocks(variant)))
    raise IllegalActionError(f"{move!r} is no move: a move is <verb> or <verb>:<target> with one of the verbs {verbs}")


def _form(board: Board, block: Block) -> str:
    """Return how the moves of ``block`` are written."""
    known = [target for target in targets(board, block) if target is not None]
    return f"{block.verb}:<{block.targets}>, one of {', '.join(known)}" if known != [""] else f"{block.verb} alone"
