"""The move in a language model's answer: taken if the answer says one legal move clearly, refused in one sentence else.

A move stands in JSON under "move" or "action", in brackets, behind words such as "my move:", or alone in the last line.
Letter case, quotes of any shape, markup, and names in place of ids make no difference. Nothing is guessed: a text that
is nearly a move, or that says two, is refused.
"""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from endeavor_env.endeavor.explain import why_not
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.notation import blocks, targets
from endeavor_env.errors import EndeavorError, IllegalActionError, counted, shown

MOST_READ = 20_000
"""Number of characters of an answer that are read, its last ones."""
MOST_NAMED = 12
"""Largest number of legal moves in a refusal."""
LIST, COUNT, NO_MOVES = "list", "count", "none"
TELLS = (LIST, COUNT, NO_MOVES)
"""Ways to tell a player about the legal moves."""
_KEYS = ("move", "action")
_LEAD = re.compile(
    r"(?:(?:so|therefore|thus|my|the|final|best|next|chosen|i)[ ,]+)*"
    r"(?:(?:move|answer|action|choice)(?: is)? ?[:=]|(?:move|answer|action|choice) is|(?:play|choose)(?: ?:| )) ?"
)
_BRACKETS = re.compile(r"\[([^\[\]\n]{1,200})\]|<move>([^<>\n]{1,200})</move>|boxed\{([^{}\n]{1,200})\}")
_FENCE = re.compile(r"```[a-z]*\n?|```")
_MARKUP = "\"'`*_ \t.,;!()[]{}<>$"
_SAME = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2212", "-"),
        **dict.fromkeys("\u2013\u2014\u2015", "--"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad"),
        "\uff1a": ":",
    }
)


class AnswerError(EndeavorError):
    """An answer that names no legal move; the message is one sentence for the next try, and the game is unchanged."""


def move_in(game: Game, answer: object, legal_moves: str = LIST) -> str:
    """Return the legal move that an answer says.

    Args:
        game: The game, which is not over.
        answer: What the model wrote.
        legal_moves: What a refusal tells of the legal moves: "list" names them, "count" says how many there are.

    Raises:
        AnswerError: The answer says no move, several, or one that is not legal.
    """
    if not isinstance(answer, str):
        raise AnswerError(f"The answer is {shown(answer)} and not a text; {_possible(game, legal_moves)}")
    known = _known_moves(game)
    said = list(dict.fromkeys(_said(_plain(answer), known)))
    if not said:
        last = next((line for line in reversed(answer.splitlines()) if line.strip()), "")
        raise AnswerError(
            f"No move was found in the answer, whose last line is {shown(last[:80])}: end it with one move in brackets "
            f"such as [pass]; {_possible(game, legal_moves)}"
        )
    if len(said) > 1:
        named = ", ".join(shown(one[:60]) for one in said[:4])
        raise AnswerError(f"Several moves were read, {named}: end with a single one; {_possible(game, legal_moves)}")
    move = known.get(said[0])
    if move is None:
        raise AnswerError(f"{shown(said[0][:80])} was read, which is no move here; {_possible(game, legal_moves)}")
    if move not in game.legal_moves():
        raise AnswerError(
            f"{shown(move)} was read, which is not legal: {_reason(game, move)}; {_possible(game, legal_moves)}"
        )
    return move


def _said(text: str, known: dict[str, str]) -> Iterable[str]:
    """Yield every statement of a move, in the form that ``known`` has."""
    yield from _in_json(text)
    yield from _in_brackets(text, known)
    lines = [line for line in _FENCE.sub("\n", text).splitlines() if line.strip(_MARKUP)]
    if lines:
        yield from _in_line(lines[-1], known)


def _in_json(text: str) -> Iterable[str]:
    """Yield the move of the last JSON object in ``text`` that has one."""
    decoder = json.JSONDecoder()
    for found in list(re.finditer(r"\{", text))[:-21:-1]:
        try:
            value, _ = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        said = _of_object(value)
        if said is not None:
            yield normal(said)
            return


