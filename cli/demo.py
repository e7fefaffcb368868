"""``endeavor demo``: a game, its files, what a player thinks of a position, and a tournament, in about a minute."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.live import Live
from rich.table import Table

from endeavor_env.agents.arena import results_table
from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.matches import Match
from endeavor_env.agents.players.value_agent import ValueAgent
from endeavor_env.agents.runner import make_folder
from endeavor_env.agents.terminal import print_line, print_table, terminal
from endeavor_env.basics.files import check_new, write_text
from endeavor_env.cli.choices import Force, open_file
from endeavor_env.cli.endeavor_view import screen_of
from endeavor_env.cli.tables import Setting, final_table, play, playing, sit_down
from endeavor_env.cli.views import positions, shown_moves
from endeavor_env.endeavor.drawing.view import view_game
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.records import write_record
from endeavor_env.web import write_replay_page

SEATS = ("value", "greedy", "lookahead", "random")
SEED = 3
WATCHED, TOURNAMENT = 0.35, 0.9
"""When the game on the screen and the tournament end, as shares of the time."""
LONGEST_STEP = 0.5
MOST_SETUPS = 1_000
MOVES_SHOWN, LEAST_CHOICES = 3, 8
RECORD, PAGE, PICTURE = "game.json", "game.html", "game.svg"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def act(number: int, what: str) -> None:
    """Print the heading of a part."""
    print_line(f"\n{number} of 4: {what}")


def watch(game: Game, until: float) -> None:
    """Show a finished game on a terminal, in steps that are over at a time of the clock; elsewhere only its end."""
    if terminal().is_terminal:
        numbers = shown_moves(game, "turn")
        delay = min(LONGEST_STEP, max(0.0, until - time.monotonic()) / len(numbers))
        with Live(console=terminal(), auto_refresh=False, vertical_overflow="crop", transient=True) as live:
            before = 0
            for number, position in zip(numbers, positions(game, numbers), strict=True):
                live.update(screen_of(view_game(position, before)), refresh=True)
                before = number
                time.sleep(delay)
    print_table(final_table(game))


def write_files(game: Game, folder: Path) -> None:
    """Write the record of a game, a page that replays it, and a picture of its end."""
    write_record(game, folder / RECORD)
    write_replay_page(game, folder / PAGE)
    write_text(folder / PICTURE, game.svg() + "\n")
    for name, what in ((PAGE, "the game to step through"), (PICTURE, "its end"), (RECORD, "its record")):
        print_line(f"  {folder / name}: {what}")


def worth_explaining(game: Game) -> Game:
    """Return the first position of the second half of a game in which there is much to choose from."""
    middle = len(game.history) // 2
    later = (game.at_move(number) for number in range(middle, len(game.history)))
    return next((one for one in later if len(one.legal_actions()) >= LEAST_CHOICES), game.at_move(middle))


def explain(game: Game) -> None:
    """Print what the value network thinks of a position of a game."""
    position, agent = worth_explaining(game), ValueAgent()
    view = view_game(position)
    table = Table(title=f"round {view.round} of {view.num_rounds}", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("who", no_wrap=True)
    for heading in ("Glory now", "expects", "Glory at the end"):
        table.add_column(heading, justify="right", no_wrap=True)
    expected = agent.expect_of_seats(position)
    for mat, value, score in zip(view.mats, expected, game.scores(), strict=True):
        table.add_row(mat.title, str(mat.glory), f"{value:.2f}", str(score))
    print_table(table)
    print_line("  (it expects a share of the win, and 0.02 for each Glory of lead)")
    print_line(f"  {view.mats[position.seat].title} is to move; the best moves:")
    for choice in agent.expect(position)[:MOVES_SHOWN]:
        print_line(f"  {choice.value:.2f}  {move_in_words(view.board, position.describe(choice.action))}")


def tournament(until: float) -> None:
    """Let the agents meet on the same set-ups from every seat until a time of the clock, and print who wins."""
    match = Match(SEATS, MOST_SETUPS * len(SEATS), SEED)
    with playing():
        for _ in match.play():
            if time.monotonic() >= until:
                break
    print_table(results_table(match.result()))


@app.command()
def main(
    out: Annotated[Path | None, typer.Option(help="Folder for what is written; a temporary one if left out.")] = None,
    seconds: Annotated[float, typer.Option(min=1.0, max=3600.0, help="About how long it takes.")] = 60.0,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page of the game at the end.")] = False,
    force: Force = False,
) -> None:
    """Take a one-minute tour: a game, its page and picture, an agent's evaluation, a tournament."""
    with command_line():
        if out is not None and out.is_dir():
            for name in (RECORD, PAGE, PICTURE):
                check_new(out / name, force)
        folder = Path(tempfile.mkdtemp(prefix="endeavor-demo-")) if out is None else out
        make_folder(folder)
        begun = time.monotonic()
        act(1, f"{', '.join(SEATS)} play a game")
        seated = sit_down(Setting(SEATS, GameConfig(players=len(SEATS)), SEED))
        with playing():
            game = play(seated)
        watch(game, begun + WATCHED * seconds)
        act(2, "a picture of it, and a page that replays it without a network")
        write_files(game, folder)
        act(3, "what the value network thinks in the middle of it")
        explain(game)
        act(4, "the same four, on set-ups that each plays from every seat")
        tournament(begun + TOURNAMENT * seconds)
        print_line(f"\nThe files are in {folder}. Next: endeavor play --seats human greedy greedy")
        if open_page:
            open_file(folder / PAGE)


if __name__ == "__main__":
    app()
