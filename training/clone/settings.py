"""The settings of a clone, and the presets."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from endeavor_env.core.policies.value.network import MAX_FIRST, MAX_SECOND
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.game_config import GameConfig
from endeavor_env.players import check_plays, player_of
from endeavor_env.setups import SOLO
from training.runs.json_settings import JsonSettings
from training.runs.setting_checks import (
    MOST_ROWS,
    MOST_STEPS,
    SEED_LIMIT,
    VARIANTS,
    Rule,
    check_rules,
    number,
    one_of,
    several,
    whole,
)
from training.td.settings import GAMES

SOLO_GAMES = 4
"""How many more games of the solitaire game are played, which are shorter."""


@dataclass(frozen=True)
class Settings(JsonSettings):
    """Everything that a clone depends on; impossible values raise InvalidOptionError."""

    preset: str
    teacher: str = "greedy"
    """The compiled player whose choices are learned, a name of ``endeavor_env.players``."""
    variant: str = "standard"
    """The word standard or solo."""
    seed: int = 0
    rounds: int = 20
    """Portions in which games are played; each is learned from while the next one is played."""
    games: int = 300
    """Games of a portion."""
    passes: float = 2.0
    """Choices learned from for each new one, while games are played."""
    last_passes: float = 0.5
    """Passes over the choices that are kept at the end, when all games are played."""
    buffer: int = 800_000
    """Choices that are kept."""
    student: float = 0.25
    """Share of the seats, from the second portion on, in which the network plays as it is, and the teacher is asked."""
    explore: float = 0.02
    """Share of random moves; what is learned is what the teacher would have done."""
    batch: int = 1024
    """Choices of a gradient step."""
    rate: float = 1e-3
    """Learning rate of Adam at the beginning."""
    last_rate: float = 1e-4
    """Learning rate at the end; it falls by the same factor in every portion."""
    value_weight: float = 0.5
    """Weight of the squared error of the value in the loss."""
    trunk: tuple[int, ...] = (256,)
    """Width of the layer shared by policy and value."""
    head: tuple[int, ...] = (128,)
    """Width of the layer of each of them after it."""
    evaluation_games: int = 1200
    """Games of the evaluation at the end, at each table size or difficulty."""
    threads: int = 0
    """Threads that play; 0 for one on each core."""

    def __post_init__(self) -> None:
        """Check the values."""
        check_rules({field.name: getattr(self, field.name) for field in fields(self)}, RULES)

    @property
    def tables(self) -> tuple[GameConfig, ...]:
        """The kinds of game: every table size, or every difficulty."""
        return GAMES[self.variant]

    def check_teacher(self) -> None:
        """Raise InvalidOptionError or CheckpointError unless the teacher can be made and plays the variant."""
        player_of(self.teacher)
        check_plays(self.teacher, self.variant)


RULES: dict[str, Rule] = {
    "teacher": Rule(lambda value: isinstance(value, str) and bool(value), "the name of a compiled player"),
    "variant": one_of(VARIANTS),
    "seed": whole(0, SEED_LIMIT - 1),
    "rounds": whole(1, MOST_STEPS),
    "games": whole(1, 1_000_000),
    "passes": number(0, 1_000, above=True),
    "last_passes": number(0, 1_000),
    "buffer": whole(1, 100_000_000),
    "student": number(0, 1),
    "explore": number(0, 1),
    "batch": whole(2, MOST_ROWS),
    "rate": number(0, 1, above=True),
    "last_rate": number(0, 1, above=True),
    "value_weight": number(0, 1e3),
    "trunk": several(whole(1, MAX_FIRST), 1, 1),
    "head": several(whole(1, MAX_SECOND), 1, 1),
    "evaluation_games": whole(1, MOST_STEPS),
    "threads": whole(0, 1_024),
}
"""What each setting may be."""

_QUICK = Settings("quick")
_LONG = Settings("long", rounds=60, games=400, passes=3.0, last_passes=1.0)
_SMOKE = Settings("smoke", rounds=2, games=4, trunk=(32,), head=(16,), evaluation_games=6)
PRESETS = {settings.preset: settings for settings in (_SMOKE, _QUICK, _LONG)}


def first_variant(teacher: str) -> str:
    """Return the first variant that a clone of this compiled player can play: standard or solo.

    Raises:
        InvalidOptionError: No such player, or it plays neither.
        CheckpointError: The file of the player's network cannot be used.
    """
    for variant in player_of(teacher).variants:
        if variant in VARIANTS:
            return variant
    raise InvalidOptionError(f"player {shown(teacher)} cannot be cloned: it plays neither {' nor '.join(VARIANTS)}")


def preset(name: str, variant: str, teacher: str) -> Settings:
    """Return the settings of a preset for a teacher; raise InvalidOptionError for unknown names."""
    if name not in PRESETS:
        raise InvalidOptionError(f"preset {shown(name)} is unknown: possible are {', '.join(PRESETS)}")
    settings = replace(PRESETS[name], variant=variant, teacher=teacher)
    return replace(settings, games=SOLO_GAMES * settings.games) if variant == SOLO else settings
