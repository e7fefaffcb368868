"""The match runner: one game between agents, units of games in one process or several, and the files that keep them.

Matches, tournaments, the frozen benchmark, language-model matches and live pages say who sits where, add ``Hooks`` to
the moves, and make a table of what the units brought.
"""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import connection
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from endeavor_env.agents.base import AgentOf
from endeavor_env.basics.file_lock import file_lock
from endeavor_env.basics.files import read_regular
from endeavor_env.basics.inputs import positive_number
from endeavor_env.basics.python_child import workers_without_working_folder
from endeavor_env.engine.game import Game, GameConfig, game_for
from endeavor_env.engine.records import write_record
from endeavor_env.errors import EndeavorError, IllegalActionError, InvalidOptionError, named

T = TypeVar("T")
P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)
K = TypeVar("K", bound="Played")

# --- One game: agents move until it is over; hooks act before, at and after each move --------------------------------


class Stopped(Exception):
    """The games were given up before their end."""


class Hooks:
    """What happens at the moves of a game: plain play, to which subclasses add records, clocks, forfeits and pages."""

    def before(self, game: Game) -> None:
        """Act before a decision; an exception, such as ``Stopped``, ends the game there."""

    def decide(self, game: Game, agent: AgentOf[Any]) -> int:
        """Return the action of an agent, which gets the game as its seat knows it."""
        return agent.act(game_for(agent, game))

    def make(self, game: Game, action: int, seconds: float) -> None:
        """Make a move, which took its agent ``seconds``; raise IllegalActionError if it is not legal."""
        game.apply(action)

    def after(self, game: Game) -> None:
        """Act after a move, and the moves that chance made behind it; the game stays as it is."""


PLAIN = Hooks()


def play_game(agents: Sequence[AgentOf[Any]], game: Game, hooks: Hooks = PLAIN) -> list[int]:
    """Play ``game`` to its end and return the scores; the time for each move is noted if the game says who plays it.

    Args:
        agents: An agent for each seat, reset by the caller.
        game: A game that may have begun already; changed in place.
        hooks: What happens at each move.

    Raises:
        InvalidOptionError: Another number of agents than of seats.
        IllegalActionError: An agent chose an action that is not legal.
    """
    if len(agents) != game.num_players:
        raise InvalidOptionError(f"{len(agents)} agents do not fit a game of {game.num_players} seats: give one a seat")
    first, seconds = len(game.history), list[float | None]()
    before, decide, make, after = (_overridden(hooks, name) for name in ("before", "decide", "make", "after"))
    noted = game.played is not None
    clock = time.perf_counter if noted or make else float  # some clocks take as long as a move
    try:
        while (seat := game.seat) >= 0:
            agent = agents[seat]
            if before:
                before(game)
            start = clock()
            action = decide(game, agent) if decide else agent.act(game_for(agent, game))
            spent = clock() - start
            try:
                if make:
                    make(game, action, spent)
                else:
                    game.apply(action)
            except IllegalActionError as error:
                raise IllegalActionError(f"agent {agent.name!r} chose badly: {error}") from error
            if noted:
                drawn = len(game.history) - first - len(seconds) - 1  # moves that chance made after this one
                seconds += [spent, *[None] * drawn]
            if after:
                after(game)
    finally:
        if noted and game.played is not None:
            game.played = game.played.timed(first, *seconds)
    return game.scores()


def _overridden(hooks: Hooks, name: str) -> Any:
    """Return a method of hooks; None for that of plain play, whose call would take as long as some agents do."""
    return None if getattr(type(hooks), name) is getattr(Hooks, name) else getattr(hooks, name)


# --- A set-up at a table: who sits where in each of its games --------------------------------------------------------


class Seating(NamedTuple):
    """A game that is to be played: the position i of a table has seat (i + turn) modulo their number."""

    config: GameConfig
    """What is played."""
    setup: int
    """Seed that draws the set-up."""
    agents: tuple[int, ...]
    """Number of the agent at each position."""
    seeds: tuple[int, ...]
    """Seed of the agent at each position."""
    turn: int = 0
    """Number of seats by which the table is turned."""

    @property
    def seats(self) -> list[int]:
        """Number of the agent in each seat."""
        return by_seat(self.agents, self.turn)

    def play(self, agents: Sequence[AgentOf[Any]], game: Game, hooks: Hooks = PLAIN) -> list[int]:
        """Play a game of it, given the agents by their numbers; return the scores by position."""
        for agent, seed in zip(self.agents, self.seeds, strict=True):
            agents[agent].reset(seed)
        return by_agent(play_game([agents[agent] for agent in self.seats], game, hooks), self.turn)


def by_agent(by_seat: Sequence[int], turn: int) -> list[int]:
    """Return what the seats have in the order of the positions of a table that is turned by so many seats."""
    count = len(by_seat)
    return [by_seat[(position + turn) % count] for position in range(count)]


