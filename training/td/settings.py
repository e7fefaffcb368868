"""The settings of a run of ``training.td``, and the presets."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from endeavor_env.core import constants as c
from endeavor_env.core.policies.value.network import MAX_FIRST, MAX_SECOND
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.game_config import GameConfig
from training.runs.json_settings import JsonSettings
from training.runs.setting_checks import (
    MOST_ROWS,
    MOST_STEPS,
    OPPONENT,
    SEED_LIMIT,
    Rule,
    check_rules,
    number,
    one_of,
    several,
    whole,
)

SELF, SEARCHING, PAST, GREEDY = "self", "searching", "past", "greedy"


GAMES = {
    "standard": tuple(GameConfig("standard", players) for players in (3, 4, 5)),
    "solo": tuple(GameConfig("solo", options={"difficulty": level}) for level in c.DIFFICULTY_NAMES),
    "variants": (GameConfig("soloplay_2"), GameConfig("soloplay_3"), GameConfig("neutral_2")),
    "exploits": tuple(GameConfig("exploits", players) for players in (3, 4, 5)),
}
"""What one network can learn: the base game at every table size, the same with three random Exploits, the solitaire
game, or the variants for 2 and 3. The board is that of a run."""


@dataclass(frozen=True)
class Settings(JsonSettings):
    """Everything that a run depends on."""

    preset: str
    game: str = "standard"
    """A name of GAMES."""
    sizes: tuple[int, ...] = ()
    """The table sizes to play; empty for all of the game."""
    board: str = ""
    """The board of all games: an id such as "generated_7", or the path of a board file; empty for the board of 2009."""
    seed: int = 0
    iterations: int = 100
    """Rounds of playing games and learning from them."""
    games: int = 600
    """Games of an iteration."""
    warm_up_games: int = 4000
    """Games of heuristics before the first iteration, learned from by their outcomes."""
    warm_up_passes: float = 2.0
    """How often each position of these is learned from."""
    first: int = 128
    """Width of the first hidden layer."""
    second: int = 32
    """Width of the second hidden layer."""
    trace: float = 0.8
    """Lambda: the share of what came later in a target, see ``core.learning.self_play.write_targets``."""
    passes: float = 1.5
    """Positions learned from for each new position."""
    batch: int = 1024
    """Positions of a gradient step."""
    buffer: int = 600_000
    """Positions that are kept to learn from."""
    rate: float = 5e-4
    """Learning rate of Adam at the beginning."""
    last_rate: float = 5e-5
    """Learning rate at the end; it falls by the same factor in every iteration."""
    average: float = 0.0
    """Share of the iterations, the last ones, after which the weights go into the mean that is the final network."""
    plays_average: bool = False
    """Whether that mean plays the games, too, as soon as there is one."""
    temperature: float = 0.02
    """Scale of the noise in the values by which moves are chosen, at the beginning."""
    last_temperature: float = 0.003
    """The same at the end."""
    explore: float = 0.02
    """Share of random moves."""
    mix: tuple[tuple[str, float], ...] = ((SELF, 0.75), (PAST, 0.05), (GREEDY, 0.2))
    """Who takes a seat, and how often: the network, a search with it, an earlier one, or a compiled player by name."""
    simulations: int = 15
    """Of the search with the network ("searching" in the mix)."""
    all_searched: bool = True
    """Whether the network learns from all turns that such a search looked at, or only from those it played."""
    lone: bool = False
    """Whether the network takes one seat of each game only, a random one."""
    rival: str = GREEDY
    """The compiled player that takes the other seats in evaluations; the solitaire game has none."""
    begin_with: str = ""
    """The path of a value network to begin with, or "value" for that of the package, instead of games of heuristics;
    "value:standard" for that of another game, all of whose features this game has."""
    past_every: int = 10
    """Iterations from one copy for "past" to the next."""
    past_kept: int = 4
    """Copies that are kept."""
    checkpoint_every: int = 20
    """Iterations from one checkpoint to the next; a run that is killed loses at most these."""
    evaluate_every: int = 25
    """Iterations from one evaluation to the next."""
    evaluation_games: int = 240
    """Games of each of these evaluations, for each table."""
    final_games: int = 1200
    """Games of the evaluation at the end, for each table."""
    threads: int = 0
    """Threads that play; 0 for one on each core."""

    def __post_init__(self) -> None:
        """Check the values."""
        check_rules({field.name: getattr(self, field.name) for field in fields(self)}, RULES)
        if not self.tables:
            raise InvalidOptionError(f"the setting sizes={self.sizes} leaves no table of {self.game}")

    @property
    def variant(self) -> str:
        """The variant whose layouts the network has."""
        return self.variants[0]

    @property
    def tables(self) -> tuple[GameConfig, ...]:
        """The kinds of game."""
        return tuple(table for table in GAMES[self.game] if not self.sizes or table.players in self.sizes)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that the network plays, each once."""
        return tuple(dict.fromkeys(table.variant for table in self.tables))


