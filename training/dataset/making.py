"""Making a dataset: what is played, the games as arrays, and the folder in which they are written shard by shard."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

import endeavor_env
from endeavor_env.agents.command_line import play_to_the_end
from endeavor_env.agents.games import actions_hash, is_alone, layout_of, read_game, sizes_of
from endeavor_env.agents.matches import DIFFICULTIES, Match, Series, SoloMatch
from endeavor_env.agents.runner import by_seat, make_folder
from endeavor_env.agents.terminal import called
from endeavor_env.basics.file_lock import file_lock
from endeavor_env.basics.files import write_json
from endeavor_env.basics.inputs import OBSERVATIONS, check_seed, derived_seed, one_of, positive_number
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.observation import Layout
from endeavor_env.endeavor.options import OPTIONS
from endeavor_env.endeavor.rewards import rewards_in
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.batch.game_batch import Kinds
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.games import game_of
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.rewards import named_rewards
from endeavor_env.errors import DatasetError, EndeavorError, InvalidOptionError, named, shown
from endeavor_env.training.dataset.reading import CARD, FIXED, FORMAT, Shard, intact, read_card, shapes_of, write_shard
from endeavor_env.training.runs.stored_run import git_commit

# --- Settings of a dataset: agents for each seat, variants, boards, and numbers of games -----------------------------

MOST_AGENTS = 127
"""More different agents than anybody names; shards number them in 8 bits."""


class GameKind(NamedTuple):
    """One kind of game of a dataset."""

    agents: tuple[str, ...]
    """The agents, one for each seat."""
    config: AnyConfig
    """The game; in solo the difficulties take the place of its own."""
    difficulties: tuple[str, ...]
    """In solo the difficulties at which each set-up is played, otherwise empty."""

    @property
    def games(self) -> int:
        """Games of each set-up: one for each seating, in solo one for each difficulty."""
        return len(self.difficulties) or len(self.agents)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        plain = game_of(self.config.rules).named_parts(self.config)
        played = {"variant": plain["variant"], "options": plain["options"], "difficulties": list(self.difficulties)}
        return {"agents": list(self.agents), **played, "board": plain["board"], "board_hash": plain["board_hash"]}


@dataclass(frozen=True)
class Settings:
    """The settings of a dataset. Equal settings give equal games, if the agents play by their seeds."""

    agents: tuple[tuple[str, ...], ...]
    """Tables: for each the names of the agents, one for each seat."""
    variants: tuple[str, ...] = (STANDARD,)
    """Every table plays each of them that has its number of seats."""
    boards: tuple[str, ...] = ("endeavor_2009",)
    """Boards, as ``Board.resolve`` takes them; every table plays on each."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the rules by name; each variant gets those that it has."""
    games: int = 1000
    """The least number of games: whole set-ups are played, as many of every kind."""
    shard_games: int = 100
    """The most games of a shard, unless one set-up of every kind has more."""
    seed: int = 0
    """Draws the set-ups, and seeds every agent before each game."""
    observation: str = "features"
    """"features" or "compact"."""
    reward: str = "margin"
    """The reward that is the outcome of a game."""
    game: str = ""
    """Another game than Endeavor, as ``agents.games.read_game`` reads it, in place of variants, boards and options."""

    def __post_init__(self) -> None:
        """Raise InvalidOptionError for impossible settings; ``kinds`` checks agents, variants and boards."""
        positive_number("games", self.games)
        positive_number("shard_games", self.shard_games)
        if check_seed(self.seed) is None:
            raise InvalidOptionError("seed=None is not possible for a dataset: give a whole number from 0 on")
        one_of("observation", self.observation, OBSERVATIONS)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: without what is not this game's."""
        others = ("variants", "boards", "options") if self.game else ("game",)
        return {name: value for name, value in asdict(self).items() if name not in others}

    def kinds(self) -> tuple[GameKind, ...]:
        """Return the kinds of game: each table in each variant that has its number of seats, on each board.

        Raises:
            InvalidOptionError: No agents, a table that no variant seats, a variant without a table, variants whose
                observations differ, an unknown variant, board, option or reward.
            InvalidBoardError: A board file with faults, or a board on which a variant cannot be played.
        """
        for name, given in (("agents", self.agents), ("variants", self.variants), ("boards", self.boards)):
            if not given or len(set(given)) < len(given):
                raise InvalidOptionError(f"{name} {shown(given)} are not possible: give at least one, and each once")
        if self.game:
            kinds = tuple(GameKind(table, read_game(self.game, len(table)), ()) for table in self.agents)
            self._check_together(kinds)
            return kinds
        pairs = [(table, variant) for table in self.agents for variant in self.variants if _seats(table, variant)]
        self._check_all_play(pairs)
        boards = [Board.resolve(board) for board in self.boards]
        kinds = tuple(self._kind(table, variant, board) for table, variant in pairs for board in boards)
        self._check_together(kinds)
        return kinds

    def _kind(self, table: tuple[str, ...], variant: str, board: Board) -> GameKind:
        """Return a checked kind of game."""
        has = {option.name for option in OPTIONS if variant in option.variants}
        options = {name: value for name, value in self.options.items() if name in has}
        config = GameConfig(variant, len(table), board, options)
        if variant != SOLO:
            return GameKind(table, config, ())
        difficulties = (options.pop("difficulty"),) if "difficulty" in options else DIFFICULTIES
        return GameKind(table, replace(config, options=options), difficulties)

    def _check_all_play(self, pairs: Sequence[tuple[tuple[str, ...], str]]) -> None:
        """Raise InvalidOptionError unless every table, variant and option is used."""
        for table in self.agents:
            if table not in [pair[0] for pair in pairs]:
                raise InvalidOptionError(
                    f"a table of {len(table)} agents is not possible in {', '.join(self.variants)}: give an "
                    f"agent for each seat, {_seats_text(self.variants)}"
                )
        for variant in self.variants:
            if variant not in [pair[1] for pair in pairs]:
                raise InvalidOptionError(
                    f"variant {variant!r} has {_seats_text([variant])}: give a table with as many agents"
                )
        for name in self.options:
            if not any(option.name == name and set(option.variants) & set(self.variants) for option in OPTIONS):
                raise InvalidOptionError(f"option {name!r} is not possible: no variant of the dataset has it")

    def _check_together(self, kinds: Sequence[GameKind]) -> None:
        """Raise InvalidOptionError unless all kinds share one layout and have the reward."""
        self._layout_variant(kinds)
        for kind in kinds:
            rewards = rewards_in(kind.config.variant)
            if self.reward not in rewards:
                raise InvalidOptionError(
                    f"reward {shown(self.reward)} is not possible in {kind.config.variant!r}: give one of "
                    f"{', '.join(rewards)}"
                )
        if len(names_of(kinds)) > MOST_AGENTS:
            raise InvalidOptionError(f"more than {MOST_AGENTS} different agents are not possible in one dataset")

    def _layout_variant(self, kinds: Sequence[GameKind]) -> str:
        """Return the variant in whose layout all games are observed."""
        return Kinds([kind.config for kind in kinds]).layout_variant

    def layout(self) -> tuple[str, Layout]:
        """Return the variant whose action ids and observations every row has, and the layout of the observations."""
        variant = self._layout_variant(self.kinds())
        return variant, layout_of(variant, self.observation)

    def command(self) -> str:
        """Return the command that makes the dataset, without its folder."""
        words = [*self.agents[0]]
        for table in self.agents[1:]:
            words += ["--table", shlex.join(table)]
        if self.game:
            words += ["--game", self.game]
        else:
            for name, values in (("--variant", self.variants), ("--board", self.boards)):
                words += [word for value in values for word in (name, value)]
            for name, value in self.options.items():
                words += ["--option", f"{name}={value}"]
        words += ["--games", str(self.games), "--shard-games", str(self.shard_games), "--seed", str(self.seed)]
        return called(
            "endeavor_env.training.dataset", *words, "--observation", self.observation, "--reward", self.reward
        )