def by_seat(by_agent: Sequence[int], turn: int) -> list[int]:
    """Return what the positions of a table have in the order of the seats, the inverse of ``by_agent``."""
    count = len(by_agent)
    return [by_agent[(seat - turn) % count] for seat in range(count)]


class AgentPool(Generic[T]):
    """Agents that are made once and play many games: as many of each name as a table seats."""

    def __init__(self, make: Callable[[T], AgentOf[Any]]) -> None:
        """Begin without agents; ``make`` returns a fresh one."""
        self._make = make
        self._made: dict[T, list[AgentOf[Any]]] = {}

    def seat(self, names: Sequence[T]) -> list[AgentOf[Any]]:
        """Return an agent object for each name, another for each time that a name occurs."""
        seated: list[AgentOf[Any]] = []
        for number, name in enumerate(names):
            made, copy = self._made.setdefault(name, []), list(names[:number]).count(name)
            if copy == len(made):
                made.append(self._make(name))
            seated.append(made[copy])
        return seated


# --- Units of work, played in this process or in several at once -----------------------------------------------------

MOST_JOBS = 1024
WAITING = 2
"""Units handed to the processes for each of them: the one it plays, and the next."""


@dataclass(frozen=True)
class Unit:
    """A unit of work: some set-ups of a field, each in every seating; played in any process with the same outcome."""

    table: Any
    """Index of the table size, or name of the task."""
    field: Any
    """Index of the matchup among those of the table, or name of the field."""
    first: int
    """Number of the first set-up."""
    count: int = 1
    """Number of set-ups."""

    @property
    def key(self) -> str:
        """The text that names the unit in files."""
        return f"{self.table}/{self.field}/{self.first}"


class Plays(Protocol[P_co]):
    """A player of units."""

    def play(self, unit: Unit, /) -> P_co:
        """Play a unit and return what it brought."""
        ...


Maker = Callable[[Callable[[], bool]], Plays[P]]
"""Returns what plays units; what it is given says whether to give a unit up. Other processes get it by pickling."""

_player: Plays[Any] | None = None
"""Player of the units of a worker process, set when the process starts."""


def count_jobs(jobs: int | None) -> int:
    """Return the number of processes, that of the cores for None; raise InvalidOptionError unless it is 1 to 1024."""
    if jobs is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return min(MOST_JOBS, len(affinity(0)) if affinity else os.cpu_count() or 1)
    if positive_number("jobs", jobs) > MOST_JOBS:
        raise InvalidOptionError(f"jobs={jobs} is not possible: give 1 to {MOST_JOBS}")
    return int(jobs)


def play_units(make: Maker[P], units: Iterable[Unit], jobs: int) -> Iterator[P]:
    """Play units and yield each when it is done, in any order; what a unit brings does not depend on ``jobs``.

    Args:
        make: Makes what plays them, once in each process.
        units: What to play.
        jobs: Number of processes; 1 plays in this one.

    Raises:
        EndeavorError: An agent failed, or a process died.
    """
    if jobs == 1:
        player = make(lambda: False)
        yield from map(player.play, units)
    else:
        yield from _play_in_processes(make, iter(units), jobs)


def _play_in_processes(make: Maker[P], units: Iterator[Unit], jobs: int) -> Iterator[P]:
    """Play units in worker processes, which stop at the next move when this generator is closed or interrupted."""
    context = multiprocessing.get_context("spawn")
    stop = context.RawValue(ctypes.c_bool, False)
    with workers_without_working_folder():
        pool = ProcessPoolExecutor(jobs, context, initializer=_begin_worker, initargs=(make, stop))
    running: set[Future[P]] = set()
    try:
        while running or not stop.value:
            with _no_interrupts(), workers_without_working_folder():
                running |= {pool.submit(_play, unit) for unit in islice(units, WAITING * jobs - len(running))}
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool as error:
        raise EndeavorError(
            "a process that played games died, perhaps for lack of memory: try again, with fewer --jobs"
        ) from error
    finally:
        stop.value = True
        pool.shutdown(cancel_futures=True)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back for a moment; processes started meanwhile never get it, and stop when this one tells them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(make: Maker[Any], stop: Any) -> None:
    """Prepare a worker process: one thread for the networks of its agents, and no answer to Ctrl-C."""
    global _player
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):  # read when PyTorch is imported, which agents do when made
        os.environ.setdefault(name, "1")
    _player = make(lambda: stop.value)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker process when the process that started it has died."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _play(unit: Unit) -> Any:
    """Play a unit in a worker process."""
    assert _player is not None
    return _player.play(unit)


# --- Files of results: a line that is there is whole, whenever the program was killed ---------------------------------

