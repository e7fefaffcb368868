"""The progress bar of a clone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from endeavor_env.training.clone.learner import Fit


@contextmanager
def followed(console: Console, reports: int, shown: bool, done: int = 0) -> Iterator[Callable[[Fit], None]]:
    """Show a bar inside this context; yield the function to call for each of so many reports, some of them done."""
    columns = (
        TextColumn("cloning"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[status]}"),
    )
    with Progress(*columns, console=console, disable=not shown) as progress:
        bar = progress.add_task("", total=reports, completed=done, status="")

        def show(fit: Fit) -> None:
            progress.update(bar, advance=1, status=f"agrees with its teacher in {fit.agreement:.0%}")

        yield show
