"""Version 1 of the benchmark, as it stands in its files of data, which never change."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from endeavor_env import Board
from endeavor_env.basics.files import parse_json, parse_toml
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.setups import SOLO, SOLO_FIELDS
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown

NUMBER = 1
FOLDER = Path(__file__).resolve().parent / "version_1"
VERSION_FILE, BOARDS_FILE = "version.toml", "boards.json"
NEVER_CHANGES = "version 1 never changes: make version 2"
"""End of every error that reports a difference from the contents of version 1."""


@dataclass(frozen=True)
class SetupList:
    """Set-ups by number: number k is what the seed ``first_seed + k`` draws."""

    first_seed: int
    count: int
    hash: str
    """SHA-256 over all of them, as ``list_hash`` returns it."""
    first_hash: str
    """The same over the first ``frozen.SOME_SETUPS``, for quick checks."""


@dataclass(frozen=True)
class BoardList:
    """Generated boards: number k has the seed ``first_seed + k``."""

    first_seed: int
    hashes: tuple[str, ...]
    """The hash of each board."""


@dataclass(frozen=True)
class TrackLimits:
    """The limits of a track at a task."""

    setups: int
    """Number of test set-ups, from the first on, each played in every seating."""
    seconds: float
    """Limit of a submission's mean time per decision, in seconds."""
    slowest: float
    """Time of a single decision that loses the game, in seconds."""
    fields: tuple[str, ...]
    """Names of the fields that are played."""


@dataclass(frozen=True)
class Opponent:
    """The opponents: copies of one player in all other seats; nobody in the solitaire game."""

    name: str
    player: str
    """Name of the agent, "" for the Opposition of the solitaire game, and for a hidden player."""
    weights: str
    """SHA-256 of the file of its network, "" if it has none."""
    hidden: bool = False
    """True if the weights are not in the repository."""


@dataclass(frozen=True)
class ReferenceScore:
    """An agent that gives a score its meaning, and its own score, measured once."""

    agent: str
    score: float


@dataclass(frozen=True)
class Task:
    """A task."""

    name: str
    number: int
    """Index among the tasks, from which seeds follow."""
    config: GameConfig
    """The game; ``boards-4`` takes another board for each set-up."""
    train: SetupList
    test: SetupList
    paces: Mapping[str, TrackLimits]
    """Limits by track; tracks that do not play the task are missing."""
    fields: tuple[Opponent, ...]
    """Public matchups, then hidden ones."""
    most_decisions: int
    """Number of decisions after which the submission loses the game."""
    floor: ReferenceScore
    oracle: ReferenceScore
    boards: BoardList | None
    """Boards of the test set-ups, if they are generated: set-up k is played on board k modulo their number."""
    hash: str
    """The SHA-256 of its file."""

    @property
    def solo(self) -> bool:
        """True if the learner plays alone, against the Opposition."""
        return self.config.variant == SOLO

    @property
    def seatings(self) -> int:
        """Number of seatings of each set-up: one from every seat."""
        return self.config.players

    @property
    def parity(self) -> float:
        """The share of wins of an equal player; 1 in the solitaire game, where the score is the share itself."""
        return 1.0 if self.solo else 1.0 / self.config.players

    @property
    def positions(self) -> int:
        """Number of scores of a game: one for each seat, or the learner's and the Opposition's."""
        return self.config.num_scores

    def field(self, name: str) -> Opponent:
        """Return a field; raise InvalidOptionError for an unknown one."""
        for field in self.fields:
            if field.name == name:
                return field
        raise InvalidOptionError(f"field {shown(name)} of {self.name} is unknown: possible are {self._field_names()}")

    def pace(self, play: str) -> TrackLimits:
        """Return how a track plays the task; raise InvalidOptionError for one that does not."""
        if play not in self.paces:
            raise InvalidOptionError(f"{self.name} is not played at {shown(play)}: give one of {', '.join(self.paces)}")
        return self.paces[play]

    def _field_names(self) -> str:
        return ", ".join(field.name for field in self.fields)


@dataclass(frozen=True)
class Version:
    """A version of the benchmark."""

    number: int
    tasks: Mapping[str, Task]
    """Tasks by name, in their order."""
    boards: Mapping[str, BoardList]
    """The generated boards: "train" and "test"."""
    behaviour: Mapping[str, str]
    """Result of ``frozen.digests`` as long as rules and players are unchanged."""
    corpus: Mapping[str, str]
    """Hashes of the published games, by part."""
    hash: str
    """SHA-256 over all its files."""

    def task(self, name: str) -> Task:
        """Return a task; raise InvalidOptionError for an unknown one."""
        if name not in self.tasks:
            raise InvalidOptionError(f"task {shown(name)} is unknown: possible are {', '.join(self.tasks)}")
        return self.tasks[name]

    def chosen(self, names: Sequence[str]) -> list[Task]:
        """Return the tasks of these names, in the order of the version; "all" stands for every one."""
        wanted = {task.name for name in names for task in (self.tasks.values() if name == "all" else [self.task(name)])}
        return [task for task in self.tasks.values() if task.name in wanted]


