"""Moves as text: ``verb:target`` in the ids of the board (notation, sections 1 and 2)."""

from __future__ import annotations

import functools

from endeavor_env.board import Board
from endeavor_env.core.actions import BLOCKS, NUM_ACTIONS, Block
from endeavor_env.core.constants import FIRST_BLUE, TOKEN_NAMES
from endeavor_env.errors import IllegalActionError
from endeavor_env.whole_numbers import whole_number


def targets(board: Board, block: Block) -> tuple[str, ...]:
    """Returns the ids the indices of ``block`` stand for on ``board``; indices beyond them are never legal there."""
    return {
        "building": board.buildings,
        "blue token kind": TOKEN_NAMES[FIRST_BLUE:],
        "nothing": ("",),
        "region": board.regions,
        "city": board.cities,
        "deck": board.decks,
        "card": board.cards,
    }[block.targets]


@functools.lru_cache(maxsize=16)
def _texts(board: Board) -> tuple[str | None, ...]:
    """Returns the move text of every action id, None for ids that name nothing on this board."""
    texts: list[str | None] = [None] * NUM_ACTIONS
    for block in BLOCKS:
        for index, target in enumerate(targets(board, block)):
            texts[block.offset + index] = f"{block.verb}:{target}" if target else block.verb
    return tuple(texts)


@functools.lru_cache(maxsize=16)
def _actions(board: Board) -> dict[str, int]:
    return {text: action for action, text in enumerate(_texts(board)) if text is not None}


def to_text(board: Board, action: int) -> str:
    """Returns the move text of an action id; raises IllegalActionError for an id that names nothing on this board."""
    number = whole_number(action)
    text = _texts(board)[number] if number is not None and 0 <= number < NUM_ACTIONS else None
    if text is None:
        raise IllegalActionError(
            f"action {action} names no move on board {board.id}: ids 0..{NUM_ACTIONS - 1} are listed in docs/actions.md"
        )
    return text


def to_action(board: Board, move: str) -> int:
    """Returns the action id of a move text; raises IllegalActionError if the text is not a move of this board."""
    action = _actions(board).get(move) if isinstance(move, str) else None
    if action is not None:
        return action
    verb = move.partition(":")[0] if isinstance(move, str) else ""
    for block in BLOCKS:
        if block.verb == verb:
            known = targets(board, block)
            example = f"{verb}:<{block.targets}>, one of {', '.join(known)}" if known != ("",) else f"{verb} alone"
            raise IllegalActionError(f"{move!r} is no move on board {board.id}: the form is {example}")
    verbs = ", ".join(block.verb for block in BLOCKS)
    raise IllegalActionError(f"{move!r} is no move: a move is <verb> or <verb>:<target> with one of the verbs {verbs}")
