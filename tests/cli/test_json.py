"""With ``--json -`` stdout has JSON and nothing else, in pipes and redirected; the tables for people go to stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from endeavor_env.benchmarks import processes
from tests.cli.endeavor import COMMANDS, endeavor
from tests.cli.test_help import help_of
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.commands import run_command

ROOT = Path(__file__).resolve().parents[2]
THREE = ["random"] * 3
RESULTS: list[tuple[list[str], str, str]] = [
    (["arena", *THREE, "--games", "3"], "scores", "95 % interval"),
    (
        ["arena", "--round-robin", "random", "automa", "--players", "3", "--games", "6", "--resamples", "20"],
        "agents",
        "rating",
    ),
    (["solo", "random", "--games", "2", "--difficulty", "normal"], "rows", "lead"),
    (["perft", "--depth", "1"], "counts", "positions/s"),
    (["datasets", *THREE, "--games", "3", "--out", "data"], "games", "3 games"),
    (["corpus", "--out", "corpus", "--games", "9", "--part", "solo-strong"], "parts", "1 of 17 parts"),
    (["board", "show"], "regions", "Mediterranean"),
    (["board", "check", "board.toml"], "valid", "is a valid board"),
    (["train", "match", "greedy", "--variant", "solo", "--games", "2", "--no-progress"], "results", "95 % interval"),
    (["evaluate", "policy.zip", "--games", "2"], "rows", "lead"),
    (["doctor"], "can_play", "Python"),
    (["bench", "tasks"], "tasks", "table-4"),
    (["bench", "merchants", "--smoke"], "sections", "| unit |"),
    (["bench", "workers", "--smoke"], "sections", "| unit |"),
]  # fmt: skip
LATER = {
    ("words",),
    ("bench", "core"),
    ("bench", "score"),
    ("bench", "memory"),
    ("bench", "speed"),
    ("bench", "envs"),
    ("train", "strength"),
}
"""Write in the same way as those above, and take longer or need a server."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a board and a checkpoint of the solitaire game."""
    untrained_checkpoint(tmp_path, "solo").rename(tmp_path / "policy.zip")
    monkeypatch.chdir(tmp_path)
    assert endeavor("board", "new", "board.toml").status == 0
    return tmp_path


@pytest.mark.parametrize(("arguments", "key", "words"), RESULTS, ids=lambda value: str(value)[:40])
def test_stdout_has_json_alone_and_stderr_what_is_for_people(
    arguments: list[str], key: str, words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "CODES", {"a bare interpreter": "pass"})  # a test of its own starts all of them
    done = endeavor(*arguments, "--json", "-")
    assert done.status == 0, done.err
    assert key in json.loads(done.out)
    assert words in done.err
    assert not (folder / "-").exists()


def test_these_are_all_commands_that_write_results() -> None:
    met = {tuple(line[:1]) for line, _, _ in RESULTS} | {tuple(line[:2]) for line, _, _ in RESULTS} | LATER
    for words in COMMANDS:
        assert ("--json" in help_of(words)) == (words in met), words


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
@pytest.mark.parametrize("redirected", [True, False])
def test_a_shell_gets_it_from_pipes_and_files(name: str, redirected: bool, tmp_path: Path) -> None:
    if name != "-" and not Path(name).exists():
        pytest.skip("this system has no /dev/stdout")
    file = tmp_path / "result.json"
    with file.open("w") as target:
        ran = subprocess.run(
            [sys.executable, "-m", "endeavor_env.cli", "board", "show", "--json", name],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=target if redirected else subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
    written = file.read_text("utf-8") if redirected else ran.stdout
    assert json.loads(written)["id"] == "endeavor_2009"
    assert "Mediterranean" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_a_mistake_leaves_stdout_empty(folder: Path) -> None:
    done = endeavor("arena", "random", "--json", "-")
    assert (done.status, done.out) == (2, "")
    module = run_command("endeavor_env.agents.arena", *THREE, "--games", "3", "--json", "-")
    assert json.loads(module.out)["games"] == 3
