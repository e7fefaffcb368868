"""``endeavor board check``, ``new`` and ``show``: the faults of a board file, one to begin with, what is on a board."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_line, print_table
from endeavor_env.basics.files import check_new, open_regular, write_text
from endeavor_env.cli.choices import Force, OpenFile, Theme, open_file
from endeavor_env.cli.drawing import check_library, check_theme, write_png, write_svg
from endeavor_env.cli.tables import suffix_of
from endeavor_env.endeavor.board import DEFAULT_BOARD_ID, Board
from endeavor_env.endeavor.board.data import DATA
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES
from endeavor_env.errors import InvalidBoardError, InvalidOptionError, printable

FAULTY = 1
KINDS = ("svg", "png")
SEED = 0
"""Draws the tokens of the picture."""

check_app, new_app, show_app = (typer.Typer(add_completion=False, pretty_exceptions_enable=False) for _ in range(3))

# --- check -----------------------------------------------------------------------------------------------------------


def variants_of(board: Board) -> dict[str, list[str]]:
    """Return for each variant why it cannot be played on a board; an empty list if it can."""
    found = {}
    for variant in VARIANT_NAMES:
        try:
            check_board(board, variant)
            found[variant] = []
        except InvalidBoardError as error:
            found[variant] = error.faults
    return found


def examine(file: Path) -> dict[str, Any]:
    """Return what there is to say of a board file, as JSON values.

    Raises:
        InvalidOptionError: The file cannot be read.
    """
    try:
        open_regular(file).close()
    except ValueError as error:  # a file that is not there is wrong input, not a faulty board
        raise InvalidOptionError(f"{file} {error}") from error
    try:
        board = Board.load(file)
    except InvalidBoardError as error:
        return {"file": str(file), "valid": False, "faults": error.faults}
    about = {"id": board.id, "name": board.name, "hash": board.hash}
    return {"file": str(file), "valid": True, "faults": [], **about, "variants": variants_of(board)}


def print_findings(found: dict[str, Any]) -> None:
    """Print the faults on stderr, or that there are none."""
    if not found["valid"]:
        count = len(found["faults"])
        print(f"{printable(found['file'])} has {count} fault{'s' if count != 1 else ''}:", file=sys.stderr)
        for number, fault in enumerate(found["faults"], start=1):
            print(f"  {number}. {printable(fault)}", file=sys.stderr)
        return
    print_line(f"{found['file']} is a valid board: {found['name']} ({found['id']}, hash {found['hash']})")
    for variant, faults in found["variants"].items():
        print_line(f"  {variant}: " + ("can be played" if not faults else "; ".join(faults)))


@check_app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A board file.")],
    json_file: JsonFile = None,
    force: Force = False,
) -> None:
    """Check a board file, and list every fault; the exit status is 1 if there are any."""
    with command_line(json_file, force):
        found = examine(file)
        write_results(json_file, found)
        print_findings(found)
        if not found["valid"]:
            raise typer.Exit(FAULTY)


# --- new -------------------------------------------------------------------------------------------------------------


@new_app.command()
def new(
    file: Annotated[Path, typer.Argument(help="The board file to write; its name ends in .toml.")],
    seed: Annotated[int | None, typer.Option(help="Write the random board of this seed instead of a copy.")] = None,
    force: Force = False,
) -> None:
    """Write a copy of the board of 2009 to correct, or with --seed a random board."""
    with command_line():
        suffix_of(file, ("toml",))
        check_new(file, force)
        copied = DATA / f"{DEFAULT_BOARD_ID}.toml"  # with its comments
        text = copied.read_text(encoding="utf-8") if seed is None else Board.generate(seed).to_toml()
        write_text(file, text)
        print_line(f"Board {file}: edit it, then endeavor board check {file}")


# --- show ------------------------------------------------------------------------------------------------------------


def regions_of(board: Board) -> list[dict[str, Any]]:
    """Return what lies in each region, as JSON values."""
    data = board.to_dict()
    region_of = {city["id"]: city["region"] for city in data["cities"]}
    rows = []
    for region in data["regions"]:
        cities = [city for city in data["cities"] if city["region"] == region["id"]]
        connected = [entry["cities"] for entry in data["connections"]]
        rows.append(
            {
                "id": region["id"],
                "name": region["name"],
                "cities": len(cities),
                "glory": sum(city["glory"] for city in cities),
                "track": region["track_length"],
                "connections": sum(region["id"] in {region_of[city] for city in pair} for pair in connected),
                "decks": [deck["id"] for deck in data["decks"] if deck["region"] == region["id"]],
            }
        )
    return rows


def summary_table(board: Board) -> Table:
    """Return a row for each region."""
    table = Table(title=f"{board.name} ({board.id}, hash {board.hash})")
    table.add_column("region", overflow="fold")
    for heading in ("cities", "Glory", "shipping spaces", "connections"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in regions_of(board):
        cells = (row["cities"], row["glory"], row["track"] or "-", row["connections"])
        table.add_row(row["name"], *(str(cell) for cell in cells))
    counts = (len(board.cities), len(board.connections), len(board.cards), len(board.buildings))
    table.caption = "{} cities, {} connections, {} cards, {} types of buildings".format(*counts)
    return table


@show_app.command()
def show(
    board: Annotated[str | None, typer.Argument(help="endeavor_2009, generated_<seed>, or a board file.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Draw the board: a file .svg or .png.")] = None,
    theme: Theme = "light",
    open_file_after: OpenFile = False,
    json_file: JsonFile = None,
    force: Force = False,
) -> None:
    """Show what lies in each region of a board, and draw it as a game on it begins."""
    with command_line(json_file, force):
        check_theme(theme)
        if open_file_after and out is None:
            raise InvalidOptionError("--open opens a picture: give --out, the file to draw it into, or leave it out")
        if out is not None:
            check_library(suffix_of(out, KINDS))
            check_new(out, force)
        shown = Board.resolve(board)
        about = {"id": shown.id, "name": shown.name, "hash": shown.hash, "regions": regions_of(shown)}
        write_results(json_file, {**about, "provenance": shown.provenance_counts()})
        print_table(summary_table(shown))
        if out is not None:
            draw = write_svg if suffix_of(out, KINDS) == "svg" else write_png
            draw(Game.new(seed=SEED, board=shown), out, theme)
            print_line(f"Picture {out}")
            if open_file_after:
                open_file(out)