YES_OR_NO = Rule(lambda value: isinstance(value, bool), "true or false")
TEXT = Rule(lambda value: isinstance(value, str), "a text")
RULES: dict[str, Rule] = {
    "game": one_of(tuple(GAMES)),
    "board": TEXT,
    "seed": whole(0, SEED_LIMIT - 1),
    "iterations": whole(1, MOST_STEPS),
    "games": whole(1, 1_000_000),
    "warm_up_games": whole(1, 1_000_000),
    "warm_up_passes": number(0, 1_000, above=True),
    "first": whole(1, MAX_FIRST),
    "second": whole(1, MAX_SECOND),
    "trace": number(0, 1),
    "passes": number(0, 1_000, above=True),
    "batch": whole(1, MOST_ROWS),
    "buffer": whole(1, 100_000_000),
    "rate": number(0, 1, above=True),
    "last_rate": number(0, 1, above=True),
    "average": number(0, 1),
    "plays_average": YES_OR_NO,
    "temperature": number(0, 1, above=True),
    "last_temperature": number(0, 1, above=True),
    "explore": number(0, 1),
    "mix": several(OPPONENT, 1, 100),
    "simulations": whole(1, 10_000),
    "all_searched": YES_OR_NO,
    "sizes": several(whole(1, c.MAX_SEATS), 0, c.MAX_SEATS),
    "lone": YES_OR_NO,
    "rival": TEXT,
    "begin_with": TEXT,
    "past_every": whole(1, MOST_STEPS),
    "past_kept": whole(1, 100),
    "checkpoint_every": whole(1, MOST_STEPS),
    "evaluate_every": whole(1, MOST_STEPS),
    "evaluation_games": whole(1, MOST_STEPS),
    "final_games": whole(1, MOST_STEPS),
    "threads": whole(0, 1_024),
}
"""What each setting may be."""

ALONE = ((SELF, 1.0),)
_QUICK = Settings("quick", iterations=140, games=400, evaluate_every=20)
_LAPTOP = Settings("laptop", iterations=800, games=900, warm_up_games=6000)
_FULL = Settings("full", iterations=4000, games=1500, warm_up_games=12_000, first=192, buffer=1_000_000)
_SMOKE = Settings(
    "smoke",
    iterations=2,
    games=6,
    warm_up_games=6,
    evaluate_every=1,
    evaluation_games=3,
    final_games=3,
    first=16,
    second=8,
)
_STEADY: dict[str, Any] = {"rate": 6e-4, "last_rate": 1.5e-4, "average": 0.3}
"""What quick has in the base game, because it is stronger with it; the other presets were not measured with it."""
PRESETS = {settings.preset: settings for settings in (_SMOKE, _QUICK, _LAPTOP, _FULL)}


def preset(name: str, game: str) -> Settings:
    """Return the settings of a preset for a game; raise InvalidOptionError for unknown names."""
    if name not in PRESETS:
        raise InvalidOptionError(f"preset {shown(name)} is unknown: possible are {', '.join(PRESETS)}")
    if game not in GAMES:
        raise InvalidOptionError(f"game {shown(game)} is unknown: possible are {', '.join(GAMES)}")
    settings = replace(PRESETS[name], game=game)
    if (name, game) == ("quick", "standard"):
        settings = replace(settings, **_STEADY)
    if game == "solo":
        settings = replace(settings, mix=ALONE, games=4 * settings.games, warm_up_games=2 * settings.warm_up_games)
    return settings
