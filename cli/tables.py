"""Games of agents: who sits where, how a game is played to its end, and how it ended."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from rich.table import Table

from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.command_line import read_any_config
from endeavor_env.agents.forfeits import forfeits_in_words, forfeits_of
from endeavor_env.agents.registry import agents_for, player_in
from endeavor_env.agents.runner import PLAIN, Hooks, play_game
from endeavor_env.agents.terminal import terminal
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.cli.views import view_of
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.games import game_of
from endeavor_env.engine.players_info import HUMAN, PlayersInfo
from endeavor_env.errors import InvalidOptionError, printable

DEFAULT_AGENT = "greedy"


class Setting(NamedTuple):
    """What the command line says about a game of agents."""

    seats: Sequence[str] | None
    """The agent of each seat; None or none lets the heuristic play everywhere."""
    config: GameConfig
    """Game that is played."""
    seed: int
    called: str | None = None
    """Names of the seats, with commas; None names them by their agents."""


class Seated(NamedTuple):
    """A game and those who play it."""

    game: Any
    """A ``Game`` of any rules."""
    agents: list[AgentOf[Any]]


def read_setting(
    seats: Sequence[str] | None,
    variant: str,
    seed: int,
    board: str | None,
    options: Sequence[str] | None,
    exploits: str | None,
    game: str | None = None,
    called: str | None = None,
) -> Setting:
    """Return the setting of a command line.

    Raises:
        InvalidOptionError: A person among the seats, an unknown variant, board or option, or a wrong number of seats.
        InvalidBoardError: The board file has faults, or the variant cannot be played on it.
    """
    refuse_others(seats or ())
    players = len(seats) if seats else None
    return Setting(seats, read_any_config(variant, players, board, options, exploits, game), seed, called)


def sit_down(setting: Setting) -> Seated:
    """Return the game at its first decision, with agents that are ready to play it.

    Raises:
        InvalidOptionError: An unknown agent, or a wrong seed or number of names.
    """
    names = setting.seats or [DEFAULT_AGENT] * setting.config.players
    made, game = agents_for(setting.config, names), setting.config.new_game(setting.seed)
    for seat, agent in enumerate(made):
        agent.reset(derived_seed(setting.seed, seat))
    who = [player_in(setting.config, name, str(agent.name)) for name, agent in zip(names, made, strict=True)]
    if setting.called is not None:
        called = [name.strip() for name in setting.called.split(",")]
        if len(called) != len(who):
            raise InvalidOptionError(f"--names has {len(called)} names, and the game {len(who)} seats: name each")
        who = [player._replace(name=name) for player, name in zip(who, called, strict=True)]
    declared = game_of(setting.config.rules)
    game.played = PlayersInfo.of(who, declared.environment_in_records(setting.config.variant))
    return Seated(game, made)


def refuse_others(seats: Sequence[str]) -> None:
    """Raise InvalidOptionError for people and records among the agents, with the command that takes them."""
    records = [name for name in seats if name.endswith(".json") and ":" not in name]
    if records:
        command = shlex.join(["endeavor", "replay", records[0]])
        raise InvalidOptionError(f"{records[0]} is a record and no agent: {command} shows a game that was played")
    if any(name.partition(":")[0] == HUMAN for name in seats):
        command = shlex.join(["endeavor", "play", "--seats", *seats])
        raise InvalidOptionError(f"only agents play here: people play in the browser, with {command}")


def play(seated: Seated, hooks: Hooks = PLAIN) -> Any:
    """Play a game to its end and return it."""
    play_game(seated.agents, seated.game, hooks)
    names = [str(agent.name) for agent in seated.agents]
    for line in forfeits_in_words(forfeits_of(0, 0, enumerate(seated.agents)), names):
        print(printable(line), file=sys.stderr)
    return seated.game


@contextmanager
def playing() -> Iterator[None]:
    """Say on a terminal that a game is played."""
    with terminal(stderr=True).status("playing") if sys.stderr.isatty() else nullcontext():
        yield


def final_table(game: Any) -> Table:
    """Return how a game ended, or how it stands: a row for everybody who scores."""
    return view_of(game).final_table(game)


def suffix_of(file: Path, kinds: Sequence[str]) -> str:
    """Return the suffix of a file's name, in lower case without the dot.

    Raises:
        InvalidOptionError: It is none of ``kinds``.
    """
    suffix = file.suffix.lower().removeprefix(".")
    if suffix not in kinds:
        possible = ", ".join(f".{kind}" for kind in kinds)
        raise InvalidOptionError(f"{file} is not possible: the name must end in one of {possible}")
    return suffix
