"""Processes of Python that the package starts find no module in the working folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from endeavor_env.basics.python_child import SAFE_PATH, inherited_path, workers_without_working_folder
from endeavor_env.kernels.switches import USES_LIBRARY

ROOT = Path(__file__).parents[2]
UNIT_PLAYER = """
class Adds:
    def play(self, unit):
        return unit + 1

def make(stopped):
    return Adds()
"""
STARTS = {
    "compiling": "import os\nos.environ['ENDEAVOR_ENV_CACHE_DIR'] = 'cache'\n"
    "from tests.kits.toy_part import TOY, add\nfrom endeavor_env.kernels.loading.once import ensure_parts\n"
    "ensure_parts(TOY)\nassert add(20, 22) == 42",
    "a tournament in processes": "from endeavor_env.agents.runner import play_units\n"
    "from unit_player import make\nassert sorted(play_units(make, [1, 2], 2)) == [2, 3]",
    "measures of a start": "import os\nfrom endeavor_env.benchmarks.processes import seconds_of\n"
    "seconds_of(['-c', 'import numpy, numba'], os.environ)",
}


@pytest.mark.skipif(not USES_LIBRARY, reason="no library is used")
@pytest.mark.parametrize("code", STARTS.values(), ids=STARTS)
def test_modules_in_the_working_folder_are_not_imported(code: str, tmp_path: Path) -> None:
    here, kit = tmp_path / "here", tmp_path / "kit"
    for folder in (here, kit):
        folder.mkdir()
    (kit / "unit_player.py").write_text(UNIT_PLAYER)
    for name in ("numba", "numpy", "endeavor_env", "multiprocessing", "typing"):
        (here / f"{name}.py").write_text(
            f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')\nraise SystemExit(7)\n"
        )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(kit)))}
    environment.pop(SAFE_PATH, None)
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, cwd=here, capture_output=True, text=True, check=False
    )
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()
    assert ran.returncode == 0, ran.stderr


def test_the_path_for_a_child_has_what_this_process_finds_but_not_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), ".", "/one", "/two", "/one"])
    monkeypatch.setenv("PYTHONPATH", "/two")
    assert inherited_path(Path("/first")).split(os.pathsep) == ["/first", "/one", "/two"]
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # who names it means it
    assert inherited_path().split(os.pathsep) == [str(tmp_path), "/one", "/two"]


@pytest.mark.parametrize("before", [None, "0"])
def test_the_environment_is_as_before_when_the_workers_have_started(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SAFE_PATH, raising=False)
    if before is not None:
        monkeypatch.setenv(SAFE_PATH, before)
    with workers_without_working_folder():
        assert os.environ[SAFE_PATH] == "1"
    assert os.environ.get(SAFE_PATH) == before