MOST_BYTES = 1 << 31
"""Size of the largest file of lines that is read; a line of a game takes some kB."""


def append_line(file: Path, line: str) -> None:
    """Append a line to a file, which is created if it is missing; it is on the disk when this returns."""
    data = f"{line}\n".encode()
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def complete_lines(file: Path) -> list[bytes]:
    """Return the lines of a file that end with a line break; another process may be writing to it.

    Raises:
        EndeavorError: The file cannot be read.
    """
    return _complete(file).splitlines()


def whole_lines(file: Path) -> list[bytes]:
    """Return the complete lines of a file of this process, and cut off what stands behind the last of them."""
    content = _complete(file)
    if len(content) < file.stat().st_size:
        os.truncate(file, len(content))
    return content.splitlines()


def _complete(file: Path) -> bytes:
    """Return what a file holds up to its last line break."""
    try:
        content = read_regular(file, MOST_BYTES)
    except ValueError as error:
        raise EndeavorError(f"{named(str(file))} {error}") from error
    return content[: content.rfind(b"\n") + 1]


def locked(file: Path, refusal: str) -> AbstractContextManager[None]:
    """Hold the lock file of results; raise InvalidOptionError with this sentence if another process holds it."""

    def refuse(_: float) -> None:
        raise InvalidOptionError(f"{refusal}: wait for it, or stop it")

    return file_lock(file, refuse)


def check_same(stored: Mapping[str, Any], wanted: Mapping[str, Any], what: str, advice: str) -> None:
    """Raise InvalidOptionError if what a file says was played differs from what is wanted, which has its keys."""
    other = [key for key in wanted if stored.get(key) != wanted[key]]
    if other:
        have, want = (json.dumps(values.get(other[0]))[:200] for values in (stored, wanted))
        raise InvalidOptionError(f"{what} with {other[0]} {have}, not {want}: {advice}")


class Played(Protocol):
    """The results of a unit."""

    @property
    def unit(self) -> Unit:
        """The unit."""
        ...

    def to_line(self) -> str:
        """Return the line that keeps them in a file."""
        ...


class UnitStore(Generic[K]):
    """The results of the units that are done, so that a run that was stopped goes on behind the last whole line.

    Attributes:
        units: Each result, by the key of its unit.
    """

    def __init__(self, file: Path | None, units: Mapping[str, K]) -> None:
        """Take the units that the file has; None keeps nothing on disk."""
        self._file, self.units = file, dict(units)

    def add(self, played: K) -> None:
        """Keep the results of a unit as a line of the file, which is on the disk when this returns."""
        if self._file is not None:
            append_line(self._file, played.to_line())
        self.units[played.unit.key] = played

    def missing(self, units: Iterable[Unit]) -> list[Unit]:
        """Return the units that are still to be played, in order."""
        return [unit for unit in units if unit.key not in self.units]

    def play_missing(self, make: Maker[K], units: Iterable[Unit], jobs: int) -> Generator[K, None, None]:
        """Play the units that are missing; keep each, and yield it. Closing the generator ends all processes."""
        for played in play_units(make, self.missing(units), jobs):
            self.add(played)
            yield played


def read_units(
    lines: Iterable[bytes], read: Callable[[bytes], K | None], source: Path, what: str, first: int = 1
) -> dict[str, K]:
    """Return the results of lines, by the keys of their units.

    Args:
        lines: Whole lines of a file.
        read: Returns the results of a line, None if it holds none.
        source: The file.
        what: What was played, "tournament" or "run".
        first: The number of the first of them.

    Raises:
        EndeavorError: A line was edited: it holds no unit, or one for the second time.
    """
    units: dict[str, K] = {}
    for number, line in enumerate(lines, first):
        played = read(line)
        if played is None or played.unit.key in units:
            raise EndeavorError(f"line {number} of {source} was edited: it is no unit of this {what}")
        units[played.unit.key] = played
    return units


# --- Records of the games of a match: a file for each, named by set-up and seating -----------------------------------

RECORDS = ("setup_*.json", "*/setup_*.json")
"""Patterns of the names of records in the folder of a match, and in that of a tournament."""


def record_setup(folder: Path, setup: int, games: Sequence[Game]) -> None:
    """Write a record of each game of a set-up, ``setup_<number>_seating_<number>.json``; replace files that exist.

    Args:
        folder: The folder, which exists.
        setup: Number of the set-up.
        games: The game of each seating.
    """
    for seating, game in enumerate(games):
        write_record(game, folder / f"setup_{setup:05}_seating_{seating}.json")


def make_folder(folder: Path) -> None:
    """Create a folder with its parents if it is missing; raise InvalidOptionError if it cannot be a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a path that no file system takes
        why = error.strerror if isinstance(error, OSError) else error
        raise InvalidOptionError(f"{folder} cannot be a folder: {why}") from error
