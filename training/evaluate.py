"""``python -m training.evaluate CHECKPOINT``: measure a trained policy.

It plays against each reference opponent at each table size, or the solitaire game at each difficulty.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.table import Table

from agents.checkpoint import read_card
from agents.command_line import exit_on
from agents.matches.match import play_match
from agents.matches.solo import SoloMatch, SoloMatchResult
from agents.players.learned import LearnedAgent
from agents.registry import make_agent
from agents.solo_match import results_table as solo_results_table
from endeavor_env.errors import EndeavorError
from endeavor_env.setups import SOLO

OPPONENTS = ("random", "greedy")
SEED = 1_000_003  # of the set-ups; training draws its own from 53-bit seeds, so they differ


def evaluate(
    path: Path,
    games: int,
    players: tuple[int, ...] = (3, 4, 5),
    opponents: tuple[str, ...] = OPPONENTS,
    seed: int = SEED,
) -> list[dict[str, Any]]:
    """Play ``games`` games for each table size and opponent; the learner takes every seat equally often.

    Returns:
        A dictionary for each match: players, opponent, games, win_rate, interval (95 %), parity, mean_score,
        opponents_mean_score.
    """
    results = []
    for count in players:
        for opponent in opponents:
            learner = LearnedAgent(path)
            match = play_match([learner, *(make_agent(opponent) for _ in range(count - 1))], games=games, seed=seed)
            own, others = match.agents[0], match.agents[1:]
            results.append(
                {
                    "players": count,
                    "opponent": opponent,
                    "games": games,
                    "win_rate": own.win_rate,
                    "interval": list(own.interval),
                    "parity": 1.0 / count,
                    "mean_score": own.mean_score,
                    "opponents_mean_score": sum(other.mean_score for other in others) / len(others),
                }
            )
    return results


def evaluate_solo(path: Path, games: int, seed: int = SEED) -> SoloMatchResult:
    """Play ``games`` solitaire games at each difficulty with a checkpoint, on the same set-ups."""
    match = SoloMatch([LearnedAgent(path)], games, seed)
    for _ in match.play():
        pass
    return match.result()


def solo_rows(result: SoloMatchResult) -> list[dict[str, Any]]:
    """Return the part of a solitaire result that cards keep: a dictionary per difficulty, without single scores."""
    return [
        {key: value for key, value in row.to_dict().items() if key != "scores"} | {"games": result.games}
        for row in result.rows
    ]


def solo_table(result: SoloMatchResult, title: str) -> Group:
    """Return a solitaire match to print."""
    return Group(title, solo_results_table(result))


def results_table(results: list[dict[str, Any]], title: str) -> Table:
    """Return the results as a table to print."""
    games = "/".join(str(number) for number in sorted({row["games"] for row in results}))
    table = Table(title=f"{title}; {games} games each")
    for heading in ("seats", "against", "wins", "95 % interval", "parity", "score", "theirs"):
        table.add_column(heading, justify="left" if heading == "against" else "right", no_wrap=True)
    for row in results:
        low, high = row["interval"]
        table.add_row(
            str(row["players"]),
            f"{row['players'] - 1} x {row['opponent']}",
            f"{row['win_rate']:.1%}",
            f"{100 * low:.1f}-{high:.1%}",
            f"{row['parity']:.0%}",
            f"{row['mean_score']:.1f}",
            f"{row['opponents_mean_score']:.1f}",
        )
    return table


def main(
    checkpoint: Annotated[Path, typer.Argument(help="The zip of a checkpoint.")],
    games: Annotated[
        int,
        typer.Option(
            help="Games for each table size and opponent, divisible by 3, 4 and 5; in solo for each difficulty."
        ),
    ] = 240,
    seed: Annotated[int, typer.Option(help="Seed of the set-ups.")] = SEED,
) -> None:
    """Print the win rates of a checkpoint."""
    with exit_on(EndeavorError):
        if read_card(checkpoint)["variant"] == SOLO:
            table: Group | Table = solo_table(evaluate_solo(checkpoint, games, seed), str(checkpoint))
        else:
            table = results_table(evaluate(checkpoint, games, seed=seed), str(checkpoint))
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
