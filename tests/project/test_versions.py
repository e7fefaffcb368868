"""The version is written once, and every other place that speaks of versions agrees with it."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path
from typing import Any

import gymnasium

import endeavor_env
from endeavor_env import GameConfig, endeavor_v0
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_aec

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASES = re.findall(r"^## (\S+)", CHANGELOG, re.MULTILINE)


def version_history(documented: Any) -> list[int]:
    """Return the environment versions listed under "Version History" in a docstring, in their order there."""
    _, heading, history = (documented.__doc__ or "").partition("## Version History")
    assert heading, f"the docstring of {documented.__name__} has no Version History"
    return [int(number) for number in re.findall(r"^\s*- v(\d+):", history, re.MULTILINE)]


def test_pyproject_reads_the_version_from_the_package():
    assert "version" in PYPROJECT["project"]["dynamic"]
    assert "version" not in PYPROJECT["project"]
    assert PYPROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "endeavor_env.basics.version.VERSION"}


def test_the_installed_version_is_that_of_the_sources():
    installed = importlib.metadata.version("endeavor-env")
    assert installed == endeavor_env.__version__, "install the package again: pip install -e ."


def test_the_newest_release_of_the_changelog_is_this_version():
    assert RELEASES[0] == endeavor_env.__version__


def test_the_gymnasium_id_is_the_newest_version_of_its_history():
    assert gymnasium.spec(endeavor_env.GYMNASIUM_ID).version == max(version_history(make_endeavor))


def test_the_pettingzoo_names_are_the_newest_version_of_their_history():
    newest = max(version_history(make_endeavor_aec))
    assert GameAECEnv(GameConfig()).metadata["name"] == f"endeavor_v{newest}"
    assert endeavor_v0.__name__ == f"endeavor_env.endeavor_v{newest}"
    assert endeavor_env.PETTINGZOO_ID.endswith(f"/endeavor-v{newest}")
