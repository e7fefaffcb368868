"""``python -m training.profile --preset quick --steps 65536``: where the wall time of a training run goes.

The run is a real one (``training.ppo.train``, checkpoints and curves included) in a temporary folder, with clocks
around the calls that matter. Rules, compiled opponents and observations are one compiled loop: how its time divides is
measured on copies of the games of every 16th call, played as they are, with random opponents, and unobserved.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any
from unittest import mock

import typer
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.command_line import check_writable
from endeavor_env.core.batch import rows as kernels
from endeavor_env.errors import EndeavorError, InvalidOptionError
from endeavor_env.files import write_json
from endeavor_env.sb3 import EndeavorVecEnv
from training.opponents import SampledPolicy
from training.ppo import train
from training.presets import Settings, preset
from training.run_folder import RunFolder, versions

RULES = "environment: rules and new games"
OBSERVATIONS = "environment: observations"
BOOKKEEPING = "environment: asking opponents, rewards, infos"
COMPILED = "compiled opponents"
NETWORKS = "opponents' networks"
CHOOSING = "learner: choosing moves"
BUFFER = "learner: rollout buffer"
GRADIENTS = "learner: gradient steps"
REST = "the rest: SB3's loop, checkpoints, curves"
KERNELS = "rules, observations, compiled opponents"
PARTS = (RULES, OBSERVATIONS, BOOKKEEPING, COMPILED, NETWORKS, CHOOSING, BUFFER, GRADIENTS, REST)

CLOCKS: tuple[tuple[Any, str, str], ...] = (
    (EndeavorVecEnv, "step_wait", BOOKKEEPING),
    (EndeavorVecEnv, "reset", BOOKKEEPING),
    (EndeavorVecEnv, "env_method", BOOKKEEPING),
    (SampledPolicy, "__call__", NETWORKS),
    (MaskableActorCriticPolicy, "forward", CHOOSING),
    (MaskableActorCriticPolicy, "predict_values", CHOOSING),
    (MaskablePPO, "train", GRADIENTS),
    (MaskableRolloutBuffer, "reset", BUFFER),
    (MaskableRolloutBuffer, "add", BUFFER),
    (MaskableRolloutBuffer, "compute_returns_and_advantage", BUFFER),
    (MaskableRolloutBuffer, "_get_samples", BUFFER),
)
"""What is called, and the part its time belongs to, without that of the calls inside it that have their own clock."""
PLAYING = ("turn_random", "turn_all")
"""The kernels that play the rules and the compiled opponents, and observe."""
EVERY = 16  # calls of them between two comparisons
AS_IS, RANDOM, UNOBSERVED = "as is", "random", "random and unobserved"


class Clocks:
    """Seconds of the main thread by part. What is done while the clocks stand still counts nowhere."""

    def __init__(self) -> None:
        """Starts at 0."""
        self.seconds: dict[str, float] = dict.fromkeys((*PARTS, KERNELS), 0.0)
        self.paused = 0.0
        self._inside = 0.0
        self._thread = threading.get_ident()

    def around(self, call: Callable[..., Any], part: str) -> Callable[..., Any]:
        """Returns ``call`` with a clock around it."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            if threading.get_ident() != self._thread:  # its time passes in the main thread as well, which waits
                return call(*args, **kwargs)
            outer, self._inside, start = self._inside, 0.0, time.perf_counter()
            try:
                return call(*args, **kwargs)
            finally:
                took = time.perf_counter() - start
                self.seconds[part] += took - self._inside
                self._inside = outer + took

        return timed

    def pause(self, call: Callable[[], None]) -> None:
        """Calls ``call`` while the clocks stand still."""
        start = time.perf_counter()
        call()
        took = time.perf_counter() - start
        self.paused += took
        self._inside += took


