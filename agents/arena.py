"""``python -m agents.arena AGENT AGENT AGENT``: play agents against each other and print their results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from agents.command_line import command_line, play_and_report, print_speed, read_options, start
from agents.matches.match import AgentResult, Match, MatchResult, play_match
from agents.matches.series import play_game
from agents.registry import NAMES
from agents.terminal import print_table
from endeavor_env.files import check_writable
from endeavor_env.setups import STANDARD

__all__ = ["AgentResult", "Match", "MatchResult", "app", "play_game", "play_match", "results_table"]

DEFAULT_GAMES = 400

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def results_table(result: MatchResult) -> Table:
    """Return the outcome as a table to print."""
    what = "games" if result.variant == STANDARD else f"games of {result.variant}"
    table = Table(
        title=f"{result.games} {what} on {result.board}, {result.scores.shape[0]} set-ups in "
        f"{len(result.agents)} seatings each, seed {result.seed}",
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
    print_speed(result, result.games)


@app.command()
def main(
    agents: Annotated[list[str], typer.Argument(help=f"An agent for each seat: {', '.join(NAMES)}.")],
    games: Annotated[
        int | None,
        typer.Option(help=f"A multiple of the number of agents; {DEFAULT_GAMES}, or the next multiple above."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Draws the set-ups and seeds the agents.")] = 0,
    board: Annotated[str | None, typer.Option(help="endeavor_2009, generated_<seed>, or a board file.")] = None,
    variant: Annotated[
        str,
        typer.Option(help="standard (3 to 5 seats), soloplay_2, soloplay_3 or neutral_2; solo: agents.solo_match."),
    ] = STANDARD,
    option: Annotated[list[str] | None, typer.Option(help="An option of the variant, name=value; repeatable.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the result to this file.")] = None,
) -> None:
    """Play agents against each other, every set-up once in every seating, and print their results."""
    with command_line():
        if json_file is not None:
            check_writable(json_file)
        count = max(len(agents), 1)
        games = -(-DEFAULT_GAMES // count) * count if games is None else games
        match = Match(agents, games, seed, board=board, variant=variant, options=read_options(option or ()))
        status = play_and_report(match, 1, _show, json_file)
    raise typer.Exit(status)


if __name__ == "__main__":
    start(app)
