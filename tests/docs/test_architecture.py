"""docs/architecture.md names files, folders and packages that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`([\w./]+(?:\.py|\.toml|\.md|/))`", TEXT)))
KNOWN = {path.name for folder in ("endeavor_env", "tests", "agents") for path in (ROOT / folder).rglob("*.py")}


@pytest.mark.parametrize("name", NAMES)
def test_every_file_and_folder_of_the_page_exists(name: str) -> None:
    """A name without a folder continues a list of files of the folder before it."""
    package = ROOT / "endeavor_env"
    rooms = (ROOT, package, package / "endeavor", package / "endeavor" / "drawing", package / "kernels")
    found = [folder / name for folder in rooms if (folder / name).exists()]
    assert found or name in KNOWN


@pytest.mark.parametrize("contract", ["endeavor_env", "endeavor_env.endeavor"])
def test_the_page_names_every_package_of_the_layers(contract: str) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(one["layers"] for one in settings["contracts"] if one.get("containers") == [contract])
    modules = {module for layer in layers for module in re.split(r" [|:] ", layer)}
    missing = {module for module in modules if not re.search(rf"\b{module}\b", TEXT)}
    assert not missing