class DatasetPlan(NamedTuple):
    """The division of a dataset's games: in each *cycle* every kind plays one set-up."""

    cycles: int
    cycles_per_shard: int
    games_per_cycle: int

    @property
    def shards(self) -> int:
        """Number of shards."""
        return -(-self.cycles // self.cycles_per_shard)

    def cycles_of(self, shard: int) -> range:
        """Return the numbers of the cycles of a shard."""
        first = shard * self.cycles_per_shard
        return range(first, min(self.cycles, first + self.cycles_per_shard))


def plan(settings: Settings, kinds: Sequence[GameKind]) -> DatasetPlan:
    """Return how the games are divided."""
    cycle = sum(kind.games for kind in kinds)
    return DatasetPlan(-(-settings.games // cycle), max(1, settings.shard_games // cycle), cycle)


def names_of(kinds: Sequence[GameKind]) -> list[str]:
    """Return the names of all agents, each once, in the order of the tables."""
    return list(dict.fromkeys(name for kind in kinds for name in kind.agents))


def read_settings(
    agents: Sequence[str], tables: Sequence[str], boards: Sequence[str], more: Mapping[str, Any]
) -> Settings:
    """Return the settings of a command line.

    Args:
        agents: The agents of the first table.
        tables: Further tables, each the names of its agents separated by spaces.
        boards: Boards; the file of one is written with its full path, so that the folder may be read from anywhere.
        more: The other fields of ``Settings``.
    """
    given = [tuple(agents)] if agents else []
    try:
        given += [tuple(shlex.split(table)) for table in tables]
    except ValueError as error:
        raise InvalidOptionError(f"a table cannot be read: {error}; write --table 'greedy random random'") from error
    paths = [str(Path(board).resolve()) if board.endswith(".toml") else board for board in boards]
    return Settings(tuple(given), boards=tuple(paths), **more)


def _seats(table: Sequence[str], variant: str) -> bool:
    """Return whether a variant has as many seats as a table has agents; raise for an unknown variant."""
    if variant not in c.VARIANT_NAMES:
        raise InvalidOptionError(f"variant {shown(variant)} is unknown: possible are {', '.join(c.VARIANT_NAMES)}")
    least, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)]
    return least <= len(table) <= most


def _seats_text(variants: Sequence[str]) -> str:
    """Return the numbers of seats of variants, in words."""
    texts = []
    for variant in variants:
        least, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)]
        seats = f"{least} to {most} seats" if least < most else f"{least} seat{'s' * (least > 1)}"
        texts.append(f"{seats} in {variant!r}" if len(variants) > 1 else seats)
    return ", ".join(texts)


