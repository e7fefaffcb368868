"""``endeavor datasets AGENT AGENT AGENT --out DIR``: play games and keep every decision, to learn from.

The folder gets compressed shards of decisions and a card, ``dataset.json``; ``endeavor_env.training.dataset.read``
reads them. It can be stopped with Ctrl-C: the shards that are done stay, and the same command goes on.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from endeavor_env.agents.command_line import MatchSeed, command_line, read_options, start
from endeavor_env.agents.registry import NAMES
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES
from endeavor_env.engine.games import default_game, game_in, named_games, names_in_words
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.dataset.making import make_dataset, read_settings
from endeavor_env.training.dataset.reading import read, read_in_python
from endeavor_env.training.dataset.to_minari import check_minari, environment_of, write_minari

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _summary(card: dict[str, Any], out: Path) -> str:
    """Return what a dataset holds, in words."""
    return (
        f"{out}: {card['games']:,} games with {card['decisions']:,} decisions of {', '.join(card['agents'])} in "
        f"{len(card['shards'])} shards, {card['bytes'] / 1e6:.1f} MB"
    )


def _write_minari(out: Path, dataset_id: str, agent: str | None, force: bool) -> None:
    """Write the dataset of a folder as a Minari dataset, and say what can be done with it."""
    dataset = read(out)
    episodes = write_minari(dataset, dataset_id, agent, force).total_episodes
    recovered = "recover_environment() makes" if environment_of(dataset, agent) else "there is no single environment of"
    print_line(f"Minari dataset {dataset_id}: {episodes:,} episodes; {recovered} its games")


@app.command()
def main(
    agents: Annotated[list[str], typer.Argument(help=f"An agent for each seat: {', '.join(NAMES)}.")],
    out: Annotated[Path, typer.Option(help="Folder of the dataset; the same command goes on in it.")],
    games: Annotated[int, typer.Option(help="The least number of games; whole set-ups are played.")] = 1000,
    seed: MatchSeed = 0,
    table: Annotated[
        list[str] | None, typer.Option(help="Another table, as in --table 'greedy random random'; repeatable.")
    ] = None,
    board: Annotated[
        list[str] | None, typer.Option(help="endeavor_2009, generated_<seed>, or a board file; repeatable.")
    ] = None,
    variant: Annotated[list[str] | None, typer.Option(help=f"{', '.join(VARIANT_NAMES)}; repeatable.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the rules, name=value; repeatable.")] = None,
    game: Annotated[
        str,
        typer.Option(help=f"Another game: {names_in_words(named_games())}, also as {{name}}:variant=...,players=3."),
    ] = "",
    observation: Annotated[str, typer.Option(help="features, or compact in a fifth of the space.")] = "features",
    reward: Annotated[str, typer.Option(help="The outcome of a game: margin, win, win_zero_sum, rank.")] = "margin",
    shard_games: Annotated[int, typer.Option(help="Games of a shard.")] = 100,
    minari: Annotated[str | None, typer.Option(help="Also write a Minari dataset, as in endeavor/greedy-v0.")] = None,
    minari_agent: Annotated[
        str | None, typer.Option(help="Only the seats of this agent in the Minari dataset.")
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Replace another dataset in the folder or in Minari, and the file of --json."),
    ] = False,
    json_file: JsonFile = None,
) -> None:
    """Play games of any agents and write observation, mask, action and outcome of every decision as a dataset.

    Every set-up is played once in every seating, in solo once at every difficulty. With several tables, variants or
    boards every table plays in each variant that has its number of seats, on each board.
    """
    with command_line(json_file, force):
        more: dict[str, Any] = {"observation": observation, "reward": reward, "shard_games": shard_games}
        if game and (variant or board or option):
            raise InvalidOptionError(
                f"--game {shown(game)} says what is played: leave out --variant, --board, --option"
            )
        if game and game_in(game) is default_game():
            others = names_in_words(named_games())
            raise InvalidOptionError(f"--game {shown(game)} is not possible here: give {others}, or --variant")
        more |= {"game": game, "variants": tuple(variant or ("standard",)), "options": read_options(option or ())}
        settings = read_settings(
            agents, table or (), board or ("endeavor_2009",), {**more, "games": games, "seed": seed}
        )
        if minari is not None:
            check_minari(minari, minari_agent, [name for one in settings.agents for name in one], force)
        card = make_dataset(settings, out, force=force)
        write_results(json_file, card, indent=None)
        print_line(_summary(card, out))
        if not card["complete"]:
            goes_on = shlex.join(["--out", str(out)])
            print(f"stopped; go on with: {card['command']} {goes_on}", file=sys.stderr)
            raise typer.Exit(INTERRUPTED)
        if minari is not None:
            _write_minari(out, minari, minari_agent, force)
        print_line(read_in_python(out))


if __name__ == "__main__":
    start(app)
