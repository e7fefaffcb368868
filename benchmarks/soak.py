"""``python -m benchmarks.soak --games 100000``: random games with every invariant checked at every decision.

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

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agents.terminal import print_line, print_table, terminal
from benchmarks.command import INTERRUPTED, command_parser, exit_status
from benchmarks.machine import provenance, sentence
from benchmarks.measured_games import NAMES, SEATS, Kind, kinds_of
from benchmarks.soak_exploits import Events, events_table
from benchmarks.soak_games import Tally, Worker, play_all
from benchmarks.soak_plan import NUM_BOARDS, REDRAWS, Plan, board_of
from endeavor_env.players import check_plays
from endeavor_env.seating import Roster

MOST_JOBS = 1_024


def results_table(tallies: dict[Kind, Tally], seconds: float) -> Table:
    """Return a table with a row for each kind of game and one for all."""
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    rate = f"{whole.decisions / seconds:,.0f} audited decisions/s"
    table = Table(title=f"{whole.games:,} games in {seconds:.1f} s, {rate}")
    table.add_column("variant", no_wrap=True)
    for heading in ("seats", "games", "decisions", "longest game", "violations"):
        table.add_column(heading, justify="right", no_wrap=True)
    rows = [(kind.name, str(kind.players), tally) for kind, tally in tallies.items()]
    for name, seats, tally in [*rows, ("all", "", whole)]:
        counts = (tally.games, tally.decisions, tally.longest, tally.violations.total())
        table.add_row(name, seats, *(f"{count:,}" for count in counts))
    return table


def prepare(plan: Plan, start: int, games: int) -> None:
    """Make the boards and compile the kernels, before the clock starts."""
    for number in range(start, start + min(games, 2 * len(plan.kinds) * len(REDRAWS) * NUM_BOARDS)):
        board_of(plan.game(number).board)
    Worker().play(plan, start)


def run(plan: Plan, start: int, games: int, jobs: int) -> int:
    """Play and print; return the exit status: 0 without violations, 1 with violations, 130 if interrupted."""
    tallies = {kind: Tally() for kind in plan.kinds}
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
    print_line(sentence(provenance("benchmarks.soak")), console)
    done = sum(tally.games for tally in tallies.values())
    if done < games:
        go_on = f"--start {start + done} --games {games - done}"
        print_line(f"stopped after {done:,} games; go on with {go_on}", console)
    return 1 if violations else INTERRUPTED if done < games else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and run."""
    parser = command_parser("benchmarks.soak", "Play random games and check every invariant at every decision.")
    parser.add_argument("--games", type=int, default=10_000, help="number of games (default 10000)")
    parser.add_argument("--variants", nargs="+", choices=NAMES, default=NAMES, metavar="VARIANT", help=", ".join(NAMES))
    parser.add_argument("--players", type=int, nargs="+", choices=SEATS, default=SEATS, help="seats of the base game")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of game 0; each further game has the next seed (default 0)"
    )
    parser.add_argument("--boards", choices=("default", "generated", "both"), default="both", help="(default both)")
    parser.add_argument("--start", type=int, default=0, help="number of the first game (default 0)")
    parser.add_argument("--jobs", type=int, default=1, help="threads (default 1)")
    parser.add_argument(
        "--facade-every",
        type=int,
        default=2_000,
        help="one game in so many tries all ids at all decisions; 0: none",
    )
    parser.add_argument(
        "--agents",
        nargs="+",
        default=(),
        metavar="PLAYER",
        help="compiled players for the seats, instead of random play",
    )
    given = parser.parse_args(arguments)
    if given.games < 1 or given.seed < 0 or given.start < 0 or given.facade_every < 0:
        parser.error("--games must be at least 1, --seed, --start and --facade-every at least 0")
    if not 1 <= given.jobs <= MOST_JOBS:
        parser.error(f"--jobs must be 1 to {MOST_JOBS}")
    kinds, agents = kinds_of(given.variants, given.players), tuple(given.agents)
    for name, kind in itertools.product(agents, kinds):
        Roster().code_of(name)  # refuses an unknown name
        check_plays(name, kind.variant)
    plan = Plan(given.seed, kinds, given.boards, given.facade_every, agents)
    return run(plan, given.start, given.games, given.jobs)


if __name__ == "__main__":
    sys.exit(exit_status(main))
