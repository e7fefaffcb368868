"""What the command lines of the measurements share: checks before they begin, and how they end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from agents.command_line import sentence_of
from agents.program import called, mounted
from agents.results_file import check_results
from agents.terminal import replace_unprintable
from benchmarks.report import Section
from endeavor_env.errors import EndeavorError, InvalidOptionError

INTERRUPTED = 130  # the exit status that shells report for a program ended by Ctrl-C
MISTAKE = 2  # the exit status for what cannot be done


def exit_status(main: Callable[[], int]) -> int:
    """Run a command and return its exit status; an error in words is one line on stderr, and so is Ctrl-C."""
    replace_unprintable()
    try:
        return main()
    except (EndeavorError, OSError) as error:
        print(f"error: {sentence_of(error)}", file=sys.stderr)
        return MISTAKE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def command_parser(module: str, description: str) -> argparse.ArgumentParser:
    """Return the parser of the command that runs ``module``; as a part of ``endeavor`` it bears that name."""
    program = mounted()
    if program is None:
        return argparse.ArgumentParser(prog=called(module), description=description)
    kept = argparse.RawDescriptionHelpFormatter
    return _MountedParser(prog=called(module), description=description, epilog=program.epilog, formatter_class=kept)


class _MountedParser(argparse.ArgumentParser):
    """The parser of a part of ``endeavor``, whose errors are one line each."""

    def error(self, message: str) -> NoReturn:
        """Raise InvalidOptionError with the message."""
        raise InvalidOptionError(f"{message} (see {self.prog} --help)")


def check_files(parser: argparse.ArgumentParser, force: bool, *files: str | Path | None) -> None:
    """Exit with an error of ``parser`` if one of the files that a command will write cannot be written, or exists.

    Args:
        parser: That of the command.
        force: Whether files that exist may be replaced.
        files: The files; None is left out.
    """
    for file in files:
        try:
            if file is not None:
                check_results(Path(file), force)
        except InvalidOptionError as error:
            parser.error(str(error))


def measure_in_turn(parts: Sequence[Callable[[], list[Section]]]) -> tuple[list[Section], int]:
    """Measure one part after the other; return the sections of those done, and the exit status. Ctrl-C ends early."""
    sections: list[Section] = []
    for number, part in enumerate(parts):
        try:
            sections += part()
        except KeyboardInterrupt:
            print(f"interrupted after {number} of {len(parts)} parts", file=sys.stderr)
            return sections, INTERRUPTED
    return sections, 0
