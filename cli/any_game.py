"""What commands show of a game on the engine: lines, a screen, scenes, the table at the end; records of any game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from endeavor_env.agents.games import OTHER_GAMES
from endeavor_env.basics.files import read_json_object
from endeavor_env.endeavor.drawing.scene import Scene, draw_game
from endeavor_env.endeavor.drawing.scene.compose import framed
from endeavor_env.endeavor.drawing.scene.theme import THEMES
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import replay
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.engine.faces import mover_name
from endeavor_env.engine.game import RailsGame
from endeavor_env.engine.played import is_named
from endeavor_env.errors import InvalidOptionError, RecordError

MOST_MOVES = 8


def replay_any(record: Path, board: str | None = None) -> Game | RailsGame:
    """Return the game of a record of any game, every move checked.

    Raises:
        RecordError: The record cannot be read or replayed.
        InvalidBoardError: A board file that cannot be used.
    """
    fields: Mapping[str, Any] = read_json_object(record, "record", RecordError)
    other = next((game for game in OTHER_GAMES if game.is_record(fields)), None)
    if other is None:
        return replay(record, board)
    return other.replay(fields, None if board is None else other.board_given(board))


def endeavor_alone(game: BaseGame, **given: object) -> Game:
    """Return a game that must be Endeavor's; raise InvalidOptionError naming the first option that wants it so."""
    if not isinstance(game, Game):
        option = next(iter(given)).replace("_", "-")
        raise InvalidOptionError(f"--{option} is for Endeavor alone: leave it out for {title_of(game)}")
    return game


def title_of(game: BaseGame) -> str:
    """Return the name of the game that is played."""
    return str(cast(RailsGame, game).rules.faces.title) if isinstance(game, RailsGame) else "Endeavor"


def scene_of(game: BaseGame, theme: str, targets: bool = False) -> Scene:
    """Return the picture of a position of any game that has pictures, with a frame round the targets of legal moves."""
    if isinstance(game, Game):
        return draw_game(game, theme, game.legal_moves() if targets else ())
    faces = cast(RailsGame, game).rules.faces
    if not faces.has_pictures:
        raise InvalidOptionError(f"{faces.title} has no pictures: write a .html or .json")
    scene: Scene = faces.picture(game, None, THEMES[theme])
    keys = [faces.choice(game, action).key for action in game.legal_actions()] if targets else []
    return framed(scene, keys, THEMES[theme])


def headline(game: RailsGame) -> str:
    """Return variant, turn and how the game stands in one line."""
    faces = game.rules.faces
    where = "over" if game.over else f"{faces.period.lower()} {faces.period_of(game)}"
    return f"{faces.title}, {game.variant}: {where}"


def made_since(game: RailsGame, since: int) -> list[str]:
    """Return the moves from number ``since`` on, those of chance included, as text."""
    return [f"{mover_name(seat)} {game.move_text(seat, action)}" for seat, action in game.history[since:]]


def line_of(game: RailsGame, since: int) -> str:
    """Return a position as one line, with the moves since the last one."""
    moves = ", ".join(made_since(game, since))
    scores = " ".join(map(str, game.scores()))
    return f"{headline(game)}; {game.rules.faces.score} {scores}" + (f"; {moves}" if moves else "")


def text_of(game: RailsGame, since: int) -> str:
    """Return a position as lines of text, after the moves since the last one."""
    return "\n".join([*made_since(game, since), game.rules.faces.text(game)])


def screen_of(game: RailsGame, since: int, below: str = "") -> Group:
    """Return a position to print on a screen that changes, with the last moves."""
    lines = [Text(headline(game), style="bold"), *([Text(below, style="dim")] if below else [])]
    made = made_since(game, max(since, len(game.history) - MOST_MOVES))
    return Group(*lines, Text(game.rules.faces.text(game)), *map(Text, made))


def final_table(game: RailsGame) -> Table:
    """Return how a game ended, or how it stands: a row for each seat."""
    table = Table(title=headline(game), box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("seat", no_wrap=True)
    table.add_column("agent", overflow="fold")
    table.add_column(game.rules.faces.score, justify="right", no_wrap=True)
    titles = [str(player.name or "") for player in game.played.seats] if game.played else [""] * game.num_players
    won = game.winners() if game.over else []
    for seat, (title, score) in enumerate(zip(titles, game.scores(), strict=True)):
        table.add_row(f"{seat}{' (wins)' if seat in won else ''}", title if is_named(title) else "", str(score))
    return table
