"""The settings of a run of ``endeavor_env.training.td``, and the presets."""

from __future__ import annotations

import functools
import re
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from endeavor_env.agents.games import table_sizes_of
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.games import game_named, named_games
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.runs.settings import (
    MOST_STEPS,
    BufferSize,
    Copies,
    Count,
    Device,
    Games,
    JsonSettings,
    Opponents,
    Passes,
    PositiveShare,
    Rows,
    Seed,
    Share,
    Threads,
    check_sizes,
    impossible,
    one_of,
)

LEARNER, SEARCHING, SNAPSHOT, GREEDY = "learner", "searching", "snapshot", "greedy"

GAMES = {
    "standard": tuple(GameConfig("standard", players) for players in (3, 4, 5)),
    "solo": tuple(GameConfig("solo", options={"difficulty": level}) for level in c.DIFFICULTY_NAMES),
    "variants": (GameConfig("soloplay_2"), GameConfig("soloplay_3"), GameConfig("neutral_2")),
    "exploits": tuple(GameConfig("exploits", players) for players in (3, 4, 5)),
}
"""Games of Endeavor that one network can learn: the base game at every table size, the same with three random Exploits,
the solitaire game, or the variants for 2 and 3. The board is that of the run."""
ALL_GAMES = (*GAMES, *named_games())
"""Names of the games that one network can learn: those of GAMES, and each other game with all its numbers of seats."""

BOARD_RANGE = re.compile(r"generated_(\d{1,18})-(\d{1,18})")
"""Range of generated boards, named by the seeds of the first and the last."""


def is_range(board: str) -> bool:
    """Return whether the setting ``board`` names a range of boards, of which there may be too many or none."""
    return BOARD_RANGE.fullmatch(board) is not None


@functools.cache
def _tables_of(name: str, board: str) -> tuple[AnyConfig, ...]:
    """Return the tables of a name of ALL_GAMES: of a game of the list on a board by its name or path, or its usual."""
    if name in GAMES:
        return GAMES[name]
    config = game_named(name).parse(name, {"board": board} if board else {})
    return tuple(config.with_players(players) for players in table_sizes_of(config))


