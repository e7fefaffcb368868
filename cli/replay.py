"""``endeavor replay game.json``: a page or pictures of a recorded game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from endeavor_env.agents.base import AnnotatingAgent
from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.registry import annotated_record, annotating_agent
from endeavor_env.agents.terminal import print_line, terminal
from endeavor_env.basics.files import check_new
from endeavor_env.cli.choices import (
    BoardName,
    Every,
    Force,
    Milliseconds,
    Move,
    OpenFile,
    PageTheme,
    Targets,
    Whole,
    Width,
    open_file,
)
from endeavor_env.cli.drawing import WIDTH, Film, check_library, check_moves, check_targets, check_theme, write_picture
from endeavor_env.cli.tables import suffix_of
from endeavor_env.cli.views import check_every, check_notes, replay_any
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.notes import notes_field, read_notes
from endeavor_env.endeavor.records import read_record
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.games import declaration_of
from endeavor_env.web import AUTOMATIC, write_replay_page

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def targets_of(record: Path, out: Path | None, pictures: dict[str, Path | None]) -> dict[str, Path]:
    """Return the files to write by kind; the page is written beside the record if nothing is asked for."""
    wanted = {kind: file for kind, file in pictures.items() if file is not None}
    if out is not None or not wanted:
        wanted["html"] = record.with_suffix(".html") if out is None else out
    for kind, file in wanted.items():
        suffix_of(file, (kind,))
    return wanted


def noted(game: Game, agent: AnnotatingAgent) -> dict[str, Any]:
    """Return the record of a game with what an agent thinks of each position, with a progress bar."""
    hidden, console = not sys.stderr.isatty(), terminal(stderr=True)
    with Progress(console=console, disable=hidden, transient=True) as progress:
        task = progress.add_task("positions", total=len(game.history))
        return annotated_record(game, agent, lambda done: progress.update(task, completed=done))


def write_all(
    game: AnyGame,
    page: AnyGame | dict[str, Any],
    board: str | None,
    targets: dict[str, Path],
    theme: str | None,
    film: Film,
    targeted: bool,
) -> None:
    """Write each file, and say so.

    Args:
        game: The position of pictures.
        page: The game of the page, or its record with notes.
        board: The board of a record that names one which does not come with the package.
        targets: The files by kind.
        theme: The theme of the page.
        film: How pictures look.
        targeted: Whether the targets of legal moves get a frame.
    """
    for kind, file in targets.items():
        if kind == "html":
            write_replay_page(page, file, board=board, theme=theme or AUTOMATIC)
        else:
            write_picture(kind, game, file, film, targeted)
        print_line(f"{'Page' if kind == 'html' else 'Picture'} {file}")


@app.command()
def main(
    record: Annotated[Path, typer.Argument(help="The record of a game, as `record()` and `--record` write it.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The page to write; the name of the record with .html.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Write the picture of a position as SVG.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write the picture of a position as PNG.")] = None,
    gif: Annotated[Path | None, typer.Option(help="Write the game as an animated GIF.")] = None,
    move: Move = None,
    targets: Targets = False,
    theme: PageTheme = None,
    every: Every = "turn",
    milliseconds: Milliseconds = 700,
    width: Width = WIDTH,
    whole: Whole = False,
    board: BoardName = None,
    notes_by: Annotated[
        str | None,
        typer.Option(help="Show what this agent thinks of every position: search, search:<settings> or policy."),
    ] = None,
    open_file_after: OpenFile = False,
    force: Force = False,
) -> None:
    """Play a record again, check every move, and write a page of the game that needs no network, or pictures."""
    with command_line():
        files = targets_of(record, out, {"svg": svg, "png": png, "gif": gif})
        check_targets(files, targets)
        check_theme(theme or "light")
        check_every(every)
        for kind, file in files.items():
            check_library(kind)
            check_new(file, force)
        agent = None if notes_by is None else annotating_agent(notes_by)
        game = replay_any(record, board)
        shown = game if move is None else game.at_move(move)
        check_moves(shown, targets)
        if agent:
            check_notes(shown, notes_by=notes_by)
            page: AnyGame | dict[str, Any] = noted(shown, agent)
        else:
            page = _with_notes(record, shown) if declaration_of(shown).notes else shown
        film = Film(theme or "light", every, milliseconds, width, whole)
        write_all(shown, page, board, files, theme, film, targets)
        if open_file_after:
            open_file(next(iter(files.values())))


def _with_notes(record: Path, game: Game) -> Game | dict[str, Any]:
    """Return the record of a game with the notes of its file that are about positions the game reaches."""
    fields = read_record(record)
    if "notes" not in fields:
        return game
    by, notes = read_notes(fields["notes"], len(fields["moves"]))
    reached = {number: note for number, note in notes.items() if number <= len(game.history)}
    return {**game.record(), "notes": notes_field(by, reached)}
