"""Plays a tournament for the command line: progress, Ctrl-C, and the report."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from endeavor_env.agents.forfeits import forfeits_in_words
from endeavor_env.agents.matches.recording import make_folder
from endeavor_env.agents.results_file import check_results, write_results
from endeavor_env.agents.terminal import print_line, print_table, terminal
from endeavor_env.agents.tournament.play import play_missing
from endeavor_env.agents.tournament.plots import PICTURES, check_matplotlib, write_plots
from endeavor_env.agents.tournament.processes import count_jobs
from endeavor_env.agents.tournament.rating import DEFAULT_RESAMPLES, check_choix
from endeavor_env.agents.tournament.result import TournamentResult, check_report, make_result
from endeavor_env.agents.tournament.settings import TournamentSettings
from endeavor_env.agents.tournament.store import TournamentStore, open_store
from endeavor_env.agents.tournament.tables import result_tables
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.files import check_none_exists
from endeavor_env.errors import EndeavorError


@dataclass(frozen=True)
class Report:
    """Options of the report on the games."""

    resamples: int = DEFAULT_RESAMPLES
    """Number of bootstrap samples of the set-ups for the intervals of the ratings."""
    anchor: str | None = None
    """Agent whose rating is 0; None makes the mean 0."""
    json_file: Path | None = None
    """File to write the result to; None writes none."""
    plots: Path | None = None
    """Folder for plots; None draws none."""
    force: bool = False
    """True to replace existing files."""

    def check(self) -> None:
        """Raise InvalidOptionError for files that cannot be written or exist, and for libraries that are missing."""
        check_choix()
        if self.plots is not None:
            check_matplotlib()
            check_none_exists(self.plots, PICTURES, self.force)
        check_results(self.json_file, self.force)


class _Speed(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        """Return the speed as text."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


def play_and_report(settings: TournamentSettings, out: Path | None, jobs: int | None, report: Report) -> int:
    """Play a tournament or the rest of it, report the result, and return the exit status.

    Ctrl-C keeps the games in ``out`` and says how to go on; without such a folder it reports the set-ups that all
    fields have played.

    Args:
        settings: Those of the tournament.
        out: The folder that keeps the games; None keeps none.
        jobs: Number of processes; None for that of the cores.
        report: What to make of the games; ``report.check`` has been called.

    Raises:
        EndeavorError: See ``play_tournament``.
    """
    count = count_jobs(jobs)
    check_report(settings, report.resamples, report.anchor)
    with open_store(out, settings) as store:
        if report.plots is not None:
            make_folder(report.plots)
        finished = _play(settings, store, count)
        if not finished:
            done = sum(_games(settings, store).values())
            how = "nothing is kept without --out" if out is None else "the same command goes on from there"
            print(f"interrupted after {done} of {settings.total_games} games: {how}", file=sys.stderr)
            if out is not None:
                return INTERRUPTED
        try:
            result = _result(settings, store, report)
        except EndeavorError:
            if finished:
                raise
            return INTERRUPTED
    _show(result, report)
    if finished:
        print_line(_what_next(out, report))
    return 0 if finished else INTERRUPTED


def _what_next(out: Path | None, report: Report) -> str:
    """Return the last line of a tournament: what the same command can still make of its games."""
    more = (("--out FOLDER keeps the games", out), ("--plots FOLDER draws the results", report.plots))
    left = [text for text, given in (*more, ("--json FILE writes every figure", report.json_file)) if given is None]
    return f"Next: the same command with {', '.join(left)}" if left else f"Next: the pictures in {report.plots}"


def _games(settings: TournamentSettings, store: TournamentStore) -> dict[str, int]:
    """Return the number of games of each unit done, by its key."""
    return {key: played.unit.count * settings.tables[played.unit.table].players for key, played in store.units.items()}


def _progress(unit: str) -> Progress:
    """Return a progress bar on stderr; none if that is no terminal."""
    columns = (TextColumn(unit), BarColumn(), MofNCompleteColumn(), _Speed(), TimeRemainingColumn())
    return Progress(*columns, console=terminal(stderr=True), transient=True, disable=not sys.stderr.isatty())


def _play(settings: TournamentSettings, store: TournamentStore, jobs: int) -> bool:
    """Play what is missing with a progress bar; return False if Ctrl-C interrupted it."""
    try:
        with _progress("games") as progress, closing(play_missing(settings, store, jobs)) as playing:
            task = progress.add_task("", total=settings.total_games, completed=sum(_games(settings, store).values()))
            for played in playing:
                progress.advance(task, played.unit.count * settings.tables[played.unit.table].players)
    except KeyboardInterrupt:
        return False
    return True


def _result(settings: TournamentSettings, store: TournamentStore, report: Report) -> TournamentResult:
    """Return the result of the units done, with a progress bar for the intervals of the ratings."""
    with _progress("resampled set-ups") as progress:
        task = progress.add_task("", total=report.resamples)
        units = store.units.values()
        return make_result(settings, units, report.resamples, report.anchor, lambda: progress.advance(task))


def _show(result: TournamentResult, report: Report) -> None:
    """Write the files of the report and print the tables, which are printed even if a file cannot be written."""
    try:
        write_results(report.json_file, result.to_dict(), indent=None)
        if report.plots is not None:
            write_plots(result, report.plots)
    finally:
        for table in result_tables(result):
            print_table(table)
        if any(name != given for name, given in zip(result.names, result.settings.agents, strict=True)):
            for name, given in zip(result.names, result.settings.agents, strict=True):
                print_line(f"{name}: {given}")
        for line in forfeits_in_words([one.forfeit for one in result.forfeits], result.names):
            print_line(line)
        print_line(f"{result.games} games, {result.decisions} decisions, {result.seconds:.0f} s in all processes")
