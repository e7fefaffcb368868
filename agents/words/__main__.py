"""``endeavor words AGENT AGENT ...``: let a language model play a match against agents."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from endeavor_env.agents.command_line import (
    BoardName,
    Exploits,
    GameText,
    MatchSeed,
    OptionTexts,
    command_line,
    read_config,
    start,
)
from endeavor_env.agents.registry import NAMES
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.terminal import print_line, print_table, terminal
from endeavor_env.agents.words.endpoint import ATTEMPTS, SECONDS, Endpoint
from endeavor_env.agents.words.playing import WordsGame
from endeavor_env.agents.words.report import AnswerCounts, Prices, WordsResult, result_of
from endeavor_env.agents.words.settings import ModelMatchSettings, read_fields
from endeavor_env.agents.words.transcript import Transcript, open_transcript
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.inputs import positive_number
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.endeavor.text import TextOptions
from endeavor_env.errors import EndeavorError, InvalidOptionError

PUBLIC = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"

Agents = Annotated[
    list[str] | None, typer.Argument(help=f"An agent for each other seat, none for solo: {', '.join(NAMES)}.")
]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class _Shown:
    """A progress bar on stderr, and a line there for each pause."""

    def __init__(self, total: int) -> None:
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
        self._console = terminal(stderr=True)
        self.bar = Progress(*columns, console=self._console, transient=True, disable=not sys.stderr.isatty())
        self._task = self.bar.add_task("", total=total)

    def show(self, transcript: Transcript, number: int) -> None:
        """Show how far the match is."""
        tally = AnswerCounts.of(transcript.answers.get(number, ()))
        tokens = tally.prompt_tokens + tally.completion_tokens
        about = f"game {number}: {tally.decisions} decisions, {tally.refused} refused answers, {tokens:,} tokens"
        self.bar.update(self._task, completed=len(transcript.ends), description=about)

    def pause(self, seconds: float, why: str) -> None:
        """Say that there is a pause."""
        print_line(f"waits {seconds:.1f} s: {why}", self._console)


def play(settings: ModelMatchSettings, transcript: Transcript, games: int, endpoint: Endpoint, shown: _Shown) -> None:
    """Play the games that a transcript lacks."""
    agents = settings.make_agents()
    with shown.bar:
        for number in range(games):
            if number not in transcript.ends:
                shown.show(transcript, number)
                seated = settings.seated(number, agents)
                WordsGame(settings, number, dict(seated), transcript, partial(shown.show, transcript, number)).play(
                    endpoint.ask
                )


def _play_and_report(
    settings: ModelMatchSettings,
    transcript: Transcript,
    games: int,
    endpoint: Endpoint,
    prices: Prices,
    json_file: Path | None,
) -> int:
    """Play a match and report what has ended, and return the exit status; only a whole match is written as JSON."""
    status, shown = 0, _Shown(games)
    endpoint.waits = shown.pause
    try:
        play(settings, transcript, games, endpoint, shown)
    except KeyboardInterrupt:
        status = INTERRUPTED
        print("interrupted: the same command goes on from here", file=sys.stderr)
    except EndeavorError as error:
        _show(result_of(settings, transcript, games, prices))
        raise EndeavorError(f"{error} (the same command goes on from here)") from error
    result = result_of(settings, transcript, games, prices)
    try:
        if result is not None and not status:
            write_results(json_file, result.to_dict())
    finally:
        _show(result)
    return status


def _show(result: WordsResult | None) -> None:
    """Print what has ended, if anything has."""
    if result is not None:
        print_table(result.table())


def _prices(prompt: float | None, completion: float | None) -> Prices:
    for name, price in (("price-in", prompt), ("price-out", completion)):
        if price is not None and not 0 <= price < 1e9:
            raise InvalidOptionError(f"{name}={price} is not possible: give what a million tokens cost, at least 0")
    if (prompt is None) != (completion is None):
        raise InvalidOptionError("a cost needs both --price-in and --price-out")
    return Prices(prompt, completion)


@app.command()
def main(
    agents: Agents = None,
    model: Annotated[str, typer.Option(help="The name of the model at the endpoint.")] = "",
    base_url: Annotated[str, typer.Option(help="The address of the API, as http://localhost:8000/v1.")] = PUBLIC,
    key_from: Annotated[str, typer.Option(help="The environment variable with the key, if there is one.")] = KEY,
    games: Annotated[int | None, typer.Option(help="Every set-up once from each seat; usual is one set-up.")] = None,
    seed: MatchSeed = 0,
    variant: Annotated[str, typer.Option(help=f"{', '.join(VARIANT_NAMES)}.")] = STANDARD,
    board: BoardName = None,
    exploits: Exploits = None,
    option: OptionTexts = None,
    game: GameText = None,
    form: Annotated[str, typer.Option(help="How the position is told: short, full or json.")] = "short",
    legal_moves: Annotated[str, typer.Option(help="What is told of legal moves: list, count or none.")] = "list",
    history: Annotated[int, typer.Option(help="How many of the last moves are told.")] = 8,
    rules: Annotated[bool, typer.Option("--rules/--no-rules", help="Whether the rules are told.")] = True,
    retries: Annotated[int, typer.Option(help="How often a refused answer may be given again.")] = 2,
    fields: Annotated[
        list[str] | None, typer.Option("--set", help="A field of each request, name=value in JSON; repeatable.")
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for an answer.")] = SECONDS,
    attempts: Annotated[int, typer.Option(help="Requests for one answer if some fail.")] = ATTEMPTS,
    price_in: Annotated[float | None, typer.Option(help="What a million tokens cost that are read.")] = None,
    price_out: Annotated[float | None, typer.Option(help="What a million tokens cost that are written.")] = None,
    out: Annotated[Path, typer.Option(help="The transcript; the same command goes on in it.")] = Path("words.jsonl"),
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --json if it exists.")] = False,
) -> None:
    """Let a language model behind an OpenAI-compatible endpoint play a match against agents, in words."""
    with command_line(json_file, force):
        seats = None if variant == SOLO or (game or "").startswith(SOLO) else len(agents or ()) + 1
        config = read_config(variant, seats, board, option, exploits, game)
        options = TextOptions(form, legal_moves, history, rules, retries)  # pyright: ignore[reportArgumentType]
        settings = ModelMatchSettings(model, tuple(agents or ()), config, seed, options, read_fields(fields or ()))
        count = settings.players if games is None else positive_number("games", games)
        prices = _prices(price_in, price_out)
        if not 0 < timeout <= 86_400:
            raise InvalidOptionError(f"timeout={timeout} is not possible: give seconds above 0")
        key = os.environ.pop(key_from, None) or None  # players in processes of their own do not inherit it
        endpoint = Endpoint(base_url, model, key, settings.request, timeout, positive_number("attempts", attempts))
        with open_transcript(out, settings) as transcript:
            status = _play_and_report(settings, transcript, count, endpoint, prices, json_file)
    raise typer.Exit(status)


if __name__ == "__main__":
    start(app)
