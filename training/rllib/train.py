"""The loop of a run on RLlib: rounds of playing and learning, checkpoints, curves, and what the user sees of them."""

from __future__ import annotations

import contextlib
import math
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import ray
import torch
from ray.exceptions import RayError
from ray.rllib.algorithms.algorithm import Algorithm
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from tensorboardX import SummaryWriter

from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.errors import CheckpointError, EndeavorError, Unpicklable
from endeavor_env.training.rllib.algorithm import POLICY, SCORE, make_algorithm
from endeavor_env.training.rllib.folder import RLlibRunFolder, state_path
from endeavor_env.training.rllib.module import sb3_weights
from endeavor_env.training.runs.ray_machines import Machines
from endeavor_env.training.runs.running import StopRequest
from endeavor_env.training.runs.stored_run import FINAL, steps_of

_PATIENCE = 600  # seconds without a decision after which a run gives up
_CURVES = {
    "train/entropy": "entropy",
    "train/policy_loss": "policy_loss",
    "train/value_loss": "vf_loss",
    "train/explained_variance": "vf_explained_var",
    "train/learning_rate": "default_optimizer_learning_rate",
}
"""The name of a curve, and of the figure of RLlib's learners that it shows."""


class Rounds(Unpicklable):
    """The rounds of one algorithm, each of them some thousand decisions and the gradient steps on them.

    Attributes:
        done: Decisions trained on, those before a resumption included.
        points: The last point of each curve.
    """

    def __init__(self, algorithm: Algorithm, run: RLlibRunFolder, done: int, console: Console) -> None:
        """Go on from ``done`` decisions."""
        self._algorithm = algorithm
        self._run = run
        self._console = console
        self.done = self._saved = done
        self._begun = self._sampled = time.monotonic()
        self._before = done
        self._runners = algorithm.env_runner_group.num_remote_env_runners()  # type: ignore[union-attr]
        self._healthy = self._runners
        self._score: float | None = None
        self.points: dict[str, float] = {}
        run.tensorboard.mkdir(exist_ok=True)
        self._writer = SummaryWriter(str(run.tensorboard))

    def play(self) -> None:
        """Play and learn one round, and save a checkpoint if it is time; raise EndeavorError if nobody plays."""
        result = self._algorithm.train()
        figures = result.get("env_runners", {})
        played = int(figures.get("num_env_steps_sampled", 0))
        self._watch_runners(int(result["fault_tolerance"]["num_healthy_workers"]), played)
        if not played:
            time.sleep(1)
            return
        self.done += played
        score = float(figures.get(SCORE, math.nan))
        self._score = self._score if math.isnan(score) else score
        self._draw(result["learners"][POLICY])
        if self.done - self._saved >= self._run.settings.checkpoint_every:
            self.save()

    def _watch_runners(self, healthy: int, played: int) -> None:
        """Say when runners are lost or replaced; give up when nobody has played for a long time."""
        if healthy != self._healthy:
            then = "" if healthy == self._runners else "; others take their place as soon as Ray has room for them"
            print_line(f"Environment runners: {healthy} of {self._runners}{then}.", self._console)
            self._healthy = healthy
        now = time.monotonic()
        if played:
            self._sampled = now
        elif now - self._sampled > _PATIENCE:
            raise EndeavorError(
                f"no environment runner has played for {_PATIENCE} s: are there machines left for them?"
            )

    def _draw(self, learner: Mapping[str, Any]) -> None:
        """Add a point to each curve."""
        self.points = {curve: float(learner[figure]) for curve, figure in _CURVES.items()}
        self.points |= {"time/environment_runners": self._healthy, "time/decisions_per_second": self._speed()}
        if self._score is not None:
            self.points["games/score"] = self._score
        for curve, value in self.points.items():
            self._writer.add_scalar(curve, value, self.done)

    def _speed(self) -> float:
        return (self.done - self._before) / (time.monotonic() - self._begun)

    def restore(self, checkpoint: Path) -> None:
        """Go on from the state of a periodic checkpoint; raise CheckpointError if RLlib cannot read it.

        RLlib unpickles it, and so runs code from it.
        """
        try:
            self._algorithm.restore_from_path(state_path(checkpoint).absolute())
        except RayError:
            raise
        except Exception as error:  # unpickling raises whatever it likes, above all with another version of Ray
            why = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
            raise CheckpointError(
                f"checkpoint {checkpoint} cannot be resumed: Ray {ray.__version__} does not read its state: {why}"
            ) from error

    def save(self) -> None:
        """Save a checkpoint and say so; do nothing if there is one of this state."""
        if self._saved == self.done:
            return
        state = self._run.partial_state
        shutil.rmtree(state, ignore_errors=True)
        self._algorithm.save_to_path(state.absolute())
        self._run.save(self.weights(), state, self.done)
        self._saved = self.done
        score = "no game over yet" if self._score is None else f"mean score {self._score:.1f}"
        print_line(
            f"{self.done:,} of {self._run.settings.steps:,} decisions, {self._speed():,.0f} a second, {score}",
            self._console,
        )

    def weights(self) -> dict[str, torch.Tensor]:
        """Return the policy under the names of SB3."""
        learners = self._algorithm.learner_group
        assert learners is not None
        return sb3_weights(learners.get_weights([POLICY])[POLICY])

    def close(self) -> None:
        """Finish the curves and stop the processes of the algorithm."""
        self._writer.close()
        self._algorithm.stop()
        with contextlib.suppress(OSError):
            Path(self._algorithm.logdir).rmdir()  # RLlib makes a folder in ~/ray_results, which nothing is written to


def train(
    run: RLlibRunFolder, machines: Machines, console: Console, *, progress: bool, start_over: bool = False
) -> Path:
    """Train a run to its end, from its newest sound checkpoint if it has one; return the final checkpoint.

    Ray must be connected. On Ctrl-C, save a checkpoint and raise KeyboardInterrupt.

    Args:
        run: The folder of the run.
        machines: How many processes take part.
        console: Prints what happens.
        progress: Show a progress bar.
        start_over: Begin at 0 whatever checkpoints there are; these are kept unused.

    Raises:
        CheckpointError: The folder has checkpoints, but none can be used, or its settings were changed since.
        EndeavorError: Ray has lost what cannot be replaced: a learner, or all environment runners for a long time.
    """
    start = run.begin_or_go_on(start_over, lambda line: print_line(line, console))
    done = steps_of(start) if start else 0
    rounds = Rounds(make_algorithm(run.settings, machines, derived_seed(run.settings.seed, done)), run, done, console)
    try:
        if start:
            print_line(f"Resuming from {start}, {done:,} of {run.settings.steps:,} decisions done.", console)
            rounds.restore(start)
        with StopRequest(console).heard() as stop, _bar(run.settings.steps, console, progress) as shown:
            while rounds.done < run.settings.steps and not stop.asked:
                rounds.play()
                shown(rounds.done)
        if not stop.asked:
            return run.write(rounds.weights(), FINAL, rounds.done)
        rounds.save()
    except RayError as error:
        why = str(error).strip().splitlines()[0]
        raise EndeavorError(f"Ray has lost a process that cannot be replaced, resume {run.path}: {why}") from error
    finally:
        rounds.close()
    raise KeyboardInterrupt


@contextlib.contextmanager
def _bar(steps: int, console: Console, progress: bool) -> Iterator[Any]:
    """Show a progress bar where there is a terminal; yield a function that takes the decisions done."""
    columns = (TextColumn("decisions"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not (progress and console.is_terminal)) as bar:
        task = bar.add_task("", total=steps)
        yield lambda done: bar.update(task, completed=min(done, steps))
