"""``endeavor evaluate CHECKPOINT``: measure a trained policy.

It plays against each reference opponent at each table size, or the solitaire game at each difficulty.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from gymnasium.vector import AutoresetMode
from rich.console import Console
from rich.table import Table

from endeavor_env.agents.base import Agent
from endeavor_env.agents.checkpoint import read_card, write_card, zip_path
from endeavor_env.agents.command_line import command_line, play_and_report, start
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.games import config_of, table_sizes_of
from endeavor_env.agents.matches import MIN_GAMES, SoloMatch, SoloMatchResult, play_match
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.agents.players.compiled import CompiledAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.solo_match import results_tables
from endeavor_env.agents.statistics import wilson_interval, win_shares
from endeavor_env.agents.terminal import print_line, print_next, print_table
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.endeavor.players.network_file import OF_PACKAGE
from endeavor_env.endeavor.players.policy.player import policy_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.games import game_of_variant
from endeavor_env.engine.players import RANDOM
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.running import next_match

if TYPE_CHECKING:
    from endeavor_env.agents.players.learned import LearnedAgent

PLAYERS = (3, 4, 5)
OPPONENTS = ("random", "greedy")
SEED = 1_000_003  # of the set-ups; training draws its own from 53-bit seeds, so they differ


def learner_of(path: Path) -> Agent:
    """Return the agent of a checkpoint, inside the kernels if they compute networks of its shape: both choose the same.

    Raises:
        CheckpointError: The checkpoint cannot be loaded.
    """
    from endeavor_env.agents.players.learned import LearnedAgent  # needs PyTorch, which the help does not
    from endeavor_env.agents.players.policy import read_policy

    try:
        arrays, variant = read_policy(str(path))
    except InvalidOptionError:
        return LearnedAgent(path)
    memory = policy_memory({c.VARIANT_NAMES.index(variant): arrays})
    return CompiledAgent(OF_PACKAGE, zip_path(path).stem, lambda _: memory.copy())


def sizes_to_measure(card: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the table sizes at which the policy of a card is measured: where several are, all that it can play."""
    if game_of_variant(card["variant"]).policies_in_kernels:
        return PLAYERS
    sizes = card["training"].get("settings", {}).get("players")
    return tuple(sizes or table_sizes_of(config_of(card["variant"])))


def opponents_to_measure(variant: str) -> tuple[str, ...]:
    """Return those of OPPONENTS that the game of a variant has."""
    players = config_of(variant).rules.players
    return tuple(name for name in OPPONENTS if name == RANDOM or players.find(name) is not None)


def evaluate(
    path: Path,
    games: int,
    players: tuple[int, ...] = PLAYERS,
    opponents: tuple[str, ...] = OPPONENTS,
    seed: int = SEED,
) -> list[dict[str, Any]]:
    """Play the matches of ``evaluated`` and return their results."""
    return list(evaluated(path, games, players, opponents, seed))


def evaluated(
    path: Path, games: int, players: tuple[int, ...], opponents: tuple[str, ...], seed: int
) -> Iterator[dict[str, Any]]:
    """Play ``games`` games for each table size and opponent; the learner takes every seat equally often.

    Yields:
        A dictionary after each match: players, opponent, games, win_rate, interval (95 %), parity, mean_score,
        opponents_mean_score.

    Raises:
        InvalidOptionError: ``games`` is no positive multiple of each of ``players``, or the seed is below 0.
        CheckpointError: The checkpoint cannot be loaded.
    """
    if games < 1 or games % math.lcm(*players):
        raise InvalidOptionError(f"games={games} is not possible: give a positive multiple of {math.lcm(*players)}")
    variant = read_card(path)["variant"]
    in_kernels = game_of_variant(variant).policies_in_kernels
    measured = partial(_of_match, learner_of(path)) if in_kernels else _side_by_side(path)
    for count in players:
        for opponent in opponents:
            figures = measured(config_of(variant, count), opponent, games, seed)
            yield {"players": count, "opponent": opponent, "games": games, **figures}


def _of_match(learner: Agent, config: GameConfig, opponent: str, games: int, seed: int) -> dict[str, Any]:
    """Return the figures of a match."""
    match = play_match([learner, *(make_agent(opponent) for _ in range(config.players - 1))], games=games, seed=seed)
    own, others = match.agents[0], match.agents[1:]
    return {
        "win_rate": own.win_rate,
        "interval": list(own.interval),
        "parity": 1.0 / len(match.agents),
        "mean_score": own.mean_score,
        "opponents_mean_score": sum(other.mean_score for other in others) / len(others),
    }


