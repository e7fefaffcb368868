"""The settings of a run of MaskablePPO, the named presets, and the folder of a run."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from endeavor_env.agents.checkpoint import read_card
from endeavor_env.agents.games import config_of, read_game, sizes_of, table_sizes_of
from endeavor_env.agents.network_spec import ACTIVATION_NAMES, MAX_LAYERS, MAX_PARAMETERS, MAX_WIDTH, NetworkSpec
from endeavor_env.basics.files import write_json
from endeavor_env.endeavor.rewards import rewards_in
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.games import game_in, game_of_variant, named_games
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND
from endeavor_env.errors import EndeavorError, InvalidOptionError
from endeavor_env.training.runs.settings import (
    MOST_ROWS,
    Copies,
    Count,
    JsonSettings,
    LossWeight,
    Opponents,
    PositiveShare,
    Rows,
    Seed,
    Share,
    impossible,
    one_of,
)
from endeavor_env.training.runs.stored_run import SETTINGS, StoredRun, step_name

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO


PRESET_NAMES = ("smoke", "quick", "long", "refine", "refine-smoke")
VARIANTS = (STANDARD, SOLO)
TABLE_SIZES = (3, 4, 5)
Layers = Annotated[tuple[Annotated[int, Field(ge=1, le=MAX_WIDTH)], ...], Field(min_length=1, max_length=MAX_LAYERS)]


def spec_of(variant: str, trunk: tuple[int, ...], head: tuple[int, ...], activation: str) -> NetworkSpec:
    """Return the shape of a policy network for ``variant``."""
    inputs, outputs = sizes_of(variant)
    return NetworkSpec(inputs, trunk, head, outputs, activation)


# --- The settings, and the named presets ------------------------------------------------------------------------------

OUTCOME = "outcome"
"""The reward with which rollouts are played inside the kernels, see ``endeavor.players.value.inputs``."""


_OTHERS = tuple(variant.name for game in named_games().values() for variant in game.variants)


class PPOSettings(JsonSettings):
    """Everything that determines a run. It is written to ``run.json``, from which a resumed run reads it."""

    preset: Annotated[str, one_of(PRESET_NAMES)] = "quick"
    """Name of the preset that the settings were made from."""
    steps: Count = 720_896
    """Decisions to train on, those of all learning seats."""
    seed: Seed = 0
    """Seed of weights, set-ups, opponents and samples, below 2**32."""
    variant: Annotated[str, one_of((*VARIANTS, *_OTHERS))] = STANDARD
    """The variant to train on, of Endeavor or of another game."""
    game_options: str = ""
    """Other games: what else is played in training, as the text of the game has it, such as "max_rolls=100"."""
    players: Annotated[tuple[int, ...], Field(min_length=1, max_length=16)] = TABLE_SIZES
    """Numbers of seats; each game draws one."""
    difficulties: Annotated[tuple[Annotated[str, one_of(c.DIFFICULTY_NAMES)], ...], Field(max_length=16)] = ()
    """Solo: difficulties of the Opposition; each game draws one."""
    opponents: Opponents = (("snapshot", 0.7), ("greedy", 0.15), ("random", 0.15))
    """The opponents in the other seats, with weights; "snapshot" is an earlier copy of the learner."""
    reward: str = "margin"
    """Name of the reward at the end of a game."""
    shaping_weight: LossWeight = 1.0
    """Weight of the potential-based shaping, 0 for none."""
    batch_size: Annotated[int, Field(ge=2, le=MOST_ROWS)] = 2048
    """Decisions of one gradient step."""
    n_epochs: Annotated[int, Field(ge=1, le=1_000)] = 4
    """Passes over the decisions between two updates."""
    learning_rate: PositiveShare = 7e-4
    """Learning rate at the beginning."""
    last_learning_rate: PositiveShare = 7e-5
    """Learning rate at the end; it falls linearly."""
    gamma: PositiveShare = 0.999
    """Discount from one decision to the next."""
    gae_lambda: Share = 0.95
    """Trace decay of the advantage estimate."""
    ent_coef: LossWeight = 0.01
    """Weight of the entropy bonus."""
    trunk: Layers = (192,)
    """Layers shared by policy and value network."""
    head: Layers = (64,)
    """Layers of each of them after the shared ones."""
    activation: Annotated[str, one_of(ACTIVATION_NAMES)] = "relu"
    """The word relu or tanh."""
    checkpoint_every: Count = 65_536
    """Decisions between checkpoints; a run that is killed loses at most these."""
    evaluation_games: Count = 240
    """Evaluation games at the end for each table size and opponent, or difficulty; a multiple of 3, 4 and 5."""
    begin_with: str = ""
    """A stored policy whose weights are the first ones (a zip, an npz, "@name", "policy"; layers may be wider), or a
    compiled player to clone; "" for random ones."""
    sharpen: Annotated[float, Field(gt=0, le=100)] = 1.0
    """Factor of the logits of these weights: above 1 the choices drawn are nearer to the most likely ones."""
    num_envs: Rows = 256
    """Games played side by side."""
    n_steps: Rows = 32
    """Decisions of the learner in each game between updates."""
    snapshot_every: Count = 65_536
    """Decisions of the learner between the copies that are added to the opponents."""
    snapshots: Copies = 3
    """Copies kept as opponents."""
    threads: Annotated[int, Field(ge=1, le=1_024)] = 1
    """Threads of PyTorch, and of the games."""
    precision: Literal["highest", "high", "medium"] = "highest"
    """Of the matrix products of gradients, as PyTorch names them: highest for float32; medium lets a processor that can
    (AMX, AVX-512 with bfloat16) multiply in bfloat16 and add in float32."""

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        """Check what depends on the variant, and the size of the network."""
        for name, possible, why in self._solo_rules() if self.variant == SOLO else self._table_rules():
            if not possible:
                raise impossible(name, getattr(self, name), f"it should be {why}")
        rewards = (*rewards_in(self.variant), OUTCOME)
        if self.reward not in rewards:
            raise impossible("reward", self.reward, f"it should be {' or '.join(rewards)}")
        if self.network.parameters > MAX_PARAMETERS:
            raise InvalidOptionError(
                f"trunk and head make a network of {self.network.parameters:,} parameters: at most "
                f"{MAX_PARAMETERS:,} are possible"
            )
        return self

    def _table_rules(self) -> list[tuple[str, Any, str]]:
        """Return settings of the base game, whether each is possible, and what it should be."""
        sizes = table_sizes_of(config_of(self.variant))
        multiple, *fewer = math.lcm(*sizes), *map(str, sizes[:-1])
        possible = f"{', '.join(fewer)} or {sizes[-1]}, or several of them" if fewer else f"a list of {sizes[-1]}"
        return [
            ("players", set(self.players) <= set(sizes), possible),
            ("difficulties", not self.difficulties, "an empty list"),
            (
                "opponents",
                any(weight > 0 for _, weight in self.opponents),
                "names with weights, one of them above 0",
            ),
            ("evaluation_games", self.evaluation_games % multiple == 0, f"a positive multiple of {multiple}"),
        ]

    def _solo_rules(self) -> list[tuple[str, Any, str]]:
        """Return settings of the solitaire game, whether each is possible, and what it should be."""
        return [
            ("players", self.players == (1,), "a list of the number 1"),
            ("difficulties", self.difficulties, f"one of {', '.join(c.DIFFICULTY_NAMES)}, or several of them"),
            ("opponents", not self.opponents, "empty"),
            ("evaluation_games", self.evaluation_games >= 2, "at least 2"),
        ]

    @property
    def network(self) -> NetworkSpec:
        """The shape of the policy network."""
        return spec_of(self.variant, self.trunk, self.head, self.activation)

    @model_validator(mode="after")
    def _check_rollouts(self) -> Self:
        """Check what depends on the number of games and on who plays them."""
        rows = self.num_envs * self.n_steps
        if rows > MOST_ROWS:
            raise InvalidOptionError(f"num_envs times n_steps is {rows:,}: it must be at most {MOST_ROWS:,}")
        if self.batch_size > rows:
            raise impossible("batch_size", self.batch_size, f"it should be at most num_envs times n_steps, {rows}")
        if rows % self.batch_size == 1:
            why = f"of num_envs times n_steps, {rows}, it leaves 1, whose advantage cannot be normalised: give another"
            raise impossible("batch_size", self.batch_size, why)
        self._check_game()
        if not self.in_kernels:
            return self
        if self.shaping_weight:
            raise impossible("shaping_weight", self.shaping_weight, f"the reward {OUTCOME} is not shaped: give 0")
        if self.activation != "relu":
            raise impossible("activation", self.activation, f"it should be relu for the reward {OUTCOME}")
        for name, most in (("trunk", MAX_FIRST), ("head", MAX_SECOND)):
            if len(widths := getattr(self, name)) > 1 or widths[0] > most:
                raise impossible(name, widths, f"it should be one width of at most {most} for the reward {OUTCOME}")
        return self

    def _check_game(self) -> None:
        """Check what is trained on."""
        game = game_of_variant(self.variant)
        if game.policies_in_kernels:
            if self.game_options:
                raise impossible("game_options", self.game_options, f"it should be empty for {self.variant}")
            return
        if self.in_kernels or self.begin_with:
            name = "reward" if self.in_kernels else "begin_with"
            raise impossible(name, getattr(self, name), f"{game.title} has no policies in kernels")
        try:
            self.other_games()
        except EndeavorError as error:
            raise impossible("game_options", self.game_options, str(error)) from error

    def other_games(self) -> list[Any]:
        """Return what is played of a game without policies in kernels, for each number of seats; else nothing."""
        game = game_of_variant(self.variant)
        if game.policies_in_kernels:
            return []
        return [read_game(game.text(self.variant, self.game_options), players) for players in self.players]

    @property
    def in_kernels(self) -> bool:
        """True if the rollouts are played inside the kernels."""
        return self.reward == OUTCOME


QUICK = PPOSettings()
REFINE = PPOSettings(
    preset="refine",
    steps=6_000_000,
    opponents=(("snapshot", 0.5), ("greedy", 0.5)),
    reward=OUTCOME,
    shaping_weight=0.0,
    n_steps=128,
    batch_size=1024,
    n_epochs=2,
    learning_rate=3e-4,
    last_learning_rate=3e-13,
    gamma=1.0,
    gae_lambda=0.97,
    ent_coef=0.005,
    trunk=(256,),
    head=(128,),
    checkpoint_every=524_288,
    snapshot_every=262_144,
    snapshots=4,
    evaluation_games=1_200,
    threads=2,
    precision="medium",
)
"""Preset that continues by PPO from a network that already plays well."""
_SMOKE: dict[str, Any] = {
    "steps": 2_048,
    "num_envs": 8,
    "n_steps": 64,
    "batch_size": 256,
    "trunk": (32,),
    "head": (16,),
    "checkpoint_every": 1_024,
    "snapshot_every": 512,
    "evaluation_games": 60,
}
"""The sizes of runs that only show that everything works."""
PRESETS: dict[str, PPOSettings] = {
    "smoke": QUICK.replace(preset="smoke", n_epochs=2, **_SMOKE),
    "quick": QUICK,
    "long": QUICK.replace(preset="long", steps=12_000_000, checkpoint_every=262_144, evaluation_games=1_200),
    "refine": REFINE,
    "refine-smoke": REFINE.replace(preset="refine-smoke", threads=1, **_SMOKE),
}

SOLO_ENTROPY = 0.02
"""Weight of the entropy bonus in solo, where no opponents change: with half of it the policy settles too early, and
ends ten Glory lower."""


def preset_of_game(name: str, text: str) -> PPOSettings:
    """Return a preset for what a text says is played of another game than Endeavor.

    Raises:
        InvalidOptionError: A preset that other games do not have, or a text that cannot be read.
        InvalidBoardError: A board that cannot be used.
    """
    game, possible = game_in(text), [one for one, settings in PRESETS.items() if not settings.in_kernels]
    if name not in possible:
        raise InvalidOptionError(f"preset {name!r} is not for {game.name}: presets are {', '.join(possible)}")
    config = read_game(text)
    more = {"opponents": (("snapshot", 0.7), (game.rival, 0.3)), **game.presets.get("ppo", {}).get(name, {})}
    given = [part for part in text.partition(":")[2].split(",") if part]
    if rest := [part for part in given if part.partition("=")[0] not in ("variant", "players")]:
        more["game_options"] = ",".join(rest)
    return PRESETS[name].replace(variant=config.variant, players=(config.players,), **more)


def preset(name: str, variant: str = "standard") -> PPOSettings:
    """Return a preset for a variant; raise InvalidOptionError for an unknown name or variant."""
    if name not in PRESETS:
        raise InvalidOptionError(f"preset {name!r} is unknown: presets are {', '.join(PRESETS)}")
    if variant not in VARIANTS:
        raise InvalidOptionError(f"variant {variant!r} is not trained: possible are {', '.join(VARIANTS)}")
    if variant == "solo":
        settings = PRESETS[name].replace(variant=variant, players=(1,), difficulties=c.DIFFICULTY_NAMES, opponents=())
        return settings if settings.in_kernels else settings.replace(ent_coef=SOLO_ENTROPY)
    return PRESETS[name]


# --- The folder of a run of MaskablePPO: its settings and its checkpoints --------------------------------------------


class RunFolder(StoredRun[PPOSettings]):
    """The folder of a run of MaskablePPO."""

    settings_type = PPOSettings
    may_change = ("steps", "checkpoint_every", "evaluation_games", "threads", "precision")
    packages = ("numpy", "numba", "gymnasium", "torch", "stable_baselines3", "sb3_contrib")

    _seconds, _begun = 0.0, 0.0

    def start_clock(self, checkpoint: Path | None) -> None:
        """Begin to count the hours that cards name, from those of the checkpoint that the run goes on from, if any."""
        hours = read_card(checkpoint)["training"].get("hours") if checkpoint else None
        self._seconds = 3600.0 * hours if isinstance(hours, float) else 0.0
        self._begun = time.monotonic()

    def lengthen(self, steps: int) -> None:
        """Give a run more decisions, in ``run.json`` too; raise InvalidOptionError if these are no more than it has."""
        if steps <= (now := self.settings.steps):
            raise InvalidOptionError(f"--steps {steps} is not possible: the run has {now} decisions, give more or none")
        self.settings = self.settings.replace(steps=steps)
        write_json(self.path / SETTINGS, self._stored())

    def finished(self) -> Path | None:
        """Return the network of the end of training, None if there is none, or the run has more decisions by now.

        Raises:
            CheckpointError: The settings were changed since.
        """
        card = self.finished_card()
        return None if card is None or card["training"]["steps"] < self.settings.steps else self.path / self.final

    def save(self, model: MaskablePPO, spec: NetworkSpec, steps: int) -> Path:
        """Write a periodic checkpoint with its card, delete the run's older ones but a few, and return the path."""
        path = self.write(model, spec, step_name(steps), steps, [])
        self._delete_older(path)
        return path

    def write(
        self, model: MaskablePPO, spec: NetworkSpec, name: str, steps: int, results: list[dict[str, Any]]
    ) -> Path:
        """Write a checkpoint and its card, which names the hours since ``start_clock``; return the path of the zip."""
        seconds = self._seconds + (time.monotonic() - self._begun if self._begun else 0.0)
        return self._write(name, spec, steps, results, model.save, {"hours": round(seconds / 3600, 4)})