class TDSettings(JsonSettings):
    """The settings that determine a run."""

    preset: str
    game: Annotated[str, one_of(ALL_GAMES)] = "standard"
    """A name of ALL_GAMES."""
    players: tuple[int, ...] = ()
    """The table sizes to play; empty for all of the game."""
    board: str = ""
    """The board of all games: an id such as "generated_7", or the path of a board file; empty for the usual one. With
    "generated_1000000-1000199" the games are spread over 200 generated boards."""
    seed: Seed = 0
    iterations: Count = 100
    """Number of iterations: play games, then learn from them."""
    games: Games = 600
    """Games per iteration."""
    warm_up_games: Games = 4000
    """Games between heuristics before the first iteration, whose outcomes are learned."""
    warm_up_epochs: Passes = 2.0
    """Epochs over the positions of these games."""
    first_width: Annotated[int, Field(ge=1, le=MAX_FIRST)] = 128
    """Width of the first hidden layer."""
    second_width: Annotated[int, Field(ge=1, le=MAX_SECOND)] = 32
    """Width of the second hidden layer."""
    td_lambda: Share = 0.8
    """Lambda of TD(lambda): share of later values in a target, see ``endeavor.learning.self_play.write_targets``."""
    replay_ratio: Passes = 1.5
    """Gradient samples for each new position."""
    batch_size: Rows = 1024
    """Positions per gradient step."""
    buffer_size: BufferSize = 600_000
    """Capacity of the replay buffer, in positions."""
    learning_rate: PositiveShare = 5e-4
    """Initial learning rate of Adam."""
    last_learning_rate: PositiveShare = 5e-5
    """Final learning rate; it decays exponentially by iteration."""
    average: Share = 0.0
    """Share of the iterations, the last ones, whose weights are averaged into the final network."""
    plays_average: bool = False
    """True to play the games with this average as soon as there is one."""
    temperature: PositiveShare = 0.02
    """Initial scale of the noise in the values by which moves are chosen."""
    last_temperature: PositiveShare = 0.003
    """Final scale of this noise."""
    epsilon: Share = 0.02
    """Share of random moves."""
    opponents: Opponents = ((LEARNER, 0.75), (SNAPSHOT, 0.05), (GREEDY, 0.2))
    """Players of the seats with their weights: the network, a search with it, an earlier snapshot, or a compiled player
    by name."""
    simulations: Annotated[int, Field(ge=1, le=10_000)] = 15
    """Simulations per search with the network ("searching" among the opponents)."""
    all_searched: bool = True
    """True to learn from all turns that such a search examined, False for only those that were played."""
    lone: bool = False
    """True if the network takes a single random seat of each game."""
    rival: str = GREEDY
    """Compiled player of the other seats in evaluations; the solitaire game has none."""
    begin_with: str = ""
    """Initial network, instead of games of heuristics: the path of a value network, "value" for that of the package, or
    "value:standard" for that of another game, all of whose features this game has."""
    taught: Annotated[int, Field(ge=0, le=MOST_STEPS)] = 0
    """Number of iterations in which the initial network plays while a fresh one learns from its games; 0 to continue
    training the initial network itself."""
    snapshot_every: Count = 10
    """Iterations between copies for "snapshot"."""
    snapshots: Copies = 4
    """Number of copies kept."""
    checkpoint_every: Count = 20
    """Iterations between checkpoints; a run that is killed loses no more than these."""
    evaluate_every: Count = 25
    """Iterations between evaluations."""
    evaluation_games: Count = 240
    """Games per evaluation and table."""
    final_games: Count = 1200
    """Games of the final evaluation per table."""
    threads: Threads = 0
    """Number of threads that play; 0 for one per core."""
    device: Device = "auto"
    """Device for training: "cpu", "cuda", or "auto" for a GPU if there is one."""

    @model_validator(mode="after")
    def _check_tables(self) -> Self:
        """Check that there is something to play, and somebody."""
        if not any(weight > 0 for _, weight in self.opponents):
            raise impossible("opponents", self.opponents, "it should be names with weights, one of them above 0")
        check_sizes(self.players, (table.players for table in _tables_of(self.game, self.board)))
        if self.taught and not self.begin_with:
            raise impossible("taught", self.taught, "it needs a network that plays: give --from")
        return self

    @property
    def variant(self) -> str:
        """The variant whose layouts the network has."""
        return self.variants[0]

    @property
    def tables(self) -> tuple[AnyConfig, ...]:
        """The kinds of game."""
        tables = _tables_of(self.game, self.board)
        return tuple(table for table in tables if not self.players or table.players in self.players)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that the network plays, each once."""
        return tuple(dict.fromkeys(table.variant for table in self.tables))


ALONE = ((LEARNER, 1.0),)
_QUICK = TDSettings(preset="quick", iterations=140, games=400, evaluate_every=20)
_LAPTOP = TDSettings(preset="laptop", iterations=800, games=900, warm_up_games=6000)
_FULL = TDSettings(
    preset="full", iterations=4000, games=1500, warm_up_games=12_000, first_width=192, buffer_size=1_000_000
)
_SMOKE = TDSettings(
    preset="smoke",
    iterations=2,
    games=6,
    warm_up_games=6,
    evaluate_every=1,
    evaluation_games=3,
    final_games=3,
    first_width=16,
    second_width=8,
)
_QUICK_BASE_GAME: dict[str, Any] = {
    "iterations": 110,
    "learning_rate": 6e-4,
    "last_learning_rate": 1.5e-4,
    "average": 0.3,
}
"""Settings of quick in the base game: it is stronger with these rates, which other presets were not measured with, and
with so many iterations the whole command takes some six minutes on two cores."""
PRESETS = {settings.preset: settings for settings in (_SMOKE, _QUICK, _LAPTOP, _FULL)}


DURATIONS = {"smoke": "seconds", "quick": "six minutes", "laptop": "an hour", "full": "a night"}
"""Approximate duration of each preset on two cores, its evaluation included."""


def duration(settings: TDSettings) -> str:
    """Return a line about how long a run takes, for those who begin one."""
    about = f"The preset {settings.preset} takes about {DURATIONS[settings.preset]} on two cores"
    return f"{about}, much longer among players that search; Ctrl-C stops it, and --resume goes on"


def preset(name: str, game: str) -> TDSettings:
    """Return the settings of a preset for a game; raise InvalidOptionError for unknown names."""
    if name not in PRESETS:
        raise InvalidOptionError(f"preset {shown(name)} is unknown: possible are {', '.join(PRESETS)}")
    if game not in ALL_GAMES:
        raise InvalidOptionError(f"game {shown(game)} is unknown: possible are {', '.join(ALL_GAMES)}")
    settings = PRESETS[name].replace(game=game)
    if (name, game) == ("quick", "standard"):
        settings = settings.replace(**_QUICK_BASE_GAME)
    if game not in GAMES:
        settings = settings.replace(**game_named(game).presets.get("td", {}).get(name, {}))
    if game == "solo":
        settings = settings.replace(opponents=ALONE, games=4 * settings.games, warm_up_games=2 * settings.warm_up_games)
    return settings
