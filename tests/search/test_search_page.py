"""The programs of docs/search.md run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import endeavor_env
from endeavor_env import search

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
SAYS = ["UCT against random", "hungry against random"]


@pytest.mark.slow
@pytest.mark.parametrize(("program", "says"), [*zip(PROGRAMS, SAYS, strict=True)], ids=SAYS)
def test_programs_run_and_their_player_does_well(program: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, "docs/search.md", "exec"), {"__name__": "page"})
    printed = capsys.readouterr().out
    assert printed.startswith(f"{says}: ")
    numbers = [int(number) for number in re.findall(r"\d+", printed)]
    if says.startswith("hungry"):
        assert 20 / 3 < numbers[0] <= 20  # better than a third of the games
    else:
        assert numbers[0] == max(numbers)  # seat 0 is the player's; seeds are fixed


def test_the_package_exports_the_module() -> None:
    assert endeavor_env.search is search
    assert "search" in endeavor_env.__all__
    assert set(search.__all__) <= set(dir(search))
