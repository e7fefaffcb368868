"""A game as pictures of all its positions, stored as what changes from one to the next.

A film can grow: a page that shows a running game asks for the part that it does not have yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from endeavor_env.game import Game
from endeavor_env.game.notes import Note
from endeavor_env.rails.played import in_words
from endeavor_env.render.scene import Shape, draw_scene, view_for_picture
from endeavor_env.render.scene.mat_head import side_of
from endeavor_env.render.scene.theme import SIDES, VARIABLES
from endeavor_env.render.svg import CLOSING, element, opening_lines
from endeavor_env.render.view import View
from endeavor_env.render.words import move_in_words

FORMAT = "endeavor-film/2"


class Film:
    """The pictures of all positions of a game from its first decision on, with moves, scores and statuses.

    Its lines name colours as CSS variables, which the page of the film defines for a light and a dark theme.

    Attributes:
        game: The game as far as the film goes; do not change it.
    """

    def __init__(self, start: Game) -> None:
        """Begin with the first position of a game before its first move; the film plays on it."""
        self.game = start
        self._lines: list[str] = []
        self._numbers: dict[str | Shape, int] = {}
        self._counts: list[int] = []  # lines known after each picture
        self._picture: list[int] = []
        self._rows: list[dict[str, Any]] = []
        self._view = view_for_picture(start)
        self._add_picture(None)

    @classmethod
    def of(cls, game: Game) -> Film:
        """Return the film of a game as far as it has come."""
        film = cls(game.at_move(0))
        film.game.played = game.played  # with the times of all moves
        for _, action in game.history:
            film.add(action)
        return film

    def __len__(self) -> int:
        """Return the number of moves."""
        return len(self._rows) - 1

    def add(self, action: int) -> None:
        """Make a move in the game, and add the picture of the position after it."""
        game = self.game
        text = game.describe(action)
        move = {
            "seat": game.seat,
            "text": text,
            "words": move_in_words(game.board, text),
            "round": game.round,
            "phase": game.phase,
        }
        game.apply(action)
        self._add_picture(move)

    def _add_picture(self, move: dict[str, Any] | None) -> None:
        view = view_for_picture(self.game)
        scene = draw_scene(view, VARIABLES)
        picture = [self._number(part) for part in (*opening_lines(scene), *scene.shapes, CLOSING)]
        row = {
            "changes": _changes(self._picture, picture),
            "move": move,
            "scores": [mat.glory for mat in view.mats],
            "statuses": [list(mat.statuses.values()) for mat in view.mats],
            "events": [] if move is None else _events(self._view, view, move),
        }
        self._rows.append(row)
        self._counts.append(len(self._lines))
        self._picture, self._view = picture, view

    def _number(self, part: str | Shape) -> int:
        """Return the number of a line, given as text or as the shape that it draws; most shapes come again."""
        if part not in self._numbers:
            self._numbers[part] = len(self._lines)
            self._lines.append(part if isinstance(part, str) else element(part))
        return self._numbers[part]

    def part(self, known: int = 0, notes: Mapping[int, Note] | None = None) -> dict[str, Any]:
        """Return what a page needs that has the first ``known`` pictures, as JSON takes it.

        Args:
            known: From 0 on; the first part also says who plays, with what and since when.
            notes: What an agent thought of positions, by the number of moves made before.
        """
        known, played = min(known, len(self._rows)), self.game.played
        sides = [side_of(mat) for mat in self._view.mats]
        return {
            "format": FORMAT,
            "known": known,
            "names": [mat.title for mat in self._view.mats],
            "sides": sides,
            "letters": [SIDES[side].letter for side in sides],
            "over": self.game.over,
            "played": [] if played is None or known else in_words(played, self.game.variant == "solo"),
            "lines": self._lines[self._counts[known - 1] if known else 0 :],
            "rows": self._rows[known:],
            "notes": {number: self._shown_note(number, note) for number, note in (notes or {}).items()},
        }

    def _shown_note(self, number: int, note: Note) -> dict[str, Any]:
        """Return a note with its moves in words, and which of them was made."""
        made = self.game.history[number][1] if number < len(self) else None
        played = None if made is None else self.game.describe(made)
        choices = [
            {"words": move_in_words(self.game.board, move), "share": share, "made": move == played}
            for move, share in note.choices
        ]
        return {"values": list(note.values), "choices": choices}


def _changes(old: Sequence[int], new: Sequence[int]) -> list[list[Any]]:
    """Return what makes ``new`` of ``old``: [place, number of lines replaced, new lines], the last place first."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        [start, end - start, list(new[first:last])]
        for kind, start, end, first, last in reversed(matcher.get_opcodes())
        if kind != "equal"
    ]


def _events(before: View, after: View, move: dict[str, Any]) -> list[dict[str, str]]:
    """Return the openings of regions and the attacks that a move brought."""
    found = [
        {"kind": "open", "words": f"{after.board.names[new.id]} opens"}
        for old, new in zip(before.regions, after.regions, strict=True)
        if new.open and not old.open
    ]
    if move["text"].partition(":")[0].endswith("attack"):
        found.append({"kind": "attack", "words": f"{after.mats[move['seat']].title} {move['words']}"})
    return found
