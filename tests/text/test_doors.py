"""Nobody pays for the doors but who opens them."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest


def test_the_package_imports_without_the_game_in_words():
    code = "import sys, endeavor_env; endeavor_env.Game; print([one for one in sys.modules if 'endeavor.text' in one])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.strip() == "[]"


@pytest.mark.parametrize(
    ("door", "module", "package"),
    [
        ("open_spiel", "pyspiel", "open_spiel"),
        ("openenv", "openenv", "openenv"),
        ("textarena", "textarena", "textarena"),
        ("verifiers", "verifiers", "verifiers"),
    ],
)
def test_a_door_says_which_library_is_missing(door: str, module: str, package: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=f"pip install {package}"):
        importlib.import_module(f"endeavor_env.{door}")
