"""What commands show of a game: lines, a screen, scenes, the table at the end; and which of its positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from endeavor_env.basics.files import read_json_object
from endeavor_env.endeavor.drawing.scene import Scene
from endeavor_env.endeavor.drawing.scene.compose import framed
from endeavor_env.endeavor.drawing.scene.theme import THEMES
from endeavor_env.engine.declaration import GameDeclaration
from endeavor_env.engine.game import Game
from endeavor_env.engine.games import declaration_of, game_of_record
from endeavor_env.engine.players_info import is_named
from endeavor_env.engine.presenter import Presenter, mover_name
from endeavor_env.errors import InvalidOptionError, RecordError, shown

G = TypeVar("G", bound=Game)

EVERY = ("round", "turn", "move")
MOST_MOVES = 8
"""The last moves that a screen shows."""


class GameView:
    """What commands show of a game of any rules; a game may have a subclass of its own."""

    def __init__(self, declared: GameDeclaration, presenter: Presenter) -> None:
        """Take the declaration of the game, and how it is shown to people."""
        self.declared, self.presenter = declared, presenter

    # --- steps -------------------------------------------------------------------------------------------------------
    def moment(self, game: Any, every: str) -> tuple[object, ...]:
        """Return what stays the same until the next position is to be shown, one of each "round", "turn" or "move"."""
        return (len(game.history),) if every == "move" else (self.presenter.period_of(game), game.over)

    # --- text --------------------------------------------------------------------------------------------------------
    def headline(self, game: Any) -> str:
        """Return variant, turn and how the game stands in one line."""
        where = "over" if game.over else f"{self.presenter.period.lower()} {self.presenter.period_of(game)}"
        return f"{self.presenter.title}, {game.variant}: {where}"

    def line(self, game: Any, since: int) -> str:
        """Return a position as one line, with the moves from number ``since`` on."""
        moves = ", ".join(made_since(game, since))
        scores = " ".join(map(str, game.scores()))
        return f"{self.headline(game)}; {self.presenter.score} {scores}" + (f"; {moves}" if moves else "")

    def text(self, game: Any, since: int) -> str:
        """Return a position as lines of text, after the moves from number ``since`` on."""
        return "\n".join([*made_since(game, since), self.presenter.text(game)])

    def screen(self, game: Any, since: int) -> Callable[[str], RenderableType]:
        """Return what makes the screen of a position with its last moves, given the words below its first line."""

        def with_words(below: str) -> Group:
            lines = [Text(self.headline(game), style="bold"), *([Text(below, style="dim")] if below else [])]
            made = made_since(game, max(since, len(game.history) - MOST_MOVES))
            return Group(*lines, Text(self.presenter.text(game)), *map(Text, made))

        return with_words

    def final_table(self, game: Any) -> Table:
        """Return how a game ended, or how it stands: a row for everybody who scores."""
        table = Table(title=self.headline(game), box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        table.add_column("seat", no_wrap=True)
        table.add_column("agent", overflow="fold")
        table.add_column(self.presenter.score, justify="right", no_wrap=True)
        titles = [str(player.name or "") for player in game.played.seats] if game.played else [""] * game.num_players
        won = game.winners() if game.over else []
        for seat, (title, score) in enumerate(zip(titles, game.scores(), strict=True)):
            table.add_row(f"{seat}{' (wins)' if seat in won else ''}", title if is_named(title) else "", str(score))
        return table

    # --- pictures ----------------------------------------------------------------------------------------------------
    def scene(self, game: Any, theme: str, targets: bool = False) -> Scene:
        """Return the picture of a position, with a frame round the targets of legal moves if ``targets`` says so."""
        if not self.presenter.has_pictures:
            raise InvalidOptionError(f"{self.presenter.title} has no pictures: write a .html or .json")
        scene: Scene = self.presenter.picture(game, None, THEMES[theme])
        keys = [self.presenter.choice(game, action).key for action in game.legal_actions()] if targets else []
        return framed(scene, keys, THEMES[theme])

    def film(self, game: Any, numbers: list[int], whole: bool) -> tuple[list[int], Callable[[Any, str], Scene]]:
        """Return which of the positions after ``numbers`` of moves an animation has, and what draws them."""
        return numbers, self.scene


def view_of(game: Game) -> GameView:
    """Return what commands show of a game."""
    declared = declaration_of(game)
    view: GameView = declared.part("view", GameView)(declared, declared.presenter)
    return view


def made_since(game: Any, since: int) -> list[str]:
    """Return the moves from number ``since`` on, those of chance included, as text."""
    return [f"{mover_name(seat)} {game.move_text(seat, action)}" for seat, action in game.history[since:]]


def replay_any(record: Path, board: str | None = None) -> Any:
    """Return the game of a record of any game, every move checked.

    Raises:
        RecordError: The record cannot be read or replayed.
        InvalidBoardError: A board file that cannot be used.
    """
    return game_of_record(read_json_object(record, "record", RecordError)).replay(record, board)


def check_notes(game: Game, **given: object) -> None:
    """Raise InvalidOptionError naming an option that annotates positions if no agent annotates those of the game."""
    declared = declaration_of(game)
    if not declared.notes:
        option = next(iter(given)).replace("_", "-")
        raise InvalidOptionError(f"--{option} is not possible for {declared.title}: leave it out")


# --- which positions are shown: one for each round, turn or move -----------------------------------------------------


def check_every(every: str) -> None:
    """Raise InvalidOptionError unless ``every`` is one of EVERY."""
    if every not in EVERY:
        raise InvalidOptionError(f"every={shown(every)} is not possible: give one of {', '.join(EVERY)}")


def shown_moves(game: Game, every: str) -> list[int]:
    """Return after how many moves the positions to be shown stand: 0, those that begin a step, and the last one."""
    view, played, numbers = view_of(game), game.at_move(0), [0]
    before = view.moment(played, every)
    for number, (_, action) in enumerate(game.history, start=1):
        played.apply(action, draws=False)
        now = view.moment(played, every)
        if now != before or number == len(game.history):
            numbers.append(number)
        before = now
    return numbers


def positions(game: G, numbers: list[int]) -> Iterator[G]:
    """Yield one game object, played on to each of these numbers of moves; they ascend."""
    played, done = game.at_move(0), 0
    for number in numbers:
        for _, action in game.history[done:number]:
            played.apply(action, draws=False)
        done = number
        yield played
