"""Options that several commands share, and how a written file is opened."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from endeavor_env.agents.command_line import BoardName as BoardName
from endeavor_env.agents.command_line import Exploits as Exploits
from endeavor_env.agents.command_line import GameText as GameText
from endeavor_env.agents.command_line import OptionTexts as OptionTexts
from endeavor_env.agents.registry import NAMES
from endeavor_env.agents.terminal import print_line, terminal
from endeavor_env.cli.completion import VARIANTS
from endeavor_env.cli.views import EVERY

# --- Options that several commands share -----------------------------------------------------------------------------

Seats = Annotated[
    list[str] | None,
    typer.Option(
        help=f"An agent for each seat, such as --seats value greedy greedy; or greedy everywhere. "
        f"Possible are {', '.join(NAMES)}."
    ),
]
SeatWords = Annotated[list[str] | None, typer.Argument(help="The same without --seats.")]
Variant = Annotated[str, typer.Option(help=f"{', '.join(VARIANTS)}.")]
Seed = Annotated[int, typer.Option(help="Draws the set-up and seeds the agents.")]
Theme = Annotated[str, typer.Option(help="Colours: light or dark.")]
PageTheme = Annotated[
    str | None,
    typer.Option(
        "--theme", help="Colours: light or dark. Left out, pages follow the reader's system, pictures are light."
    ),
]
Every = Annotated[str, typer.Option(help=f"What one picture shows: a {', '.join(EVERY)}.")]
Move = Annotated[int | None, typer.Option(min=0, help="Show the position after so many moves; the last if left out.")]
Milliseconds = Annotated[int, typer.Option(min=20, max=60_000, help="How long a picture of a GIF stays.")]
Width = Annotated[int, typer.Option(min=160, max=1280, help="Width of a GIF in pixels.")]
Targets = Annotated[bool, typer.Option("--targets", help="Frame what the legal moves are about; SVG and PNG.")]
OpenFile = Annotated[bool, typer.Option("--open/--no-open", help="Open what was written.")]
Whole = Annotated[
    bool,
    typer.Option("--whole", help="Show the whole picture in a GIF, mats and supply too, from the empty board on."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]


def seats_of(option: list[str] | None, words: list[str] | None) -> list[str] | None:
    """Return the agents named; None if there are none.

    Options of typer take one value each: of ``--seats value greedy greedy`` the first name is the value of the option,
    and the others are arguments. The same names may be given as arguments alone, or with ``--seats`` before each.
    """
    return [*(option or ()), *(words or ())] or None


# --- Opens what a command has written --------------------------------------------------------------------------------


def open_file(file: Path) -> None:
    """Open a file in the browser, which shows pages and pictures; where there is none, say what to open."""
    address = file.resolve().as_uri()
    if not webbrowser.open(address):
        print_line(f"no browser was found: open {address}", terminal(stderr=True))
