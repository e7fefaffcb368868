"""``python -m training.ppo --preset quick``: MaskablePPO learns the base game by self-play, or the solitaire game.

A run leaves a folder with its settings, TensorBoard curves, periodic checkpoints and at the end ``policy.zip`` with
its card ``policy.json``. It can be stopped at any time and continued with ``--resume``; the set-ups and samples after
a resumption differ from those of an unbroken run.
"""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from gymnasium import spaces
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import LinearSchedule

from agents.checkpoint import read_card, write_card
from agents.network import ACTIVATIONS, NetworkSpec, dense
from endeavor_env.core.actions import num_actions
from endeavor_env.errors import EndeavorError, InvalidOptionError
from endeavor_env.observation import layout_for
from endeavor_env.rewards import Shaping
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.setups import SOLO
from training.callbacks import SelfPlayCallback
from training.evaluate import evaluate, evaluate_solo, results_table, solo_rows, solo_table
from training.opponents import OpponentMix, Snapshots
from training.presets import Settings, preset
from training.run_folder import FINAL, RunFolder


def network_spec(settings: Settings) -> NetworkSpec:
    """Returns the policy network of a run."""
    size, actions = layout_for(settings.variant, "features").size, num_actions(settings.variant)
    return NetworkSpec(size, settings.trunk, settings.head, actions, settings.activation)


