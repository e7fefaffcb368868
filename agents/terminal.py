"""Output to a terminal, and the command line by which the user called the program."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from endeavor_env.errors import printable

# --- How the user called the program that runs -----------------------------------------------------------------------
# As ``python -m module``, or as a part of the command ``endeavor``.
# Messages, help texts and the settings kept with a run repeat the command, so that it can be typed again.


class Program(NamedTuple):
    """A command that runs as a part of ``endeavor``."""

    words: tuple[str, ...]
    """Words of the command line that start it, such as ("endeavor", "train", "td")."""
    arguments: tuple[str, ...]
    """Arguments that the user typed after them."""


_RUNNING: ContextVar[Program | None] = ContextVar("running", default=None)


@contextmanager
def running(program: Program) -> Iterator[None]:
    """Let the functions below speak of ``program`` instead of ``python -m``."""
    token = _RUNNING.set(program)
    try:
        yield
    finally:
        _RUNNING.reset(token)


def mounted() -> Program | None:
    """Return the part of ``endeavor`` that runs; None under ``python -m``."""
    return _RUNNING.get()


def called(module: str, *arguments: str) -> str:
    """Return the text of a command that runs ``module`` with these arguments, in the form that the user chose."""
    program = mounted()
    words = ("python", "-m", module) if program is None else program.words
    return shlex.join([*words, *arguments])


def own_command(module: str) -> str:
    """Return the text of the command that runs now, which runs ``module``."""
    program = mounted()
    return called(module, *(sys.argv[1:] if program is None else program.arguments))


# --- What is printed to a terminal, however narrow it is and whatever characters it has ------------------------------

LEAST_WRAPPED = 12
"""Narrowest column, in characters, in which a text that may be wrapped is still readable."""
UNLIMITED = 10_000
"""More characters than any table is wide."""


def replace_unprintable() -> None:
    """Make stdout and stderr print "?" for characters that the terminal does not have, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class _Terminal(Console):
    """Prints texts, in cells of tables too, without the sequences that make a terminal do more than that."""

    def render_str(self, text: str, **how: Any) -> Text:
        """Return a text for printing."""
        return super().render_str(printable(text), **how)


def terminal(*, stderr: bool = False) -> Console:
    """Return the terminal, which prints texts as they are: paths and names may hold brackets and colons."""
    return _Terminal(stderr=stderr, markup=False, emoji=False, highlight=False)


def print_line(text: str, console: Console | None = None) -> None:
    """Print a line that may be longer than the terminal is wide, so that paths and commands can be copied."""
    (console or terminal()).print(text, soft_wrap=True)


def print_next(*words: str, console: Console | None = None) -> None:
    """Print the command that comes next, as the last line of a command that is done."""
    print_line(f"Next: {shlex.join(words)}", console)


def print_table(table: Table, console: Console | None = None) -> None:
    """Print a table of texts; on a terminal too narrow for its columns, a block of lines for each row."""
    console = console or terminal()
    if _width(table, console) <= console.width:
        console.print(table)
        return
    for text in (table.title, table.caption):
        if text:
            console.print(text)
    headings = [str(column.header) for column in table.columns]
    for row in zip(*(column.cells for column in table.columns), strict=True):
        console.print()
        for heading, cell in zip(headings, row, strict=True):
            console.print(f"{heading}: {cell}")


def _width(table: Table, console: Console) -> int:
    """Return the least width, in characters, in which all columns of ``table`` are readable."""
    whole = Measurement.get(console, console.options.update(width=UNLIMITED), table).maximum
    for column in table.columns:
        if not column.no_wrap:
            widest = max(cell_len(str(cell)) for cell in (column.header, *column.cells))
            whole -= max(0, widest - LEAST_WRAPPED)
    return whole
