"""The file of ``--json``: a path, or "-" for stdout, beside which everything for people goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

STDOUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
"""Names of stdout. It is written to as it is open: opening it again would cut off or replace what it leads to."""

JsonFile = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Also write the result to this file; - for stdout."),
]

_RESULTS: ContextVar[TextIO | None] = ContextVar("results", default=None)


def is_stdout(file: Path | None) -> bool:
    """Return whether a file that the user named is stdout."""
    return file is not None and str(file) in STDOUT


@contextmanager
def beside_results(file: Path | None) -> Iterator[None]:
    """Print on stderr what is printed inside this context, if the results go to stdout."""
    if not is_stdout(file):
        yield
        return
    token = _RESULTS.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _RESULTS.reset(token)


def check_results(file: Path | None, force: bool) -> None:
    """Raise InvalidOptionError if the results cannot be written to ``file``, as ``check_new`` does; None is no file."""
    if file is not None and not is_stdout(file):
        from endeavor_env.basics.files import check_new  # stdout needs nothing of the package, which may be broken

        check_new(file, force)


def write_results(file: Path | None, value: Mapping[str, Any], indent: int | None = 1) -> None:
    """Write the results as JSON: to a file in one step, or to stdout; None writes nothing."""
    if file is None:
        return
    text = json.dumps(value, indent=indent) + "\n"
    if is_stdout(file):
        stream = _RESULTS.get() or sys.stdout
        stream.write(text)
        stream.flush()
    else:
        from endeavor_env.basics.files import write_text

        write_text(file, text)
