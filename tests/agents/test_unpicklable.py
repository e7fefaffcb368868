"""What holds threads, locks or processes says so when it is pickled or copied."""

from __future__ import annotations

import ast
import copy
import importlib
import importlib.util
import pickle
import pkgutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import endeavor_env
from endeavor_env.agents.own_process.child import Child
from endeavor_env.agents.play.session import Session
from endeavor_env.agents.play.store import GameStore
from endeavor_env.agents.registry import agents_for
from endeavor_env.agents.watch.live_game import LiveGame
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.errors import EndeavorError, UnpicklableError
from endeavor_env.training.td.workers import ThreadWorkers

HELD = {
    *("Lock", "RLock", "Condition", "Event", "Semaphore", "Thread", "Popen", "SimpleQueue", "Queue"),
    *("ThreadPoolExecutor", "ProcessPoolExecutor", "SummaryWriter", "TemporaryFile"),
}


def made(path: Path) -> Iterator[Callable[[], Any]]:
    game = Game.new(3, seed=1)
    yield lambda: Child([sys.executable, "-c", "input()"])
    yield lambda: Session(path / "one.json", game, ["human", "random", "random"])
    yield lambda: GameStore(path)
    yield lambda: LiveGame(game, agents_for(game.config, ["random"] * 3), 0.0)
    yield lambda: ThreadWorkers(Board.default(), 1)


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("give", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_live_object_is_one_sentence_when_pickled(number: int, give: Callable[[Any], Any], tmp_path: Path) -> None:
    live = list(made(tmp_path))[number]()
    for one in (live, [live], {"inside": (live,)}):
        if give is copy.copy and one is not live:
            continue
        with pytest.raises(UnpicklableError) as caught:
            give(one)
        assert isinstance(caught.value, EndeavorError)
        assert isinstance(caught.value, pickle.PicklingError)
        assert str(caught.value).startswith(f"a {type(live).__name__} cannot be pickled or copied: it holds threads,")
    if isinstance(live, Child):
        live.end()


def test_the_error_itself_is_pickled() -> None:
    error = UnpicklableError("a sentence")
    assert str(pickle.loads(pickle.dumps(error))) == "a sentence"


def classes_that_hold() -> Iterator[tuple[str, str]]:
    """Yield module and name of every class of the package that stores what belongs to one process."""
    for found in pkgutil.walk_packages(endeavor_env.__path__, "endeavor_env."):
        spec = importlib.util.find_spec(found.name)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            continue
        for node in ast.parse(Path(spec.origin).read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and any(map(holds, ast.walk(node))):
                yield found.name, node.name


def holds(node: ast.AST) -> bool:
    """Return whether a node stores one of HELD in an attribute of self."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or not isinstance(node.value, ast.Call):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    called = node.value.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in HELD and any(isinstance(target, ast.Attribute) for target in targets)


def test_every_public_class_that_holds_such_things_says_so_or_leaves_them_out() -> None:
    found = list(classes_that_hold())
    assert {"Session", "GameStore", "LiveGame", "Child", "GameTools", "ThreadWorkers"} <= {name for _, name in found}
    for module, name in found:
        try:
            one = getattr(importlib.import_module(module), name)
        except ImportError:  # the library of an extra that is not installed
            continue
        own = [base for base in one.__mro__ if base is not object]
        ways = {"__reduce__", "__reduce_ex__", "__getstate__"}
        assert any(ways & vars(base).keys() for base in own), f"{module}.{name}"