class Trunk(BaseFeaturesExtractor):
    """The layers policy and value network share, as SB3 wants them."""

    def __init__(self, observation_space: spaces.Box, widths: tuple[int, ...], activation: str) -> None:
        """Builds the layers of ``agents.network`` for the observations of ``observation_space``."""
        super().__init__(observation_space, features_dim=widths[-1])
        self.layers = dense(observation_space.shape[0], widths, activation)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Returns (batch, features_dim)."""
        return self.layers(observations)


def make_mix(settings: Settings, seed: int) -> OpponentMix | None:
    """Returns the opponents of a run, whose samples depend on ``seed``; None in the solitaire game, which has none."""
    if settings.variant == SOLO:
        return None
    generator = torch.Generator().manual_seed(seed)
    return OpponentMix(settings.opponents, Snapshots(network_spec(settings), settings.snapshots, generator), generator)


def make_env(settings: Settings, mix: OpponentMix | None) -> EndeavorVecEnv:
    """Returns the games of a run."""
    shaping = Shaping(settings.gamma, settings.shaping_weight) if settings.shaping_weight > 0 else None
    options: dict[str, Any] = {
        "game_choice": "draw",
        "reward": settings.reward,
        "shaping": shaping,
        "threads": settings.threads,
    }
    if mix is None:
        return EndeavorVecEnv("EndeavorSolo-v0", settings.num_envs, difficulty=settings.difficulties, **options)
    games = [{"players": players} for players in settings.players]
    options |= {"games": games, "learner_seat": "rotate", "opponents": mix.opponents()}
    return EndeavorVecEnv("Endeavor-v0", settings.num_envs, **options)


def make_model(settings: Settings, env: EndeavorVecEnv, tensorboard: Path | None = None) -> MaskablePPO:
    """Returns an untrained model."""
    return MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=LinearSchedule(settings.learning_rate, settings.learning_rate / 10, 1.0),
        n_steps=settings.rollout,
        batch_size=settings.batch_size,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        ent_coef=settings.entropy,
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"widths": settings.trunk, "activation": settings.activation},
            "net_arch": list(settings.head),
            "activation_fn": ACTIVATIONS[settings.activation],
        },
        tensorboard_log=None if tensorboard is None else str(tensorboard),
        seed=settings.seed,
        device="cpu",
    )


def train(run: RunFolder, console: Console, *, progress: bool) -> Path:
    """Trains a run to its end, from its newest sound checkpoint if it has one; returns the final checkpoint.

    On Ctrl-C the model is saved as a checkpoint first, then KeyboardInterrupt goes on.
    """
    settings, spec = run.settings, network_spec(run.settings)
    torch.set_num_threads(settings.threads)
    # Checking every distribution costs a tenth of the time and can reject float32 rounding on many actions.
    torch.distributions.Distribution.set_default_validate_args(False)
    start = run.newest_sound()
    done = int(start.stem.removeprefix("step_")) if start else 0
    # Apart from each other, from those of runs with the next seed, and from those of the run before its resumption.
    games_seed, samples_seed = np.random.SeedSequence([settings.seed, done]).generate_state(2, np.uint64) >> 11
    mix = make_mix(settings, int(samples_seed))
    env = make_env(settings, mix)
    if start:
        console.print(f"Resuming from {start}, {done:,} of {settings.steps:,} decisions done.")
        model = MaskablePPO.load(start, env=env, device="cpu", tensorboard_log=str(run.tensorboard))
    else:
        model = make_model(settings, env, run.tensorboard)
    env.seed(int(games_seed))  # the model has just given its own
    if mix is not None:
        mix.add_copy(model.policy.state_dict(), env)
    callback = SelfPlayCallback(run, spec, settings, env, mix)
    try:
        if done < settings.steps:
            model.learn(
                settings.steps - done,
                callback,
                tb_log_name="ppo",
                reset_num_timesteps=not start,
                progress_bar=progress,
            )
    except KeyboardInterrupt:
        run.save(model, spec, model.num_timesteps)
        console.print(f"Stopped; continue with: python -m training.ppo --resume {run.path}")
        raise
    finally:
        env.close()
    return run.write(model, spec, FINAL, model.num_timesteps, [])


def finish(run: RunFolder, final: Path, console: Console) -> None:
    """Evaluates the final checkpoint, writes the results into its card and prints them."""
    card, settings = read_card(final), run.settings
    title = f"{settings.preset}: {card['training']['steps']:,} decisions, seed {settings.seed}"
    if settings.variant == "solo":
        solo_results = evaluate_solo(final, settings.evaluation_games)
        results, table = solo_rows(solo_results), solo_table(solo_results, title)
    else:
        results = evaluate(final, settings.evaluation_games)
        table = results_table(results, title)
    write_card(final, network_spec(settings), card["training"], results, settings.variant)
    console.print(table)
    console.print(f"Checkpoint {final}, card {final.with_suffix('.json')}")


def free_folder(name: str) -> Path:
    """Returns ``runs/<name>``, or the first of ``runs/<name>-2``, ... that does not exist."""
    path, number = Path("runs") / name, 1
    while path.exists():
        number += 1
        path = Path("runs") / f"{name}-{number}"
    return path


def main(
    preset_name: Annotated[str, typer.Option("--preset", help="smoke, quick or long.")] = "quick",
    out: Annotated[Path | None, typer.Option(help="Folder of the run; default runs/<preset>.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Folder of a run to continue, with its own settings.")] = None,
    variant: Annotated[str | None, typer.Option(help="standard (the default) or solo.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the run.")] = None,
    steps: Annotated[int | None, typer.Option(help="Decisions of the learner to train on.")] = None,
    progress: Annotated[bool, typer.Option(help="Show a progress bar.")] = True,
) -> None:
    """Trains a policy, then measures it: against random and greedy opponents, in solo at every difficulty."""
    console, begun = Console(), time.perf_counter()
    try:
        if resume is not None and (out, variant, seed, steps) != (None, None, None, None):
            raise InvalidOptionError(
                "--resume takes the settings of the run: leave out --out, --variant, --seed and --steps"
            )
        if resume is not None:
            run = RunFolder.reopen(resume)
        else:
            settings = preset(preset_name, variant or "standard")
            settings = replace(settings, seed=settings.seed if seed is None else seed)
            settings = replace(settings, steps=settings.steps if steps is None else steps)
            if settings.steps < 1 or settings.seed < 0:
                raise InvalidOptionError("--steps must be at least 1 and --seed at least 0")
            command = shlex.join(["python", "-m", "training.ppo", *sys.argv[1:]])
            name = preset_name if settings.variant == "standard" else f"{preset_name}-{settings.variant}"
            run = RunFolder.create(out or free_folder(name), settings, command)
        console.print(f"Run folder {run.path}; curves: tensorboard --logdir {run.tensorboard}")
        final = train(run, console, progress=progress)
        console.print(f"Trained in {time.perf_counter() - begun:.0f} s; playing the evaluation games ...")
        finish(run, final, console)
        console.print(f"Done in {time.perf_counter() - begun:.0f} s.")
    except EndeavorError as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(2) from error
    except KeyboardInterrupt as stopped:
        raise typer.Exit(130) from stopped


if __name__ == "__main__":
    typer.run(main)
