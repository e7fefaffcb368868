"""One word for each check: noxfile.py, .ci/run, the hooks before a commit, the workflows and the pages say the same."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
OWN_ENVIRONMENTS = {"oldest", "newest", "numba", "build"}


@pytest.fixture(scope="module")
def listed() -> set[str]:
    """The sessions that nox lists."""
    command = [sys.executable, "-m", "nox", "-f", str(ROOT / "noxfile.py"), "--list"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^[*-] (\w+)", shown, re.MULTILINE))


def commands_of_ci() -> set[str]:
    """Return the commands of the checks of .ci/run, with the places of noxfile.py for what goes afterwards."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    lines = re.findall(r'^check "[^"]+" ([^#\n]+)', text, re.MULTILINE)
    found = {" ".join(shlex.split(line)) for line in lines}
    assert re.search(r"^python -m endeavor_env\.compile >", text, re.MULTILINE)  # beside the first checks
    found = (found - {"install_browser", "wait_for_kernels"}) | {"python -m endeavor_env.compile"}
    found = {command.replace("$scratch/site", "build/site").replace("$scratch", "{scratch}") for command in found}
    return {"pytest" if command == "pytest -n 2" else command for command in found}


def test_every_check_has_a_word(noxfile: ModuleType, listed: set[str]):
    assert listed == {*noxfile.CHECKS, *OWN_ENVIRONMENTS, "all"}


def test_the_words_run_what_ci_runs(noxfile: ModuleType):
    assert {command for commands in noxfile.CHECKS.values() for command in commands} == commands_of_ci()


def test_the_hooks_before_a_commit_run_what_their_words_run(noxfile: ModuleType):
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"]
    hooks = repositories[0]["hooks"]
    assert hooks
    for hook in hooks:
        assert noxfile.CHECKS[hook["id"]] == (hook["entry"],)
        assert hook["language"] == "system"  # nothing is installed


def test_the_workflows_ask_for_words_that_exist(listed: set[str]):
    asked: set[str] = set()
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        for words in re.findall(r"nox -s ([\w ]+)", text):
            asked |= set(words.split())
        asked |= set(re.findall(r"session: (\w+)", text))
    assert asked == listed - {"all"}


def test_the_page_explains_every_word(noxfile: ModuleType):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[a-z`, ]+`) \|", text, re.MULTILINE)
    assert [word for row in rows for word in re.findall(r"`(\w+)`", row)] == list(noxfile.CHECKS)
    for word in OWN_ENVIRONMENTS - {"build"}:
        assert f"`{word}`" in text or f"nox -s {word}" in text


def test_a_word_fails_where_its_check_fails(tmp_path: Path):
    (tmp_path / "noxfile.py").write_text((ROOT / "noxfile.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "unused.py").write_text("import os\n", encoding="utf-8")
    command = [sys.executable, "-m", "nox", "-f", str(tmp_path / "noxfile.py"), "-s", "lint"]
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 1
    (tmp_path / "unused.py").unlink()
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_versions_of_tools_are_those_of_the_constraints(noxfile: ModuleType, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    for names in (noxfile.TEST_TOOLS, ("build", "setuptools", "llvmlite", "numba", "numpy", "platformdirs")):
        assert set(noxfile.pinned(names)) <= set(lines)
        assert len(noxfile.pinned(names)) == len(names)


def test_the_tests_that_sessions_name_exist(noxfile: ModuleType):
    for name in (*noxfile.SOME_TESTS, *noxfile.COMPILED_TESTS, *noxfile.NEED_TRAINING):
        path = ROOT / name
        assert path.is_file() or list(path.rglob("test_*.py")), name
    file, _, test = noxfile.NEEDS_TRAINING.partition("::")
    assert f"\ndef {test}(" in (ROOT / file).read_text(encoding="utf-8")


def test_the_sessions_without_the_extra_train_leave_out_what_needs_it(noxfile: ModuleType):
    needs = re.compile(r"\b(?:stable_baselines3|torch|tests\.kits\.(?:checkpoints|sb3|training)|endeavor_env\.sb3)\b")
    files = [
        path for name in ("envs", "game", "golden", "perft", "rules") for path in (ROOT / "tests" / name).rglob("*.py")
    ]
    imports = re.compile(r"^(?:from|import) .+|^    from .+ import .+", re.MULTILINE)
    found = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if any(needs.search(line) for line in imports.findall(path.read_text(encoding="utf-8")))
    }
    assert found <= set(noxfile.NEED_TRAINING)
