"""What the pages tell a reader to run does run, and what they point at is there.

Every ``python`` block of README.md must run by itself, with warnings as errors, from outside the checkout.
"""

from __future__ import annotations

import functools
import importlib.util
import itertools
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.kits.commands import Outcome, run_command
from tests.kits.scripts import DOCS, load_script

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
MADE = {DOCS / name for name in load_script("make/reference_pages.py").NAMES}
"""Pages that are made from the code while the site is built."""
PAGES = sorted({*ROOT.glob("*.md"), *DOCS.glob("**/*.md"), *ROOT.glob("notebooks/*.md")} - MADE)
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELLS = {"bash", "sh", "shell", "console"}
LINK = re.compile(r"\]\(([^)\s]+)\)")
COMMAND = re.compile(r"(?<![\w./-])(?:python3? -m [\w.]+|endeavor (?=[a-z]))[^`|;&#>\n]*")
SCRIPT = re.compile(r"python3? ([\w./-]+\.py)")
SECONDS = 280  # for one block or command; below the limit of a test


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    line: int
    text: str


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(found.group(1), text.count("\n", 0, found.start()) + 1, found.group(2)) for found in FENCE.finditer(text)
    ]


def commands_of(page: Path) -> set[str]:
    """Return the commands ``endeavor`` and ``python -m`` of a page: in its shell blocks, and quoted in its prose."""
    text = page.read_text(encoding="utf-8")
    shell = "\n".join(block.text for block in blocks(page) if block.language in SHELLS)
    quoted = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", FENCE.sub("", text))
    lines = [*shell.replace("\\\n", " ").splitlines(), *quoted]
    return {found.strip() for line in lines for found in COMMAND.findall(line)}


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


PROGRAMS = [block for block in blocks(README) if block.language == "python"]
COMMANDS = sorted(set().union(*(commands_of(page) for page in PAGES if DOCS / "log" not in page.parents)))
"""The commands of all pages but those of the lab book, which keep the commands of their time."""


def run(arguments: list[str], folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python from ``folder``, in a terminal wide enough that help texts keep option names whole."""
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb", "MPLBACKEND": "Agg"}
    return subprocess.run(
        [sys.executable, *arguments],
        input=given,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_the_readme_shows_programs_and_commands():
    assert PROGRAMS
    assert commands_of(README)


@pytest.mark.parametrize("program", [pytest.param(block, id=f"line-{block.line}") for block in PROGRAMS])
def test_every_program_of_the_readme_runs(program: Block, tmp_path: Path):
    done = run(["-W", "error", "-"], tmp_path, program.text)
    assert done.returncode == 0, f"README.md, the block at line {program.line}:\n{done.stderr}"


@functools.cache  # most commands stand on several pages
def help_of(module: str, *before: str) -> Outcome:
    """Return the help of a command or of a subcommand."""
    return run_command(module, *before, "--help", columns=200)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_names_a_module_and_options_that_exist(command: str):
    first, *words = shlex.split(command)
    module, arguments = ("endeavor_env.cli", words) if first == "endeavor" else (words[1], words[2:])
    assert importlib.util.find_spec(module), f"{command}: there is no module {module}"
    if module.partition(".")[0] != "endeavor_env":
        return
    options = {argument.partition("=")[0] for argument in arguments if argument.startswith("-")}
    before = itertools.takewhile(lambda argument: not argument.startswith("-"), arguments)  # a subcommand, perhaps
    done = help_of(module, *before)
    assert done.status == 0, done.err
    missing = {option for option in options if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", done.out)}
    assert not missing, f"{command}: {module} has no {', '.join(sorted(missing))}"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_link_to_a_file_leads_to_one(page: Path):
    targets = [target.partition("#")[0] for target in LINK.findall(page.read_text(encoding="utf-8"))]
    files = [target for target in targets if target and "://" not in target and not target.startswith("mailto:")]
    places = {target: (page.parent / target).resolve() for target in files}
    assert [target for target, place in places.items() if place not in MADE and not place.exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_script_to_run_is_there(page: Path):
    scripts = SCRIPT.findall(page.read_text(encoding="utf-8"))
    assert [script for script in scripts if not (ROOT / script).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_extra_to_install_is_declared(page: Path):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    asked = re.findall(r"""(?:\.|endeavor-env)\[([a-z,]+)\]""", page.read_text(encoding="utf-8"))
    assert {name for names in asked for name in names.split(",")} <= set(extras)
