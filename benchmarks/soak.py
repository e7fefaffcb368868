"""``endeavor bench soak --games 100000``: random games with every invariant checked at every decision.

Games are numbered. Game N is the same on every machine, whatever other games are played: its variant, options, board,
set-up and moves follow from the command line and ``--seed`` + N. Stop with Ctrl-C at any time and continue with
``--start``.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.terminal import print_line, print_table, terminal
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.benchmarks.command import SeveralValues, check_choices, exit_status, new_app
from endeavor_env.benchmarks.machine import provenance, sentence
from endeavor_env.benchmarks.measured_games import NAMES, SEATS, kinds_of, name_of
from endeavor_env.benchmarks.soak_exploits import Events, events_table
from endeavor_env.benchmarks.soak_games import SoakTally, SoakWorker, play_all
from endeavor_env.benchmarks.soak_plan import NUM_BOARDS, REDRAWS, SoakPlan
from endeavor_env.endeavor.ensure import ensure_parts
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.players import RANDOM, player_of
from endeavor_env.endeavor.rules.parts import CHECKS, EXPLOITS, PLAYERS
from endeavor_env.errors import InvalidOptionError

MOST_JOBS = 1_024
BOARDS = ("default", "generated", "both")


app = new_app()


def results_table(tallies: dict[GameConfig, SoakTally], seconds: float) -> Table:
    """Return a table with a row for each kind of game and one for all."""
    whole = SoakTally()
    for tally in tallies.values():
        whole.add(tally)
    rate = f"{whole.decisions / seconds:,.0f} audited decisions/s"
    table = Table(title=f"{whole.games:,} games in {seconds:.1f} s, {rate}")
    table.add_column("variant", no_wrap=True)
    for heading in ("seats", "games", "decisions", "longest game", "violations"):
        table.add_column(heading, justify="right", no_wrap=True)
    rows = [(name_of(kind), str(kind.players), tally) for kind, tally in tallies.items()]
    for name, seats, tally in [*rows, ("all", "", whole)]:
        counts = (tally.games, tally.decisions, tally.longest, tally.violations.total())
        table.add_row(name, seats, *(f"{count:,}" for count in counts))
    return table


def prepare(plan: SoakPlan, start: int, games: int) -> None:
    """Make the boards and compile the kernels, before the clock starts."""
    ensure_parts(CHECKS, PLAYERS, EXPLOITS)
    for number in range(start, start + min(games, 2 * len(plan.kinds) * len(REDRAWS) * NUM_BOARDS)):
        plan.game(number)  # makes its board
    SoakWorker().play(plan, start)


def run(plan: SoakPlan, start: int, games: int, jobs: int) -> int:
    """Play and print; return the exit status: 0 without violations, 1 with violations, 130 if interrupted."""
    tallies = {kind: SoakTally() for kind in plan.kinds}
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    prepare(plan, start, games)
    began = time.perf_counter()
    errors = terminal(stderr=True)
    with Progress(*columns, console=errors, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=games)
        try:
            for found in play_all(plan, start, games, jobs):
                for kind, tally in found.items():
                    tallies[kind].add(tally)
                progress.update(task, completed=sum(tally.games for tally in tallies.values()))
        except KeyboardInterrupt:
            errors.print("stopped")
    console = terminal()
    print_table(results_table(tallies, time.perf_counter() - began), console)
    events: Events = Counter()
    for tally in tallies.values():
        events.update(tally.exploits)  # a sum would drop negative Glory
    if events:
        print_table(events_table(events), console)
    violations = sum((tally.violations for tally in tallies.values()), Counter[str]())
    for name, count in violations.most_common():
        print_line(f"{count:,} times: {name}", console)
    for text in [text for tally in tallies.values() for text in tally.reports][:3]:
        print_line(text, console)
    print_line(sentence(provenance("endeavor_env.benchmarks.soak")), console)
    done = sum(tally.games for tally in tallies.values())
    if done < games:
        go_on = f"--start {start + done} --games {games - done}"
        print_line(f"stopped after {done:,} games; go on with {go_on}", console)
    return 1 if violations else INTERRUPTED if done < games else 0


@app.command(cls=SeveralValues)
def command(
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 10_000,
    variants: Annotated[
        list[str] | None, typer.Option(help=f"{', '.join(NAMES)}; all if left out.", metavar="VARIANT ...")
    ] = None,
    players: Annotated[
        list[int] | None, typer.Option(help=f"Seats of the base game: {', '.join(map(str, SEATS))}; all if left out.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of game 0; each further game has the next seed.")] = 0,
    boards: Annotated[str, typer.Option(help=f"{', '.join(BOARDS)}.")] = BOARDS[-1],
    start: Annotated[int, typer.Option(min=0, help="Number of the first game.")] = 0,
    jobs: Annotated[int, typer.Option(help=f"Threads, 1 to {MOST_JOBS}.")] = 1,
    facade_every: Annotated[
        int, typer.Option(min=0, help="One game in so many tries all ids at all decisions; 0: none.")
    ] = 2_000,
    agents: Annotated[
        list[str] | None,
        typer.Option(help="Compiled players for the seats, instead of random play.", metavar="PLAYER ..."),
    ] = None,
) -> None:
    """Play random games and check every invariant at every decision."""
    with command_line():
        check_choices("--variants", variants or (), NAMES)
        check_choices("--players", players or (), SEATS)
        check_choices("--boards", [boards], BOARDS)
        if not 1 <= jobs <= MOST_JOBS:
            raise InvalidOptionError(f"--jobs must be 1 to {MOST_JOBS}")
        kinds = kinds_of(variants or NAMES, players or SEATS)
        for name, kind in itertools.product(agents or (), kinds):
            if name != RANDOM:
                player_of(name).check_plays(kind.variant)
        plan = SoakPlan(seed, kinds, boards, facade_every, tuple(agents or ()))
        status = run(plan, start, games, jobs)
    raise typer.Exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(app, "endeavor_env.benchmarks.soak", arguments)


if __name__ == "__main__":
    sys.exit(main())