# --- The games of a dataset: played by the matches of ``agents``, and turned into arrays -----------------------------

_OBSERVE = {"f": single.write_features, "i": single.write_compact}
"""The kernel that writes an observation, by the kind of its type."""


class PlayedGame(NamedTuple):
    """A finished game of a dataset."""

    game: Any
    """A ``Game`` of any rules, at its end."""
    kind: int
    """Index of its kind."""
    setup: int
    agents: tuple[int, ...]
    """The agent in each seat, numbered as in ``names_of``."""


class DatasetGames:
    """Plays the set-ups of a dataset. What a game is depends on the settings and its number alone.

    Attributes:
        kinds: The kinds of game.
        plan: How the games are divided.
        layout_variant: The variant whose action ids and observations every row has.
        layout: The layout of the observations.
    """

    def __init__(self, settings: Settings) -> None:
        """Check all settings and make the agents; raise the errors of ``Settings.kinds`` and of the matches."""
        self.kinds = settings.kinds()
        self.plan = plan(settings, self.kinds)
        self.layout_variant, self.layout = settings.layout()
        self._settings = settings
        self._names = names_of(self.kinds)
        self._series = [self._match(number, kind) for number, kind in enumerate(self.kinds)]

    def _match(self, number: int, kind: GameKind) -> Series[Any]:
        """Return the match whose set-ups the games of a kind are."""
        seed, setups = derived_seed(self._settings.seed, number), self.plan.cycles
        config = kind.config
        if kind.difficulties:
            alone = cast(GameConfig, config)
            more = {"difficulties": kind.difficulties, "board": alone.board, "options": alone.options}
            return SoloMatch(kind.agents, max(2, setups), seed, **more)
        return Match(kind.agents, setups * config.players, seed, config=config)

    def play(self, kind: int, setup: int) -> list[PlayedGame]:
        """Play a set-up of a kind in every seating, in solo at every difficulty."""
        numbers = [self._names.index(name) for name in self.kinds[kind].agents]
        played = []
        for seating, game in enumerate(self._series[kind].play_setup(setup)):
            agents = numbers if game.variant == SOLO else by_seat(numbers, seating)
            played.append(PlayedGame(game, kind, setup, tuple(agents)))
        forfeits = self._series[kind].forfeits
        if forfeits:
            raise EndeavorError(f"agent {self.kinds[kind].agents[forfeits[0].agent]} failed: {forfeits[0].fault.text}")
        return played

    def shard(self, games: Sequence[PlayedGame], first: int) -> Shard:
        """Return games as arrays; the first gets the number ``first``."""
        actions = self.kinds[0].config.rules.num_actions(self.layout_variant)
        parts = [
            _arrays(one, number, self.layout, actions, self._settings.reward)
            for number, one in enumerate(games, start=first)
        ]
        expected = shapes_of(self.layout, actions)
        joined = {
            name: np.concatenate([np.asarray(part[name], kind).reshape(-1, *shape) for part in parts])
            for name, (_, shape, kind) in expected.items()
        }
        return Shard(**joined, num_actions=actions)


