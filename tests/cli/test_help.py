"""``endeavor`` explains itself at once, every command has examples, and the shell completes words."""

from __future__ import annotations

import functools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from endeavor_env.cli import completion
from endeavor_env.cli.app import app
from endeavor_env.cli.entries import GROUPS, SINGLE
from endeavor_env.cli.lazy_group import Unloaded
from endeavor_env.cli.views import EVERY
from endeavor_env.endeavor.drawing.scene.theme import THEMES
from endeavor_env.endeavor.options import RANDOM
from endeavor_env.endeavor.rules.constants import EXPLOIT_NAMES, VARIANT_NAMES
from tests.cli.endeavor import COMMANDS, endeavor

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("gymnasium", "matplotlib", "numba", "numpy", "pettingzoo", "pygame", "starlette", "torch")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_help_of_every_command_shows_an_example_of_it(words: tuple[str, ...]) -> None:
    shown = endeavor(*words, "--help")
    assert shown.status == 0, shown.err
    assert f"usage: endeavor {' '.join(words)}" in shown.out.lower()
    _, examples, lines = shown.out.lower().partition("examples:")
    assert examples
    assert f"endeavor {' '.join(words)}" in lines


PAGE_BLOCKS = re.findall(
    r"^```bash\n(.*?)^```", (ROOT / "docs" / "command.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
ENTRIES = [*SINGLE, *(entry for _, entries in GROUPS.values() for entry in entries)]
LINES = sorted(
    {f"endeavor {line}" for entry in ENTRIES for line in entry.examples}
    | {line.partition("#")[0].strip() for block in PAGE_BLOCKS for line in block.splitlines()}
)


@functools.cache
def help_of(command: tuple[str, ...]) -> str:
    """Return the help of a command on a wide terminal."""
    return endeavor(*command, "--help", columns=200).out


@pytest.mark.parametrize("line", LINES)
def test_every_example_names_a_command_and_options_that_exist(line: str) -> None:
    program, *words = shlex.split(line.partition(">")[0])
    assert program == "endeavor"
    command = next((known for known in COMMANDS if tuple(words[: len(known)]) == known), ())
    assert command or words[0].startswith("--")
    shown = help_of(command)
    for option in (word for word in words if re.match("-+[a-z]", word)):
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", shown), option


@pytest.mark.parametrize("words", [(), ("train",), ("bench",), ("board",)], ids=" ".join)
def test_a_group_alone_shows_its_help(words: tuple[str, ...]) -> None:
    alone, asked = endeavor(*words), endeavor(*words, "--help")
    assert (alone.status, alone.out) == (0, asked.out)
    assert "Examples:" in asked.out
    for command in COMMANDS:
        if command[:-1] == words:
            assert command[-1] in asked.out


def test_the_first_help_says_what_the_exit_statuses_mean() -> None:
    text = " ".join(endeavor("--help").out.split())
    for status in ("0 done", "1 what was checked has faults", "2 wrong input", "130 stopped"):
        assert status in text


def python(code: str, **variables: str) -> str:
    """Return what a program prints in a process of its own."""
    environment = {**os.environ, **variables}
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return ran.stdout


def test_the_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from endeavor_env.cli.app import app\n"
        "try:\n"
        "    app(['--help'])\n"
        "except SystemExit as ended:\n"
        "    assert not ended.code\n"
        f"print(sorted(name for name in {HEAVY!r} if name in sys.modules))\n"
    )
    assert python(code).splitlines()[-1] == "[]"


def test_the_help_reads_the_options_of_no_command() -> None:
    """Typer reads them from annotations, which takes as long for all commands as the rest of the help."""
    root: Any = get_command(app)
    groups = [root, *(command for command in root.commands.values() if hasattr(command, "commands"))]
    unloaded = [command for group in groups for command in group.commands.values() if isinstance(command, Unloaded)]
    assert len(unloaded) == len(ENTRIES)
    assert not any(command.params for command in unloaded)


def request(line: str) -> dict[str, str]:
    """Return the environment in which bash asks the command how a line goes on."""
    return {
        "_ENDEAVOR_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("endeavor ar", {"arena"}),
        ("endeavor train ex", {"exploit", "export"}),
        ("endeavor arena gr", {"greedy", "greedy:"}),
        ("endeavor arena greedy lo", {"lookahead"}),
        ("endeavor watch se", {"search", "search:sims=", "search:ms="}),
        ("endeavor solo che", {"checkpoint:"}),
        ("endeavor play --seats hu", {"human"}),
        ("endeavor picture --variant solop", {"soloplay_2", "soloplay_3"}),
        ("endeavor board show en", {"endeavor_2009"}),
        ("endeavor solo greedy --difficulty h", {"harder"}),
        ("endeavor perft --divi", {"--divide"}),
        ("endeavor picture --exploits ran", {"random"}),
        ("endeavor picture --exploits random,", set()),
        ("endeavor picture --exploits sun,sp", {"sun,spanish_main", "sun,spice"}),
        ("endeavor watch --every tu", {"turn"}),
        ("endeavor picture --targ", {"--targets"}),
        ("endeavor do", {"doctor"}),
        ("endeavor com", {"compile"}),
    ],
)
def test_the_shell_completes_commands_agents_variants_boards_and_options(line: str, offered: set[str]) -> None:
    assert set(CliRunner().invoke(app, [], env=request(line)).stdout.split()) == offered


def test_completing_an_agent_imports_the_list_of_them_and_no_framework() -> None:
    code = (
        "import atexit, sys\n"
        f"atexit.register(lambda: print('heavy', *[name for name in {sorted(HEAVY)!r} if name in sys.modules]))\n"
        "from endeavor_env.cli.app import app\n"
        "app([])\n"
    )
    assert python(code, **request("endeavor arena gr")).split() == [
        "greedy",
        "greedy:",
        "heavy",
        "numpy",
    ]


def test_the_words_that_complete_are_those_of_the_package() -> None:
    assert completion.VARIANTS == VARIANT_NAMES
    assert set(completion.THEMES) == set(THEMES)
    assert completion.EVERY == EVERY
    assert (RANDOM, *EXPLOIT_NAMES) == completion.EXPLOITS


def test_the_script_for_the_shell_names_the_command() -> None:
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    ran = subprocess.run(
        [sys.executable, "-m", "endeavor_env.cli", "--show-completion", "bash"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "_ENDEAVOR_COMPLETE=complete_bash" in ran.stdout
    assert "complete -o default -F _endeavor_completion endeavor" in ran.stdout
