"""The tools of ``endeavor mcp``, without its library; tests/clients/checks/check_mcp.py plays with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from endeavor_env.agents.mcp import tables
from endeavor_env.agents.mcp.tables import GameTools
from endeavor_env.endeavor.text import among_agents
from endeavor_env.errors import EndeavorError, InvalidOptionError


def test_a_whole_game_by_its_texts():
    tools = GameTools()
    told = tools.new_game("soloplay_2", "greedy", 1, 3)
    assert told.startswith("Table 1. You are seat 1, seat 0 is greedy.")
    while "The game is over." not in told:
        move = tools.legal_moves().splitlines()[0].partition(": ")[0]
        told = tools.play(f"I take [{move}].")
        assert told.startswith(f"PlayersInfo: seat 1 {move}")
    assert "Won by" in told
    assert json.loads(tools.state("json"))["result"] is not None
    with pytest.raises(EndeavorError, match="begin another with new_game"):
        tools.play("pass")


def test_tables_have_numbers_and_the_newest_is_meant():
    tools = GameTools()
    tools.new_game("solo", seed=1, rules=False)
    tools.new_game("standard", seed=1, rules=False)
    assert json.loads(tools.state("json"))["position"]["variant"] == "standard"
    assert json.loads(tools.state("json", table=1))["position"]["variant"] == "solo"


def test_the_oldest_table_goes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tables, "MOST_TABLES", 2)
    tools = GameTools()
    for _ in range(3):
        tools.new_game("solo", seed=1, rules=False)
    assert tools.legal_moves(2) == tools.legal_moves(3)
    with pytest.raises(EndeavorError, match="the newest is 3"):
        tools.state(table=1)


def test_tables_are_counted_by_the_memory_of_their_agents(monkeypatch: pytest.MonkeyPatch):
    tools = GameTools()
    tools.new_game(opponents="value", seed=1)
    (one,) = tools._tables.values()
    assert 20e6 < one.nbytes < 40e6
    monkeypatch.setattr(tables, "MOST_BYTES", int(2.5 * one.nbytes))
    for seed in (2, 3):
        tools.new_game(opponents="value", seed=seed)
    assert list(tools._tables) == [2, 3]
    tools.new_game(opponents="greedy", seed=4)
    assert list(tools._tables) == [2, 3, 4]
    monkeypatch.setattr(among_agents, "MOST_BYTES", one.nbytes - 1)
    with pytest.raises(InvalidOptionError, match="these agents take 26 MB of memory, and at most 26"):
        tools.new_game(opponents="value", seed=5)
    assert list(tools._tables) == [2, 3, 4]


def test_a_hint_names_legal_moves_first():
    tools = GameTools()
    tools.new_game(seed=1, rules=False)
    legal = tools.legal_moves().splitlines()
    for by in ("greedy", "search:sims=4"):
        assert {line.partition("; ")[0] for line in tools.hint(by).splitlines()} <= set(legal)


def test_the_picture_is_a_png():
    pytest.importorskip("pygame")
    tools = GameTools()
    tools.new_game(seed=1, rules=False)
    assert tools.picture().startswith(b"\x89PNG")


WRONG: list[tuple[Callable[[GameTools], Any], str]] = [
    (lambda tools: tools.play("I do not know"), "No move was found"),
    (lambda tools: tools.play("build:parliament"), "not legal"),
    (lambda tools: tools.state("long"), "form"),  # type: ignore[arg-type]
    (lambda tools: tools.hint("value:/etc/passwd"), "names a file"),
    (lambda tools: tools.new_game("chess"), "chess"),
    (lambda tools: tools.new_game(seat=9), "seat=9"),
    (lambda tools: tools.state(table=7), "table=7"),
]


@pytest.mark.parametrize(("call", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_cannot_be_done_is_one_sentence_and_changes_nothing(call: Callable[[GameTools], Any], words: str):
    tools = GameTools()
    with pytest.raises(EndeavorError, match="new_game"):
        tools.state()
    tools.new_game(seed=1, rules=False)
    before = tools.state()
    with pytest.raises(EndeavorError, match=words) as refused:
        call(tools)
    assert "\n" not in str(refused.value)
    assert tools.state() == before