def scores_among(
    agent: LearnedAgent, config: GameConfig, opponent: str, games: int, seed: int
) -> npt.NDArray[np.int64]:
    """Return the scores of ``games`` games, (games, seats): first the policy's, then those of the others.

    Args:
        agent: The policy, which takes the most likely move.
        config: What is played.
        opponent: The compiled player in all other seats.
        games: A multiple of the seats.
        seed: Draws the set-ups.
    """
    env = GameVectorEnv(games, config=config, opponents=opponent, autoreset_mode=AutoresetMode.SAME_STEP)
    numbers = np.arange(games)
    seats = numbers % config.players
    setups = np.repeat(spread_seeds(seed, games // config.players), config.players)
    seen, _ = env.reset(seed=setups, options={"learner_seat": seats.tolist()})
    scores, missing = np.zeros((games, config.players), np.int64), np.ones(games, np.bool_)
    while missing.any():
        masks = seen["action_mask"]
        actions = agent.network.act(seen["observation"], masks, temperature=0.0, generator=None)
        seen, _, terminated, truncated, infos = env.step(actions)
        ended = (terminated | truncated) & missing
        if ended.any():
            scores[ended] = infos["final_info"]["scores"][ended, : config.players]
            missing &= ~ended
    env.close()
    order = (seats[:, None] + np.arange(config.players)) % config.players
    return np.take_along_axis(scores, order, axis=1)


def _side_by_side(path: Path) -> Callable[..., dict[str, Any]]:
    """Return what plays all games of a cell at once, and returns the same figures."""
    from endeavor_env.agents.players.learned import LearnedAgent

    agent = LearnedAgent(path)

    def measured(config: Any, opponent: str, games: int, seed: int) -> dict[str, Any]:
        scores = scores_among(agent, config, opponent, games, seed)
        wins = float(win_shares(scores)[:, 0].mean())
        return {
            "win_rate": wins,
            "interval": list(wilson_interval(wins, games)),
            "parity": 1.0 / config.players,
            "mean_score": float(scores[:, 0].mean()),
            "opponents_mean_score": float(scores[:, 1:].mean()),
        }

    return measured


def solo_match(path: Path, games: int, seed: int = SEED) -> SoloMatch:
    """Return a match of ``games`` solitaire games at each difficulty with a checkpoint, on the same set-ups."""
    return SoloMatch([learner_of(path)], games, seed)


def evaluate_solo(path: Path, games: int, seed: int = SEED) -> SoloMatchResult:
    """Play the games of ``solo_match`` and return their result."""
    match = solo_match(path, games, seed)
    for _ in match.play():
        pass
    return match.result()


def solo_rows(result: SoloMatchResult) -> list[dict[str, Any]]:
    """Return the part of a solitaire result that cards keep: a dictionary per difficulty, without single scores."""
    return [
        {key: value for key, value in row.to_dict().items() if key != "scores"} | {"games": result.games}
        for row in result.rows
    ]


def solo_tables(result: SoloMatchResult, title: str) -> list[Table]:
    """Return the tables of a solitaire match to print, the first under ``title``."""
    figures, ladder = results_tables(result)
    figures.title = f"{title}: {figures.title}"
    return [figures, ladder]


def measure(final: Path, games: int, players: tuple[int, ...], title: str, console: Console) -> None:
    """Evaluate the final checkpoint of a run, write the results into its card and print them.

    Args:
        final: The zip of the checkpoint.
        games: Games for each table size and opponent, or for each difficulty.
        players: The table sizes.
        title: The title of the first table, which goes on with the decisions and the seed of the run.
        console: Prints the results.
    """
    card = read_card(final)
    training = card["training"]
    title = f"{title}: {training['steps']:,} decisions, seed {training['seed']}"
    if card["variant"] == SOLO:
        solo_results = evaluate_solo(final, games)
        results, tables = solo_rows(solo_results), solo_tables(solo_results, title)
    else:
        results = evaluate(final, games, players, opponents_to_measure(card["variant"]))
        tables = [results_table(results, title)]
    write_card(final, NetworkSpec.from_dict(card["network"]), training, results, card["variant"])
    for table in tables:
        print_table(table, console)
    print_line(f"Checkpoint {final}, card {final.with_suffix('.json')}", console)


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
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --json if it exists.")] = False,
) -> None:
    """Print the win rates of a checkpoint."""
    with command_line(json_file, force):
        check_libraries("train", "torch")
        if read_card(checkpoint)["variant"] == SOLO:
            status = play_and_report(
                solo_match(checkpoint, games, seed), MIN_GAMES, partial(show_solo, checkpoint), json_file
            )
        else:
            status = show_evaluation(checkpoint, games, seed, json_file)
        if status == 0:
            print_next(*next_match(f"checkpoint:{checkpoint}", read_card(checkpoint)["variant"]))
    raise typer.Exit(status)


def show_solo(checkpoint: Path, result: SoloMatchResult) -> None:
    """Print the result of a solitaire match."""
    for table in solo_tables(result, str(checkpoint)):
        print_table(table)


def show_evaluation(checkpoint: Path, games: int, seed: int, json_file: Path | None = None) -> int:
    """Play the matches of a checkpoint, write and print their results, return the exit status; Ctrl-C ends early."""
    card = read_card(checkpoint)
    rows, status, players, opponents = [], 0, sizes_to_measure(card), opponents_to_measure(card["variant"])
    try:
        for row in evaluated(checkpoint, games, players, opponents, seed):
            rows.append(row)
    except KeyboardInterrupt:
        print(f"interrupted after {len(rows)} of {len(players) * len(opponents)} matches", file=sys.stderr)
        status = INTERRUPTED
    if rows:
        write_results(json_file, {"checkpoint": str(checkpoint), "seed": seed, "results": rows})
        print_table(results_table(rows, str(checkpoint)))
    return status


if __name__ == "__main__":
    start(lambda: typer.run(main))
