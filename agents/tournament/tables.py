"""The result of a tournament as tables to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.table import Table

from endeavor_env.agents.tournament.figures import Share
from endeavor_env.agents.tournament.result import TournamentResult
from endeavor_env.agents.tournament.seats import SeatResult
from endeavor_env.agents.tournament.solo import SoloTableResult
from endeavor_env.engine.games import game_of

APART = "* the games give only a bound: it is never ahead of some others, or never behind them"


def result_tables(result: TournamentResult) -> Iterator[Table]:
    """Yield the tables of each table size, then the ratings."""
    for table in result.tables:
        yield _matrix(result, table)
        if isinstance(table, SoloTableResult):
            yield _difficulties(result.names, table)
        else:
            yield _standings(result.names, table)
        if result.settings.rounds > 1:
            yield _rounds(result.names, table)
    yield _ratings(result)


def _interval(low: float, high: float) -> str:
    """Return an interval of shares as text."""
    return f"{100 * low:.1f}-{high:.1%}"


def _share(share: Share) -> str:
    """Return a share with its interval as text."""
    return f"{share.share:.1%} ({_interval(*share.interval)})"


def _table(title: str, names: Sequence[str], columns: Sequence[tuple[str, Sequence[str]]], caption: str = "") -> Table:
    """Return a table with a row for each name."""
    table = Table(title=title, caption=caption or None, box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("agent", overflow="fold")
    for heading, _ in columns:
        table.add_column(heading, justify="right", overflow="fold")
    for row, name in enumerate(names):
        table.add_row(name, *(cells[row] for _, cells in columns))
    return table


def _matrix(result: TournamentResult, table: SeatResult | SoloTableResult) -> Table:
    """Return the payoff matrix."""
    matrix, names = table.matrix, result.names
    fields, setups = len(table.fields), table.scores.shape[1]
    config = result.settings.config
    game, board = game_of(config.rules).headline_parts(config)
    where = f"{board}, {fields} fields of {setups} set-ups"
    if isinstance(table, SoloTableResult):
        title = f"{table.games} solo games{where}, seed {result.settings.seed}"
        caption = "how often the row's lead is greater than the column's in the same game, and the 95 % interval"
    else:
        title = f"{table.games} games{game} at {table.players} seats{where}, seed {result.settings.seed}"
        others = "column agents" if table.players > 2 else "column agent"
        caption = f"wins of one row agent among {table.players - 1} {others}, and the 95 % interval"
    columns = []
    for column, name in enumerate(names):
        cells = [
            "" if row == column else f"{share:.1%} ({_interval(low, high)})"
            for row, (share, low, high) in enumerate(
                zip(matrix.share[:, column], matrix.low[:, column], matrix.high[:, column], strict=True)
            )
        ]
        columns.append((f"among {name}" if table.players > 1 else f"before {name}", cells))
    return _table(title, names, columns, f"{caption}; parity is {matrix.parity:.1%}")


def _standings(names: Sequence[str], table: SeatResult) -> Table:
    """Return what each agent reaches, its worst field, and who does best among seats of it."""
    standings = table.standings
    winning = [standing.mean_winning_score for standing in standings]
    responses = [standing.best_response for standing in standings if standing.best_response is not None]
    columns = [
        ("score", [f"{standing.mean_score:.1f}" for standing in standings]),
        ("when it wins", ["" if score is None else f"{score:.1f}" for score in winning]),
        ("rank", [f"{standing.mean_rank:.2f}" for standing in standings]),
        ("worst field", [standing.worst.label for standing in standings]),
        ("wins there", [_share(standing.worst) for standing in standings]),
        ("parity", [f"{standing.worst.parity:.1%}" for standing in standings]),
        ("best response", [f"{names[share.agent]} {_share(share)}" for share in responses]),
    ]
    return _table(f"standings at {table.players} seats", names, columns)


def _difficulties(names: Sequence[str], table: SoloTableResult) -> Table:
    """Return how each agent does at each difficulty of the solitaire game."""
    rows = list(zip(table.shares, table.mean_leads, table.scores.mean(axis=(1, 2)), strict=True))
    columns = [
        ("difficulty", [str(field.difficulty) for field in table.fields]),
        ("wins", [_share(share) for share, _, _ in rows]),
        ("lead", [f"{mean:+.1f} ({low:+.1f} to {high:+.1f})" for _, (mean, (low, high)), _ in rows]),
        ("score", [f"{own:.1f}" for _, _, (own, _) in rows]),
        ("theirs", [f"{theirs:.1f}" for _, _, (_, theirs) in rows]),
    ]
    caption = "a win is a lead of 0 or more; in brackets 95 % intervals; theirs is the score of the Opposition"
    return _table("every agent alone", [names[share.agent] for share in table.shares], columns, caption)


def _rounds(names: Sequence[str], table: SeatResult | SoloTableResult) -> Table:
    """Return the mean scores at the end of each round."""
    rounds = [standing.rounds for standing in table.standings]
    columns = [(str(number), [f"{own[number - 1]:.1f}" for own in rounds]) for number in range(1, len(rounds[0]) + 1)]
    seats = f" at {table.players} seats" if table.players > 1 else ""
    return _table(f"mean Glory after each round{seats}, as if the game ended then", names, columns)


def _ratings(result: TournamentResult) -> Table:
    """Return the ratings, the best first."""
    rating = result.rating
    order = sorted(range(len(result.names)), key=lambda agent: -rating.values[agent])
    zero = "their mean is 0" if result.anchor is None else f"{result.anchor} is 0"
    columns = [
        ("rating", [f"{rating.values[agent]:+.0f}{'*' if rating.apart[agent] else ''}" for agent in order]),
        ("95 % interval", [f"{rating.low[agent]:+.0f} to {rating.high[agent]:+.0f}" for agent in order]),
    ]
    title = f"Plackett-Luce ratings in Elo points, {zero}"
    return _table(title, [result.names[agent] for agent in order], columns, APART if rating.apart.any() else "")
