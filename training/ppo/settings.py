"""The settings of a training run, and the named presets."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from endeavor_env.agents.games import read_game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.games import game_in, game_of_variant, named_games
from endeavor_env.engine.kernels.network import MAX_FIRST, MAX_SECOND
from endeavor_env.errors import EndeavorError, InvalidOptionError
from endeavor_env.training.runs.policy_settings import VARIANTS, PolicySettings
from endeavor_env.training.runs.settings import MOST_ROWS, Copies, Count, Opponents, Rows, impossible, one_of

OUTCOME = "outcome"
"""The reward with which rollouts are played inside the kernels, see ``endeavor.players.value.inputs``."""


_OTHERS = tuple(variant.name for game in named_games().values() for variant in game.variants)


class PPOSettings(PolicySettings):
    """Everything that determines a run. It is written to ``run.json``, from which a resumed run reads it."""

    more_rewards: ClassVar[tuple[str, ...]] = (OUTCOME,)
    variant: Annotated[str, one_of((*VARIANTS, *_OTHERS))] = STANDARD
    """The variant to train on, of Endeavor or of another game."""
    game_options: str = ""
    """Other games: what else is played in training, as the text of the game has it, such as "max_rolls=100"."""

    opponents: Opponents = (("snapshot", 0.7), ("greedy", 0.15), ("random", 0.15))
    """The opponents in the other seats, with weights; "snapshot" is an earlier copy of the learner."""
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
