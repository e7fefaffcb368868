"""Starts are measured as those of an installed package, and workers as one machine with all of them sees them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from endeavor_env.benchmarks import processes
from endeavor_env.benchmarks.timing import Effort

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what processes share")
SMAPS = """\
7f00-7f10 r-xp 00000000 08:01 12 /cache/all-x.library
Rss:                 400 kB
Pss:                 100 kB
Private_Clean:         8 kB
Private_Dirty:         4 kB
VmFlags: rd ex
7f10-7f20 rw-p 00000000 00:00 0
Rss:                 50 kB
Pss:                 50 kB
Private_Clean:         0 kB
Private_Dirty:        50 kB
7f20-7f30 r--p 00000000 08:01 12 /cache/all-x.library
Rss:                 16 kB
Pss:                  4 kB
Private_Clean:         0 kB
Private_Dirty:         0 kB
"""


def test_a_start_is_measured_with_byte_code_and_writes_none_into_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    elapsed, _ = processes.seconds_of(["-c", "import endeavor_env"], processes.as_installed(str(tmp_path)))
    assert elapsed > 0
    written = {path.name.partition(".")[0] for path in tmp_path.rglob("*.pyc") if path.parent.name == "endeavor_env"}
    assert {"__init__", "errors"} <= written


def test_all_starts_are_measured_and_the_command_among_them() -> None:
    section = processes.starting(Effort(1, 0.0))[0]
    found = {figure.what: figure.median for figure in section.figures}
    assert {"`endeavor --help`", "`endeavor --version`", "first random game through `Game`"} <= set(found)
    assert found["bare interpreter"] < found["first random game through `Game`"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the processor time of ended processes")
def test_the_processor_time_of_a_start_is_its_own(tmp_path: Path) -> None:
    environment = processes.as_installed(str(tmp_path))
    code = "import time; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    waited, waiting = processes.seconds_of(["-c", "import time; time.sleep(0.5)"], environment)
    assert waited > 0.5 > waiting
    assert 0.3 < processes.seconds_of(["-c", code], environment)[1] < 1.0


def test_a_start_that_fails_is_no_figure() -> None:
    with pytest.raises(processes.subprocess.CalledProcessError):
        processes.seconds_of(["-c", "raise SystemExit(1)"], {})


@ON_LINUX
def test_the_peak_is_that_of_the_process_itself(tmp_path: Path) -> None:
    environment = processes.as_installed(str(tmp_path))
    small, large = (processes.peak_memory(code, environment) for code in ("pass", "b'1' * 50_000_000"))
    assert 40e6 < large - small < 60e6


def test_memory_is_counted_in_all_or_in_the_parts_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "PROC", tmp_path)
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "smaps").write_text(SMAPS, encoding="utf-8")
    code = processes.memory_of(7, "smaps", ".library")
    assert (code["Rss"], code["Pss"], processes.own(code)) == (416 * 1024, 104 * 1024, 12 * 1024)
    everything = processes.memory_of(7, "smaps")
    assert (everything["Rss"], processes.own(everything)) == (466 * 1024, 62 * 1024)
    assert processes.memory_of(7, "smaps", ".so") == {}


@ON_LINUX
def test_workers_share_the_pages_of_the_machine_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "workers.json"
    assert processes.main(["--smoke", "--json", str(file)]) == 0
    assert "Memory of 2 spawned processes" in capsys.readouterr().out
    figures = json.loads(file.read_text("utf-8"))["sections"][0]["figures"]
    found = {figure["what"]: figure["median"] for figure in figures}
    assert 0 < found["its machine code: of one alone, not shared"] < 0.2 * found["its machine code: in sight of one"]
    game = "a game through `gymnasium.make`"
    alone, seen = found[f"{game}: of one alone, not shared"], found[f"{game}: in sight of one, shared or not"]
    assert 2 * alone < found[f"{game}: all together"] < 2 * seen < 200


@ON_LINUX
def test_a_worker_that_fails_is_said_and_the_others_end(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = f"from pathlib import Path; mark = Path({str(mark)!r}); mark.exists() and exit(3); mark.touch()"
    with pytest.raises(RuntimeError, match="ended before it was ready"), processes.spawned(code, 2):
        pytest.fail("the workers cannot be ready")


@pytest.mark.parametrize("number", ["1", "1025"])
def test_a_wrong_number_of_workers_is_one_sentence(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert processes.main(["--workers", number]) == 2
    assert re.fullmatch(rf"error: --workers {number} is not possible: .* 2 to 1024\n", capsys.readouterr().err)


def test_elsewhere_than_on_linux_nothing_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(processes, "PROC", tmp_path)
    assert processes.main(["--smoke"]) == 2
    assert "only Linux says how much memory processes share" in capsys.readouterr().err
