"""Help needs no extra, and a command that lacks one says in one sentence how to install it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from endeavor_env.agents.extras import EXTRAS, extra_of, is_installed
from endeavor_env.agents.network import ACTIVATIONS
from endeavor_env.agents.network_spec import ACTIVATION_NAMES
from tests.cli.endeavor import COMMANDS, contents

ROOT = Path(__file__).resolve().parents[2]
MODULE_OF = {
    "pillow": "PIL",
    "pygame-ce": "pygame",
    "sb3-contrib": "sb3_contrib",
    "stable-baselines3": "stable_baselines3",
}


def without_extras(lines: list[list[str]], folder: Path, *more: str) -> list[tuple[int, str, str]]:
    """Return exit status, stdout and stderr of each command line without extras, and without ``more`` libraries."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.cli.without_extras", *more],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        input=json.dumps(lines),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return [tuple(outcome) for outcome in json.loads(ran.stdout)]


def test_the_help_of_every_command_needs_no_extra(tmp_path: Path) -> None:
    shown = without_extras([[*words, "--help"] for words in COMMANDS], tmp_path)
    for words, (status, out, err) in zip(COMMANDS, shown, strict=True):
        assert (status, err) == (0, ""), words
        assert f"usage: endeavor {' '.join(words)}" in out.lower()


NEED: list[tuple[list[str], str, str]] = [
    (["play"], "uvicorn", "play"),
    (["watch", "random", "random", "random", "--browser", "--no-open"], "uvicorn", "play"),
    (["mcp"], "mcp", "mcp"),
    (["picture", "-o", "game.png"], "pygame", "render"),
    (["picture", "-o", "game.gif"], "pygame", "render"),
    (["board", "show", "-o", "board.png"], "pygame", "render"),
    (["arena", "random", "random", "checkpoint:policy.zip"], "torch", "train"),
    (["arena", "--round-robin", "random", "automa"], "choix", "arena"),
    (["evaluate", "policy.zip"], "torch", "train"),
    (["datasets", "random", "random", "random", "--out", "data", "--minari", "endeavor/x-v0"], "minari", "data"),
    (["train", "td", "--preset", "quick"], "torch", "train"),
    (["train", "td", "--resume", "run"], "torch", "train"),
    (["train", "ppo", "--preset", "quick"], "torch", "train"),
    (["train", "ppo", "--from", "value"], "torch", "train"),
    (["train", "clone", "--from", "value"], "torch", "train"),
    (["train", "exploit", "value", "--preset", "quick"], "torch", "train"),
    (["train", "export", "policy.zip"], "torch", "train"),
    (["bench", "speed", "--only", "vector", "--plot", "plot.png"], "matplotlib", "arena"),
]


def test_a_missing_extra_is_one_sentence_with_the_command_that_installs_it(tmp_path: Path) -> None:
    outcomes = without_extras([line for line, _, _ in NEED], tmp_path)
    for (line, library, extra), (status, out, err) in zip(NEED, outcomes, strict=True):
        assert (status, out) == (2, ""), (line, err)
        assert re.fullmatch(rf"error: .*{library}.*pip install 'endeavor-env\[{extra}\]'\n", err, re.IGNORECASE), err
    assert contents(tmp_path) == {}


def test_matches_of_compiled_players_need_no_extra(tmp_path: Path) -> None:
    lines = [["train", "match", "greedy", "--variant", "solo", "--games", "2"], ["arena", *["random"] * 3]]
    for status, out, err in without_extras([lines[0], [*lines[1], "--games", "3"]], tmp_path):
        assert status == 0, err
        assert "95 % interval" in out


def test_the_table_of_extras_is_that_of_the_package() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    for extra, libraries in EXTRAS.items():
        names = {re.match(r"[\w-]+", requirement)[0] for requirement in extras[extra]}  # type: ignore[index]
        assert {MODULE_OF.get(name, name) for name in names} >= set(libraries), extra
        assert all(extra_of(f"{library}.part") == extra for library in libraries)
    assert extra_of("numpy") is None
    assert extra_of(None) is None
    assert is_installed("numpy")
    assert not is_installed("no_such_library")


def test_the_activations_of_cards_are_those_of_networks() -> None:
    assert tuple(ACTIVATIONS) == ACTIVATION_NAMES
