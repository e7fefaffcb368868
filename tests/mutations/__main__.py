"""Change the rules in places chosen at random, one line at a time, and count how many changes the tests find.

    python -m tests.mutations --places 60 --seed 1

The project is copied to a temporary folder, and nothing is changed in place. Verdicts are appended to a file of JSON
lines; the same command goes on where it was stopped. A test that fails without any change (some need the JIT) is left
out and named. First come the tests that reach the changed line, the shortest first; if they pass, all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.mutations import reached
from tests.mutations.changes import Change, choose_places

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [f"endeavor_env/endeavor/{name}" for name in ("rules", "flow", "variants", "exploits")]
SUITE = ["tests/rules", "tests/golden", "tests/perft", "tests/crosscheck"]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "__pycache__", "*.egg-info", ".*_cache", "build")
TESTS_FAILED = 1  # the exit status of pytest


class Plan(NamedTuple):
    """How the tests of a copied project are run."""

    tree: Path
    suite: Sequence[str]
    """What to test."""
    left_out: Sequence[str]
    """Options of pytest that leave out the tests that fail without a change."""
    reached: Mapping[str, Mapping[int, Sequence[str]]]
    """The tests that reach each line of each file."""
    limit: float
    """Seconds for each change."""


def run_suite(tree: Path, options: Sequence[str], limit: float | None, **variables: str) -> tuple[int | None, str]:
    """Run pytest without the JIT in `tree`; return its exit status, None when it took too long, and its output."""
    plain = ["-n", "0", "-q", "-rfE", "-p", "no:cacheprovider", "--no-header", "--tb=no"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= variables
    command = [sys.executable, "-m", "pytest", *plain, *options]
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


def failed_tests(output: str) -> list[str]:
    """Return the tests that the summary of pytest names as failed."""
    return re.findall(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", output, re.MULTILINE)


def run_noting(tree: Path, asked: argparse.Namespace, notes: Path) -> tuple[int | None, str]:
    """Run all tests without a change, and note in a file which lines each of them reaches."""
    plugins = tree.parent / "plugins"
    plugins.mkdir()
    shutil.copy(reached.__file__, plugins / "reached_lines.py")  # `tree` may be a project that has no such module
    variables = {
        "PYTHONPATH": os.pathsep.join([str(tree), str(plugins)]),
        reached.NOTES: str(notes.absolute()),
        reached.SOURCES: os.pathsep.join(asked.source),
    }
    return run_suite(tree, ["-p", "reached_lines", *asked.suite], None, **variables)


def run_until_failure(plan: Plan, change: Change) -> tuple[int | None, str]:
    """Run the tests that reach a change and, if none of them fails, all, until one fails."""
    first = plan.reached.get(change.path, {}).get(change.line, [])
    if first:
        file = plan.tree.parent / "first.txt"
        file.write_text("\n".join(first), encoding="utf-8")
        found = run_suite(plan.tree, ["-x", *plan.left_out, f"@{file}"], plan.limit)
        if found[0] != 0:
            return found
    return run_suite(plan.tree, ["-x", *plan.left_out, *plan.suite], plan.limit)


def verdict_of(plan: Plan, change: Change) -> dict[str, object]:
    """Make one change, run the tests until one fails, take the change back, and say what was found."""
    file = plan.tree / change.path
    before = file.read_text(encoding="utf-8")
    after = change.apply(before)
    said: dict[str, object] = {
        "change": list(change),
        "was": before.splitlines()[change.line - 1].strip(),
        "is": after.splitlines()[change.line - 1].strip(),
    }
    file.write_text(after, encoding="utf-8")
    try:
        status, output = run_until_failure(plan, change)
    finally:
        file.write_text(before, encoding="utf-8")
    if status is None:
        return said | {"verdict": "killed", "by": "time limit"}
    if status == 0:
        return said | {"verdict": "survived"}
    found = failed_tests(output)
    return said | ({"verdict": "killed", "by": found[0]} if found else {"verdict": "broken", "by": output[-500:]})


def main(arguments: list[str] | None = None) -> int:
    """Run the command and print its counts."""
    asked = _parser().parse_args(arguments)
    heading = {"seed": asked.seed, "places": asked.places, "suite": asked.suite, "source": asked.source}
    asked.results.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.loads(line) for line in asked.results.read_text().splitlines()] if asked.results.exists() else []
    if lines and lines[0]["asked"] != heading:
        print(
            f"{asked.results} holds another run ({lines[0]['asked']}): name another file with --results",
            file=sys.stderr,
        )
        return 2
    notes = asked.results.with_suffix(".reached.json")
    changes = choose_places(asked.root, asked.source, asked.places, asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(asked.root, tree, ignore=LEFT_OUT)
        if not (lines and notes.exists()):
            status, output = run_noting(tree, asked, notes)
            if status not in (0, TESTS_FAILED):
                print(f"the tests do not run without a change:\n{output[-2000:]}", file=sys.stderr)
                return 2
            lines = lines or [{"asked": heading, "left_out": failed_tests(output)}]
            asked.results.write_text("".join(json.dumps(line) + "\n" for line in lines))
        left_out = [f"--deselect={name}" for name in lines[0]["left_out"]]
        plan = Plan(tree, asked.suite, left_out, reached.read_notes(notes), asked.limit)
        for number in range(len(lines) - 1, len(changes)):
            said = verdict_of(plan, changes[number])
            lines.append(said)
            with asked.results.open("a") as file:
                file.write(json.dumps(said) + "\n")
            print(f"{number + 1}/{len(changes)} {said['verdict']} {_where(said)}", flush=True)
    _report(lines)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--places", type=int, default=60, help="how many lines are changed (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="chooses the lines and changes (default 1)")
    parser.add_argument("--suite", nargs="+", default=SUITE, metavar="PATH", help="tests to run, in this order")
    parser.add_argument(
        "--source", nargs="+", default=FOLDERS, metavar="FOLDER", help="folders whose lines are changed"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout that is copied and changed")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds for each change (default 900)")
    parser.add_argument("--results", type=Path, default=Path("build/mutations.jsonl"), help="the file of verdicts")
    return parser


def _where(said: dict[str, object]) -> str:
    path, line, *_ = said["change"]  # type: ignore[misc]
    return f"{path}:{line}: {said['was']}  ->  {said['is']}"


def _report(lines: list[dict[str, object]]) -> None:
    """Print the counts, what survived (some of it changes nothing that can be seen) and which tests were left out."""
    print(dict(Counter(str(said["verdict"]) for said in lines[1:])))
    for said in lines[1:]:
        if said["verdict"] != "killed":
            print(f"{said['verdict']}: {_where(said)}")
    print(f"tests that fail without a change, left out: {lines[0]['left_out']}")


if __name__ == "__main__":
    sys.exit(main())
