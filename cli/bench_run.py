"""``endeavor bench run``: the frozen benchmark, or with the options of the command that had this name, speeds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperCommand

from endeavor_env.basics.deprecation import DEPRECATIONS, warn_deprecated
from endeavor_env.bench.run import main

FORMER = "measuring speed by endeavor bench run"
_FORMER_OPTIONS = ("--smoke", "--only", "--peers", "--peers-python", "--plot", "--json")


def measures_speed(arguments: Sequence[str]) -> bool:
    """Return whether a command line is one of the former command."""
    given = [word.partition("=")[0] for word in arguments]
    return "--agent" not in given and any(word in _FORMER_OPTIONS for word in given)


class EitherCommand(TyperCommand):
    """The benchmark; hands command lines of the former command to the measurement of speed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments."""
        if not measures_speed(args):
            return super().parse_args(ctx, args)
        from endeavor_env.benchmarks import run as speed

        warn_deprecated(FORMER)
        entry = DEPRECATIONS[FORMER]
        print(f"{FORMER} goes in {entry.removed_in}: use {entry.use}", file=sys.stderr)
        raise typer.Exit(speed.main(args))


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
app.command(cls=EitherCommand)(main)