def _arrays(played: PlayedGame, number: int, layout: Layout, actions: int, reward: str) -> dict[str, Any]:
    """Return the arrays of one game."""
    game, config = played.game, played.game.config
    made = [(seat, action) for seat, action in game.history if seat != CHANCE]
    seats = np.array([seat for seat, _ in made], np.int8)
    scores = game.scores()
    paid = np.array(named_rewards(config.rules.scale, is_alone(config))[reward](scores), np.float32)
    agents = np.array(played.agents, np.int8)
    options = game_of(config.rules).named_parts(config)["options"]
    usual = c.DIFFICULTY_NAMES[0]
    difficulty = options.get("difficulty", usual) if isinstance(options, Mapping) else usual
    return {
        **_decisions(game, config, len(made), layout, actions),
        "actions": [action for _, action in made],
        "seats": seats,
        "games": np.full(seats.size, number),
        "moves": np.arange(seats.size),
        "agents": agents[seats],
        "outcomes": paid[seats],
        "last_observations": _observed(config, game.state, layout),
        "last_games": np.full(game.num_players, number),
        "last_seats": np.arange(game.num_players),
        "game_numbers": number,
        "game_kinds": played.kind,
        "game_setups": played.setup,
        "game_seeds": game.seed,
        "game_seats": game.num_players,
        "game_agents": _padded(agents, c.NONE),
        "game_difficulties": c.DIFFICULTY_NAMES.index(difficulty),
        "game_scores": _padded(scores, 0),
    }


def _padded(by_seat: npt.ArrayLike, rest: int) -> npt.NDArray[np.int16]:
    """Return a value for each of MAX_SEATS seats, ``rest`` for those that are not at the table."""
    padded = np.full(c.MAX_SEATS, rest, np.int16)
    values = np.asarray(by_seat)
    padded[: values.size] = values
    return padded


