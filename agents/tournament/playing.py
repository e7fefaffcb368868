"""The games of a tournament: its matchups and settings, the units of work, and the folder that keeps what is played."""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import numpy as np

import endeavor_env
from endeavor_env import GameConfig
from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.forfeits import Forfeit
from endeavor_env.agents.games import config_given, is_alone, what_is_played
from endeavor_env.agents.matches import DIFFICULTIES, MIN_GAMES, Match, Series, SoloMatch, decisions_of
from endeavor_env.agents.registry import agents_for
from endeavor_env.agents.runner import (
    AgentPool,
    Hooks,
    Stopped,
    Unit,
    UnitStore,
    by_agent,
    check_same,
    locked,
    make_folder,
    read_units,
    record_setup,
    whole_lines,
)
from endeavor_env.basics.files import parse_json, read_json_object, write_json
from endeavor_env.basics.inputs import check_seed, fresh_seed, positive_number, real_number, whole_number
from endeavor_env.endeavor.game import BoardGiven
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.game import Game, agent_title, game_for
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.games import declaration_of, game_of
from endeavor_env.errors import InvalidOptionError, shown

# --- Matchups: which agents sit at a table together, or which agent plays the solitaire game how ---------------------


@dataclass(frozen=True)
class Matchup:
    """The agents at a table. Its games are every set-up in ``len(agents)`` seatings."""

    agents: tuple[int, ...]
    """Numbers of the agents; in seating r the agent at position i has seat (i + r) modulo their number."""
    difficulty: str | None = None
    """One of DIFFICULTIES in the solitaire game, whose only agent plays alone; None in other games."""

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.agents)

    @property
    def counts(self) -> Counter[int]:
        """Number of seats of each agent."""
        return Counter(self.agents)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every (X, Y) for which this is the field "one X among Ys"; two at a table of two, none at a mixed table."""
        counts = self.counts
        if len(counts) != 2:
            return ()
        (first, times), (second, others) = counts.items()
        return ((first, second),) * (times == 1) + ((second, first),) * (others == 1)

    def label(self, names: Sequence[str]) -> str:
        """Return what to call the field, given the names of all agents."""
        if self.difficulty is not None:
            return f"{names[self.agents[0]]}, {self.difficulty}"
        if self.pairs:
            one, others = self.pairs[0]
            times = self.players - 1
            return f"{names[one]} among {times} {names[others]}" if times > 1 else f"{names[one]}, {names[others]}"
        return ", ".join(
            f"{times} {names[agent]}" if times > 1 else names[agent] for agent, times in self.counts.items()
        )


def table_matchups(agents: int, players: int, most_mixed: int, seed: int) -> list[Matchup]:
    """Return the fields at tables of ``players`` seats: one X among Ys for every X and Y, then the mixed tables.

    Args:
        agents: Number of agents, at least 2.
        players: Number of seats, at least 2.
        most_mixed: The most mixed tables, at least 0; if there are more, a sample is drawn in which all agents have
            about as many seats.
        seed: Draws the sample.
    """
    one_among = [
        Matchup((one, *[others] * (players - 1)))
        for one in range(agents)
        for others in range(agents)
        if one != others and (players > 2 or one < others)
    ]
    met = {tuple(sorted(field.agents)) for field in one_among}
    mixed = [table for table in _mixed_tables(agents, players, most_mixed, seed) if table not in met]
    return one_among + [Matchup(table) for table in mixed]


def solo_matchups(agents: int, difficulties: Sequence[str] = DIFFICULTIES) -> list[Matchup]:
    """Return the fields of the solitaire game: every agent alone at each difficulty."""
    return [Matchup((agent,), difficulty) for agent in range(agents) for difficulty in difficulties]


def _mixed_tables(agents: int, players: int, most: int, seed: int) -> list[tuple[int, ...]]:
    """Return tables of different agents, sorted; with fewer agents than seats all agents, repeated evenly."""
    if agents < players:
        times, rest = divmod(players, agents)
        tables = [tuple(sorted([*range(agents)] * times + list(more))) for more in combinations(range(agents), rest)]
        return tables[:most]
    if math.comb(agents, players) <= most:
        return list(combinations(range(agents), players))
    return _dealt_tables(agents, players, most, seed)


def _dealt_tables(agents: int, players: int, count: int, seed: int) -> list[tuple[int, ...]]:
    """Return different tables of different agents: shuffle all agents, deal them to tables, shuffle again, and so on.

    Fewer than a table that are left over sit at the next one, so that nobody gets ahead by more than a seat a shuffle.
    """
    rng = np.random.default_rng(seed)
    tables: dict[tuple[int, ...], None] = {}
    left: list[int] = []
    while len(tables) < count:
        deck = [int(agent) for agent in rng.permutation(agents)]
        deck = left + [agent for agent in deck if agent not in left] + [agent for agent in deck if agent in left]
        while len(deck) >= players and len(tables) < count:
            tables[tuple(sorted(deck[:players]))] = None
            deck = deck[players:]
        left = deck
    return sorted(tables)


# --- Settings: what determines the games, checked before the first one -----------------------------------------------

FORMAT = "endeavor-tournament/1"
DEFAULT_GAMES = 400
DEFAULT_MIXED = 20
EVERY_DIFFICULTY = "option difficulty is not possible here: a tournament plays every difficulty"
"""Why a tournament refuses the option."""


@dataclass(frozen=True)
class TableSize:
    """A table size of a tournament: its matchups, and the number of set-ups that all of them play."""

    players: int
    """Number of seats."""
    setups: int
    """Number of set-ups. Each is played in ``players`` seatings by every matchup."""
    fields: tuple[Matchup, ...]
    """The matchups, in the order of all results."""

    @property
    def games(self) -> int:
        """Number of games of all fields."""
        return self.players * self.setups * len(self.fields)


@dataclass(frozen=True)
class TournamentSettings:
    """The settings that determine the games of a tournament."""

    agents: tuple[str, ...]
    """Names in the registry, each once."""
    names: tuple[str, ...]
    """The names in tables and files, in the same order, each once."""
    weights: dict[str, str]
    """The hash of the weights of each agent that has a checkpoint, by its name in the registry."""
    tables: tuple[TableSize, ...]
    """One for each table size."""
    games: int
    """The least number of games of each field."""
    mixed: int
    """The most mixed tables for each table size."""
    seed: int
    """Draws the set-ups and the sample of mixed tables, and seeds every agent before each game."""
    config: AnyConfig
    """The game at the smallest tables; larger ones differ in their number of seats, solitaire games in their
    difficulty."""
    records: Path | None
    """The folder for the records of all games; None writes none."""

    @property
    def solo(self) -> bool:
        """True if the agents play the solitaire game, each alone."""
        return is_alone(self.config)

    @property
    def rounds(self) -> int:
        """Number of rounds after which scores are noted; 1 for the end alone."""
        return game_of(self.config.rules).rounds(self.config)

    @property
    def total_games(self) -> int:
        """Number of games of all tables."""
        return sum(table.games for table in self.tables)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; equal settings of one version of the package give equal values."""
        return {
            "format": FORMAT,
            "package_version": endeavor_env.__version__,
            "agents": list(self.agents),
            "weights": dict(self.weights),
            "players": [table.players for table in self.tables],
            "games": self.games,
            "mixed": self.mixed,
            "seed": self.seed,
            **what_is_played(self.config),
            "records": None if self.records is None else str(self.records),
        }


