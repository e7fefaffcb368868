"""The programs of docs/search.md run as they stand, and the page names everything there is."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import endeavor_env
from endeavor_env import search
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules.state import BASE_SIZE, STATE
from endeavor_env.engine.kernels import playouts as kernels
from endeavor_env.engine.search import positions as search_bytes
from endeavor_env.engine.search.rollouts import CHUNK
from endeavor_env.search import Children, Positions, Rollouts

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


def test_the_page_names_everything_public() -> None:
    for holder in (Positions, Children, Rollouts):
        for name, _ in inspect.getmembers(holder):
            if not name.startswith("_") and name not in {"count", "index"}:
                assert re.search(rf"\b{name}\b", PAGE), f"{holder.__name__}.{name} is not on the page"
    for name in re.findall(r"^@kernel\ndef ([a-z]\w*)", inspect.getsource(kernels), re.MULTILINE):
        assert re.search(rf"\b{name}\b", PAGE), f"core.search.{name} is not on the page"


def test_the_page_names_nothing_that_is_not_there() -> None:
    for name in re.findall(r"`core\.entry\.(\w+)", PAGE):
        assert callable(getattr(entry, name))
    for name in re.findall(r"^\| `positions\.(\w+)|`\.(\w+)\(", PAGE, re.MULTILINE):
        assert hasattr(Positions, "".join(name))


def test_numbers_of_the_page() -> None:
    words = " ".join(PAGE.split())
    assert f"a header of {search_bytes.HEADER.size} bytes and {BASE_SIZE} bytes a position" in words
    assert f"{STATE.itemsize} in games with Exploits" in words
    assert f"up to {CHUNK:,} rollouts at once" in words


def test_the_package_exports_the_module() -> None:
    assert endeavor_env.search is search
    assert "search" in endeavor_env.__all__
    assert set(search.__all__) <= set(dir(search))
