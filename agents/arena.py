"""``endeavor arena AGENT AGENT AGENT``: play agents against each other and print their results.

With one agent for each seat it is a match at one table; with ``--round-robin`` a tournament in all fields.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from endeavor_env.agents.command_line import (
    BoardName,
    Exploits,
    GameText,
    MatchSeed,
    OptionTexts,
    command_line,
    play_and_report,
    print_forfeits,
    print_speed,
    read_any_config,
    sets_difficulty,
    start,
)
from endeavor_env.agents.matches import AgentResult, Match, MatchResult, check_seats, play_match
from endeavor_env.agents.registry import NAMES
from endeavor_env.agents.results_file import JsonFile
from endeavor_env.agents.runner import RECORDS, play_game
from endeavor_env.agents.statistics import DEFAULT_RESAMPLES
from endeavor_env.agents.terminal import print_table
from endeavor_env.agents.tournament.command import Report
from endeavor_env.agents.tournament.command import play_and_report as play_tournament_and_report
from endeavor_env.agents.tournament.playing import DEFAULT_GAMES, DEFAULT_MIXED, EVERY_DIFFICULTY, read_settings
from endeavor_env.basics.files import check_none_exists
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.games import default_game, game_in, game_of
from endeavor_env.errors import InvalidOptionError

__all__ = ["AgentResult", "Match", "MatchResult", "app", "play_game", "play_match", "results_table"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

Games = Annotated[
    int | None,
    typer.Option(
        help=f"A multiple of the number of agents; {DEFAULT_GAMES}, or the next multiple above. In a tournament the "
        "least number of games of each field."
    ),
]
Variant = Annotated[
    str,
    typer.Option(
        help="standard and exploits (3 to 5 seats), soloplay_2, soloplay_3 or neutral_2; for solo: "
        "endeavor_env.agents.solo_match, or --round-robin."
    ),
]
RoundRobin = Annotated[
    bool, typer.Option("--round-robin", help="Play a tournament: one of each among each other, and mixed tables.")
]
Mixed = Annotated[
    int | None, typer.Option(help=f"Tournament: the most mixed tables for each table size; {DEFAULT_MIXED}.")
]
Out = Annotated[
    Path | None, typer.Option(help="Tournament: a folder that keeps the games; the same command goes on in it.")
]
Resamples = Annotated[
    int | None, typer.Option(help=f"Tournament: resampled sets of set-ups for the intervals; {DEFAULT_RESAMPLES}.")
]


def results_table(result: MatchResult) -> Table:
    """Return the outcome as a table to print."""
    played = game_of(result.config.rules).headline(result.config)
    table = Table(
        title=f"{result.games} games{played}, {result.scores.shape[0]} set-ups in {len(result.agents)} seatings each, "
        f"seed {result.seed}",
        caption=f"parity is {1 / len(result.agents):.1%}",
    )
    table.add_column("agent", overflow="fold")
    for heading in ("wins", "95 % interval", "mean score", "mean rank"):
        table.add_column(heading, justify="right", no_wrap=True)
    for agent in result.agents:
        low, high = agent.interval
        table.add_row(
            agent.name,
            f"{agent.win_rate:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{agent.mean_score:.1f} ± {agent.score_sd:.1f}",
            f"{agent.mean_rank:.2f}",
        )
    return table


def _show(result: MatchResult) -> None:
    """Print a result and its speed."""
    print_table(results_table(result))
    print_forfeits(result.forfeits, [agent.name for agent in result.agents])
    print_speed(result, result.games)


def _table_sizes(texts: list[str] | None) -> list[int] | None:
    """Return table sizes given as "3,4,5" or one by one; raise InvalidOptionError for what is no number."""
    if texts is None:
        return None
    parts = [part.strip() for text in texts for part in text.split(",")]
    wrong = [part for part in parts if not (part.isascii() and part.isdecimal() and len(part) < 4)]
    if wrong:
        raise InvalidOptionError(f"players={wrong[0]!r} is not possible: give table sizes, such as 3,4,5")
    return [int(part) for part in parts]


def _refuse_without_round_robin(given: dict[str, object]) -> None:
    """Raise InvalidOptionError if an option of tournaments has a value."""
    for name, value in given.items():
        if value is not None:
            raise InvalidOptionError(f"--{name} belongs to tournaments: give --round-robin too, or leave it out")


@app.command()
def main(
    agents: Annotated[list[str], typer.Argument(help=f"An agent for each seat: {', '.join(NAMES)}.")],
    games: Games = None,
    seed: MatchSeed = 0,
    board: BoardName = None,
    variant: Variant = STANDARD,
    exploits: Exploits = None,
    option: OptionTexts = None,
    game: GameText = None,
    json_file: JsonFile = None,
    record: Annotated[Path | None, typer.Option(help="Also write the record of every game into this folder.")] = None,
    round_robin: RoundRobin = False,
    players: Annotated[list[str] | None, typer.Option(help="Tournament: table sizes, such as 3,4,5; 4.")] = None,
    mixed: Mixed = None,
    jobs: Annotated[int | None, typer.Option(help="Tournament: processes; as many as there are cores.")] = None,
    out: Out = None,
    anchor: Annotated[str | None, typer.Option(help="Tournament: the agent with the rating 0.")] = None,
    resamples: Resamples = None,
    plots: Annotated[Path | None, typer.Option(help="Tournament: draw pictures into this folder.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace results, records and pictures of before.")] = False,
) -> None:
    """Play agents against each other, every set-up once in every seating, and print their results."""
    with command_line(json_file, force):
        if round_robin:
            report = Report(DEFAULT_RESAMPLES if resamples is None else resamples, anchor, json_file, plots, force)
            report.check()
            if record is not None and out is None:  # with --out the same command goes on, and adds to its records
                check_none_exists(record, RECORDS, force)
            if sets_difficulty(option, game):
                raise InvalidOptionError(EVERY_DIFFICULTY)
            sizes = _table_sizes(players)
            config = read_any_config(variant, min(sizes) if sizes else None, board, option, exploits, game)
            settings = read_settings(
                agents,
                DEFAULT_GAMES if games is None else games,
                seed,
                players=sizes,
                mixed=DEFAULT_MIXED if mixed is None else mixed,
                config=config,
                records=record,
            )
            status = play_tournament_and_report(settings, out, jobs, report)
        else:
            tournament = {"players": players, "mixed": mixed, "jobs": jobs, "out": out, "anchor": anchor}
            _refuse_without_round_robin({**tournament, "resamples": resamples, "plots": plots})
            if record is not None:
                check_none_exists(record, RECORDS, force)
            count = max(len(agents), 1)
            games = -(-DEFAULT_GAMES // count) * count if games is None else games
            if game_in(game) is default_game():
                check_seats(len(agents), variant if game is None else game.partition(":")[0])
            config = read_any_config(variant, len(agents), board, option, exploits, game)
            match = Match(agents, games, seed, config=config, records=record)
            status = play_and_report(match, 1, _show, json_file)
    raise typer.Exit(status)


if __name__ == "__main__":
    start(app)