@functools.cache
def version_one() -> Version:
    """Return version 1, which is read once a process."""
    head = parse_toml((FOLDER / VERSION_FILE).read_bytes())
    lists = parse_json((FOLDER / BOARDS_FILE).read_bytes())
    boards = {name: BoardList(one["first_seed"], tuple(one["hashes"])) for name, one in lists.items()}
    tasks = {name: _read_task(name, number, boards) for number, name in enumerate(head["tasks"])}
    files = [FOLDER / VERSION_FILE, FOLDER / BOARDS_FILE, *(_file_of(name) for name in tasks)]
    return Version(
        number=head["version"],
        tasks=tasks,
        boards=boards,
        behaviour=dict(head["behaviour"]),
        corpus=dict(head.get("corpus", {})),
        hash=_hash_of(files),
    )


def _hash_of(files: Sequence[Path]) -> str:
    """Return the SHA-256 over the names and contents of files."""
    total = hashlib.sha256()
    for file in files:
        content = file.read_bytes().replace(b"\r\n", b"\n")  # as git may check text out elsewhere
        total.update(f"{file.name} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def _file_of(task: str) -> Path:
    return FOLDER / f"{task}.toml"


def _read_task(name: str, number: int, boards: Mapping[str, BoardList]) -> Task:
    """Return the task in the file of its name."""
    data: dict[str, Any] = parse_toml(_file_of(name).read_bytes())
    game = data["game"]
    config = GameConfig(game["variant"], game["players"], None, game["options"], game.get("exploits"))
    if config.board.hash != game["board_hash"]:
        raise InvalidOptionError(f"the board of {name} has the hash {config.board.hash}: {NEVER_CHANGES}")
    fields = [Opponent(one["name"], one["player"], one["weights"]) for one in data["fields"]]
    fields += [Opponent(one["name"], "", one["weights"], hidden=True) for one in data.get("hidden", ())]
    public = tuple(field.name for field in fields if not field.hidden)
    return Task(
        name=name,
        number=number,
        config=config,
        train=SetupList(**data["setups"]["train"]),
        test=SetupList(**data["setups"]["test"]),
        paces={track: _pace(values, public) for track, values in data["play"].items()},
        fields=tuple(fields),
        most_decisions=data["rules"]["most_decisions"],
        floor=ReferenceScore(**data["floor"]),
        oracle=ReferenceScore(**data["oracle"]),
        boards=boards["test"] if data["setups"].get("boards") == "generated" else None,
        hash=_hash_of([_file_of(name)]),
    )


def _pace(values: Mapping[str, Any], public: tuple[str, ...]) -> TrackLimits:
    """Return the pace that a task's file gives a track; without fields of its own, it plays the public ones."""
    return TrackLimits(values["setups"], values["seconds"], values["slowest"], tuple(values.get("fields", public)))


# --- Set-ups and boards by number: what each is, and the hash by which a list of them is recognised -------------------


def config_of(task: Task, setup: int) -> GameConfig:
    """Return what is played with a test set-up, on its board."""
    if task.boards is None:
        return task.config
    config = task.config
    board = generated(task.boards, setup % len(task.boards.hashes))
    return GameConfig(config.variant, config.players, board, config.options, config.exploits or None)


def seed_of(task: Task, setup: int) -> int:
    """Return the seed that draws a test set-up."""
    return task.test.first_seed + setup


def generated(boards: BoardList, number: int) -> Board:
    """Return a generated board; raise EndeavorError if it is another than the list says."""
    board = _generate(boards.first_seed + number)
    if board.hash != boards.hashes[number]:
        raise EndeavorError(f"board {board.id} has the hash {board.hash}, not {boards.hashes[number]}: {NEVER_CHANGES}")
    return board


@functools.lru_cache(maxsize=256)
def _generate(seed: int) -> Board:
    return Board.generate(seed)


def contents(config: GameConfig, setups: SetupList, count: int | None = None) -> Iterator[bytes]:
    """Yield what the first ``count`` set-ups of a list, by default all, draw on the board of ``config``."""
    for number in range(setups.count if count is None else count):
        seed = setups.first_seed + number
        drawn = config.draw_setup(seed)[0]
        named = ("exploits",) if config.variant == EXPLOITS else SOLO_FIELDS if config.variant == SOLO else ()
        parts = [drawn["tokens"][drawn["tokens"] >= 0], drawn["first_player"], *(drawn[name] for name in named)]
        yield b"".join(part.tobytes() for part in parts)


def list_hash(config: GameConfig, setups: SetupList, count: int | None = None) -> str:
    """Return the SHA-256 in hex over the first ``count`` set-ups of a list, by default all."""
    total = hashlib.sha256()
    for content in contents(config, setups, count):
        total.update(content)
    return total.hexdigest()
