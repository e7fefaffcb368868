"""Agents of every name go through pickle into another process, where they play on as they would have here."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import shlex
import sys
from collections.abc import Iterator
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.agents.registry import agents_for
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.merchants.game import MerchantsConfig

ENDEAVOR = ("random", "greedy", "greedy:disc=0.5", "automa", "lookahead", "value", "advised", "policy", "search:sims=8")
MERCHANTS = ("random", "greedy", "planner", "value", "search", "tree:sims=5")
PLAYER = "def act(message):\n    return message['legal_moves'][0]\n"
PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": "endeavor-player/1"}), flush=True)
    elif asked["type"] == "act":
        move = asked["message"]["legal_moves"][-1]
        print(json.dumps({"type": "move", "id": asked["id"], "move": move}), flush=True)
"""


@pytest.fixture(scope="module")
def other_process() -> Iterator[Pool]:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        yield pool


def play(agent: Any, game: Any, moves: int) -> list[str]:
    game, begun = game.clone(same_chance=True), len(game.history)
    for _ in range(moves):
        game.apply(agent.act(game))
    return [game.describe(action) for seat, action in game.history[begun:] if seat >= 0]


def in_a_game(config: Any, name: str, moves: int) -> tuple[Any, Any]:
    """Return an agent that has made some moves of a game, and the game after them."""
    (agent,), game = agents_for(config, [name]), config.new_game(3)
    if moves:
        agent.reset(5)
    for _ in range(moves):
        game.apply(agent.act(game))
    return agent, game


@pytest.mark.parametrize("moves", [0, 6], ids=["new", "in a game"])
@pytest.mark.parametrize(
    ("config", "name"),
    [(GameConfig(players=4), name) for name in ENDEAVOR] + [(MerchantsConfig(), name) for name in MERCHANTS],
    ids=[*ENDEAVOR, *(f"merchants {name}" for name in MERCHANTS)],
)
def test_an_agent_plays_on_in_another_process(config: Any, name: str, moves: int, other_process: Pool) -> None:
    agent, game = in_a_game(config, name, moves)
    there = other_process.apply_async(play, (agent, game, 6))
    copied = copy.deepcopy(agent)
    assert there.get(120) == play(copied, game, 6) == play(agent, game, 6)


def test_a_copy_of_a_search_with_a_clock_searches_its_own_tree() -> None:
    agent, game = in_a_game(GameConfig(players=3), "search:ms=300", 3)
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        other.reset(1)
        assert other.act(game) in game.legal_actions()
        assert other.root_visits() > 1
        assert other.note(game).values


@pytest.mark.parametrize("moves", [0, 2])
@pytest.mark.parametrize("kind", ["code", "process"])
def test_a_copy_of_an_agent_that_asks_a_program_starts_its_own(kind: str, moves: int, tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text(PLAYER if kind == "code" else PROGRAM)
    target = str(file) if kind == "code" else f"{shlex.quote(sys.executable)} {shlex.quote(str(file))}"
    agent, game = in_a_game(GameConfig(players=3), f"{kind}:{target}", moves)
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert (other.name, other.card) == (agent.name, agent.card)
        assert play(other, game, 3) == play(agent, game, 3)
        assert other.fault is None
