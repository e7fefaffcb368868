"""``endeavor watch``: watch agents play a game in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.live import Live

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.runner import Hooks
from endeavor_env.agents.terminal import print_line, print_table, terminal
from endeavor_env.basics.files import check_new
from endeavor_env.cli.choices import (
    BoardName,
    Exploits,
    Force,
    GameText,
    OptionTexts,
    Seats,
    SeatWords,
    Seed,
    Variant,
    seats_of,
)
from endeavor_env.cli.pace import MOST_DELAY, Keys, Pace, StoppedError
from endeavor_env.cli.tables import Seated, final_table, play, read_setting, sit_down
from endeavor_env.cli.views import EVERY, check_every, check_notes, view_of
from endeavor_env.engine.game import Game
from endeavor_env.engine.records import write_record
from endeavor_env.errors import InvalidOptionError

DELAY = 0.5

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class Steps(Hooks):
    """Calls a function with a game after each of its steps."""

    def __init__(self, game: Game, every: str, show: Callable[[Any, int], None]) -> None:
        """Begin with the first position.

        Args:
            game: The game at its first decision.
            every: The step: "round", "turn" or "move".
            show: Called with the game and the number of moves that were made when it was called before.
        """
        self._view, self._every, self._show = view_of(game), every, show
        self._moment, self._seen = self._view.moment(game, every), 0
        show(game, 0)

    def after(self, game: Game) -> None:
        """Show the game if a step has ended."""
        now = self._view.moment(game, self._every)
        if now != self._moment or game.over:
            self._show(game, self._seen)
            self._moment, self._seen = now, len(game.history)


def watch_lines(seated: Seated, every: str, whole: bool) -> None:
    """Play a game and print each step: a line, or the whole text board and an empty line."""
    view = view_of(seated.game)

    def show(game: Any, since: int) -> None:
        print_line(f"{view.text(game, since)}\n" if whole else view.line(game, since))

    play(seated, Steps(seated.game, every, show))


def watch_screen(seated: Seated, every: str, delay: float) -> None:
    """Play a game on a screen that changes with each step, ``delay`` seconds after the one before, or with a key."""
    with Keys() as keys, Live(console=terminal(), auto_refresh=False, vertical_overflow="crop") as live:
        pace, view = Pace(keys, delay), view_of(seated.game)

        def show(game: Any, since: int) -> None:
            screen = view.screen(game, since)

            def draw() -> None:
                live.update(screen("" if game.over else pace.words()), refresh=True)

            draw()
            if not game.over:
                pace.wait(draw)

        with suppress(StoppedError):
            play(seated, Steps(seated.game, every, show))


def watch_page(
    seated: Seated, delay: float, port: int, notes_by: str | None, theme: str | None, open_page: bool
) -> Game:
    """Play a game that a page in the browser follows, until Ctrl-C; return it as it is then."""
    from endeavor_env.agents.registry import annotating_agent
    from endeavor_env.agents.watch.live_game import serve_game
    from endeavor_env.web import AUTOMATIC

    annotator = None
    if notes_by is not None:
        check_notes(seated.game, notes_by=notes_by)
        annotator = annotating_agent(notes_by)
    return serve_game(*seated, delay=delay, theme=theme or AUTOMATIC, annotator=annotator, port=port, browser=open_page)


@app.command()
def main(
    words: SeatWords = None,
    seats: Seats = None,
    variant: Variant = "standard",
    seed: Seed = 7,
    board: BoardName = None,
    exploits: Exploits = None,
    option: OptionTexts = None,
    game_text: GameText = None,
    delay: Annotated[
        float, typer.Option(min=0.0, max=MOST_DELAY, help="Seconds between two steps on a terminal.")
    ] = DELAY,
    every: Annotated[str, typer.Option(help=f"What one step shows: a {', '.join(EVERY)}.")] = "turn",
    text: Annotated[bool, typer.Option("--text", help="Print the whole text board at every step.")] = False,
    browser: Annotated[
        bool, typer.Option("--browser", help="Watch on a page in the browser, which follows the game.")
    ] = False,
    port: Annotated[int | None, typer.Option(help="With --browser: the port; a free one if left out.")] = None,
    notes_by: Annotated[
        str | None, typer.Option(help="With --browser: show what this agent thinks: search:<settings> or policy.")
    ] = None,
    theme: Annotated[str | None, typer.Option(help="With --browser: light, dark, or auto (the default).")] = None,
    open_page: Annotated[
        bool, typer.Option("--open/--no-open", help="With --browser: whether to open the page.")
    ] = True,
    record: Annotated[Path | None, typer.Option(help="Also write the record of the game to this file.")] = None,
    force: Force = False,
) -> None:
    """Watch agents play: a screen that changes with every step; into a file or a pipe, a line for each.

    On the screen the space bar pauses, n or Enter shows the next step, + and - change the speed, and q quits.
    """
    with command_line():
        check_every(every)
        if record is not None:
            check_new(record, force)
        if not browser and (port, notes_by, theme) != (None,) * 3:
            raise InvalidOptionError(
                "--port, --notes-by and --theme belong to the page: give --browser too, or leave them out"
            )
        game, _ = seated = sit_down(
            read_setting(seats_of(seats, words), variant, seed, board, option, exploits, game_text)
        )
        if browser:
            game = watch_page(seated, delay, port or 0, notes_by, theme, open_page)
        elif text or not terminal().is_terminal:
            watch_lines(seated, every, text)
        else:
            watch_screen(seated, every, delay)
        print_table(final_table(game))
        if record is not None:
            write_record(game, record)
            print_line(f"Record {record}")
