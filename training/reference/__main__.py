"""``endeavor train reference METHOD``: train one method under a budget of processor time or decisions.

It leaves a network, ``reference.json`` with what was used and how strong it was on the way, and ``about.toml`` for
``endeavor bench run --about``.
"""

from __future__ import annotations

import pkgutil
from pathlib import Path
from typing import Annotated, Any

import typer

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.terminal import own_command, print_line, print_next
from endeavor_env.basics.files import read_json_object
from endeavor_env.endeavor.ensure import ensure_parts
from endeavor_env.endeavor.rules.parts import LEARNING, PLAYERS
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.reference.methods import METHODS, check_method, method_of
from endeavor_env.training.reference.run import ABOUT, POLICY, RESULT, RUN, TASKS, Reference, players_of, read_track
from endeavor_env.training.runs.running import sole_use

Task = Annotated[str, typer.Option(help=f"The task of the benchmark: {', '.join(TASKS)}.")]
Corpus = Annotated[
    Path, typer.Option(help="For cloning: the folder of a corpus, of which it takes the strong games of the task.")
]
Points = Annotated[int, typer.Option(help="How often the player is measured on the way.", min=1, max=1000)]
Games = Annotated[int, typer.Option(help="Games of each of these measurements among copies of each rival.", min=3)]


def check_free(out: Path) -> None:
    """Raise InvalidOptionError if a run cannot begin in a folder: it holds one that ended, or that was stopped."""
    if (out / RESULT).exists():
        raise InvalidOptionError(f"{out} holds the result of a run already: give another --out")
    left = [name for name in (RUN, POLICY, ABOUT) if (out / name).exists()]
    if left:
        raise InvalidOptionError(
            f"{out} holds {shown(left[0])} of a training that was stopped and cannot go on: delete the folder, or give "
            "another --out"
        )


def main(
    method: Annotated[str, typer.Argument(help=f"{', '.join(METHODS)}.")],
    out: Annotated[Path, typer.Option(help="Folder for the network and its results; it must not hold any.")],
    seed: Annotated[int, typer.Option(help="Seed of everything that is drawn.", min=0, max=(1 << 32) - 1)] = 0,
    track: Annotated[str, typer.Option(help="The budget: cpu-10min, decisions-1m, or other numbers.")] = "cpu-10min",
    task: Task = "table-4",
    corpus: Corpus = Path("runs/corpus"),
    points: Points = 12,
    games: Games = 240,
) -> None:
    """Train METHOD under a budget, which is measured and enforced; evaluations are not counted."""
    with command_line():
        learner, budget = method_of(method), read_track(track)
        players_of(task)
        check_free(out)
        check_method(method)
        train = pkgutil.resolve_name(learner.train)
        ensure_parts(LEARNING, PLAYERS)
        data: tuple[Any, ...] = (corpus / f"{task}-strong",) if learner.from_corpus else ()
        command = own_command("endeavor_env.training.reference")
        out.mkdir(parents=True, exist_ok=True)
        with sole_use(out):
            check_free(out)  # again: another process may just have ended here
            reference = Reference(out, method, task, seed, budget, command, points, games)
            path = train(reference, *data)
        used = reference.budget
        print_line(f"{path}: {used.cpu_seconds:.1f} s of processor time, {used.decisions:,} decisions")
        player, _, network = read_json_object(out / RESULT, "result", InvalidOptionError)["agent"].partition(":")
        row = ("--out", str(out / "games.jsonl"), "--about", str(out / ABOUT))
        print_next("endeavor", "bench", "run", "--agent", f"{player}:{out / network}", "--task", task, *row)


if __name__ == "__main__":
    start(lambda: typer.run(main))
