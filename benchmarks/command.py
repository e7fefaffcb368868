"""Shared parts of the measurements' command lines: options with several values, and their ends."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from endeavor_env.agents.terminal import called, replace_unprintable
from endeavor_env.errors import InvalidOptionError

Smoke = Annotated[bool, typer.Option("--smoke", help="Run as briefly as possible; the figures mean nothing.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]


class SeveralValues(TyperCommand):
    """A command in which an option of several values takes all words up to the next option: --only core vector."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments."""
        several = {name for option in self.params if getattr(option, "multiple", False) for name in option.opts}
        return super().parse_args(ctx, spread(args, several))


def spread(words: Sequence[str], several: Collection[str]) -> list[str]:
    """Return a command line in which each of these options stands before each of its values, as typer reads them.

    Raises:
        typer.BadParameter: One of these options has no value.
    """
    found: list[str] = []
    option, values = "", 0
    for word in [*words, "-"]:  # the last one ends the values of the last option
        if not word.startswith("-"):
            values += 1
            found += [option, word] if option else [word]
            continue
        if option and not values:
            raise typer.BadParameter(f"{option} needs at least one value")
        option, values = (word, 0) if word in several else ("", 0)
        found += [] if option else [word]
    return found[:-1]


def new_app() -> typer.Typer:
    """Return the application of a measurement."""
    return typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def exit_status(app: typer.Typer, module: str, arguments: Sequence[str] | None = None) -> int:
    """Run the command of a module and return its exit status.

    Args:
        app: The application.
        module: The module, as ``python -m`` runs it.
        arguments: The command line; None for that of the process.
    """
    replace_unprintable()
    try:
        app(None if arguments is None else list(arguments), prog_name=called(module))
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def check_choices(option: str, given: Sequence[object], possible: Collection[object]) -> None:
    """Raise InvalidOptionError for the first value of an option that is not among the possible ones."""
    for value in given:
        if value not in possible:
            words = ", ".join(map(str, possible))
            raise InvalidOptionError(f"{option} {value} is not possible: give one of {words}")
