"""A game as pictures of all its positions, stored as what changes from one to the next."""

from __future__ import annotations

import itertools
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from endeavor_env.game import Game
from endeavor_env.render.scene import draw_scene
from endeavor_env.render.svg import to_svg
from endeavor_env.render.view import View, view_game
from endeavor_env.render.words import move_in_words
from endeavor_env.results import scorers

SHOWN_MOVES = 10
"""Moves that each picture lists."""


class Film(NamedTuple):
    """Everything that the page of a game needs, as JSON takes it."""

    lines: list[str]
    """Every different line of the pictures."""
    first: list[int]
    """The lines of the first picture."""
    changes: list[list[list[Any]]]
    """For each later picture what replaces lines of the one before: [place, number of lines, new lines], last first."""
    moves: list[dict[str, Any]]
    """For each move the seat, the words, the round and the phase in which it was made."""
    scores: list[list[int]]
    """The Glory of everybody who scores, for each picture."""
    statuses: list[list[list[int]]]
    """Industry, culture, finance and politics of each of them, for each picture."""
    names: list[str]
    """Who scores."""
    events: list[dict[str, Any]]
    """Openings of regions and attacks: the picture that shows them first, kind and words."""


def film_of(game: Game, theme: str) -> Film:
    """Return the pictures of all positions of a game, from its first decision on."""
    played, lines = game.at_move(0), _Lines()
    pictures = [lines.numbers(played, theme)]
    views = [view_game(played)]
    moves: list[dict[str, Any]] = []
    for seat, action in game.history:
        words = move_in_words(played.board, played.describe(action))
        moves.append({"seat": seat, "words": words, "round": played.round, "phase": played.phase})
        played.apply(action)
        pictures.append(lines.numbers(played, theme))
        views.append(view_game(played))
    return Film(
        lines=lines.texts,
        first=pictures[0],
        changes=[_changes(old, new) for old, new in itertools.pairwise(pictures)],
        moves=moves,
        scores=[[mat.glory for mat in view.mats] for view in views],
        statuses=[[list(mat.statuses.values()) for mat in view.mats] for view in views],
        names=[str(name) for name in scorers(game.state)],
        events=_events(views, moves),
    )


class _Lines:
    """The different lines of some pictures, each with a number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def numbers(self, game: Game, theme: str) -> list[int]:
        """Return the lines of the picture of a position, as numbers."""
        view = view_game(game, max(0, len(game.history) - SHOWN_MOVES))
        return [self._number(line) for line in to_svg(draw_scene(view, theme)).splitlines()]

    def _number(self, line: str) -> int:
        if line not in self._numbers:
            self._numbers[line] = len(self.texts)
            self.texts.append(line)
        return self._numbers[line]


def _changes(old: list[int], new: list[int]) -> list[list[Any]]:
    """Return what makes ``new`` of ``old``: [place, number of lines replaced, new lines], the last place first."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        [start, end - start, new[first:last]]
        for kind, start, end, first, last in reversed(matcher.get_opcodes())
        if kind != "equal"
    ]


def _events(views: list[View], moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the openings of regions and the attacks, in order."""
    found = []
    for number, (before, after) in enumerate(itertools.pairwise(views), start=1):
        for old, new in zip(before.regions, after.regions, strict=True):
            if new.open and not old.open:
                words = f"{after.board.names[new.id]} opens"
                found.append({"at": number, "kind": "open", "words": words})
        move = moves[number - 1]
        if "attack" in move["words"]:
            found.append({"at": number, "kind": "attack", "words": f"seat {move['seat']} {move['words']}"})
    return found
