"""A game as pictures of all its positions, stored as the changes from one to the next.

A film can grow: a page that shows a running game asks for the part that it does not have yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Generic, NamedTuple, TypeVar

from endeavor_env.drawing.svg import element
from endeavor_env.endeavor.drawing.scene import Shape
from endeavor_env.endeavor.drawing.scene.theme import DARK, LIGHT
from endeavor_env.endeavor.notes import Note
from endeavor_env.engine.game import Game
from endeavor_env.engine.players_info import in_words
from endeavor_env.web.frames import frames_of
from endeavor_env.web.look import line_colour

FORMAT = "endeavor-film/2"
G = TypeVar("G", bound=Game)


class Film(Generic[G]):
    """The pictures of all positions of a game of any rules from its beginning on, with moves, scores and statuses.

    Its lines name colours as CSS variables, which the page of the film defines for a light and a dark theme.

    Attributes:
        game: The game as far as the film goes; do not change it.
    """

    def __init__(self, start: G, seat: int | None = None) -> None:
        """Begin with the first position of a game before its first move; the film plays on it.

        Args:
            start: The game.
            seat: Who sees it: all of it for None, and for NONE what everybody may see.
        """
        self.game = start
        self._lines: list[str] = []
        self._numbers: dict[str | Shape, int] = {}
        self._counts: list[int] = []  # lines known after each picture
        self._picture: list[int] = []
        self._rows: list[dict[str, Any]] = []
        self._frames = frames_of(start, seat)
        self._frame = self._frames.frame(start)
        self._add_picture(None)

    @classmethod
    def of(cls, game: G, seat: int | None = None) -> Film[G]:
        """Return the film of a game as far as it has come; ``seat`` as in ``Film``."""
        film = cls(game.at_move(0), seat)
        film.game.played = game.played  # with the times of all moves
        for (_, action), (_, text) in zip(game.history, game.moves_seen_by(seat), strict=True):
            film.add(action, text)
        return film

    def titles(self) -> list[str]:
        """Return what the owner of each mat is called."""
        return self._frames.titles(self.game)

    def __len__(self) -> int:
        """Return the number of moves."""
        return len(self._rows) - 1

    def add(self, action: int, told: str | None = None) -> None:
        """Make a move in the game, and add the picture of the position after it.

        Args:
            action: The move.
            told: Its text as whoever sees the film was told of it; None for all of it.
        """
        game = self.game
        text = game.describe(action) if told is None else told
        move = {
            "seat": game.seat,
            "text": text,
            "words": self._frames.words(game, text),
            **self._frames.when(game),
        }
        game.apply(action, draws=False)
        self._add_picture(move)

    def _add_picture(self, move: dict[str, Any] | None) -> None:
        before, frame = self._frame, self._frames.frame(self.game)
        picture = [self._number(part) for part in frame.parts]
        row = {
            "changes": _changes(self._picture, picture),
            "move": move,
            "scores": frame.scores,
            "statuses": frame.statuses,
            "events": [] if move is None else self._frames.events(before, frame, move),
        }
        self._rows.append(row)
        self._counts.append(len(self._lines))
        self._picture, self._frame = picture, frame

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
        sides = self._frames.sides(self.game)
        return {
            "format": FORMAT,
            "known": known,
            "unit": self._frames.unit,
            "period": self._frames.period,
            "names": self.titles(),
            "sides": sides,
            "letters": self._frames.letters(self.game),
            **_coloured(self._frames.colours(self.game)),
            "over": self.game.over,
            "played": [] if played is None or known else in_words(played, len(sides) > self.game.num_players),
            "lines": self._lines[self._counts[known - 1] if known else 0 :],
            "rows": self._rows[known:],
            "notes": {number: self._shown_note(number, note) for number, note in (notes or {}).items()},
        }

    def _shown_note(self, number: int, note: Note) -> dict[str, Any]:
        """Return a note with its moves in words, and which of them was made."""
        made = self.game.history[number][1] if number < len(self) else None
        played = None if made is None else self.game.describe(made)
        choices = [
            {"words": self._frames.words(self.game, move), "share": share, "made": move == played}
            for move, share in note.choices
        ]
        return {"values": list(note.values), "choices": choices}


def _coloured(colours: Mapping[str, str]) -> dict[str, Any]:
    """Return the colours of sides as lines on a light and on a dark page; nothing if there are none."""
    if not colours:
        return {}
    pairs = {side: [line_colour(fill, LIGHT.panel), line_colour(fill, DARK.panel)] for side, fill in colours.items()}
    return {"side_colours": pairs}


def _changes(old: Sequence[int], new: Sequence[int]) -> list[list[Any]]:
    """Return what makes ``new`` of ``old``: [place, number of lines replaced, new lines], the last place first."""
    begin, end = _equal_ends(old, new)
    matcher = SequenceMatcher(None, old[begin : len(old) - end], new[begin : len(new) - end], autojunk=False)
    return [
        [begin + first, last - first, list(new[begin + new_first : begin + new_last])]
        for kind, first, last, new_first, new_last in reversed(matcher.get_opcodes())
        if kind != "equal"
    ]


def _equal_ends(old: Sequence[int], new: Sequence[int]) -> tuple[int, int]:
    """Return how many lines are equal from the beginning on, and how many of the others up to the end."""
    most = min(len(old), len(new))
    begin = next((at for at in range(most) if old[at] != new[at]), most)
    end = next((at for at in range(most - begin) if old[-1 - at] != new[-1 - at]), most - begin)
    return begin, end


# --- Units of the numbers in a note, by the agent that took it: a share of the win is not a reward -------------------


class Meaning(NamedTuple):
    """Units of the numbers in a note."""

    values: str
    """Unit of a seat's value."""
    unit: str
    """The same in a word or two, for an axis."""
    choices: str
    """Unit of a move's share."""