def _of_object(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    by_name = {str(name).lower(): inner for name, inner in value.items()}
    return next((by_name[key] for key in _KEYS if isinstance(by_name.get(key), str)), None)


def _in_brackets(text: str, known: dict[str, str]) -> Iterable[str]:
    """Yield what stands in the brackets of the last line that has a move in some."""
    verbs = {form.partition(":")[0] for form in known}
    for line in reversed(text.splitlines()):
        insides = [normal(next(filter(None, found.groups()), "")) for found in _BRACKETS.finditer(line)]
        said = [inside for inside in insides if inside.partition(":")[0] in verbs or inside in known]
        if said:
            yield from said
            return


def _in_line(line: str, known: dict[str, str]) -> Iterable[str]:
    """Yield the move that a line consists of, with or without words before it that say so."""
    bare = line.strip(_MARKUP)
    lead = _LEAD.match(bare)
    behind = [bare[lead.end() :]] if lead else []
    for text in (bare, *behind):
        if normal(text) in known:
            yield normal(text)
            return
    verb = normal(behind[0]).partition(":") if behind else ("", "", "")
    if verb[1] and verb[0] in {form.partition(":")[0] for form in known}:
        yield normal(behind[0])


def _plain(answer: str) -> str:
    """Return the text in small letters, with one shape of quotes, dashes and spaces."""
    text = unicodedata.normalize("NFKC", answer[-MOST_READ:].translate(_SAME)).translate(_SAME).lower()
    return "".join(letter if letter == "\n" or not letter.isspace() else " " for letter in text)


def normal(text: str) -> str:
    """Return a move in the form in which moves are compared."""
    text = unicodedata.normalize("NFKD", _plain(text))
    text = "".join(letter for letter in text if not unicodedata.combining(letter)).strip(_MARKUP)
    text = re.sub(r"\s*(:|--)\s*", r"\1", re.sub(r"\s+", " ", text)).replace("'", "")
    verb, _, target = text.partition(":")
    return f"{verb.replace(' ', '_')}:{target.replace(' ', '_')}" if target else verb.replace(" ", "_")


@functools.lru_cache(maxsize=32)
def _forms(board: Any, variant: str) -> dict[str, str]:
    """Return every move of a variant on a board by each form in which it may be written, if no other shares it."""
    found: dict[str, set[str]] = {}
    for block in blocks(variant):
        for target in targets(board, block):
            if target is None:
                continue
            move = f"{block.verb}:{target}" if target else block.verb
            for form in _written(board, block.verb, target):
                found.setdefault(form, set()).add(move)
    alone = {form: next(iter(moves)) for form, moves in found.items() if len(moves) == 1}
    return alone | {form: form for form, moves in found.items() if form in moves}


def _written(board: Any, verb: str, target: str) -> Sequence[str]:
    if not target:
        return [normal(verb)]
    names = {target, board.names.get(target, target)}
    spoken = {f"{verb}:{name}" for name in names} | {f"{verb} {name}" for name in names}
    return [normal(one) for one in spoken]


def _known_moves(game: Game) -> dict[str, str]:
    return _forms(game.board, game.variant)


def _reason(game: Game, move: str) -> str:
    try:
        sentence = why_not(game, move)
    except IllegalActionError:
        sentence = None
    return "this decision does not offer it" if sentence is None else str(sentence).replace(". (", " (").rstrip(".")


def _possible(game: Game, legal_moves: str) -> str:
    """Return the end of a refusal: what is possible, as far as the player may know."""
    moves = game.legal_moves()
    if legal_moves == COUNT:
        verb = "is" if len(moves) == 1 else "are"
        return f"there {verb} {counted(len(moves), 'legal move')} for the decision {game.decision!r}."
    if legal_moves != LIST:
        return f"the decision is {game.decision!r}."
    return f"legal are {', '.join(moves[:MOST_NAMED])}{' ...' if len(moves) > MOST_NAMED else ''}."
