"""The settings of a tournament: what determines its games, checked before the first one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import endeavor_env
from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.games import is_alone
from endeavor_env.agents.matches.series import what_is_played
from endeavor_env.agents.matches.solo import DIFFICULTIES
from endeavor_env.agents.registry import agents_for
from endeavor_env.agents.tournament.matchups import Matchup, solo_matchups, table_matchups
from endeavor_env.basics.inputs import check_seed, fresh_seed, positive_number, whole_number
from endeavor_env.endeavor.game import BoardGiven, check_config_alone, given_config
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.game import Game, GameConfig, agent_title, game_for
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.games import game_of
from endeavor_env.errors import InvalidOptionError, shown

FORMAT = "endeavor-tournament/1"
DEFAULT_GAMES = 400
DEFAULT_MIXED = 20
MIN_SOLO_GAMES = 2  # a standard deviation needs two
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
    config: GameConfig
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
    config: GameConfig | None = None,
    records: Path | None = None,
) -> TournamentSettings:
    """Return checked settings; see ``play.play_tournament`` for the arguments and errors.

    Every agent is made once and asked for one decision, so that none fails later.
    """
    if config is None:
        given: GameConfig = given_config(None, variant, None, board, options, exploits)
    else:
        if not isinstance(getattr(config, "rules", None), GameRules):
            raise InvalidOptionError(f"config={shown(config)} is not possible: give a GameConfig")
        check_config_alone(variant, None, board, options, exploits)
        given = config
    sizes = _table_sizes(players, given)
    config = given.with_players(sizes[0])
    if "difficulty" in (options or {}) or "difficulty" in config.to_dict()["options"]:
        raise InvalidOptionError(EVERY_DIFFICULTY)
    least = MIN_SOLO_GAMES if is_alone(config) else 1
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


def _table_sizes(players: Sequence[int] | None, config: GameConfig) -> tuple[int, ...]:
    """Return the table sizes; raise InvalidOptionError for none, one the variant does not have, or a repeated one."""
    sizes = tuple(config.with_players(one).players for one in ([config.players] if players is None else players))
    if not sizes or len(set(sizes)) < len(sizes):
        raise InvalidOptionError(f"players={shown(players)} is not possible: give one or more table sizes, each once")
    return tuple(sorted(sizes))


def _table(agents: int, players: int, games: int, mixed: int, seed: int) -> TableSize:
    """Return the fields and the number of set-ups at tables of ``players`` seats."""
    fields = solo_matchups(agents, DIFFICULTIES) if players == 1 else table_matchups(agents, players, mixed, seed)
    return TableSize(players, -(-games // players), tuple(fields))


def _make_agents(config: GameConfig, agents: Sequence[str]) -> list[AgentOf[Any]]:
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
