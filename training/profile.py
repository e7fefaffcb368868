"""``python -m training.profile --preset quick --steps 65536``: where the wall time of a training run goes.

The run is a real one (``training.ppo.train``, checkpoints and curves included) in a temporary folder, with clocks
around the calls that matter (``training.clocks``).
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from agents.command_line import command_line, start
from agents.extras import check_libraries
from agents.results_file import JsonFile, write_results
from agents.terminal import print_table
from training.ppo import LIBRARIES, train
from training.presets import Settings, preset
from training.run_folder import RunFolder
from training.stored_run import versions


def profile(settings: Settings, folder: Path) -> dict[str, Any]:
    """Train with ``settings`` in ``folder``, which is empty, and measure how the time divides.

    Returns:
        A dictionary of seconds, decisions_per_second (of the learner), environment_share, and parts: a list of
        dictionaries of part, seconds and share.
    """
    from training.clocks import BOOKKEEPING, KERNELS, OBSERVATIONS, PARTS, REST, RULES, Clocks, Comparison, measured

    console = Console(quiet=True)
    warm = replace(settings, steps=1)  # one rollout and its update, to load the machine code
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
    """Return the parts as a table."""
    table = Table("part", title=title)
    for heading in ("seconds", "share"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in result["parts"]:
        table.add_row(row["part"], f"{row['seconds']:.2f}", f"{row['share']:.1%}")
    table.add_section()
    table.add_row("all", f"{result['seconds']:.2f}", "100.0%")
    table.add_row("environment", "", f"{result['environment_share']:.1%}")
    return table


def main(
    preset_name: Annotated[str, typer.Option("--preset", help="smoke, quick, long or refine.")] = "quick",
    variant: Annotated[str, typer.Option(help="standard or solo.")] = "standard",
    steps: Annotated[int, typer.Option(help="Decisions of the learner to train on.")] = 65_536,
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --json if it exists.")] = False,
) -> None:
    """Train for a while and show how the wall time divides."""
    with command_line(json_file, force):
        check_libraries("train", *LIBRARIES)
        settings = replace(preset(preset_name, variant), steps=steps)
        with tempfile.TemporaryDirectory() as folder:
            result = profile(settings, Path(folder))
        title = f"{preset_name}, {variant}: {steps:,} decisions, {result['decisions_per_second']:,.0f} a second"
        try:
            about = {"settings": settings.to_dict(), "versions": versions(RunFolder.packages)}
            write_results(json_file, result | about)
        finally:
            print_table(table_of(result, title))


if __name__ == "__main__":
    start(lambda: typer.run(main))
