"""The settings of a training run, and the named presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from endeavor_env.core import constants as c
from endeavor_env.errors import InvalidOptionError
from training.runs.json_settings import JsonSettings
from training.runs.setting_checks import OUTCOME, VARIANTS, check_settings


@dataclass(frozen=True)
class Settings(JsonSettings):
    """Everything that determines a run. It is written to ``run.json``, from which a resumed run reads it.

    Values that are not possible (``training.runs.setting_checks``) raise InvalidOptionError.
    """

    preset: str = "quick"
    """Name of the preset that the settings were made from."""
    steps: int = 720_896
    """Decisions of the learner to train on."""
    seed: int = 0
    """Seed of weights, set-ups, opponents and samples, below 2**32."""
    variant: str = "standard"
    """The variant to train on: standard or solo."""
    players: tuple[int, ...] = (3, 4, 5)
    """Numbers of seats; each game draws one."""
    difficulties: tuple[str, ...] = ()
    """Solo: difficulties of the Opposition; each game draws one."""
    opponents: tuple[tuple[str, float], ...] = (("snapshot", 0.7), ("greedy", 0.15), ("random", 0.15))
    """The opponents in the other seats, with weights; "snapshot" is an earlier copy of the learner."""
    begin_with: str = ""
    """The path of a checkpoint whose weights are the first ones, or a compiled player to clone; "" for random ones."""
    sharpen: float = 1.0
    """Factor of the logits of these weights: above 1 the choices drawn are nearer to the most likely ones."""
    reward: str = "margin"
    """Name of the reward at the end of a game; with "outcome" rollouts are played inside the kernels."""
    shaping_weight: float = 1.0
    """Weight of the potential-based shaping, 0 for none."""
    num_envs: int = 256
    """Games played side by side."""
    rollout: int = 32
    """Decisions of the learner in each game between updates."""
    batch_size: int = 2048
    """Rows of one gradient step."""
    epochs: int = 4
    """Passes over each rollout."""
    learning_rate: float = 7e-4
    """Learning rate at the beginning."""
    decay: float = 10.0
    """By which factor it has fallen at the end; it falls linearly."""
    gamma: float = 0.999
    """Discount from one decision to the next."""
    gae_lambda: float = 0.95
    """Trace decay of the advantage estimate."""
    entropy: float = 0.01
    """Weight of the entropy bonus."""
    trunk: tuple[int, ...] = (192,)
    """Layers shared by policy and value network."""
    head: tuple[int, ...] = (64,)
    """Layers of each of them after the shared ones."""
    activation: str = "relu"
    """The word relu or tanh."""
    checkpoint_every: int = 65_536
    """Decisions of the learner between checkpoints; a run that is killed loses at most these."""
    snapshot_every: int = 65_536
    """Decisions of the learner between the copies that are added to the opponents."""
    snapshots: int = 3
    """Copies kept as opponents."""
    evaluation_games: int = 240
    """Evaluation games at the end for each table size and opponent, or difficulty; a multiple of 3, 4 and 5."""
    threads: int = 1
    """Threads of PyTorch, and of the games."""
    precision: str = "highest"
    """Of the matrix products of gradients, as PyTorch names them: highest for float32; medium lets a processor that can
    (AMX, AVX-512 with bfloat16) multiply in bfloat16 and add in float32."""

    def __post_init__(self) -> None:
        """Check the values."""
        check_settings({field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the JSON form; raise InvalidOptionError for unknown, missing or impossible settings.

        Settings written before there were variants are of the standard game; later ones may lack what came after.
        """
        later = {"variant": "standard", "difficulties": [], "begin_with": "", "sharpen": 1.0, "decay": 10.0}
        return super().from_dict({**later, "precision": "highest", **data})

    @property
    def in_kernels(self) -> bool:
        """Whether the rollouts are played inside the kernels."""
        return self.reward == OUTCOME


QUICK = Settings()
REFINE = Settings(
    preset="refine",
    steps=6_000_000,
    opponents=(("snapshot", 0.5), ("greedy", 0.5)),
    reward=OUTCOME,
    shaping_weight=0.0,
    rollout=128,
    batch_size=1024,
    epochs=2,
    learning_rate=3e-4,
    decay=1e9,
    gamma=1.0,
    gae_lambda=0.97,
    entropy=0.005,
    trunk=(256,),
    head=(128,),
    checkpoint_every=524_288,
    snapshot_every=262_144,
    snapshots=4,
    evaluation_games=1_200,
    threads=2,
    precision="medium",
)
"""What continues by PPO from a network that plays well already."""
_SMOKE: dict[str, Any] = {
    "steps": 2_048,
    "num_envs": 8,
    "rollout": 64,
    "batch_size": 256,
    "trunk": (32,),
    "head": (16,),
    "checkpoint_every": 1_024,
    "snapshot_every": 512,
    "evaluation_games": 60,
}
"""The sizes of runs that only show that everything works."""
PRESETS: dict[str, Settings] = {
    "smoke": replace(QUICK, preset="smoke", epochs=2, **_SMOKE),
    "quick": QUICK,
    "long": replace(QUICK, preset="long", steps=12_000_000, checkpoint_every=262_144, evaluation_games=1_200),
    "refine": REFINE,
    "refine-smoke": replace(REFINE, preset="refine-smoke", threads=1, **_SMOKE),
}

SOLO_ENTROPY = 0.02
"""Weight of the entropy bonus in solo, where no opponents change: with half of it the policy settles too early, and
ends ten Glory lower."""


def preset(name: str, variant: str = "standard") -> Settings:
    """Return a preset for a variant; raise InvalidOptionError for an unknown name or variant."""
    if name not in PRESETS:
        raise InvalidOptionError(f"preset {name!r} is unknown: presets are {', '.join(PRESETS)}")
    if variant not in VARIANTS:
        raise InvalidOptionError(f"variant {variant!r} is not trained: possible are {', '.join(VARIANTS)}")
    if variant == "solo":
        settings = replace(PRESETS[name], variant=variant, players=(1,), difficulties=c.DIFFICULTY_NAMES, opponents=())
        return settings if settings.in_kernels else replace(settings, entropy=SOLO_ENTROPY)
    return PRESETS[name]