def _observed(config: AnyConfig, state: npt.NDArray[np.void], layout: Layout) -> npt.NDArray[Any]:
    """Return what the seats see of a position, (seats, size)."""
    given, write = config.rules.given(config.board_array, state), _OBSERVE[np.dtype(layout.dtype).kind]
    out = np.zeros((config.players, layout.size), layout.dtype)
    for seat in range(config.players):
        write(*given, seat, out[seat])
    return out


def _decisions(game: Any, config: AnyConfig, made: int, layout: Layout, actions: int) -> dict[str, npt.NDArray[Any]]:
    """Return the observation and the packed mask of every decision; nothing is seen or chosen where chance moves."""
    given, write = config.rules.given(config.board_array, game.at_move(0).state), _OBSERVE[np.dtype(layout.dtype).kind]
    observations, mask = np.zeros((made, layout.size), layout.dtype), np.empty(actions, np.int8)
    masks = np.empty((made, -(-actions // 8)), np.uint8)
    row = 0
    single.write_mask(*given, mask)
    for seat, action in game.history:
        if seat != CHANCE:
            write(*given, seat, observations[row])
            masks[row] = np.packbits(mask)
            row += 1
        single.advance(*given, action, mask)
    return {"observations": observations, "masks": masks}


# --- The folder of a dataset while it is written: begun, continued where it was stopped, or replaced -----------------

LOCK = "dataset.lock"
SHARDS = "shard_*.npz"


def new_card(settings: Settings, games: DatasetGames) -> dict[str, Any]:
    """Return the card of a dataset without shards, as JSON values."""
    layout = games.layout
    card = {
        "format": FORMAT,
        "package_version": endeavor_env.__version__,
        "git_commit": git_commit(),
        "command": settings.command(),
        "settings": settings.to_dict(),
        "layout": {
            "variant": games.layout_variant,
            "observation": settings.observation,
            "size": layout.size,
            "hash": layout.hash,
        },
        "actions": {"number": sizes_of(games.layout_variant)[1], "hash": actions_hash(games.layout_variant)},
        "agents": names_of(games.kinds),
        "kinds": [kind.to_dict() for kind in games.kinds],
        "games": 0,
        "decisions": 0,
        "bytes": 0,
        "complete": False,
        "shards": [],
    }
    return json.loads(json.dumps(card))


class Folder:
    """The folder of a dataset.

    Attributes:
        path: The folder.
        card: What ``dataset.json`` holds.
    """

    def __init__(self, path: Path, card: dict[str, Any]) -> None:
        """Stand for a folder whose card is written; use ``open_folder``."""
        self.path = path
        self.card = card

    def missing(self, shards: int) -> list[int]:
        """Return which of so many shards are to be written; those cut off or edited leave the card."""
        done = [entry for entry in self.card["shards"] if intact(self.path / entry["file"], entry)]
        if len(done) < len(self.card["shards"]):
            self._write_card(done, complete=False)
        files = {entry["file"] for entry in done}
        return [number for number in range(shards) if shard_name(number) not in files]

    def add(self, number: int, shard: Shard, complete: bool) -> None:
        """Write a shard, then the card with it; ``complete`` says whether it was the last one missing."""
        entry = write_shard(self.path / shard_name(number), shard)
        self._write_card([*self.card["shards"], entry], complete)

    def _write_card(self, entries: list[dict[str, Any]], complete: bool) -> None:
        """Write the card with these shards."""
        totals = {name: sum(one[name] for one in entries) for name in ("games", "decisions", "bytes")}
        entries = sorted(entries, key=lambda one: one["file"])
        self.card = {**self.card, **totals, "complete": complete, "shards": entries}
        write_json(self.path / CARD, self.card)


def shard_name(number: int) -> str:
    """Return the name of a shard's file."""
    return f"shard_{number:05}.npz"


@contextmanager
def open_folder(path: Path, card: dict[str, Any], force: bool) -> Iterator[Folder]:
    """Begin a dataset in a new or empty folder, or go on with the one in it, and hold its lock.

    Args:
        path: The folder; it is created with its parents.
        card: The card of the dataset, without shards.
        force: Replace a dataset in the folder that is another one or cannot be read.

    Raises:
        InvalidOptionError: The folder holds another dataset or other files, is in use by another process, or cannot be
            written.
        DatasetError: The card in it cannot be read.
    """
    make_folder(path)

    def refuse(_: float) -> None:
        raise InvalidOptionError(f"another process writes the dataset in {path}: wait for it, or stop it")

    with file_lock(path / LOCK, refuse):
        stored = _stored(path, card, force)
        if stored is None:
            for file in path.glob(SHARDS):
                file.unlink()
            write_json(path / CARD, card)
        yield Folder(path, stored or card)


def _stored(path: Path, card: dict[str, Any], force: bool) -> dict[str, Any] | None:
    """Return the card in a folder if it is of the dataset to be made; None if there is none, or it may be replaced."""
    if not (path / CARD).exists():
        others = sorted(file.name for file in path.iterdir() if file.name != LOCK)
        if others:
            raise InvalidOptionError(f"{path} holds {others[0]} but no dataset: give an empty or new folder")
        return None
    try:
        stored = read_card(path)
    except DatasetError as error:
        if force:
            return None
        raise DatasetError(f"{error}; --force replaces the dataset, and another --out leaves it alone") from error
    other = next((name for name in FIXED if stored.get(name) != card[name]), None)
    if other is None:
        return stored
    if force:
        return None
    raise InvalidOptionError(
        f"{path} holds a dataset with other {_difference(other, stored, card)}: give the same settings to go on with "
        "it, another --out, or --force to replace it"
    )


def _difference(name: str, stored: dict[str, Any], card: dict[str, Any]) -> str:
    """Return what differs between two cards in one of their entries."""
    old, new = stored[name], card[name]
    if isinstance(old, dict) and isinstance(new, dict):
        name = next((key for key in new if old.get(key) != new[key]), name)
        old, new = old.get(name), new.get(name)
    return f"{name}, {named(json.dumps(old))} instead of {named(json.dumps(new))}"


# --- Making a dataset: playing the games of the shards that are missing, and writing these ---------------------------


def play_shards(games: DatasetGames, folder: Folder) -> Iterator[int]:
    """Play the games of the shards that are missing and write them; yield the number of set-ups done after each."""
    missing, kinds = folder.missing(games.plan.shards), len(games.kinds)
    done = kinds * sum(
        len(games.plan.cycles_of(number)) for number in range(games.plan.shards) if number not in missing
    )
    yield done
    while missing:
        number = missing.pop(0)
        cycles = games.plan.cycles_of(number)
        played = []
        for cycle in cycles:
            for kind in range(kinds):
                played += games.play(kind, cycle)
                done += 1
                yield done
        shard = games.shard(played, cycles[0] * games.plan.games_per_cycle)
        folder.add(number, shard, complete=not missing)


def make_dataset(settings: Settings, out: str | Path, *, force: bool = False) -> dict[str, Any]:
    """Make a dataset, or go on with it, and return its card, whose ``complete`` says whether it was finished.

    Ctrl-C ends it early; the shards that are done stay. A terminal shows a progress bar.

    Args:
        settings: What is played.
        out: The folder.
        force: Replace another dataset in it.

    Raises:
        InvalidOptionError: Impossible settings, or a folder that cannot be used.
        DatasetError: The dataset in the folder cannot be read.
    """
    games = DatasetGames(settings)
    with open_folder(Path(out), new_card(settings, games), force) as folder:
        play_to_the_end(play_shards(games, folder), games.plan.cycles * len(games.kinds))
        return folder.card
