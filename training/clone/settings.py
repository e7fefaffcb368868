"""The settings of a clone, the presets, and the folder of a clone."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from endeavor_env.agents.checkpoint import card_path, read_card, write_card
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.players import RANDOM, check_plays, entry_named, player_of
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.ppo.settings import VARIANTS, spec_of
from endeavor_env.training.runs.first_policy import FirstPolicy, read_first_policy
from endeavor_env.training.runs.running import LOCK
from endeavor_env.training.runs.settings import (
    MOST_ROWS,
    BufferSize,
    Count,
    Device,
    Games,
    JsonSettings,
    LossWeight,
    Opponents,
    Passes,
    PositiveShare,
    Seed,
    Share,
    Threads,
    check_sizes,
    impossible,
)
from endeavor_env.training.runs.stored_run import FINAL, SETTINGS, STEP, StoredRun, step_name, write_state
from endeavor_env.training.td.settings import GAMES

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO


# --- The settings of a clone, and the presets ------------------------------------------------------------------------

JUDGES = "advised"
"""The compiled player that says of every legal move what it thinks of it."""
SOLO_GAMES = 4
"""Factor on the number of games in the solitaire game, which are shorter."""
ROUNDING = 1e-9
"""By which shares that come to 1 may seem to exceed it."""
ACTIVATION = "relu"
"""Of clones, as the kernels have it."""
LEAST_TEMPERATURE = 1e-3
"""Of a softmax of merits: with this one of them has it all where they are hundredths apart, and far below it infinities
come of the division."""


def _check_temperature(value: float) -> float:
    """Return a temperature; raise ValueError for one that leaves nothing of a softmax."""
    if 0.0 < value < LEAST_TEMPERATURE:
        raise ValueError(f"it should be 0, or {LEAST_TEMPERATURE:g} to 1")
    return value


class CloneSettings(JsonSettings):
    """The settings that determine a clone."""

    preset: str
    teacher: Annotated[str, Field(min_length=1)] = "greedy"
    """The compiled player whose choices are learned, a name of ``endeavor_env.endeavor.players``."""
    variant: Literal["standard", "solo"] = "standard"
    """The word standard or solo."""
    players: tuple[int, ...] = ()
    """The table sizes to play; empty for all."""
    seed: Seed = 0
    iterations: Count = 20
    """Portions in which games are played; each is learned from while the next one is played."""
    games: Games = 300
    """Games of a portion."""
    minutes: Annotated[float, Field(ge=0, le=1e6)] = 0.0
    """After so many no more games are played, whatever ``iterations`` says; 0 for no limit."""
    replay_ratio: Passes = 2.0
    """Choices learned from for each new one, while games are played."""
    last_epochs: Annotated[float, Field(ge=0, le=1_000)] = 0.5
    """Passes over the choices that are kept at the end, when all games are played."""
    buffer_size: BufferSize = 800_000
    """Choices that are kept."""
    student: Share = 0.25
    """Share of the seats, from the second portion on, in which the network plays as it is, and the teacher is asked."""
    opponents: Opponents = ()
    """Other compiled players, with the share of the seats that each takes; nothing is learned from these seats, but
    positions of games with them are."""
    epsilon: Share = 0.02
    """Share of random moves; what is learned is what the teacher would have done."""
    batch_size: Annotated[int, Field(ge=2, le=MOST_ROWS)] = 1024
    """Choices of a gradient step."""
    learning_rate: PositiveShare = 1e-3
    """Learning rate of Adam at the beginning."""
    last_learning_rate: PositiveShare = 1e-4
    """Learning rate at the end; it falls by the same factor in every portion."""
    vf_coef: LossWeight = 0.5
    """Weight of the squared error of the value in the loss."""
    temperature: Annotated[Share, AfterValidator(_check_temperature)] = 0.0
    """Above 0, the softmax of what the teacher thinks of its best moves over this is learned in place of the choice
    alone; the teacher is ``advised`` then, which judges all its moves."""
    begin_with: str = ""
    """The policy network to begin with, by its file, "@name" or "policy"; layers may be wider. Empty for a random
    one."""
    trunk: tuple[Annotated[int, Field(ge=1, le=MAX_FIRST)]] = (256,)
    """Width of the layer shared by policy and value."""
    head: tuple[Annotated[int, Field(ge=1, le=MAX_SECOND)]] = (128,)
    """Width of the layer of each of them after it."""
    checkpoint_every: Count = 10
    """Portions between two checkpoints, from which a clone that was stopped goes on."""
    evaluation_games: Games = 1200
    """Games of the evaluation at the end, at each table size or difficulty."""
    threads: Threads = 0
    """Number of threads that play; 0 for one per core."""
    device: Device = "auto"
    """Device for training: "cpu", "cuda", or "auto" for a GPU if there is one."""

    @model_validator(mode="after")
    def _check_players(self) -> Self:
        """Check that each table size is one of the variant, and named once."""
        check_sizes(self.players, (table.players for table in GAMES[self.variant]))
        return self

    @model_validator(mode="after")
    def _check_seats(self) -> Self:
        """Check that there are seats for all who take a share of them."""
        if self.opponents and self.variant == SOLO:
            raise impossible("opponents", self.opponents, "it should be empty: the solitaire game has one seat")
        if self.student + sum(share for _, share in self.opponents) > 1.0 + ROUNDING:
            why = f"shares should come to 1 at most, together with student={self.student}"
            raise impossible("opponents", self.opponents, why)
        return self

    @property
    def tables(self) -> tuple[GameConfig, ...]:
        """The kinds of game: every table size, or every difficulty."""
        return tuple(table for table in GAMES[self.variant] if not self.players or table.players in self.players)

    def check_named_players(self) -> None:
        """Raise InvalidOptionError or CheckpointError for a player that cannot be made, or does not play the variant.

        The teacher must judge its moves where that is learned; an opponent may be ``random``.
        """
        for name in (self.teacher, *(name for name, _ in self.opponents if name != RANDOM)):
            player_of(name)
            check_plays(name, self.variant)
        if self.temperature > 0.0 and player_of(self.teacher).entry is not entry_named(JUDGES):
            why = f"it should be 0, for {self.teacher} does not judge all its moves, as {JUDGES} does"
            raise impossible("temperature", self.temperature, why)

    def first_policy(self) -> FirstPolicy | None:
        """Return the stored policy of ``begin_with``, None for a random one.

        Raises:
            CheckpointError: Its file cannot be used.
            InvalidOptionError: It plays another variant, or a layer is wider than the clone's.
        """
        if not self.begin_with:
            return None
        first = read_first_policy(self.begin_with, self.variant)
        first.check_fits(self.variant, spec_of(self.variant, self.trunk, self.head, ACTIVATION))
        return first


_QUICK = CloneSettings(preset="quick")
_LONG = CloneSettings(preset="long", iterations=60, games=400, replay_ratio=3.0, last_epochs=1.0)
_SMOKE = CloneSettings(preset="smoke", iterations=2, games=4, trunk=(32,), head=(16,), evaluation_games=6)
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


def preset(name: str, variant: str, teacher: str) -> CloneSettings:
    """Return the settings of a preset for a teacher; raise InvalidOptionError for unknown names."""
    if name not in PRESETS:
        raise InvalidOptionError(f"preset {shown(name)} is unknown: possible are {', '.join(PRESETS)}")
    settings = PRESETS[name].replace(variant=variant, teacher=teacher)
    return settings.replace(games=SOLO_GAMES * settings.games) if variant == SOLO else settings


# --- The folder of a clone: its settings, its curves, and its checkpoints --------------------------------------------

DEMONSTRATIONS = "demonstrations"


class CloneFolder(StoredRun[CloneSettings]):
    """The folder of a clone.

    The result is an ordinary checkpoint, ``policy.zip`` with its card. So are those of a clone in the making,
    ``step_<choices>.zip``, with the state ``.pt`` beside them; ``demonstrations_<choices>.npy`` holds what the newest
    learns from.
    """

    settings_type = CloneSettings
    may_change = ("checkpoint_every", "evaluation_games", "threads", "device")
    packages = ("numpy", "numba", "torch", "stable_baselines3", "sb3_contrib")
    trainer = "clone"
    memories = (DEMONSTRATIONS,)
    state_entries = ("model", "optimizer", "student", "portions", "last_parts", "choices", "seconds")

    def __init__(self, path: Path, settings: CloneSettings, command: str, id: str | None = None) -> None:
        """Stand for a folder, which may hold curves of something else."""
        super().__init__(path, settings, command, id)
        self._others_curves = self.tensorboard.exists()

    @property
    def checkpoint(self) -> Path:
        """The result, which is there as soon as all is learned."""
        return self.path / FINAL

    def save(self, model: MaskablePPO, state: Mapping[str, Any], choices: int, seconds: float) -> Path:
        """Write a periodic checkpoint, delete the clone's older ones but a few, and return the path of its zip.

        Args:
            model: The model, whose network is on the CPU.
            state: What the clone needs to go on: tensors and plain values.
            choices: Choices of the teacher that were recorded.
            seconds: Spent on the clone.
        """
        target = self._free_target(step_name(choices))
        write_state(target, state)
        self._write(target.name, self._spec, choices, [], model.save, _hours(seconds))
        self._delete_older(target)
        return target

    def write(self, model: MaskablePPO, choices: int, seconds: float) -> Path:
        """Write the result with its card, which names the seconds as hours; return the path of the zip."""
        return self._write(FINAL, self._spec, choices, [], model.save, _hours(seconds))

    def add_results(self, results: Sequence[Mapping[str, Any]]) -> None:
        """Write the card of the result anew, with results in evaluation games; nothing more is to be learned from."""
        training = read_card(self.checkpoint)["training"]
        write_card(self.checkpoint, self._spec, training, [dict(row) for row in results], self.settings.variant)
        self.delete_memories()

    @property
    def _spec(self) -> NetworkSpec:
        """The shape of the network."""
        return spec_of(self.settings.variant, self.settings.trunk, self.settings.head, ACTIVATION)

    def discard(self) -> None:
        """Delete what a clone without any checkpoint leaves: everything but files that are not its own."""
        if self.checkpoint.exists() or self.checkpoints():
            return
        if not self._others_curves:
            shutil.rmtree(self.tensorboard, ignore_errors=True)
        own = (SETTINGS, LOCK, card_path(self.checkpoint).name)
        self.delete_memories()
        for file in (*(self.path / name for name in own), *self.path.glob("partial-*"), *self.path.glob(f"{STEP}*")):
            with suppress(OSError):
                file.unlink()
        with suppress(OSError):
            self.path.rmdir()


def _hours(seconds: float) -> dict[str, float]:
    """Return what a card says of the time that was spent."""
    return {"hours": round(seconds / 3600, 3)}
