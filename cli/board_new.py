"""``endeavor board new my_board.toml``: a board file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.files import check_new, write_text
from endeavor_env.cli.choices import Force
from endeavor_env.cli.tables import suffix_of
from endeavor_env.endeavor.board import DEFAULT_BOARD_ID, Board
from endeavor_env.endeavor.board.data import DATA

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def default_board_text() -> str:
    """Return the board file of 2009 with its comments."""
    return (DATA / f"{DEFAULT_BOARD_ID}.toml").read_text(encoding="utf-8")


@app.command()
def main(
    file: Annotated[Path, typer.Argument(help="The board file to write; its name ends in .toml.")],
    seed: Annotated[int | None, typer.Option(help="Write the random board of this seed instead of a copy.")] = None,
    force: Force = False,
) -> None:
    """Write a copy of the board of 2009 to correct, or with --seed a random board."""
    with command_line():
        suffix_of(file, ("toml",))
        check_new(file, force)
        text = default_board_text() if seed is None else Board.generate(seed).to_toml()
        write_text(file, text)
        print_line(f"Board {file}: edit it, then endeavor board check {file}")
