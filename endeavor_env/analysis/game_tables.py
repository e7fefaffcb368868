"""Tables of games of any rules on the engine: one row for each decision, seat or game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from endeavor_env.analysis.sources import things_in
from endeavor_env.analysis.table import Table, table_of_rows
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.players_info import agents_of
from endeavor_env.errors import RecordError, named

Replay = Callable[[Any], Game]
"""Returns the game of a record: a mapping, or the path of its file."""
Values = Mapping[str, Any]


class GameTables(NamedTuple):
    """All tables of the same games; ``game`` is the number of the game in each."""

    decisions: Table
    seats: Table
    games: Table


def read_games(given: Any, replay: Replay) -> Iterator[tuple[str, Game]]:
    """Yield every game of what was given, in order, with the path of its record, "" without a file.

    Args:
        given: A game; a record, or the path of one; a folder of records; or an iterable of any of these.
        replay: Reads records.

    Raises:
        InvalidOptionError: Something else.
        RecordError: A record that cannot be read or does not replay, or a folder without records.
    """
    for name, one in things_in(given):
        try:
            yield name, cast(Game, one) if isinstance(one, Game) else replay(one)
        except RecordError as error:
            raise RecordError(f"record {named(name)}: {error}" if name else str(error)) from error


def tables_of(
    games: Iterable[tuple[str, Game]],
    course: Callable[[Game], tuple[Sequence[Values], Values]],
) -> GameTables:
    """Return the tables of games.

    Args:
        games: Games with the paths of their records, as ``read_games`` yields them.
        course: Returns what more there is to say about each seat of a game, and about the game: columns with values.
    """
    decisions, seats, rows = list[Values](), list[Values](), list[Values]()
    for number, (source, game) in enumerate(games):
        moves = decisions_of(game)
        of_seats, of_game = course(game)
        decisions += [{"game": number, **one} for one in moves]
        seats += [{"game": number, **one, **more} for one, more in zip(seats_of(game, moves), of_seats, strict=True)]
        rows.append({"game": number, "source": source, **_game_row(game, len(moves)), **of_game})
    return GameTables(
        *(table_of_rows(name, of) for name, of in zip(GameTables._fields, (decisions, seats, rows), strict=True))
    )


def no_more(game: Game) -> tuple[Sequence[Values], Values]:
    """Return nothing more about the seats of a game, and about the game."""
    return [{} for _ in range(game.num_players)], {}


def decisions_of(game: Game) -> list[dict[str, Any]]:
    """Return a row for each move that a seat made."""
    played, rows, agents = game.at_move(0), list[dict[str, Any]](), agents_of(game)
    for move, (seat, action) in enumerate(game.history):
        if seat != CHANCE:
            text = played.describe(action)
            verb, _, target = text.partition(":")
            legal = len(played.legal_actions())
            row = {"move": move, "seat": seat, "agent": agents[seat], "legal": legal, "action": action, "verb": verb}
            rows.append({**row, "target": target, "score": played.scores()[seat]})
        played.apply(action, draws=False)
    return rows


def seats_of(game: Game, made: Sequence[Values]) -> list[dict[str, Any]]:
    """Return a row for each seat, given the rows of the decisions."""
    scores, counts = game.scores(), Counter(one["seat"] for one in made)
    best = [max(score for other, score in enumerate(scores) if other != seat) for seat in range(game.num_players)]
    winners = game.winners() if game.over else []
    agents = agents_of(game)
    return [
        {
            "seat": seat,
            "agent": agents[seat],
            "score": scores[seat],
            "rank": 1 + sum(other > scores[seat] for other in scores),
            "win_share": 1.0 / len(winners) if seat in winners else 0.0,
            "lead": scores[seat] - best[seat],
            "decisions": counts[seat],
        }
        for seat in range(game.num_players)
    ]


def _game_row(game: Game, decisions: int) -> dict[str, Any]:
    """Return the row of a game."""
    return {
        "variant": game.variant,
        "players": game.num_players,
        "over": game.over,
        "periods": game.rules.presenter.period_of(game),
        "decisions": decisions,
        "draws": len(game.history) - decisions,
        "best": max(game.scores()),
    }
