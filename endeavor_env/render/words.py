"""Moves in words."""

from __future__ import annotations

from endeavor_env.board import Board
from endeavor_env.core.constants import EXPLOIT_NAMES

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
    "pay": "frees {0} by a payment",
    "discard": "discards {0}",
    "remove": "removes the token of {0}",
    "neutral_sail": "sends a neutral disc to {0}",
    "neutral_occupy": "puts a neutral disc into {0}",
    "take": "takes a token of {0}",
}
"""What is said of each verb; {0} is the target."""


def exploit_of(verb: str) -> str:
    """Return the Exploit whose ability a verb is; "" for the verbs of every game."""
    return next((name for name in EXPLOIT_NAMES if verb.startswith(f"{name}_")), "")


def move_in_words(board: Board, move: str) -> str:
    """Return a move as a phrase about who makes it, such as "occupies London" for "occupy:london"."""
    verb, _, target = move.partition(":")
    name = board.names.get(target) or target.replace("_", " ").replace(".", " ")
    if verb in _PHRASES:
        return _PHRASES[verb].format(name)
    tile = exploit_of(verb)
    does = verb.removeprefix(f"{tile}_").replace("_", " ")
    return f"{tile.replace('_', ' ').title()}: {does} {name}".strip()
