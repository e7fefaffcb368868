"""The application ``endeavor``; importing it imports none of the modules that do the work."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.entries import GROUPS, SINGLE
from cli.mounting import PROGRAM, Group, group, mount

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

app = typer.Typer(name=PROGRAM, cls=Group, epilog=EPILOG, pretty_exceptions_enable=False)


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


for _entry in SINGLE:
    mount(app, _entry)
for _name, (_summary, _entries) in GROUPS.items():
    app.add_typer(group(_name, _summary, _entries))
