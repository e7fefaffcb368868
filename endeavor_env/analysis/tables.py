"""The tables: one row for each decision, round, seat, game or region of whatever games are given."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.analysis.columns import COLUMNS, SOURCE_PREFIX
from endeavor_env.analysis.course import Course, Opening, course_of
from endeavor_env.analysis.mats import leads_of, mats_of, parts_of
from endeavor_env.analysis.sources import Source, read
from endeavor_env.analysis.table import Table, table_of
from endeavor_env.endeavor import results
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.drawing.words import move_in_words
from endeavor_env.endeavor.flow.scoring import PARTS
from endeavor_env.endeavor.game import BoardGiven
from endeavor_env.endeavor.notation import to_text
from endeavor_env.endeavor.options import exploits_of, options_of_state, without_defaults
from endeavor_env.endeavor.results import OPPOSITION_NAME, States
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.players_info import agents_of
from endeavor_env.errors import InvalidOptionError

Boards = BoardGiven | Sequence[BoardGiven]
_Values = dict[str, list[Any]]


class Tables(NamedTuple):
    """All tables of the same games; ``game`` is the number of the game in each."""

    decisions: Table
    rounds: Table
    seats: Table
    games: Table
    regions: Table


def tables(given: Any, boards: Boards = None) -> Tables:
    """Return all tables, for which games are read and played again once; arguments and errors as of ``decisions``."""
    return Tables(*_make(given, boards, Tables._fields))


def decisions(given: Any, boards: Boards = None) -> Table:
    """Return the table of all decisions, a row for each move made.

    Args:
        given: Games, records (mappings or paths), folders of records as ``endeavor arena --record`` writes them, or an
            iterable of these. ``seats`` and ``games`` take positions as well: a ``Batch`` or (N,) STATE.
        boards: The board, or the boards, of games that were played on neither the board of 2009 nor a generated one:
            what ``Board.resolve`` takes.

    Raises:
        InvalidOptionError: Something that holds no games, a bare position where moves are needed, a game whose state
            was written to, or a board that is not among ``boards``.
        RecordError: A record that cannot be read or does not replay, or a folder without records.
    """
    return _make(given, boards, ("decisions",))[0]


def rounds(given: Any, boards: Boards = None) -> Table:
    """Return the table of all rounds that ended, a row for each seat; arguments and errors as of ``decisions``."""
    return _make(given, boards, ("rounds",))[0]


def seats(given: Any, boards: Boards = None) -> Table:
    """Return the table of all seats, a row for each seat of each game; arguments and errors as of ``decisions``."""
    return _make(given, boards, ("seats",))[0]


def games(given: Any, boards: Boards = None) -> Table:
    """Return the table of all games; arguments and errors as of ``decisions``."""
    return _make(given, boards, ("games",))[0]


def regions(given: Any, boards: Boards = None) -> Table:
    """Return the table of all regions with a track, a row for each of each game; arguments as of ``decisions``."""
    return _make(given, boards, ("regions",))[0]


def _make(given: Any, boards: Boards, names: Sequence[str]) -> list[Table]:
    """Return the tables of these names."""
    values: dict[str, _Values] = {name: {column.name: [] for column in COLUMNS[name]} for name in names}
    for number, source in enumerate(read(given, boards)):
        course = None
        if source.game is not None and set(names) - {"seats"}:
            course = course_of(source.game, f"game {number}" + (f" ({source.name})" if source.name else ""))
        for name in names:
            if course is None and name in _FROM_COURSES:
                raise InvalidOptionError(
                    f"the table {name} of game {number} is not possible: it needs moves, and a bare position has none"
                )
            _extend(values[name], number, _ROWS[name](source, course))
    return [table_of(name, values[name]) for name in names]


def _extend(values: _Values, game: int, rows: Iterable[dict[str, Any]]) -> None:
    """Append the rows of a game to the columns of a table."""
    for row in rows:
        row["game"] = game
        for name, column in values.items():
            column.append(row[name])


# --- rows ------------------------------------------------------------------------------------------------------------
def _decision_rows(source: Source, course: Course) -> Iterable[dict[str, Any]]:
    """Yield the row of each decision."""
    variant, agents = c.VARIANT_NAMES[source.states["variant"][0]], _agents_of(source)
    for number, made in enumerate(course.decisions):
        text = to_text(source.board, made.action, variant)
        verb, _, target = text.partition(":")
        yield {
            "move": number,
            **made._asdict(),
            "agent": agents[made.seat],
            "decision": made.kind,
            "verb": verb,
            "target": target,
            "words": move_in_words(source.board, text),
        }


def _round_rows(source: Source, course: Course) -> Iterable[dict[str, Any]]:
    """Yield the row of each seat for each round that ended."""
    before = parts_of(source.board, course.start).sum(axis=1)
    for number, states in enumerate(course.round_ends, start=1):
        glory = parts_of(source.board, states).sum(axis=1)
        more = {"glory": glory, "gain": glory - before, "lead": leads_of(glory)}
        for row in _mat_rows(source, states, more):
            yield {**row, "round": number, "regions_open": int(states["open"][0].sum())}
        before = glory


def _seat_rows(source: Source, _course: Course | None) -> Iterable[dict[str, Any]]:
    """Yield the row of each seat."""
    parts = parts_of(source.board, source.states)
    scores = parts.sum(axis=1)
    winners = results.winners(source.board, source.states)
    places = (np.arange(scores.size) - _first_player(source.states)) % scores.size
    more = {
        "score": scores,
        "rank": 1 + (scores[:, None] < scores).sum(axis=1),
        "win_share": _win_shares(scores.size, winners),
        "lead": leads_of(scores),
        "first_player_offset": 0 * places if results.is_solo(source.states) else places,
        **{f"{SOURCE_PREFIX}{part.key}": parts[:, number] for number, part in enumerate(PARTS)},
    }
    return _mat_rows(source, source.states, more)


def _agents_of(source: Source) -> list[str]:
    """Return who plays each seat."""
    return [""] * int(source.states["num_seats"][0]) if source.game is None else agents_of(source.game)


def _mat_rows(source: Source, states: States, more: dict[str, npt.NDArray[Any]]) -> Iterable[dict[str, Any]]:
    """Yield the row of each mat: the columns of MAT_COLUMNS, and ``more``, (mats,) each."""
    columns = {name: values.tolist() for name, values in (mats_of(source.board, states) | more).items()}
    agents = [*_agents_of(source), OPPOSITION_NAME]
    for mat, who in enumerate(results.scorers(states)):
        row = {name: values[mat] for name, values in columns.items()}
        yield {"seat": mat, "agent": agents[mat], "opposition": who == OPPOSITION_NAME, **row}


def _win_shares(count: int, winners: list[int]) -> npt.NDArray[np.float64]:
    """Return the share of the win of each mat; in a solo game without winners it is the Opposition's."""
    shares = np.zeros(count)
    shares[winners or [c.OPPOSITION]] = 1 / max(1, len(winners))
    return shares


