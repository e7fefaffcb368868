"""Moves as text: ``verb:target`` in the ids of the board (notation, sections 1 and 2).

An id means the same in every variant, but the base game has the first blocks only. The functions take the variant a
move is meant for, or None for an id or a text of any of them.
"""

from __future__ import annotations

import functools

from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core.actions import BLOCKS, NUM_VARIANT_ACTIONS, Block, num_actions
from endeavor_env.errors import IllegalActionError
from endeavor_env.inputs import whole_number


def targets(board: Board, block: Block) -> tuple[str | None, ...]:
    """Returns the ids the indices of ``block`` stand for on ``board``.

    None stands at the index of a shipping space that a shorter track lacks; it and the indices beyond the last are
    never legal on this board.
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
    """Returns the blocks of action ids that a game of ``variant`` has; None stands for all there are."""
    size = _size(variant)
    return tuple(block for block in BLOCKS if block.offset < size)


def _size(variant: str | None) -> int:
    return NUM_VARIANT_ACTIONS if variant is None else num_actions(variant)


@functools.lru_cache(maxsize=16)
def _texts(board: Board) -> tuple[str | None, ...]:
    """Returns the move text of every action id, None for ids that name nothing on this board."""
    texts: list[str | None] = [None] * NUM_VARIANT_ACTIONS
    for block in BLOCKS:
        for index, target in enumerate(targets(board, block)):
            if target is not None:
                texts[block.offset + index] = f"{block.verb}:{target}" if target else block.verb
    return tuple(texts)


@functools.lru_cache(maxsize=16)
def _actions(board: Board) -> dict[str, int]:
    return {text: action for action, text in enumerate(_texts(board)) if text is not None}


def to_text(board: Board, action: int, variant: str | None = None) -> str:
    """Returns the move text of an action id; raises IllegalActionError for an id that names nothing on this board."""
    number, size = whole_number(action), _size(variant)
    text = _texts(board)[number] if number is not None and 0 <= number < size else None
    if text is None:
        raise IllegalActionError(
            f"action {action} names no move on board {board.id}: ids 0..{size - 1} are listed in docs/actions.md"
        )
    return text


def to_action(board: Board, move: str, variant: str | None = None) -> int:
    """Returns the action id of a move text; raises IllegalActionError if the text is not a move of this board."""
    action = _actions(board).get(move) if isinstance(move, str) else None
    if action is not None and action < _size(variant):
        return action
    verb = move.partition(":")[0] if isinstance(move, str) else ""
    forms = [_form(board, block) for block in blocks(variant) if block.verb == verb]
    if forms:
        raise IllegalActionError(f"{move!r} is no move on board {board.id}: the form is {', or '.join(forms)}")
    verbs = ", ".join(dict.fromkeys(block.verb for block in blocks(variant)))
    raise IllegalActionError(f"{move!r} is no move: a move is <verb> or <verb>:<target> with one of the verbs {verbs}")


def _form(board: Board, block: Block) -> str:
    """Returns how the moves of ``block`` are written."""
    known = [target for target in targets(board, block) if target is not None]
    return f"{block.verb}:<{block.targets}>, one of {', '.join(known)}" if known != [""] else f"{block.verb} alone"