def read_settings(
    agents: Sequence[str],
    games: int = DEFAULT_GAMES,
    seed: int | None = 0,
    *,
    players: Sequence[int] | None = None,
    mixed: int = DEFAULT_MIXED,
    board: BoardGiven = None,
    variant: str = STANDARD,
    options: Mapping[str, Any] | None = None,
    exploits: Sequence[str] | str | None = None,
    config: AnyConfig | None = None,
    records: Path | None = None,
) -> TournamentSettings:
    """Return checked settings; see ``play_tournament`` for the arguments and errors.

    Every agent is made once and asked for one decision, so that none fails later.
    """
    given = config_given(config, variant, None, board, options, exploits)
    sizes = _table_sizes(players, given)
    config = given.with_players(sizes[0])
    if "difficulty" in (options or {}) or "difficulty" in config.to_dict()["options"]:
        raise InvalidOptionError(EVERY_DIFFICULTY)
    least = MIN_GAMES if is_alone(config) else 1
    if positive_number("games", games) < least:
        raise InvalidOptionError(f"games={games} is not possible in the solitaire game: give at least {least}")
    most_mixed = whole_number(mixed)
    if most_mixed is None or most_mixed < 0:
        raise InvalidOptionError(f"mixed={shown(mixed)} is not possible: give a whole number of at least 0")
    number = check_seed(seed)
    number = fresh_seed() if number is None else number
    made = _make_agents(config, agents)
    _ask_once(made, lambda: config.new_game(seed=0))
    return TournamentSettings(
        agents=tuple(agents),
        names=_names(agents, made),
        weights=_weights(agents, made),
        tables=tuple(_table(len(made), size, int(games), most_mixed, number) for size in sizes),
        games=int(games),
        mixed=most_mixed,
        seed=number,
        config=config,
        records=records,
    )


