"""The application ``endeavor``; importing it imports none of the modules that do the work."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from endeavor_env.cli.entries import GROUPS, SINGLE
from endeavor_env.cli.lazy_group import PROGRAM, Group, Unloaded

EPILOG = "\n\n".join(
    [
        "Examples:",
        "endeavor picture -o game.svg",
        "endeavor play --seats human greedy greedy",
        "endeavor arena greedy random random random --games 400",
        "Exit status: 0 done; 1 what was checked has faults; 2 wrong input, said in one sentence; 130 stopped with "
        "Ctrl-C. No file is replaced without --force. --json FILE writes results for programs.",
    ]
)


class Root(Group):
    """The command ``endeavor`` with everything under it."""

    def __init__(self, **given: Any) -> None:
        """Add the commands of the table to what typer gives."""
        super().__init__(**given)
        for entry in SINGLE:
            self.add_command(Unloaded(entry))
        for name, (summary, entries) in GROUPS.items():
            self.add_command(Group.of(name, summary, entries))


app = typer.Typer(name=PROGRAM, cls=Root, epilog=EPILOG, pretty_exceptions_enable=False)


def _show_version(wanted: bool) -> None:
    if wanted:
        from endeavor_env import __version__

        print(f"{PROGRAM} {__version__}")
        raise typer.Exit()


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """The board game Endeavor: play it, watch it, measure agents and train them."""
