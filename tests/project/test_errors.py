"""Every error class of the project goes through pickle: one that cannot be read back keeps ``Pool.map`` waiting."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import pickle
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game

ROOT = Path(__file__).parents[2]
FOLDERS = ("endeavor_env", "agents", "training", "cli", "benchmarks")
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "InvalidBoardError": ("board.json", ["one fault", "another"]),
    "RefusedError": (404, "there is no such page"),
    "ResetNeededError": ("step()",),
    "UnsoundStateError": (Game.new(players=3, seed=1), ["one", "two"]),
    "_AgainError": ("the endpoint is busy", 1.5),
    "_FaultError": ("died", "the program ended", "Traceback"),
}
"""The arguments of the classes that make their message themselves; others take a text."""


def modules_with_classes() -> dict[str, list[str]]:
    """Return the modules of the project that define classes at the top, each with their names."""
    found = {}
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            module = ".".join(parts if parts[0] == "endeavor_env" else ("endeavor_env", *parts))
            classes = [
                node.name
                for node in ast.parse(file.read_text(encoding="utf-8")).body
                if isinstance(node, ast.ClassDef) and node.bases
            ]
            if classes:
                found[module.removesuffix(".__init__")] = classes
    return found


def error_classes() -> list[type[BaseException]]:
    """Return the classes of exceptions and warnings; modules of libraries that are not installed are left out."""
    found: list[type[BaseException]] = []
    for name, classes in modules_with_classes().items():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        found += [
            one
            for one in (getattr(module, declared) for declared in classes)
            if inspect.isclass(one) and issubclass(one, BaseException) and one not in found
        ]
    return found


CLASSES = error_classes()


def test_all_classes_of_errors_are_found() -> None:
    assert {one.__name__ for one in CLASSES} >= {*ARGUMENTS, "EndeavorError", "MissingLibraryError", "Stopped"}


@pytest.mark.parametrize("error", CLASSES, ids=lambda one: f"{one.__module__}.{one.__name__}")
def test_an_error_goes_through_pickle_with_all_that_it_says(error: type[BaseException]) -> None:
    raised = error(*ARGUMENTS.get(error.__name__, ("a sentence",)))
    for again in (pickle.loads(pickle.dumps(raised)), copy.copy(raised)):
        assert type(again) is error
        assert str(again) == str(raised)
        assert again.args == raised.args
        mine, other = vars(raised).copy(), vars(again).copy()
        assert str(mine.pop("game", "")) == str(other.pop("game", ""))
        assert mine == other
