"""Texts of the page: moves as buttons under headings, and the question to the player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from endeavor_env.agents.play.timeline import CHOICE
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.view import View
from endeavor_env.endeavor.drawing.words import (
    ASKED,
    DOING,
    card_in_words,
    either,
    exploit_in_words,
    exploit_of,
    with_names,
)
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.opposition import Step
from endeavor_env.endeavor.results import OPPOSITION_NAME
from endeavor_env.endeavor.rules.constants import EXPLOIT_NAMES, STATUS_NAMES

TOKEN_WORDS = {"attack": "Attack", "occupy_draw": "Occupy or Draw", "sail_draw": "Sail or Draw", "pay": "Payment"}
"""The blue trade tokens by their kind."""
OF_SPACES = ("remove", "marque_push")
"""Verbs whose targets are spaces of shipping tracks; with other verbs a target with a dot is a card."""


class Verb(NamedTuple):
    """Texts for the moves of a verb."""

    heading: str
    """Heading over the buttons of these moves."""
    phrase: str
    """The move in the imperative; {0} is the target."""


VERBS = {
    "activate": Verb("Activate a building", "Activate {0}"),
    "spend": Verb("Spend a trade token", "Spend the token {0}"),
    "build": Verb("Build", "Build {0}"),
    "sail": Verb("Sail to", "Sail to {0}"),
    "occupy": Verb("Occupy", "Occupy {0}"),
    "attack": Verb("Attack", "Attack {0}"),
    "draw": Verb("Draw a card of", "Draw the top card of {0}"),
    "pay": Verb("Free the disc of", "Free the disc of {0}"),
    "discard": Verb("Discard", "Discard {0}"),
    "remove": Verb("Remove the token of", "Remove the token of {0}"),
    "neutral_sail": Verb("Send a neutral disc to", "Send a neutral disc to {0}"),
    "neutral_occupy": Verb("Put a neutral disc into", "Put a neutral disc into {0}"),
    "take": Verb("Take a token of", "Take a token of {0}"),
    "pass": Verb("", "Pass for this round"),
    "done": Verb("", "Stop here"),
}
"""The verbs of the base game and the variants, in the order in which their buttons are shown."""
QUESTIONS = {
    "build": f"Build phase: {ASKED['build']}",
    "salary": f"Salary phase: {ASKED['salary']}",
    "round_end_discard": f"End of the round: {ASKED['round_end_discard']}",
    "remove": f"Set-up: {ASKED['remove']}",
}
"""Question to the player, by kind of decision; for other kinds the page names the possible actions."""


def move_phrase(board: Board, move: str) -> str:
    """Return a move in the imperative, such as "Occupy London" for "occupy:london"."""
    verb, _, target = move.partition(":")
    if verb in VERBS:
        return VERBS[verb].phrase.format(target_words(board, move))
    return f"{move_heading(move)}: {target_words(board, move)}" if target else move_heading(move)


def move_heading(move: str) -> str:
    """Return what stands over the button of a move; empty for moves that stand alone."""
    verb = move.partition(":")[0]
    if verb in VERBS:
        return VERBS[verb].heading
    tile = exploit_of(verb)
    return f"{exploit_in_words(tile)}: {verb.removeprefix(f'{tile}_').replace('_', ' ')}"


def target_words(board: Board, move: str) -> str:
    """Return the name of what a move is about: a city, region, building, deck, card, space, token or status."""
    verb, _, target = move.partition(":")
    place, dot, part = target.partition(".")
    if target in board.names:
        return board.names[target]
    if target in TOKEN_WORDS:
        return TOKEN_WORDS[target]
    if not dot:
        words = target.replace("_", " ")
        return words.capitalize() if target in STATUS_NAMES else words
    if verb in OF_SPACES:
        return f"{board.names.get(place, place)}, space {part}"
    return card_in_words(board, target)


def button_words(board: Board, move: str) -> str:
    """Return what a button says below the heading of its group."""
    words = target_words(board, move) or move_phrase(board, move)
    return words[:1].upper() + words[1:]


def question(game: Game, view: View, moves: Sequence[str], step: Step | None) -> str:
    """Return what a person is asked, as one sentence without a full stop.

    Args:
        game: A game in which a person is asked.
        view: Its position.
        moves: The legal moves.
        step: What the Opposition is doing, if the choice is made for it.
    """
    if view.follow_up:
        return f"Choose {with_names(game.board, view.follow_up)}"
    if game.decision in QUESTIONS:
        return QUESTIONS[game.decision]
    listed = _listed(moves)
    if game.decision == CHOICE:
        return f"Choose for the Opposition{_acting(step)}: {listed}"
    if game.decision == "discard":
        return f"You pass with many cards: {listed}"
    if game.decision == "turn":
        return f"Your turn: {listed if len(moves) > 1 else 'you can only pass'}"
    return listed[:1].upper() + listed[1:]


def _acting(step: Step | None) -> str:
    """Return for which of its colours the Opposition acts, if for one of them."""
    if step is None or step.colour == OPPOSITION_NAME:
        return ""
    return f" ({step.colour}, disc {step.position})" if step.position else f" ({step.colour})"


def _listed(moves: Iterable[str]) -> str:
    """Return what can be done, such as "sail, occupy a city or stop"."""
    verbs = dict.fromkeys(move.partition(":")[0] for move in moves)
    known = [DOING[name] for name in VERBS if name in verbs]
    tiles = [exploit_in_words(name) for name in EXPLOIT_NAMES if any(v.startswith(f"{name}_") for v in verbs)]
    if tiles:
        known.insert(len([name for name in verbs if name in VERBS and VERBS[name].heading]), f"use {', '.join(tiles)}")
    return either(known)


def move_note(board: Board, view: View, move: str) -> str:
    """Return in a few words what a building does, or which token a move takes; empty for other moves."""
    verb, _, target = move.partition(":")
    if verb == "build":
        return ", ".join(filter(None, [_actions(board, target), _icons(board, target)]))
    if verb in ("activate", "pay"):
        return _actions(board, target)
    tokens = {city.id: city.space.token for region in view.regions for city in region.cities}
    tokens |= {f"{one.id}.{at}": space.token for one in view.regions for at, space in enumerate(one.track, 1)}
    token = tokens.get(target) if verb in ("occupy", "remove", "neutral_occupy") else None
    words = TOKEN_WORDS.get(token or "", (token or "").capitalize())
    return words if verb == "remove" or not words else f"{words} token"


@lru_cache(maxsize=256)  # a copy of the whole board is made for it
def _building(board: Board, building: str) -> dict[str, Any]:
    """Return the entry of a building in the file of the board; do not change it."""
    return next(entry for entry in board.to_dict()["buildings"] if entry["id"] == building)


def _actions(board: Board, building: str) -> str:
    """Return the actions of a building, such as "Sail or Draw"; empty if it has none."""
    entry = _building(board, building)
    joined = " or " if entry["mode"] == "either" else " and "
    return joined.join(name.capitalize() for name in entry["actions"])


def _icons(board: Board, building: str) -> str:
    """Return the icons of a building, such as "2 Industry"; empty if it has none."""
    icons = _building(board, building)["icons"]
    return ", ".join(f"{count} {name.capitalize()}" for name, count in icons.items() if count)