_OF_AGENTS = {
    "search": Meaning(
        "share of the win, 0 to 1, and 0.02 for each Glory of lead", "share of the win", "share of its simulations"
    ),
    "policy": Meaning(
        "reward that its value network expects until the end of the game",
        "reward",
        "probability that it plays the move",
    ),
}
_OF_OTHERS = Meaning("outcome in units of its own", "outcome", "share of its favour")


def meaning(by: str) -> Meaning:
    """Return what the numbers in the notes of an agent are, such as "search:sims=50"."""
    return _OF_AGENTS.get(by.partition(":")[0], _OF_OTHERS)


def noted_by(by: str) -> dict[str, str]:
    """Return the fields of a part of a film that say who took its notes, and what their numbers are."""
    said = meaning(by)
    return {"notes_by": by, "noted_values": said.values, "noted_unit": said.unit, "noted_choices": said.choices}


# --- The last position alone, complete in itself: for programs that keep a game step by step -------------------------

STEP_FORMAT = "endeavor-step/1"
_STEP_HEAD = ("unit", "period", "names", "sides", "letters", "side_colours")


def step_of(game: Game) -> dict[str, Any]:
    """Return what a page needs that shows the positions before the last one of a game, as JSON takes it.

    A film numbers its lines through a whole game; here they are texts, so that a step depends on its position alone.
    The step of a game without a move also says who plays.
    """
    made = len(game.history)
    film = Film(game.at_move(max(0, made - 1)))
    if made:
        film.add(game.history[-1][1])
    part = film.part()
    row, lines = part["rows"][-1], part["lines"]
    changes = [[place, removed, [lines[number] for number in added]] for place, removed, added in row["changes"]]
    step = {"format": STEP_FORMAT, "over": part["over"], "row": {**row, "changes": changes}}
    return step if made else {**step, **{name: part[name] for name in _STEP_HEAD if name in part}}