def _first_player(states: States) -> int:
    """Return the first player of round 1, from whom the marker has gone one seat further each round (R11.3)."""
    state = states[0]
    return int((state.first_player - max(0, state.round_number - 1)) % state.num_seats)


def _game_rows(source: Source, course: Course | None) -> Iterable[dict[str, Any]]:
    """Yield the row of a game."""
    states, game = source.states, source.game
    scores = np.array(results.scores(source.board, states))
    solo = results.is_solo(states)
    best = 0 if solo else int(scores.argmax())
    yield {
        "source": source.name,
        "variant": c.VARIANT_NAMES[states["variant"][0]],
        "board": source.board.id,
        "players": int(states["num_seats"][0]),
        "seed": None if game is None else game.seed,
        "exploits": " ".join(exploits_of(int(states["exploits"][0]))),
        "options": json.dumps(without_defaults(options_of_state(states))),
        "first_player": _first_player(states),
        "moves": math.nan if game is None else len(game.history),
        "round": int(states["round_number"][0]),
        "over": bool(states["phase"][0] == c.PHASE_OVER),
        "winners": " ".join(str(seat) for seat in results.winners(source.board, states)),
        "best": int(scores[best]),
        "margin": int(leads_of(scores)[best]),
        "ladder": results.ladder(source.board, states).name if solo else "",
        "slavery_abolished": bool(states["abolished"][0]),
        "regions_open": int(states["open"][0].sum()),
        "openings": "" if course is None else _openings_text(source.board, course.openings),
    }


def _openings_text(board: Board, openings: list[Opening]) -> str:
    return " ".join(f"{board.regions[opening.region]}:{opening.round}" for opening in openings)


def _region_rows(source: Source, course: Course) -> Iterable[dict[str, Any]]:
    """Yield the row of each region that has a track."""
    never = {"round": math.nan, "order": math.nan, "move": math.nan, "seat": math.nan, "by_opposition": False}
    opened = {made.region: {**made._asdict(), "order": order} for order, made in enumerate(course.openings, start=1)}
    for region in np.flatnonzero(source.board.array["track_length"][0]).tolist():
        row = opened.get(region, never)
        yield {**row, "region": source.board.regions[region], "opened": region in opened}


_ROWS: dict[str, Callable[[Source, Any], Iterable[dict[str, Any]]]] = {
    "decisions": _decision_rows,
    "rounds": _round_rows,
    "seats": _seat_rows,
    "games": _game_rows,
    "regions": _region_rows,
}
_FROM_COURSES = ("decisions", "rounds", "regions")
