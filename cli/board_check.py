"""``endeavor board check my_board.toml``: list the faults of a board file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.files import open_regular
from endeavor_env.cli.choices import Force
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES
from endeavor_env.errors import InvalidBoardError, InvalidOptionError, printable

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
FAULTY = 1


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


@app.command()
def main(
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
