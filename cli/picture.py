"""``endeavor picture``: play a game of agents and draw it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.terminal import print_line, print_table
from endeavor_env.basics.files import check_new
from endeavor_env.cli.choices import (  # fmt: skip
    BoardName,
    Every,
    Exploits,
    Force,
    GameText,
    Milliseconds,
    Move,
    OpenFile,
    OptionTexts,
    PageTheme,
    Seats,
    SeatWords,
    Seed,
    Targets,
    Variant,
    Whole,
    Width,
    open_file,
    seats_of,
)
from endeavor_env.cli.drawing import WIDTH, Film, check_library, check_moves, check_targets, check_theme, write_picture
from endeavor_env.cli.tables import final_table, play, playing, read_setting, sit_down, suffix_of
from endeavor_env.cli.views import check_every
from endeavor_env.engine.records import write_record
from endeavor_env.web import AUTOMATIC, write_replay_page

KINDS = ("svg", "png", "gif", "html", "json")

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    words: SeatWords = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", help=f"File to write, by its suffix: {', '.join(KINDS)} (the record).")
    ] = Path("game.svg"),
    seats: Seats = None,
    variant: Variant = "standard",
    seed: Seed = 7,
    board: BoardName = None,
    exploits: Exploits = None,
    option: OptionTexts = None,
    game_text: GameText = None,
    names: Annotated[
        str | None, typer.Option(help='What the seats are called, with commas: --names "Ada,Ben,Cleo".')
    ] = None,
    move: Move = None,
    targets: Targets = False,
    theme: PageTheme = None,
    every: Every = "turn",
    milliseconds: Milliseconds = 700,
    width: Width = WIDTH,
    whole: Whole = False,
    open_file_after: OpenFile = False,
    force: Force = False,
) -> None:
    """Play a game of agents, and write its last position as a picture, or the whole game as an animation or a page."""
    with command_line():
        kind = suffix_of(out, KINDS)
        check_theme(theme or "light")
        check_every(every)
        check_library(kind)
        check_targets([kind], targets)
        check_new(out, force)
        seated = sit_down(
            read_setting(seats_of(seats, words), variant, seed, board, option, exploits, game_text, names)
        )
        with playing():
            game = play(seated)
        drawn = game if move is None else game.at_move(move)
        check_moves(drawn, targets)
        if kind == "html":
            write_replay_page(drawn, out, theme=theme or AUTOMATIC)
        elif kind == "json":
            write_record(drawn, out)
        else:
            film = Film(theme or "light", every, milliseconds, width, whole)
            write_picture(kind, drawn, out, film, targets)
        print_table(final_table(drawn))
        print_line(f"Picture {out}" if kind != "json" else f"Record {out}")
        if open_file_after:
            open_file(out)
