"""``endeavor board show``: what is on a board."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_line, print_table
from endeavor_env.basics.files import check_new
from endeavor_env.cli.choices import Force, OpenFile, Theme, open_file
from endeavor_env.cli.drawing import check_library, check_theme, write_png, write_svg
from endeavor_env.cli.tables import suffix_of
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.errors import InvalidOptionError

KINDS = ("svg", "png")
SEED = 0
"""Draws the tokens of the picture."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


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


@app.command()
def main(
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
        if out is not None:
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
