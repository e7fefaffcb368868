"""``endeavor train ppo --preset quick``: train MaskablePPO on the base game by self-play, or on the solitaire game.

A run leaves a folder with its settings, TensorBoard curves, periodic checkpoints and at the end ``policy.zip`` with
its card ``policy.json``. It can be stopped at any time and continued with ``--resume``; the set-ups and samples after
a resumption differ from those of an unbroken run.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from rich.console import Console

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.terminal import own_command, print_line, print_next, terminal
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.games import default_game, game_in, game_of_variant, named_games, names_in_words
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.evaluate import PLAYERS, measure
from endeavor_env.training.ppo.settings import RunFolder, preset, preset_of_game
from endeavor_env.training.runs.running import (
    Changes,
    ResumedFolder,
    RunSeed,
    ShowProgress,
    StartOver,
    check_resumption,
    next_match,
    sole_use,
    stopped,
)
from endeavor_env.training.runs.stored_run import FINAL, free_folder, steps_of

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

    from endeavor_env.sb3 import EndeavorVecEnv


LIBRARIES = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "tqdm")
"""Libraries that training with MaskablePPO needs."""
STEPS = (
    "Decisions of the learner to train on. With --resume: more of them than before; the learning rate then falls over "
    "all of them, so that it goes on from a higher one."
)
"""The help of --steps."""


def train(run: RunFolder, console: Console, *, progress: bool, start_over: bool = False) -> Path:
    """Train a run to its end, from its newest sound checkpoint if it has one; return the final checkpoint.

    A run that is trained already is left as it is. On Ctrl-C, save the model as a checkpoint and raise
    KeyboardInterrupt again.

    Args:
        run: The folder of the run.
        console: Prints what happens.
        progress: Show a progress bar.
        start_over: Begin at 0 whatever checkpoints there are; these are kept unused.

    Raises:
        CheckpointError: The folder has checkpoints, but none can be used, or its settings were changed since.
        DivergedError: An update left weights that are not finite.
    """
    import torch  # the learner is imported where it begins: the help does not need it

    from endeavor_env.training.ppo.games import KernelOpponentPool, make_env, make_pool
    from endeavor_env.training.ppo.model import SelfPlayCallback, load_model
    from endeavor_env.training.ppo.rollouts import KernelRolloutPPO, KernelRollouts

    settings = run.settings
    torch.set_num_threads(settings.threads)
    # Checking every distribution costs a tenth of the time and can reject float32 rounding on many actions.
    torch.distributions.Distribution.set_default_validate_args(False)
    start = run.begin_or_go_on(start_over, lambda line: print_line(line, console))
    if (final := run.finished()) is not None:
        print_line(f"Trained before: {final}.", console)
        return final
    done = steps_of(start) if start else 0
    run.start_clock(start)
    # Seeds that differ from each other, from those of runs with other seeds, and from those before the resumption.
    games_seed, samples_seed = np.random.SeedSequence([settings.seed, done]).generate_state(2, np.uint64) >> 11
    pool = make_pool(settings, int(samples_seed))
    env = make_env(settings, pool)
    if start:
        print_line(f"Resuming from {start}, {done:,} of {settings.steps:,} decisions done.", console)
        model = load_model(start, done, settings, env, run.tensorboard)
    else:
        model = first_model(run, env, console, progress=progress)
    env.seed(int(games_seed))  # after the model, which seeds its environment too
    if isinstance(model, KernelRolloutPPO):
        assert isinstance(pool, KernelOpponentPool)
        model.rollouts = KernelRollouts(settings, pool, int(games_seed))
    if pool is not None:
        pool.add_copy(model.policy.state_dict(), env)
    with contextlib.closing(env), _matmul_precision(settings.precision):
        if done < settings.steps:
            callback = SelfPlayCallback(run, settings.network, settings, env, pool)
            _learn(run, model, done, callback, progress=progress)
    return run.write(model, settings.network, FINAL, model.num_timesteps, [])


def _learn(run: RunFolder, model: MaskablePPO, done: int, callback: BaseCallback, *, progress: bool) -> None:
    """Learn to the end of a run, after ``done`` decisions, and save the model; on Ctrl-C save it as it is by then."""
    from endeavor_env.training.ppo.model import check_usable

    to_go, network = run.settings.steps - done, run.settings.network
    try:
        model.learn(to_go, callback, tb_log_name="ppo", reset_num_timesteps=done == 0, progress_bar=progress)
    except KeyboardInterrupt:
        if model.num_timesteps > done:
            check_usable(model, network)
            run.save(model, network, model.num_timesteps)
        raise
    run.save(model, network, model.num_timesteps)  # the callback saves nothing after the last update


@contextlib.contextmanager
def _matmul_precision(wanted: str) -> Iterator[None]:
    """Have PyTorch multiply matrices with this precision; it is one setting of the whole process, and set back."""
    import torch

    precision = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(wanted)
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(precision)


def first_model(run: RunFolder, env: EndeavorVecEnv, console: Console, *, progress: bool) -> MaskablePPO:
    """Return the model of a new run; one that begins with a network is saved at once, since a clone takes minutes."""
    from endeavor_env.training.ppo.beginning import begin_with
    from endeavor_env.training.ppo.model import make_model

    model = make_model(run.settings, env, run.tensorboard)
    if run.settings.begin_with:
        begin_with(model, run.settings, console, progress=progress)
        run.save(model, run.settings.network, 0)
    return model


def finish(run: RunFolder, final: Path, console: Console) -> None:
    """Evaluate the final checkpoint of a run, write the results into its card and print them."""
    everywhere = game_of_variant(run.settings.variant).policies_in_kernels
    players = PLAYERS if everywhere else run.settings.players
    measure(final, run.settings.evaluation_games, players, run.settings.preset, console)


def new_run(
    preset_name: str | None,
    out: Path | None,
    variant: str | None,
    seed: int | None,
    steps: int | None,
    begins_with: str | None,
    game: str | None = None,
    changes: Sequence[str] = (),
) -> RunFolder:
    """Return the folder of a new run, with the settings of a preset and what the command line says otherwise."""
    from endeavor_env.training.ppo.beginning import check_beginning, settings_after
    from endeavor_env.training.ppo.games import check_games

    preset_name = preset_name or ("quick" if begins_with is None else "refine")
    if game is not None:
        if game_in(game) is default_game() or variant is not None or begins_with is not None:
            others = names_in_words(named_games())
            raise InvalidOptionError(
                f"--game is for {others}, without --variant and --from: --variant plays {default_game().title}"
            )
        settings = preset_of_game(preset_name, game)
    elif begins_with is None:
        settings = preset(preset_name, variant or STANDARD)
    else:
        settings = settings_after(begins_with, preset_name, variant)
    settings = settings.given(seed=seed, steps=steps).changed(changes)
    check_beginning(settings)  # refused before there is a folder
    check_games(settings)
    command = own_command("endeavor_env.training.ppo")
    name = preset_name if settings.variant == STANDARD else f"{preset_name}-{settings.variant}"
    return RunFolder.create(free_folder(name) if out is None else out, settings, command)


def open_run(
    preset_name: str | None,
    out: Path | None,
    resume: Path | None,
    variant: str | None,
    seed: int | None,
    steps: int | None,
    start_over: bool,
    begins_with: str | None = None,
    game: str | None = None,
    changes: Sequence[str] = (),
) -> RunFolder:
    """Return the folder of the new run or of the one to resume, as the command line says, but for its steps."""
    named = {"--from": begins_with, "--preset": preset_name, "--out": out, "--variant": variant, "--game": game}
    check_resumption(resume, named | {"--seed": seed, "--set": changes}, start_over=start_over)
    if resume is None:
        return new_run(preset_name, out, variant, seed, steps, begins_with, game, changes)
    return RunFolder.reopen(resume)


def main(
    preset_name: Annotated[
        str | None, typer.Option("--preset", help="smoke, quick (the default) or long; after --from refine.")
    ] = None,
    begins_with: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Begin with a stored policy (zip, npz, @name, policy), or clone a player: value:<path>, ...",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; default runs/<preset>.")] = None,
    resume: ResumedFolder = None,
    start_over: StartOver = False,
    variant: Annotated[str | None, typer.Option(help="standard (the default) or solo.")] = None,
    game: Annotated[
        str | None,
        typer.Option(help=f"Another game: {names_in_words(named_games())}, also as merchants:variant=expert."),
    ] = None,
    seed: RunSeed = None,
    steps: Annotated[int | None, typer.Option(help=STEPS)] = None,
    changes: Changes = None,
    progress: ShowProgress = True,
) -> None:
    """Train a policy, then measure it: against random and greedy opponents, in solo at every difficulty."""
    begun = time.perf_counter()
    with command_line():
        check_libraries("train", *LIBRARIES)
        run, console = (
            open_run(preset_name, out, resume, variant, seed, steps, start_over, begins_with, game, changes or ()),
            terminal(),
        )
        with sole_use(run.path):
            try:
                if resume is not None and steps is not None:
                    run.lengthen(steps)
                print_line(f"Run folder {run.path}; curves: tensorboard --logdir {run.tensorboard}", console)
                final = train(run, console, progress=progress, start_over=start_over)
                print_line(f"Trained in {time.perf_counter() - begun:.0f} s; playing the evaluation games ...", console)
                finish(run, final, console)
            except KeyboardInterrupt as interruption:
                raise stopped("endeavor_env.training.ppo", "--resume", str(run.path)) from interruption
        print_line(f"Done in {time.perf_counter() - begun:.0f} s.", console)
        print_next(*next_match(f"checkpoint:{final}", run.settings.variant), console=console)


if __name__ == "__main__":
    start(lambda: typer.run(main))