def _table_sizes(players: Sequence[int] | None, config: AnyConfig) -> tuple[int, ...]:
    """Return the table sizes; raise InvalidOptionError for none, one the variant does not have, or a repeated one."""
    sizes = tuple(config.with_players(one).players for one in ([config.players] if players is None else players))
    if not sizes or len(set(sizes)) < len(sizes):
        raise InvalidOptionError(f"players={shown(players)} is not possible: give one or more table sizes, each once")
    return tuple(sorted(sizes))


def _table(agents: int, players: int, games: int, mixed: int, seed: int) -> TableSize:
    """Return the fields and the number of set-ups at tables of ``players`` seats."""
    fields = solo_matchups(agents, DIFFICULTIES) if players == 1 else table_matchups(agents, players, mixed, seed)
    return TableSize(players, -(-games // players), tuple(fields))


def _make_agents(config: AnyConfig, agents: Sequence[str]) -> list[AgentOf[Any]]:
    """Return the agents; raise InvalidOptionError unless there are at least two different ones."""
    if isinstance(agents, str) or len(agents) < 2:
        raise InvalidOptionError("a tournament needs at least 2 agents: give their names")
    repeated = [name for name in agents if list(agents).count(name) > 1]
    if repeated:
        raise InvalidOptionError(
            f"agent {shown(repeated[0])} is given twice: give each once, a tournament seats it as often as needed"
        )
    return agents_for(config, agents)


def _ask_once(agents: Sequence[AgentOf[Any]], begin: Callable[[], Game]) -> None:
    """Ask every agent for one decision, which compiles what it needs and shows whether it plays the variant."""
    for agent in agents:
        agent.reset(0)
        agent.act(game_for(agent, begin()))


def _names(given: Sequence[str], agents: Sequence[AgentOf[Any]]) -> tuple[str, ...]:
    """Return what the agents call themselves, or as they were given if several have the same name."""
    own = [agent.name for agent in agents]
    names = (name if own.count(name) == 1 and name not in given else given[at] for at, name in enumerate(own))
    return tuple(agent_title(agent, name) for agent, name in zip(agents, names, strict=True))


def _weights(given: Sequence[str], agents: Sequence[AgentOf[Any]]) -> dict[str, str]:
    """Return the hashes in the cards of the agents that have one, by the name given."""
    cards = {name: getattr(agent, "card", None) for name, agent in zip(given, agents, strict=True)}
    files = {name: card.get("weights") for name, card in cards.items() if isinstance(card, Mapping)}
    return {name: str(file["sha256"]) for name, file in files.items() if isinstance(file, Mapping) and "sha256" in file}


# --- Units of work: a field on a few set-ups -------------------------------------------------------------------------

SETUPS = 5
"""Set-ups of a unit; the last of a field may have fewer."""


@dataclass(frozen=True)
class WorkItemResult:
    """The results of the games of a unit, whose field is a matchup."""

    unit: Unit
    """The unit."""
    scores: list[list[list[int]]]
    """(set-ups, seatings, positions): scores; in the solitaire game that of the agent and of the Opposition."""
    rounds: list[list[list[list[int]]]]
    """(set-ups, seatings, rounds, positions): scores at the end of each round, as if the game ended then."""
    decisions: int
    """Decisions of all its games."""
    seconds: float
    """Time spent playing, in one process."""
    forfeits: tuple[Forfeit, ...] = ()
    """Games that agents lost by faults; an agent is its position in the matchup."""

    def to_line(self) -> str:
        """Return the line of the unit."""
        fields: dict[str, Any] = {
            "unit": self.unit.key,
            "scores": self.scores,
            "rounds": self.rounds,
            "decisions": self.decisions,
            "seconds": self.seconds,
        }
        if self.forfeits:
            fields["forfeits"] = [one.to_dict() for one in self.forfeits]
        return json.dumps(fields, separators=(",", ":"))


def all_work_items(settings: TournamentSettings) -> Iterator[Unit]:
    """Yield the units of a tournament; all fields come to the same set-ups before any goes on to the next."""
    longest = max(table.setups for table in settings.tables)
    for first in range(0, longest, SETUPS):
        for number, table in enumerate(settings.tables):
            for field in range(len(table.fields)):
                if first < table.setups:
                    yield Unit(number, field, first, min(SETUPS, table.setups - first))


class RoundScores(Hooks):
    """Notes the scores of every seat, as if the game ended now, at the end of each round of the games that are played.

    A round is over when the first decision of the next one is due, or the game has ended. Games but Endeavor, which may
    have any number of rounds, count as one round.

    Attributes:
        games: For each game, in the order they were begun, and each of its rounds, what ``Game.scores`` returned.
    """

    def __init__(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Begin without games; ``Stopped`` is raised before a decision if ``stopped`` returns True."""
        self.games: list[list[list[int]]] = []
        self._game: Game | None = None
        self._round = 0
        self._stopped = stopped

    def before(self, game: Game) -> None:
        """Give the games up if they are to be."""
        if self._stopped():
            raise Stopped

    def after(self, game: Game) -> None:
        """Look at a game after one of its moves, the first of which must be shown as well."""
        if game is not self._game:
            self._game, self._round, self._declared = game, 1, declaration_of(game)
            self.games.append([])
        now = self._declared.round_of(game)
        if now > self._round or game.over:
            self._round = now
            self.games[-1].append(game.scores())


class WorkItemPlayer:
    """A player of units, which keeps the agents that it has made."""

    def __init__(self, settings: TournamentSettings, stopped: Callable[[], bool] = lambda: False) -> None:
        """Begin without agents.

        Args:
            settings: Those of the tournament.
            stopped: Asked before each decision; a unit is given up if it returns True.
        """
        self._settings = settings
        self._stopped = stopped
        self._pool = AgentPool[str](lambda name: agents_for(settings.config, [name])[0])

    def play(self, unit: Unit) -> WorkItemResult:
        """Play a unit; raise Stopped if it is given up."""
        field = self._settings.tables[unit.table].fields[unit.field]
        series, noted = self._series(field), RoundScores(self._stopped)
        scores: list[list[list[int]]] = []
        decisions, start = 0, time.perf_counter()
        for setup in range(unit.first, unit.first + unit.count):
            games = series.play_setup(setup, noted)
            scores.append([series.counted(setup, number, game) for number, game in enumerate(games)])
            decisions += decisions_of(games)
            self._record(unit, setup, games)
        seconds = time.perf_counter() - start
        by_game = iter(noted.games)
        rounds = [[[by_agent(one, turn) for one in next(by_game)] for turn in range(field.players)] for _ in scores]
        for at_end, by_round in zip(scores, rounds, strict=True):
            for counted, one in zip(at_end, by_round, strict=True):
                one[-1] = counted  # other than the rounds say where a game was forfeited
        return WorkItemResult(unit, scores, rounds, decisions, seconds, tuple(series.forfeits))

    def _series(self, field: Matchup) -> Series[Any]:
        """Return the match whose set-ups are those of the field, which the arena plays with the same agents."""
        chosen, names = self._settings, [self._settings.agents[agent] for agent in field.agents]
        agents = self._pool.seat(names)
        if field.difficulty is not None:
            alone = cast(GameConfig, chosen.config)
            levels = [field.difficulty]
            match: Series[Any] = SoloMatch(agents, MIN_GAMES, chosen.seed, difficulties=levels, config=alone)
        else:
            config = chosen.config.with_players(field.players)
            match = Match(agents, field.players, chosen.seed, config=config)
        match.texts = names
        return match

    def _record(self, unit: Unit, setup: int, games: list[Any]) -> None:
        """Write the records of a set-up's games if they are asked for."""
        if self._settings.records is not None:
            folder = self._settings.records / field_folder(self._settings, unit.table, unit.field)
            make_folder(folder)
            record_setup(folder, setup, games)


# --- The folder of a tournament: its settings, and a line for each unit played, so that it can be continued ----------

SETTINGS_FILE = "tournament.json"
UNITS_FILE = "units.jsonl"
LOCK_FILE = "tournament.lock"


@contextmanager
def open_store(folder: Path | None, settings: TournamentSettings) -> Iterator[UnitStore[WorkItemResult]]:
    """Hold the folder of a tournament, which is created, or continued if it has these settings.

    Args:
        folder: The folder; None keeps the units in memory only.
        settings: Those of the tournament.

    Raises:
        InvalidOptionError: The folder is of a tournament with other settings, has other files, is in use by another
            process, or cannot be written.
        EndeavorError: Its files were edited.
    """
    if folder is None:
        yield UnitStore(None, {})
        return
    _check_settings(folder, settings)
    make_folder(folder)
    with locked(folder / LOCK_FILE, f"another process plays the tournament in {folder}"):
        if not (folder / SETTINGS_FILE).exists():
            write_json(folder / SETTINGS_FILE, settings.to_dict())
        file = folder / UNITS_FILE
        known = {unit.key: unit for unit in all_work_items(settings)}
        lines = whole_lines(file) if file.exists() else []
        yield UnitStore(file, read_units(lines, lambda line: _read_line(line, known, settings), file, "tournament"))


def _check_settings(folder: Path, settings: TournamentSettings) -> None:
    """Raise InvalidOptionError if a folder holds something else than a tournament with these settings."""
    file = folder / SETTINGS_FILE
    try:
        if not file.exists():
            others = [path.name for path in folder.iterdir() if path.name != LOCK_FILE] if folder.is_dir() else []
            if others:
                raise InvalidOptionError(f"{folder} holds {others[0]} but no tournament: give an empty or new folder")
            return
    except OSError as error:
        raise InvalidOptionError(f"{folder} cannot be the folder of a tournament: {error.strerror}") from error
    stored, wanted = read_json_object(file, "tournament", InvalidOptionError), settings.to_dict()
    advice = "give the same settings to go on with it, or another folder"
    check_same(stored, wanted, f"{folder} holds a tournament", advice)


def _read_line(line: bytes, known: dict[str, Unit], settings: TournamentSettings) -> WorkItemResult | None:
    """Return the unit of a line; None if it is none of this tournament."""
    try:
        stored: dict[str, Any] = parse_json(line)
        unit = known[stored["unit"]]
        scores, rounds = np.array(stored["scores"]), np.array(stored["rounds"])
        decisions, seconds = whole_number(stored["decisions"]), real_number(stored["seconds"])
        forfeits = tuple(map(Forfeit.from_dict, stored.get("forfeits", ())))
    except (ValueError, KeyError, TypeError):
        return None
    if decisions is None or seconds is None or decisions < 0 or seconds < 0:
        return None
    players = settings.tables[unit.table].players
    columns = 2 if settings.solo else players
    whole = scores.dtype.kind == rounds.dtype.kind == "i"
    fits = scores.shape == (unit.count, players, columns)
    fits = fits and rounds.shape == (unit.count, players, settings.rounds, columns)
    if not whole or not fits or not (rounds[:, :, -1] == scores).all():
        return None
    return WorkItemResult(unit, scores.tolist(), rounds.tolist(), decisions, seconds, forfeits)


# --- The folders with the records of a tournament, and the list of them ----------------------------------------------

FIELDS_FILE = "fields.json"
LONGEST = 80
"""Characters of a field's label in the name of its folder."""


def field_folder(settings: TournamentSettings, table: int, field: int) -> str:
    """Return the name of the folder with the records of a field, given the indexes of its table size and its own."""
    size = settings.tables[table]
    label = re.sub(r"[^\w.=-]+", "_", size.fields[field].label(settings.names)).strip("_.")
    return f"{size.players}_seats_{field:03}_{label[:LONGEST]}"


def write_fields(settings: TournamentSettings) -> None:
    """Write ``fields.json`` into the folder of the records, which is created: who plays in the games of each folder.

    Raises:
        InvalidOptionError: The folder cannot be created.
    """
    if settings.records is None:
        return
    make_folder(settings.records)
    listed = [
        {
            "folder": field_folder(settings, number, index),
            "agents": [settings.agents[agent] for agent in field.agents],
            "difficulty": field.difficulty,
        }
        for number, table in enumerate(settings.tables)
        for index, field in enumerate(table.fields)
    ]
    seats = "in seating r the agent at position i of the list has seat (i + r) modulo the number of agents"
    write_json(settings.records / FIELDS_FILE, {"seats": seats, "fields": listed})
