"""Moves and questions in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules.constants import EXPLOIT_NAMES

_PHRASES = {
    "build": "builds a {0}",
    "activate": "activates {0}",
    "spend": "spends a token: {0}",
    "pass": "passes",
    "done": "stops",
    "sail": "sails to {0}",
    "occupy": "occupies {0}",
    "attack": "attacks {0}",
    "draw": "draws a card: {0}",
    "pay": "pays to free the {0}",
    "discard": "discards {0}",
    "remove": "removes the token of {0}",
    "neutral_sail": "sends a neutral disc to {0}",
    "neutral_occupy": "puts a neutral disc into {0}",
    "take": "takes a token of {0}",
}
"""Sentence about a move of each verb; {0} is the target."""

DOING = {
    "activate": "activate a building",
    "spend": "spend a trade token",
    "build": "build",
    "sail": "sail",
    "occupy": "occupy a city",
    "attack": "attack a city",
    "draw": "draw a card",
    "pay": "pay to free a building",
    "discard": "discard a card",
    "remove": "remove a token",
    "neutral_sail": "send a neutral disc to sea",
    "neutral_occupy": "put a neutral disc into a city",
    "take": "take a token",
    "pass": "pass",
    "done": "stop",
}
"""Name of the choice of each verb in a question."""
ASKED = {
    "build": "choose a building",
    "salary": "choose a building whose disc comes back to your harbor",
    "turn": "take your turn",
    "target": "choose a target",
    "discard": "you pass with many cards, discard one",
    "round_end_discard": "you hold too many cards, discard one",
    "remove": "choose a token that leaves the board",
    "neutral": "place a neutral disc",
    "opposition": "choose for the Opposition",
}
"""Question to the player, by the kind of the decision."""


def asked_in_words(board: Board, decision: str, actions: Sequence[str] = (), follow_up: str | None = None) -> str:
    """Return what a seat is asked, such as "sail or draw a card".

    Args:
        board: The board played on, for names.
        decision: A name of DECISION_NAMES.
        actions: What is left of the action under way, as verbs.
        follow_up: What the ability under way brings, with ids of the board.
    """
    if follow_up:
        return f"choose {with_names(board, follow_up)}"
    if decision == "target" and actions:
        return either([DOING[action] for action in actions])
    return ASKED[decision]


def either(choices: Iterable[str]) -> str:
    """Return choices as one phrase, such as "sail, occupy a city or stop"."""
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last


def with_names(board: Board, text: str) -> str:
    """Return a text with names in the place of the ids of the board."""

    def name(found: re.Match[str]) -> str:
        word = found.group()
        return board.names.get(word) or (card_in_words(board, word) if word in board.cards else word)

    return re.sub(r"[a-z_]+(?:\.\w+)?", name, text)


def card_in_words(board: Board, card: str) -> str:
    """Return the name of an asset card, such as "Europe & Mediterranean 2" or "Governor of India"."""
    pile, _, value = card.partition(".")
    name = board.names.get(pile, pile)
    return f"Governor of {name}" if value == "governor" else f"{name} {value}"


def _target_in_words(board: Board, verb: str, target: str) -> str:
    if verb == "spend":
        return target.replace("_", " or ")
    if target in board.cards:
        return card_in_words(board, target)
    return board.names.get(target) or target.replace("_", " ").replace(".", " ")


def exploit_of(verb: str) -> str:
    """Return the Exploit whose ability a verb is; "" for the verbs of every game."""
    return next((name for name in EXPLOIT_NAMES if verb.startswith(f"{name}_")), "")


def exploit_in_words(exploit: str) -> str:
    """Return the short name of an Exploit, such as "Spanish Main"."""
    return exploit.upper() if exploit == "voc" else exploit.replace("_", " ").title()


def move_in_words(board: Board, move: str) -> str:
    """Return a move as a phrase about who makes it, such as "occupies London" for "occupy:london"."""
    verb, _, target = move.partition(":")
    name = _target_in_words(board, verb, target)
    if verb in _PHRASES:
        return _PHRASES[verb].format(name)
    tile = exploit_of(verb)
    does = verb.removeprefix(f"{tile}_").replace("_", " ")
    return f"{exploit_in_words(tile)}: {does} {name}".strip()
