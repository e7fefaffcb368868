"""Nobody pays for the doors but who opens them."""

from __future__ import annotations

import subprocess
import sys

import pytest


def test_the_package_imports_without_the_game_in_words():
    code = (
        "import sys, endeavor_env; endeavor_env.Game; print([one for one in sys.modules if 'endeavor_env.text' in one])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.strip() == "[]"


def test_the_door_to_openspiel_says_what_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ModuleNotFoundError, match="pip install open_spiel"):
        import endeavor_env.open_spiel  # noqa: F401


def test_the_door_to_openenv_says_what_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "openenv", None)
    with pytest.raises(ModuleNotFoundError, match="pip install openenv"):
        import endeavor_env.openenv  # noqa: F401


def test_the_door_to_textarena_says_what_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "textarena", None)
    with pytest.raises(ModuleNotFoundError, match="pip install textarena"):
        import endeavor_env.textarena  # noqa: F401
