"""``endeavor words AGENT AGENT ...``: let a language model play a match against agents."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich import box
from rich.table import Table

import endeavor_env
from endeavor_env.agents.command_line import (
    BoardName,
    Exploits,
    GameText,
    MatchSeed,
    OptionTexts,
    command_line,
    progress,
    read_config,
    start,
)
from endeavor_env.agents.games import what_is_played
from endeavor_env.agents.registry import NAMES
from endeavor_env.agents.results_file import JsonFile, write_results
from endeavor_env.agents.statistics import wilson_interval
from endeavor_env.agents.terminal import print_line, print_table, terminal
from endeavor_env.agents.words.endpoint import ATTEMPTS, CUT_OFF, SECONDS, Endpoint
from endeavor_env.agents.words.playing import ModelMatchSettings, Transcript, WordsGame, open_transcript, read_fields
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


def play(
    settings: ModelMatchSettings,
    transcript: Transcript,
    games: int,
    endpoint: Endpoint,
    told: Callable[[int], None] = lambda number: None,
) -> None:
    """Play the games that a transcript lacks; ``told`` gets a game's number as it begins, and after each answer."""
    agents = settings.make_agents()
    for number in range(games):
        if number not in transcript.ends:
            told(number)
            seated, tell = settings.seated(number, agents), partial(told, number)
            WordsGame(settings, number, dict(seated), transcript, endpoint.ask, tell).play()


def _pause(seconds: float, why: str) -> None:
    """Say that there is a pause."""
    print_line(f"waits {seconds:.1f} s: {why}", terminal(stderr=True))


def _play_and_report(
    settings: ModelMatchSettings,
    transcript: Transcript,
    games: int,
    endpoint: Endpoint,
    prices: Prices,
    json_file: Path | None,
) -> int:
    """Play a match and report what has ended, and return the exit status; only a whole match is written as JSON."""
    status, endpoint.waits = 0, _pause
    try:
        with progress("games", games, len(transcript.ends)) as advance:
            done = len(transcript.ends)

            def told(number: int) -> None:
                nonlocal done
                tally = AnswerCounts.of(transcript.answers.get(number, ()))
                tokens = tally.prompt_tokens + tally.completion_tokens
                about = (
                    f"game {number}: {tally.decisions} decisions, {tally.refused} refused answers, {tokens:,} tokens"
                )
                advance(len(transcript.ends) - done, about)
                done = len(transcript.ends)

            play(settings, transcript, games, endpoint, told)
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


# --- The report: wins, refused answers, tokens, time and cost --------------------------------------------------------


class Prices(NamedTuple):
    """Prices of a million tokens, None where unknown."""

    prompt: float | None = None
    completion: float | None = None

    def cost(self, tally: AnswerCounts) -> float | None:
        """Return what tokens cost; None without both prices, or if the endpoint did not count all of them."""
        if self.prompt is None or self.completion is None or tally.uncounted:
            return None
        return (self.prompt * tally.prompt_tokens + self.completion * tally.completion_tokens) / 1e6


@dataclass
class AnswerCounts:
    """Counts of the answers of a model."""

    decisions: int = 0
    """Number that ended with a move."""
    answers: int = 0
    refused: int = 0
    """Answers without a legal move, those that were empty or cut off among them."""
    empty: int = 0
    cut_off: int = 0
    requests: int = 0
    """With those that failed and were made again."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that the endpoint had from before, as far as it says so."""
    uncounted: int = 0
    """Answers whose tokens the endpoint did not count."""
    seconds: float = 0.0
    """Of waiting for answers."""

    @classmethod
    def of(cls, lines: Iterable[dict[str, Any]]) -> AnswerCounts:
        """Return what the lines of answers come to."""
        tally = cls()
        for line in lines:
            usage = line["usage"]
            tally.answers += 1
            tally.decisions += line["move"] is not None
            tally.refused += line["move"] is None
            tally.empty += not line["answer"].strip()
            tally.cut_off += line["finish"] == CUT_OFF
            tally.requests += line["requests"]
            tally.prompt_tokens += usage.get("prompt_tokens", 0)
            tally.completion_tokens += usage.get("completion_tokens", 0)
            tally.cached_tokens += usage.get("cached_tokens", 0)
            tally.uncounted += not {"prompt_tokens", "completion_tokens"} <= set(usage)
            tally.seconds = round(tally.seconds + line["seconds"], 3)
        return tally


