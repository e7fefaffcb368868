"""Runs the families of ``tests.fuzz``: ``python -m tests.fuzz --inputs 100000 --seed 1 [--family records]``.

Inputs come in chunks of one seed each: the seed given, the next one, and so on, in the same order on any number of
cores. The command ends with 1 at the first fault, whose message names the seed of its chunk. Interrupted, it says with
which seed to go on.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tests.fuzz.families import chunks, families, run_chunk


def main(
    inputs: Annotated[int, typer.Option(min=1, help="How many inputs, shared evenly by the families.")] = 2000,
    family: Annotated[str | None, typer.Option(help="Only this family.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the first chunk of inputs.")] = 1,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; all cores if left out.")] = None,
) -> None:
    """Try wrong inputs by the thousand."""
    known = families()
    if family is not None and family not in known:
        raise typer.BadParameter(f"{family!r} is no family: give one of {', '.join(known)}")
    names = [family] if family else list(known)
    outcomes: dict[str, Counter[str]] = {name: Counter() for name in names}
    fault = run_all(list(chunks(names, inputs, seed)), jobs or os.cpu_count() or 1, outcomes)
    Console().print(table(outcomes))
    if fault is not None:
        typer.echo(f"\n{fault}", err=True)
        raise typer.Exit(1)


def run_all(work: list[tuple[str, int, int]], jobs: int, outcomes: dict[str, Counter[str]]) -> str | None:
    """Run the chunks in processes and add up what came of them; return the first fault, None if there is none."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures: dict[Future[Counter[str]], tuple[str, int, int]] = {pool.submit(run_chunk, *one): one for one in work}
        try:
            for future in track(as_completed(futures), "inputs", total=len(futures), console=Console(stderr=True)):
                name, seed, count = futures[future]
                try:
                    outcomes[name] += future.result()
                except Exception as error:  # also of a process that died
                    pool.shutdown(wait=False, cancel_futures=True)
                    again = f"python -m tests.fuzz --family {name} --seed {seed} --inputs {count}"
                    return f"{type(error).__name__}: {error}\nAgain: {again}"
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            return (
                f"Interrupted. Go on with --seed {min(one[1] for future, one in futures.items() if not future.done())}"
            )
    return None


def table(outcomes: dict[str, Counter[str]]) -> Table:
    """Return the outcomes of each family."""
    found = Table("family", "outcome", "times")
    for name, counts in outcomes.items():
        for outcome, times in counts.most_common():
            found.add_row(name, outcome, f"{times:,}")
    return found


if __name__ == "__main__":
    typer.run(main)
