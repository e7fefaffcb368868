"""Workflows, issue templates and the other files that a hosting site reads: they fit their schemas and the project."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import endeavor_env

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(set((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) - {ROOT / ".github/ISSUE_TEMPLATE/config.yml"})
FILES = [
    *(("github-workflows", path) for path in WORKFLOWS),
    *(("github-issue-forms", path) for path in FORMS),
    ("github-issue-config", ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"),
    ("dependabot", ROOT / ".github" / "dependabot.yml"),
    ("citation-file-format", ROOT / "CITATION.cff"),
]
SYSTEMS, PYTHONS = {"ubuntu-latest", "macos-latest", "windows-latest"}, ["3.11", "3.12", "3.13", "3.14"]


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a Python program with the modules of this environment."""
    return subprocess.run([sys.executable, "-m", *map(str, words)], capture_output=True, text=True, check=False)


def check_schema(schema: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Compare a file with a schema that check-jsonschema brings, without a network."""
    return run("check_jsonschema", "--builtin-schema", f"vendor.{schema}", path)


def read(path: Path) -> dict[Any, Any]:
    """Return what a YAML file holds."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs_of(name: str) -> dict[str, Any]:
    """Return the jobs of a workflow."""
    return read(ROOT / ".github" / "workflows" / f"{name}.yml")["jobs"]


def commands_of(job: dict[str, Any]) -> list[str]:
    """Return what a job runs."""
    return [step["run"] for step in job.get("steps", []) if "run" in step]


@pytest.mark.parametrize(("schema", "path"), FILES, ids=[path.name for _, path in FILES])
def test_the_file_fits_its_schema(schema: str, path: Path):
    checked = check_schema(schema, path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("schema", "path", "right", "wrong"),
    [
        ("github-workflows", WORKFLOWS[0], "runs-on:", "runs-at:"),
        ("github-issue-forms", FORMS[0], "type: textarea", "type: area"),
        ("dependabot", ROOT / ".github" / "dependabot.yml", "interval: weekly", "interval: often"),
        ("citation-file-format", ROOT / "CITATION.cff", "title: Endeavor Env", "titel: Endeavor Env"),
    ],
)
def test_a_slip_in_the_file_is_noticed(schema: str, path: Path, right: str, wrong: str, tmp_path: Path):
    text = path.read_text(encoding="utf-8")
    assert right in text
    slip = tmp_path / path.name
    slip.write_text(text.replace(right, wrong), encoding="utf-8")
    assert check_schema(schema, slip).returncode == 1


def test_pyproject_is_valid():
    checked = run("validate_pyproject", ROOT / "pyproject.toml")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_hooks_before_a_commit_are_valid():
    checked = run("pre_commit", "validate-config", ROOT / ".pre-commit-config.yaml")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_every_change_is_tested_on_all_systems_and_pythons():
    matrix = jobs_of("ci")["tests"]["strategy"]["matrix"]
    assert set(matrix["os"]) == SYSTEMS
    assert matrix["python"] == PYTHONS


def test_the_classifiers_name_only_pythons_that_are_tested():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text)
    assert named
    assert set(named) <= set(PYTHONS)
    assert f'requires-python = ">={PYTHONS[0]}"' in text


def test_the_weekly_run_tries_the_newest_numba():
    workflow = read(ROOT / ".github" / "workflows" / "weekly.yml")
    assert workflow[True]["schedule"]  # YAML reads the key `on` as true
    assert "nox -s numba" in commands_of(workflow["jobs"]["numba"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_only_read_unless_a_job_says_more(path: Path):
    assert read(path)["permissions"] == {"contents": "read"}
    assert "secrets." not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_job_ends_and_every_action_has_a_version(path: Path):
    for name, job in read(path)["jobs"].items():
        assert "timeout-minutes" in job or "uses" in job, name
        for action in [step["uses"] for step in job.get("steps", []) if "uses" in step]:
            assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+(\.\d+)*", action), action


def test_a_release_is_published_only_after_the_check_of_its_tag_all_tests_and_a_trial_of_the_wheel():
    jobs = jobs_of("release")
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert jobs["publish"]["environment"] == "pypi"
    assert set(jobs["publish"]["needs"]) == {"ci", "wheel"}
    assert jobs["wheel"]["needs"] == "build"
    assert jobs["build"]["needs"] == jobs["ci"]["needs"] == "agreement"
    assert commands_of(jobs["agreement"]) == ['python .ci/release_check.py "$GITHUB_REF_NAME"']


def test_the_trial_of_the_wheel_is_a_command_that_works():
    commands = [command.split() for command in commands_of(jobs_of("release")["wheel"]) if "pip" not in command]
    assert [words[0] for words in commands] == ["endeavor"]
    tried = subprocess.run(
        [sys.executable, "-m", "endeavor_env.cli", *commands[0][1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tried.returncode == 0, tried.stderr


def test_the_citation_names_this_version():
    assert read(ROOT / "CITATION.cff")["version"] == endeavor_env.__version__


def test_the_owners_of_files_are_named_for_paths_that_exist():
    lines = (ROOT / ".github" / "CODEOWNERS").read_text(encoding="utf-8").splitlines()
    paths = [line.split()[0] for line in lines if line and not line.startswith("#")]
    assert paths[0] == "*"
    for path in paths[1:]:
        assert list(ROOT.glob(path.strip("/"))), path


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md"])
def test_links_of_a_page_lead_to_files_and_headings(name: str):
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / name).read_text(encoding="utf-8"))
    assert links
    for link in links:
        file, _, place = link.partition("#")
        text = (ROOT / file).read_text(encoding="utf-8")
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert not place or place in anchors, link
