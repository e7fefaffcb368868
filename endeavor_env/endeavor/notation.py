"""Moves as text: ``verb:target`` with the ids of the board (notation, sections 1 and 2).

Each function takes the variant that a move is meant for, because a variant may lack some blocks of action ids; None
admits every block there is. An id means the same in every variant.
"""

from __future__ import annotations

import functools

from endeavor_env.basics.inputs import plain_text, whole_number
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import BLOCKS, Block, ruleset_of
from endeavor_env.errors import IllegalActionError, InvalidOptionError, shown


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
        "connection": board.connections,
        "city of the tile": c.TILE_CITY_NAMES,
        "city or city of the tile": _all_cities(board),
        "city, city of the tile or tile": (*_all_cities(board), "tile"),
        "industry token": ("industry",),
        "culture token": ("culture",),
        "next space": ("next",),
        "share": c.SHARE_NAMES,
        "Manila or region": ("manila", *board.regions),
        "token kind": c.TOKEN_NAMES,
        "space": board.spaces,
        "disc": ("disc",),
        "slavery card": ("slavery",),
        "Pacific space": c.PACIFIC_NAMES,
        "status or Glory": (*c.STATUS_NAMES, "glory"),
        "Financier space": c.FINANCIER_NAMES,
    }[block.targets]


def _all_cities(board: Board) -> tuple[str | None, ...]:
    """Return the cities of the board, as many places without one as there could be, and the cities on a tile (E5)."""
    return (*board.cities, *(None,) * (c.MAX_CITIES - len(board.cities)), *c.TILE_CITY_NAMES)


def blocks(variant: str | None = None) -> tuple[Block, ...]:
    """Return the blocks of action ids that ``variant`` has."""
    if variant is None:
        return BLOCKS
    if plain_text(variant) not in c.VARIANT_NAMES:
        raise InvalidOptionError(
            f"variant {shown(variant)} is unknown: give None or one of {', '.join(c.VARIANT_NAMES)}"
        )
    return ruleset_of(variant).blocks


@functools.lru_cache(maxsize=64)
def _texts(board: Board, variant: str | None) -> tuple[str | None, ...]:
    """Return the move text of every action id of ``variant``, None for ids that name no move on this board."""
    admitted = blocks(variant)
    texts: list[str | None] = [None] * admitted[-1].end
    for block in admitted:
        for index, target in enumerate(targets(board, block)):
            if target is not None:
                texts[block.offset + index] = f"{block.verb}:{target}" if target else block.verb
    return tuple(texts)


@functools.lru_cache(maxsize=64)
def _actions(board: Board, variant: str | None) -> dict[str, int]:
    """Return the action id of every move text of ``variant`` on this board."""
    return {text: action for action, text in enumerate(_texts(board, variant)) if text is not None}


def to_text(board: Board, action: int, variant: str | None = None) -> str:
    """Return the move text of an action id; raise IllegalActionError for an id that names no move on this board."""
    number, texts = whole_number(action), _texts(board, variant)
    text = texts[number] if number is not None and 0 <= number < len(texts) else None
    if text is None:
        raise IllegalActionError(
            f"action {shown(action)} names no move on board {board.id}: ids 0..{len(texts) - 1} "
            "are listed on the page Actions of the documentation"
        )
    return text


def to_action(board: Board, move: str, variant: str | None = None) -> int:
    """Return the action id of a move text; raise IllegalActionError if the text is not a move of this board."""
    text = plain_text(move) or ""
    action = _actions(board, variant).get(text)
    if action is not None:
        return action
    verb = text.partition(":")[0]
    forms = [_form(board, block) for block in blocks(variant) if block.verb == verb]
    if forms:
        raise IllegalActionError(f"{shown(move)} is no move on board {board.id}: the form is {', or '.join(forms)}")
    verbs = ", ".join(dict.fromkeys(block.verb for block in blocks(variant)))
    raise IllegalActionError(
        f"{shown(move)} is no move: a move is <verb> or <verb>:<target> with one of the verbs {verbs}"
    )


def _form(board: Board, block: Block) -> str:
    """Return how the moves of ``block`` are written."""
    known = [target for target in targets(board, block) if target is not None]
    return f"{block.verb}:<{block.targets}>, one of {', '.join(known)}" if known != [""] else f"{block.verb} alone"
