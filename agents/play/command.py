"""The command that plays in the browser; ``python -m agents.play`` runs it, and other programs can mount it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from agents.command_line import command_line, read_exploits, read_options
from agents.play.advice import USUAL
from agents.play.server import THEMES, serve
from agents.registry import NAMES
from endeavor_env.core.constants import EXPLOIT_NAMES
from endeavor_env.options import RANDOM

SEATS = f'What plays each seat: "human", with a name as in "human:Ada", or an agent: {", ".join(NAMES)}.'
EXPLOITS = f'"{RANDOM}", or names with commas: {", ".join(EXPLOIT_NAMES)}.'

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(name="play")
def play(
    seats: Annotated[
        list[str] | None,
        typer.Argument(help=SEATS, show_default=False),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seats", help="The same: --seats human greedy greedy.", show_default=False),
    ] = None,
    variant: Annotated[
        str | None, typer.Option(help="standard, exploits, solo, soloplay_2, soloplay_3 or neutral_2.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Draws the set-up; a fresh one if left out.")] = None,
    board: Annotated[str | None, typer.Option(help="endeavor_2009, generated_<seed>, or a board file.")] = None,
    exploits: Annotated[str | None, typer.Option(help=EXPLOITS)] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the variant, name=value; repeatable.")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the game of a record or of a kept game, as a new one.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where the games are kept, a file each.")] = Path("games"),
    hint_by: Annotated[str, typer.Option(help="The agent that hints, until the page chooses another.")] = USUAL,
    port: Annotated[int, typer.Option(help="The port on this machine; 0 takes a free one.")] = 0,
    browser: Annotated[
        bool, typer.Option("--open/--no-open", "--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    theme: Annotated[str, typer.Option(help=f"{', '.join(THEMES)}.")] = THEMES[0],
) -> None:
    """Play in the browser, alone or against agents, on a page that only this machine can open.

    Without seats and variant the page begins with the list of games. The solitaire game: --variant solo. Three seats
    against two agents: --seats human greedy greedy.
    """
    with command_line():
        new: dict[str, Any] = {"seed": seed, "board": board, "options": read_options(option or ()) or None}
        if exploits is not None:
            new["exploits"] = read_exploits(exploits)
        serve(
            [*(seat or ()), *(seats or ())],
            variant=variant,
            resume=resume,
            folder=folder,
            hint_by=hint_by,
            port=port,
            browser=browser,
            theme=theme,
            **new,
        )
