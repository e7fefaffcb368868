"""Settings of a dataset: agents for each seat, variants, boards, and numbers of games."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from endeavor_env.agents.games import layout_of, read_game
from endeavor_env.agents.matches import DIFFICULTIES
from endeavor_env.agents.terminal import called
from endeavor_env.basics.inputs import OBSERVATIONS, check_seed, one_of, positive_number
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
from endeavor_env.errors import InvalidOptionError, shown

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