class Comparison:
    """How long the kernels take on copies of games: as they are, with random opponents, and also without looking."""

    def __init__(self, clocks: Clocks) -> None:
        """Keeps ``clocks`` still while it compares."""
        self._clocks = clocks
        self._calls = 0
        self._ways = [AS_IS, RANDOM, UNOBSERVED]
        self.seconds = dict.fromkeys(self._ways, 0.0)

    def beside(self, kernel: Callable[..., Any], all_policies: bool) -> Callable[..., Any]:
        """Returns ``kernel``, which is compared with itself in some calls before they are made.

        Args:
            kernel: One of ``PLAYING``.
            all_policies: Whether it plays others than random opponents.
        """

        def compared(*args: Any) -> Any:
            self._calls += 1
            if self._calls % EVERY == 0 and threading.current_thread() is threading.main_thread():
                self._clocks.pause(lambda: self._compare(kernel, args, all_policies))
            return kernel(*args)

        return compared

    def _compare(self, kernel: Callable[..., Any], args: tuple[Any, ...], all_policies: bool) -> None:
        self._ways.append(self._ways.pop(0))  # what comes first finds colder caches
        for way in self._ways:
            if way == RANDOM and not all_policies:
                continue
            boards, kinds, *games, rows, actions, setups, observed, raw, closes, pay, scale, fine, ended = args[:17]
            mix, tables, states, masks, status = (array.copy() for array in games)
            if way != AS_IS:
                for codes in (mix["policy"], tables["policies"], tables["opponents"]):
                    codes[(codes > kernels.SEAT_RANDOM) & (codes < kernels.SEAT_CALLABLE)] = kernels.SEAT_RANDOM
            last = args[17:19]
            if way == UNOBSERVED:
                observed, raw, last = observed[:0], raw[:0], tuple(array[:0] for array in last)
            played = (boards, kinds, mix, tables, states, masks, status, rows, actions, setups, observed, raw)
            start = time.thread_time()  # of the processor: three short times compare badly where others want it too
            kernel(*played, closes, pay, scale, fine, ended, *last, *args[19:])
            took = time.thread_time() - start
            self.seconds[way] += took
            if way == AS_IS and not all_policies:
                self.seconds[RANDOM] += took

    def shares(self) -> dict[str, float]:
        """Returns how the time of the kernels divides into rules, observations and compiled opponents."""
        whole = self.seconds[AS_IS]
        if not whole:
            return {RULES: 1.0}
        compiled = max(0.0, 1.0 - self.seconds[RANDOM] / whole)
        observations = max(0.0, (self.seconds[RANDOM] - self.seconds[UNOBSERVED]) / whole)
        return {RULES: 1.0 - compiled - observations, OBSERVATIONS: observations, COMPILED: compiled}


@contextmanager
def measured(clocks: Clocks, comparison: Comparison) -> Iterator[None]:
    """Has the clocks around the calls of ``CLOCKS`` and ``PLAYING`` for as long as it is open."""
    with ExitStack() as patches:
        for owner, name, part in CLOCKS:
            patches.enter_context(mock.patch.object(owner, name, clocks.around(getattr(owner, name), part)))
        for name in PLAYING:
            kernel = comparison.beside(getattr(kernels, name), name == "turn_all")
            patches.enter_context(mock.patch.object(kernels, name, clocks.around(kernel, KERNELS)))
        yield


def profile(settings: Settings, folder: Path) -> dict[str, Any]:
    """Trains with ``settings`` in ``folder``, which is empty, and says where the time went.

    Returns:
        seconds, decisions_per_second (of the learner), environment_share, and parts: a list of part, seconds, share.
    """
    console = Console(quiet=True)
    warm = replace(settings, steps=1)  # one rollout and its update: loads the machine code
    train(RunFolder.create(folder / "warm", warm, ""), console, progress=False)
    clocks = Clocks()
    comparison = Comparison(clocks)
    with measured(clocks, comparison):
        start = time.perf_counter()
        train(RunFolder.create(folder / "run", settings, ""), console, progress=False)
        total = time.perf_counter() - start - clocks.paused
    in_kernels = clocks.seconds.pop(KERNELS)
    seconds = clocks.seconds | {part: share * in_kernels for part, share in comparison.shares().items()}
    seconds[REST] = total - sum(seconds.values())
    rounds = -(-settings.steps // (settings.num_envs * settings.rollout))
    return {
        "seconds": total,
        "decisions_per_second": rounds * settings.num_envs * settings.rollout / total,
        "environment_share": sum(seconds[part] for part in (RULES, OBSERVATIONS, BOOKKEEPING)) / total,
        "parts": [{"part": part, "seconds": seconds[part], "share": seconds[part] / total} for part in PARTS],
    }


def table_of(result: dict[str, Any], title: str) -> Table:
    """Returns the parts as a table."""
    table = Table("part", title=title)
    table.add_column("seconds", justify="right")
    table.add_column("share", justify="right")
    for row in result["parts"]:
        table.add_row(row["part"], f"{row['seconds']:.2f}", f"{row['share']:.1%}")
    table.add_section()
    table.add_row("all", f"{result['seconds']:.2f}", "100.0%")
    table.add_row("environment", "", f"{result['environment_share']:.1%}")
    return table


def main(
    preset_name: Annotated[str, typer.Option("--preset", help="smoke, quick or long.")] = "quick",
    variant: Annotated[str, typer.Option(help="standard or solo.")] = "standard",
    steps: Annotated[int, typer.Option(help="Decisions of the learner to train on.")] = 65_536,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the figures to this file as well.")] = None,
) -> None:
    """Trains for a while and shows where the wall time goes."""
    try:
        if json_file is not None:
            check_writable(json_file)
        if steps < 1:
            raise InvalidOptionError(f"--steps {steps} is not possible: it must be at least 1")
        settings = replace(preset(preset_name, variant), steps=steps)
        with tempfile.TemporaryDirectory() as folder:
            result = profile(settings, Path(folder))
    except EndeavorError as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(2) from error
    except KeyboardInterrupt as stopped:
        raise typer.Exit(130) from stopped
    title = f"{preset_name}, {variant}: {steps:,} decisions, {result['decisions_per_second']:,.0f} a second"
    Console().print(table_of(result, title))
    if json_file is not None:
        write_json(json_file, {**result, "settings": settings.to_dict(), "versions": versions()})


if __name__ == "__main__":
    typer.run(main)
