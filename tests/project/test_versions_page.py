"""What docs/versions.md promises is so: formats, environments, action ids, and the bounds of what the package needs."""

from __future__ import annotations

import ast
import importlib.metadata
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from endeavor_env.endeavor.rules.actions import BLOCKS
from endeavor_env.kernels.loading.cache_folder import kernel_folders

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def versions_in(name: str) -> dict[str, Version]:
    """Return the versions of a file of constraints."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {name.lower().replace("_", "-"): Version(version) for name, version in pairs}


def requirements(extras: str = "") -> dict[str, Requirement]:
    """Return what the package needs, alone or with some extras, by name."""
    lines = [*PROJECT["dependencies"]]
    for extra in filter(None, extras.split(",")):
        lines += PROJECT["optional-dependencies"][extra]
    return {found.name: found for found in map(Requirement, lines)}


def lowest(requirement: Requirement) -> Version:
    """Return the lowest version that a requirement allows."""
    (bound,) = [part for part in requirement.specifier if part.operator == ">="]
    return Version(bound.version)


def test_action_ids_that_have_been_given_out_keep_their_meaning():
    lines = (Path(__file__).parent / "action_blocks.txt").read_text(encoding="utf-8").splitlines()
    given_out = [line for line in lines if not line.startswith("#")]
    today = [f"{block.name} {block.verb} {block.offset} {block.size}" for block in BLOCKS]
    assert today[: len(given_out)] == given_out
    assert len(today) == len(given_out), "append the new blocks to action_blocks.txt"


def test_what_the_kernels_import_is_declared():
    imported: set[str] = set()
    kernels = ROOT / "endeavor_env"
    for path in (path for folder in kernel_folders() for path in (kernels / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.partition(".")[0])
    foreign = imported - set(sys.stdlib_module_names) - {"endeavor_env"}
    assert foreign == {"llvmlite", "numba", "numpy", "platformdirs"}
    assert foreign <= set(requirements())


def test_numba_and_llvmlite_end_before_what_is_not_tested():
    tested = versions_in("constraints.txt")
    for name in ("numba", "llvmlite"):
        (end,) = [Version(part.version) for part in requirements()[name].specifier if part.operator == "<"]
        assert tested[name] < end
        assert (end.major, end.minor) == (tested[name].major, tested[name].minor + 1)


def test_the_bounds_of_llvmlite_are_those_of_numba():
    asked = [Requirement(line) for line in importlib.metadata.requires("numba") or []]
    (of_numba,) = [found.specifier for found in asked if found.name == "llvmlite"]
    tested = versions_in("constraints.txt")["llvmlite"]
    assert tested in of_numba
    assert tested in requirements()["llvmlite"].specifier


def test_the_oldest_versions_are_the_lowest_that_are_allowed(noxfile: ModuleType):
    oldest, asked = versions_in("constraints-oldest.txt"), requirements(noxfile.OLDEST_EXTRAS)
    assert {name: oldest[name] for name in asked} == {name: lowest(found) for name, found in asked.items()}


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-oldest.txt"])
def test_every_version_of_the_constraints_is_allowed(name: str, noxfile: ModuleType):
    versions = versions_in(name)
    extras = ",".join(PROJECT["optional-dependencies"]) if name == "constraints.txt" else noxfile.OLDEST_EXTRAS
    for found in requirements(extras).values():
        if found.name.lower() in versions:
            assert versions[found.name.lower()] in found.specifier, found
