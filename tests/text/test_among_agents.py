"""A table with agents: who plays when, what is told, and what somebody far away cannot name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game
from endeavor_env.agents.play.endeavor_table import EndeavorTable
from endeavor_env.agents.play.store import new_session, opened_session
from endeavor_env.endeavor.declaration import ENDEAVOR
from endeavor_env.endeavor.text import TextOptions
from endeavor_env.endeavor.text.among_agents import AgentTable, config_by_name, ending
from endeavor_env.errors import InvalidOptionError, shown

PROBE = Path(__file__).resolve().parents[2] / "docs" / "clients" / "endeavor_openenv" / "validation" / "runtime.json"


def test_agents_move_up_to_the_seats_own_decision():
    table = AgentTable(Game.new(4, seed=1), 3, ["random", "greedy", "value"])
    assert table.names == {0: "random", 1: "greedy", 2: "value"}
    assert [event["seat"] for event in table.news()] == [seat for seat, _ in table.game.history]
    while not table.over:
        assert table.game.seat == 3
        seen, move = len(table.game.history), table.game.legal_moves()[0]
        assert table.answer(move).move == move
        assert len(table.news()) == len(table.game.history) - seen
        assert table.news()[0] == {"seat": 3, "move": move}


def test_an_answer_without_a_move_lets_nobody_move():
    table = AgentTable(Game.new(3, seed=1), 1)
    before, news = list(table.game.history), table.news()
    assert table.answer("no").move is None
    assert (table.game.history, table.news()) == (before, news)


def test_the_same_seed_is_the_same_game():
    tables = [AgentTable(Game.new(4, seed=5), 0, "random") for _ in range(2)]
    for table in tables:
        while not table.over:
            table.answer(table.game.legal_moves()[-1])
    assert tables[0].game.history == tables[1].game.history


def test_the_end_is_said_in_a_sentence():
    table = AgentTable(Game.new(3, seed=1), 1, "random", TextOptions(retries=0))
    table.answer("no")
    assert "named no legal move" in ending(table)
    for variant, words in (("solo", "the Opposition"), ("neutral_2", "seat 1 (random)")):
        table = AgentTable(Game.new(variant=variant, seed=1), 0, "random")
        while not table.over:
            table.answer(table.game.legal_moves()[0])
        assert words in ending(table)
        assert f"seat 0 {table.game.scores()[0]}" in ending(table)


@pytest.mark.parametrize("given", ["standard:board=/etc/passwd", "solo:board=own.toml", "standard:board=generated_x"])
def test_boards_of_files_cannot_be_named(given: str):
    with pytest.raises(InvalidOptionError, match="endeavor_2009 or generated_"):
        config_by_name(given)


def test_boards_of_the_package_can_be_named():
    assert config_by_name("standard:players=3,board=generated_7").board.id == "generated_7"
    assert config_by_name("solo:board=endeavor_2009").variant == "solo"
    with pytest.raises(InvalidOptionError, match="is no game"):
        config_by_name(3)


@pytest.mark.parametrize(
    "kind",
    [
        "value:",
        "policy:",
        "search:sims=3,network=",
        "advised:network=",
        "checkpoint:",
        "code:",
        "process:",
        "process:a ",
    ],
)
def test_agents_of_files_cannot_be_named_and_nobody_tells_whether_there_is_one(kind: str, tmp_path: Path):
    for suffix in ("", ".npz", ".json", ".zip", ".py"):
        (tmp_path / f"there{suffix}").write_text("x")
    (tmp_path / "folder").mkdir()
    game, said = Game.new(3, seed=1), set[str]()
    for path in ("there", "there.npz", "there.zip", "there.py", "folder", "gone", "gone.zip", "n" * 9999, "a\0"):
        name = f"{kind}{tmp_path / path}"
        for make in (
            lambda name: AgentTable(game, 0, name),
            lambda name: EndeavorTable(ENDEAVOR).agent(game, name),
            lambda name: new_session(["human", name, "greedy"], game.config),
            lambda name: opened_session(game.record(), "the file", ["human", name, "greedy"]),
        ):
            with pytest.raises(InvalidOptionError, match=r"names a file|would run a program") as refused:
                make(name)
            said.add(str(refused.value).replace(shown(name), "NAME"))
    assert len(said) == 1


@pytest.mark.parametrize("opponents", [["greedy", "greedy"], [], 3, [3, 3, 3], "nobody", {"a": "greedy"}])
def test_wrong_opponents_are_refused(opponents: Any):
    with pytest.raises(InvalidOptionError):
        AgentTable(Game.new(4, seed=1), 0, opponents)


def test_an_agent_that_does_not_play_the_variant_is_refused_at_once():
    game = Game.new(variant="soloplay_3", seed=1)
    with pytest.raises(InvalidOptionError, match="does not play 'soloplay_3'"):
        AgentTable(game, 0, ["greedy", "policy"])
    assert game.history == []


def test_the_probe_of_openenv_is_a_game_that_the_player_wins():
    plan = json.loads(PROBE.read_text(encoding="utf-8"))
    table = AgentTable(Game.new(4, seed=plan["reset"]["seed"]), 0, plan["reset"]["options"]["opponents"])
    replies = [table.answer(action["answer"]).move for action in plan["actions"]]
    assert [number for number, move in enumerate(replies) if move is None] == [0]
    rewards = table.rewards()
    assert table.over
    assert rewards is not None
    assert rewards[0] == 1.0