@dataclass(frozen=True)
class WordsResult:
    """The outcome of the games that have ended."""

    settings: ModelMatchSettings
    prices: Prices
    games: tuple[dict[str, Any], ...]
    """A row for each, in the order of their numbers."""
    tally: AnswerCounts
    """Of these games together."""

    @property
    def wins(self) -> float:
        """Share of the wins, 0 to 1."""
        return sum(game["share"] for game in self.games) / len(self.games)

    @property
    def cost(self) -> float | None:
        """Cost of all games."""
        return self.prices.cost(self.tally)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        settings, count, cost = self.settings.to_dict(), len(self.games), self.cost
        return {
            "package_version": endeavor_env.__version__,
            **what_is_played(self.settings.config),
            "players": self.settings.players,
            **{name: settings[name] for name in ("model", "agents", "seed", "request")},
            "told": settings["options"],
            "games": count,
            "wins": self.wins,
            "interval": list(wilson_interval(self.wins, count)),
            "forfeited": sum(game["forfeited"] for game in self.games),
            **asdict(self.tally),
            "cost": cost,
            "cost_a_game": None if cost is None else cost / count,
            "rows": list(self.games),
        }

    def table(self) -> Table:
        """Return the outcome as a table to print."""
        tally, count = self.tally, len(self.games)
        low, high = wilson_interval(self.wins, count)
        others = ", ".join(self.settings.agents) or "the Opposition"
        table = Table(title=f"{self.settings.model} against {others}", box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("what")
        table.add_column("how much", justify="right")
        table.add_row("games", str(count))
        table.add_row("wins", f"{self.wins:.1%} ({100 * low:.1f}-{high:.1%})")
        ended = [game["scores"][game["seat"]] for game in self.games if not game["forfeited"]]
        table.add_row("mean Glory of games played to the end", f"{sum(ended) / len(ended):.1f}" if ended else "")
        table.add_row("games forfeited by its answers", str(sum(game["forfeited"] for game in self.games)))
        table.add_row("decisions", str(tally.decisions))
        table.add_row("answers", str(tally.answers))
        table.add_row("refused, of them empty, cut off", f"{tally.refused}, {tally.empty}, {tally.cut_off}")
        table.add_row("requests", str(tally.requests))
        uncounted = f" and {tally.uncounted} answers" if tally.uncounted else ""
        tokens = f"{tally.prompt_tokens / count:,.0f} + {tally.completion_tokens / count:,.0f}{uncounted}"
        table.add_row("tokens a game, read and written", tokens)
        table.add_row("seconds a game", f"{tally.seconds / count:.0f}")
        if self.cost is not None:
            table.add_row("cost a game", f"{self.cost / count:.4f}")
        return table


def result_of(settings: ModelMatchSettings, transcript: Transcript, games: int, prices: Prices) -> WordsResult | None:
    """Return the outcome of the first games, as far as they have ended; None before the first has."""
    ended = [number for number in sorted(transcript.ends) if number < games]
    if not ended:
        return None
    rows = []
    for number in ended:
        tally, end = AnswerCounts.of(transcript.answers.get(number, ())), transcript.ends[number]
        kept = {name: end[name] for name in ("game", "seat", "scores", "share", "forfeited", "faults")}
        rows.append({**kept, **asdict(tally), "cost": prices.cost(tally)})
    lines = (line for number in ended for line in transcript.answers.get(number, ()))
    return WordsResult(settings, prices, tuple(rows), AnswerCounts.of(lines))


if __name__ == "__main__":
    start(app)
