"""Frames of a film, for each game: the picture of a position, its scores and statuses, and the moves in words."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from endeavor_env.drawing.svg import CLOSING, opening_lines
from endeavor_env.endeavor.drawing.scene import Label, Scene, Shape, draw_scene, view_for_picture
from endeavor_env.endeavor.drawing.scene.mats import side_of
from endeavor_env.endeavor.drawing.scene.theme import SIDES, VARIABLES, Theme
from endeavor_env.endeavor.drawing.view import View
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.game import Game
from endeavor_env.engine.declaration import GameDeclaration
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.games import declaration_of
from endeavor_env.engine.players_info import seat_titles

WIDTH, LINE, MARGIN, SIZE = 1280, 26, 24, 18
"""Pixels of a picture of text: its width, what a line takes, the space around the lines, and the size of letters."""


class Frame(NamedTuple):
    """A position as a film shows it."""

    parts: tuple[str | Shape, ...]
    """The picture: the lines of an SVG document, as text or as the shapes that they draw."""
    scores: list[int]
    """The score of each mat."""
    statuses: list[list[int]]
    """Other numbers of each mat; none in games that have none."""
    seen: Any
    """Facts about the position from which the frames of the game describe the change by the next move."""


class Frames:
    """The positions and moves of a game as a film shows them: the picture that the game draws, or its text.

    Attributes:
        unit: What scores count.
        period: What is numbered, as "Round".
    """

    unit: str
    period: str

    def __init__(self, declared: GameDeclaration, seat: int | None = None) -> None:
        """Take the declaration of the game, and who sees it."""
        self._presenter, self._seat, self._name = declared.presenter, seat, declared.name
        self.unit, self.period = self._presenter.score, self._presenter.period

    def frame(self, game: AnyGame) -> Frame:
        """Return the position of a game as it is shown."""
        if self._presenter.has_pictures:
            scene = self._presenter.picture(game, self._seat, VARIABLES)
        else:
            scene = text_scene(self._presenter.text(game, self._seat), self._presenter.title, VARIABLES)
        return Frame((*opening_lines(scene), *scene.shapes, CLOSING), game.scores(), [], None)

    def sides(self, game: AnyGame) -> list[str]:
        """Return the side of each mat, a key of SIDES or of ``colours``: a game's colours are its own."""
        return [f"{self._name}-{seat}" for seat in range(game.num_players)]

    def titles(self, game: AnyGame) -> list[str]:
        """Return what the owner of each mat is called."""
        return list(seat_titles(game.played, game.num_players))

    def letters(self, game: AnyGame) -> list[str]:
        """Return the letter of each mat."""
        return [self._presenter.piece(seat).letter for seat in range(game.num_players)]

    def colours(self, game: AnyGame) -> dict[str, str]:
        """Return the colours of sides that the page does not know, by their names: those of the pieces."""
        return {side: self._presenter.piece(seat).fill for seat, side in enumerate(self.sides(game))}

    def words(self, game: AnyGame, text: str) -> str:
        """Return a move text in words."""
        return self._presenter.told(game, text)

    def when(self, game: AnyGame) -> dict[str, Any]:
        """Return the number of the period, 0 before the first, as "round", and what else says when a move is made."""
        return {"round": self._presenter.period_of(game)}

    def events(self, before: Frame, after: Frame, move: dict[str, Any]) -> list[dict[str, str]]:
        """Return what a move brought that readers look for, each with a kind and in words; nothing of most games."""
        return []

    def title(self, game: AnyGame) -> str:
        """Return what is played, by whom if somebody said so, and how far it has come: period, or scores."""
        number, titles = self._presenter.period_of(game), seat_titles(game.played, game.num_players)
        when = f"{self.period.lower()} {number}" if number else "set-up"
        return _title(f"{self._presenter.title}, {game.num_players} seats", titles, game, self.unit, when)


def frames_of(game: AnyGame, seat: int | None = None) -> Frames:
    """Return the frames of a game, as ``seat`` sees it: everything for None, and for NONE what everybody sees."""
    declared = declaration_of(game)
    frames: Frames = declared.part("frames", Frames)(declared, seat)
    return frames


def text_scene(text: str, title: str, theme: Theme) -> Scene:
    """Return lines of text as a picture."""
    lines = text.splitlines()
    shapes = tuple(
        Label(MARGIN, MARGIN + LINE * (number + 0.5), line, SIZE, theme.ink) for number, line in enumerate(lines)
    )
    return Scene(WIDTH, 2 * MARGIN + LINE * len(lines), theme.background, title, shapes)


class EndeavorFrames(Frames):
    """The frames of Endeavor: map, mats and cards."""

    def frame(self, game: AnyGame) -> Frame:
        """Return the position of a game as it is shown."""
        view = view_for_picture(cast(Game, game))
        scene = draw_scene(view, VARIABLES)
        scores, statuses = [mat.glory for mat in view.mats], [list(mat.statuses.values()) for mat in view.mats]
        return Frame((*opening_lines(scene), *scene.shapes, CLOSING), scores, statuses, view)

    def sides(self, game: AnyGame) -> list[str]:
        """Return the side of each mat, a key of SIDES."""
        return [side_of(mat) for mat in view_for_picture(cast(Game, game)).mats]

    def titles(self, game: AnyGame) -> list[str]:
        """Return what the owner of each mat is called."""
        return [mat.title for mat in view_for_picture(cast(Game, game)).mats]

    def letters(self, game: AnyGame) -> list[str]:
        """Return the letter of each mat."""
        return [SIDES[side].letter for side in self.sides(game)]

    def colours(self, game: AnyGame) -> dict[str, str]:
        """Return nothing: the page knows all sides."""
        return {}

    def words(self, game: AnyGame, text: str) -> str:
        """Return a move text in words."""
        return move_in_words(cast(Game, game).board, text)

    def when(self, game: AnyGame) -> dict[str, Any]:
        """Return round and phase."""
        return {"round": cast(Game, game).round, "phase": cast(Game, game).phase}

    def events(self, before: Frame, after: Frame, move: dict[str, Any]) -> list[dict[str, str]]:
        """Return the openings of regions and the attacks that a move brought."""
        old_view, new_view = cast(View, before.seen), cast(View, after.seen)
        found = [
            {"kind": "open", "words": f"{new_view.board.names[new.id]} opens"}
            for old, new in zip(old_view.regions, new_view.regions, strict=True)
            if new.open and not old.open
        ]
        if move["text"].partition(":")[0].endswith("attack"):
            found.append({"kind": "attack", "words": f"{new_view.mats[move['seat']].title} {move['words']}"})
        return found

    def title(self, game: AnyGame) -> str:
        """Return what is played, by whom if somebody said so, and how far it has come: round and phase, or scores."""
        played = cast(Game, game)
        standard = played.variant == "standard"
        what = f"Endeavor, {played.num_players} seats" if standard else f"Endeavor, {played.variant}"
        when = f"round {played.round}, {played.phase} phase" if played.round else "set-up"
        titles = seat_titles(played.played, played.num_players, played.variant == "solo")
        return _title(what, titles, played, self.unit, when)


def _title(what: str, titles: tuple[str, ...], game: AnyGame, unit: str, when: str) -> str:
    """Return the title of a game."""
    named, scores = game.played is not None and any(seat.name for seat in game.played.seats), game.scores()
    if game.over and named:
        return f"{what}: {', '.join(f'{title} ({score})' for title, score in zip(titles, scores, strict=True))}"
    if game.over:
        return f"{what}: {' to '.join(map(str, scores))} {unit}"
    return f"{what}, {when}: {', '.join(titles)}" if named else f"{what}, {when}"
