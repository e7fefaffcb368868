"""What the command lines of matches share: options as text, the progress bar, and where results may be written."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from endeavor_env.errors import InvalidOptionError
from endeavor_env.options import OPTIONS

INTERRUPTED = 130  # what a shell reports for a program ended by Ctrl-C


def read_options(texts: Sequence[str]) -> dict[str, Any]:
    """Returns options given as "name=value", one a text, as ``Game.new`` takes them.

    A value that no option of this name has stays a text, and an unknown name stays: both are refused with the rest of
    the match's arguments.

    Raises:
        InvalidOptionError: A text without "=", or a name given twice.
    """
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidOptionError(f"option {text!r} is not possible: write it as name=value")
        if name in options:
            raise InvalidOptionError(f"option {name!r} is given twice: give each once")
        known = [possible for option in OPTIONS if option.name == name for possible in option.values]
        options[name] = next((possible for possible in known if str(possible).lower() == value.lower()), value)
    return options


def check_writable(file: Path) -> None:
    """Raises InvalidOptionError now rather than after the match if ``file`` has no place."""
    if file.is_dir():
        raise InvalidOptionError(f"{file} cannot be written: it is a folder")
    if not file.parent.is_dir():
        raise InvalidOptionError(f"{file} cannot be written: there is no folder {file.parent}")


@contextmanager
def _shown(played: Iterable[int], total: int) -> Iterator[Iterator[int]]:
    """Gives the numbers of set-ups played as they come, with a bar on stderr when that is a terminal."""
    columns = (TextColumn("set-ups"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=total)

        def passed_on() -> Iterator[int]:
            for done in played:
                progress.update(task, completed=done)
                yield done

        yield passed_on()


def play_to_the_end(played: Iterable[int], total: int) -> bool:
    """Plays a match; returns whether it was not broken off with Ctrl-C.

    Args:
        played: What the match's ``play`` returns: the number of set-ups done, after each.
        total: The number of set-ups in all.
    """
    try:
        with _shown(played, total) as numbers:
            for _ in numbers:
                pass
    except KeyboardInterrupt:
        return False
    return True
