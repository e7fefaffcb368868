"""Agents by name; the learned one is imported only when it is asked for."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from endeavor_env.agents.base import Agent
from endeavor_env.agents.players.automa import AutomaAgent
from endeavor_env.agents.players.compiled import WEIGHTS, GreedyAgent, RandomAgent
from endeavor_env.agents.registry import NAMES, make_agent
from endeavor_env.endeavor.players import PLAYERS
from endeavor_env.engine.players import imported
from endeavor_env.errors import InvalidOptionError


def test_built_in_names() -> None:
    assert isinstance(make_agent("random"), RandomAgent)
    assert isinstance(make_agent("automa"), AutomaAgent)
    greedy = make_agent("greedy")
    assert isinstance(greedy, GreedyAgent)
    assert greedy.weights == WEIGHTS


def test_every_call_makes_an_agent_of_its_own() -> None:
    assert make_agent("greedy") is not make_agent("greedy")


def test_every_row_names_an_agent_that_there_is() -> None:
    assert all(callable(imported(row.agent, row.name)) for row in PLAYERS.rows.values() if row.agent)
    others = [row.name for row in PLAYERS.rows.values() if not row.agent]
    assert "lookahead" in others
    assert [make_agent(name).name for name in others] == others


def test_greedy_with_other_weights() -> None:
    agent = make_agent("greedy:disc=0.75,late=-1e-1")
    assert isinstance(agent, GreedyAgent)
    assert agent.weights == WEIGHTS.changed({"disc": 0.75, "late": -0.1})
    assert agent.name == "greedy:disc=0.75,late=-1e-1"


@pytest.mark.parametrize(
    "name", ["", "Greedy", "random:", "random:x=1", "automa:x=1", "mcts", "checkpoint", "checkpoint:", None, 3]
)
def test_unknown_names_are_answered_with_the_known_ones(name: Any) -> None:
    with pytest.raises(InvalidOptionError, match=": possible are ") as caught:
        make_agent(name)
    assert all(known in str(caught.value) for known in NAMES)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("greedy:cities=2", "has no weight 'cities': they are growth, build_level, "),
        ("greedy:solo.cities=2", "has no weight 'solo.cities': they are growth, build_level, "),
        ("greedy:column=2", "has no weight 'column': they are growth, build_level, "),
        ("greedy:", "has no weight ''"),
        ("greedy:disc=1,", "has no weight ''"),
        ("greedy:disc", "sets disc to '': it must be a finite number"),
        ("greedy:disc=much", "sets disc to 'much'"),
        ("greedy:disc=inf", "sets disc to 'inf'"),
        ("greedy:disc=nan", "sets disc to 'nan'"),
    ],
)
def test_wrong_weights(name: str, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        make_agent(name)


def test_a_checkpoint_gets_its_whole_path(monkeypatch: pytest.MonkeyPatch) -> None:
    class LearnedAgent(RandomAgent):
        def __init__(self, path: str) -> None:
            super().__init__(path)

    monkeypatch.setitem(sys.modules, "endeavor_env.agents.players.learned", SimpleNamespace(LearnedAgent=LearnedAgent))
    agent = make_agent("checkpoint:C:/runs/a,b=c.zip")
    assert isinstance(agent, Agent)
    assert agent.name == "C:/runs/a,b=c.zip"


def test_a_checkpoint_without_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (
        "endeavor_env.agents.players.learned",
        "endeavor_env.agents.checkpoint",
        "endeavor_env.agents.network",
    ):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InvalidOptionError, match=r"needs torch: install it with pip install 'endeavor-env\[train\]'"):
        make_agent("checkpoint:policy.zip")


def test_the_arena_does_not_import_pytorch() -> None:
    program = "import sys, endeavor_env.agents.arena; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
