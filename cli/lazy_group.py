"""Groups of commands whose modules are imported when one is used."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Self

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from endeavor_env.agents.extras import extra_of, how_to_install
from endeavor_env.basics.exit_status import MISTAKE
from endeavor_env.cli.completion import (
    DIFFICULTIES,
    EVERY,
    THEMES,
    VARIANTS,
    Completer,
    agent_names,
    beginning,
    board_names,
    exploit_names,
    no_names,
)
from endeavor_env.errors import printable

OWN = "endeavor_env"
"""The package of this project: if a module of it is missing, that is a fault of the program."""
PROGRAM = "endeavor"
UsageError: Any = typer.BadParameter.__mro__[1]
"""The base of what typer raises for a wrong command line; typer itself exports only this one of its kinds."""


@dataclass(frozen=True)
class Entry:
    """A command, and where to find it."""

    name: str
    """Name that the user types."""
    module: str
    """The module: it has the typer application ``app``, the one named after a colon, or the function ``main``."""
    summary: str
    """One line for the list of commands."""
    examples: tuple[str, ...]
    """Command lines that work as they stand, without the name of the program."""
    extra: str = ""
    """The extra of the package that the module needs besides what every installation has."""
    words: Completer = no_names
    """Completes arguments; the default leaves them to the shell, which offers files."""

    def load(self) -> Any:
        """Import the module and return its command.

        Raises:
            typer.BadParameter: A library is missing; the message says how to install it.
        """
        try:
            name, _, attribute = self.module.partition(":")
            module = import_module(name)
        except ModuleNotFoundError as error:
            library = error.name or ""
            if library.partition(".")[0] == OWN:
                raise
            extra = self.extra or extra_of(library)
            known = how_to_install(library, extra) if extra else f"{library} is missing: endeavor doctor says more"
            raise typer.BadParameter(known) from error
        command = get_command(_app_of(module, attribute or "app"))
        command.epilog = examples(self.examples)
        return command


def examples(lines: Sequence[str]) -> str:
    """Return command lines as the end of a help text, a paragraph for each, as typer shows them."""
    return "\n\n".join(["Examples:", *(f"{PROGRAM} {line}" for line in lines)])


def _app_of(module: Any, name: str) -> typer.Typer:
    """Return the application of this name in a module; made of its function ``main`` if it has none."""
    app = getattr(module, name, None)
    if not isinstance(app, typer.Typer):
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        app.command()(module.main)
    return app


class Unloaded(TyperCommand):
    """Stands in lists and completions for a command, until the user has chosen it and ``Group`` imports it."""

    def __init__(self, entry: Entry) -> None:
        """Take what the list of commands shows from an entry."""
        unread = {"ignore_unknown_options": True, "allow_extra_args": True}
        super().__init__(entry.name, help=entry.summary, context_settings=unread)
        self.entry = entry

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options that the shell completes, with words that need no import."""
        return _completed_options()

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the options of the command that begin so."""
        try:
            return self.entry.load().shell_complete(ctx, incomplete)
        except Exception:  # whatever is wrong with it, an error would end up in the line that the user types
            return []


def entry_words(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the words that the command of a context completes."""
    command = ctx.command
    return command.entry.words(incomplete) if isinstance(command, Unloaded) else []


def _completed(
    words: Annotated[list[str] | None, typer.Argument(autocompletion=entry_words)] = None,
    seats: Annotated[str | None, typer.Option(autocompletion=entry_words)] = None,
    variant: Annotated[str | None, typer.Option(autocompletion=beginning(*VARIANTS))] = None,
    board: Annotated[str | None, typer.Option(autocompletion=board_names)] = None,
    difficulty: Annotated[str | None, typer.Option(autocompletion=beginning(*DIFFICULTIES))] = None,
    theme: Annotated[str | None, typer.Option(autocompletion=beginning(*THEMES))] = None,
    exploits: Annotated[str | None, typer.Option(autocompletion=exploit_names)] = None,
    every: Annotated[str | None, typer.Option(autocompletion=beginning(*EVERY))] = None,
    begins_with: Annotated[str | None, typer.Option("--from", autocompletion=entry_words)] = None,
    hint_by: Annotated[str | None, typer.Option(autocompletion=agent_names)] = None,
) -> None:
    """Hold the options whose values the shell completes; the command's own options are in its module."""


@cache
def _completed_options() -> list[Any]:
    """Return these options; only where the shell asks, because to read them would slow every start."""
    app = typer.Typer(add_completion=False)
    app.command()(_completed)
    return get_command(app).params


class Group(TyperGroup):
    """A group that imports the command it runs: alone it shows its help, a wrong line is one sentence and status 2."""

    @classmethod
    def of(cls, name: str, summary: str, entries: Sequence[Entry]) -> Self:
        """Return a group of these commands."""
        lines = examples([entry.examples[0] for entry in entries])
        return cls(name=name, help=summary, epilog=lines, commands=[Unloaded(entry) for entry in entries])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments of the group; without any, ask for its help."""
        return super().parse_args(ctx, args or ([] if ctx.resilient_parsing else ["--help"]))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name of the command, the command itself, imported unless the shell asks, and its arguments."""
        name, command, arguments = super().resolve_command(ctx, args)
        if not isinstance(command, Unloaded) or ctx.resilient_parsing:
            return name, command, arguments
        from endeavor_env.agents.terminal import Program, replace_unprintable, running

        replace_unprintable()
        ctx.with_resource(running(Program((*ctx.command_path.split(), command.entry.name), tuple(arguments))))
        return name, command.entry.load(), arguments

    def main(self, args: Sequence[str] | None = None, *_: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run the command; with ``standalone_mode`` end the process."""
        extra["prog_name"] = PROGRAM
        try:
            status = super().main(args, standalone_mode=False, **extra)
        except UsageError as error:
            print(printable(one_sentence(error)), file=sys.stderr)
            status = MISTAKE
        if standalone_mode:
            sys.exit(status)
        return status


def one_sentence(error: Any) -> str:
    """Return what is wrong with a command line, and where to read how it is right."""
    message = " ".join(error.format_message().split()).rstrip(".").removeprefix("Invalid value: ")
    where = "" if error.ctx is None else f" (see {error.ctx.command_path} --help)"
    return f"error: {message}{where}"
