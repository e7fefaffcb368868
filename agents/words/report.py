"""The report of a language model's match: wins, refused answers, tokens, time and cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from rich import box
from rich.table import Table

import endeavor_env
from endeavor_env.agents.matches.series import what_is_played
from endeavor_env.agents.matches.statistics import wilson_interval
from endeavor_env.agents.words.endpoint import CUT_OFF
from endeavor_env.agents.words.settings import ModelMatchSettings
from endeavor_env.agents.words.transcript import Transcript


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
