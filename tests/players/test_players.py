"""The registry of compiled players, and players of the user's own."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor import players
from endeavor_env.endeavor.players import PLAYERS, CompiledPlayer
from endeavor_env.envs.endeavor import make_endeavor
from endeavor_env.errors import InvalidOptionError
from endeavor_env.search import Positions, rollout


def first_legal(board: Any, state: Any, mask: Any, memory: Any, rng: Any) -> int:
    """Choose the first legal action, and count the calls in the memory."""
    memory[0] += 1
    for action in range(mask.size):
        if mask[action] == 1:
            return action
    return -1


@pytest.fixture
def mine() -> Iterator[str]:
    """Register ``first_legal`` for one test."""
    players.register("mine", first_legal, np.zeros(3, np.uint8))
    yield "mine"
    del PLAYERS.rows["mine"]


def test_a_player_of_the_users_plays_everywhere(mine: str) -> None:
    game = Game.new(3, seed=1)
    by_hand = game.clone()
    while not by_hand.over:
        by_hand.apply(by_hand.legal_actions()[0])
    assert rollout(Positions.of(game), mine, 0).scores[0, 0].tolist() == by_hand.scores()
    agent = make_agent("greedy")
    assert agent.name == "greedy"
    env = make_endeavor(players=3, opponents=mine, learner_seat=2)
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(env.action_masks().argmax()))
    envs = gym.make_vec("Endeavor-v0", num_envs=2, players=3, opponents=mine, learner_seat=2)
    envs.reset(seed=1)
    envs.close()
    moves = [action for _, action in env.game().history]
    replayed = Game.new(3, seed=1)
    for action in moves:
        assert action == replayed.legal_actions()[0]
        replayed.apply(action)
    assert len(moves) > 10


def test_environments_with_compiled_players_can_be_pickled_and_copied(mine: str) -> None:
    env = make_endeavor(players=3, opponents=[mine, "greedy"])
    env.reset(seed=1)
    for copied in (lambda: pickle.loads(pickle.dumps(env)), lambda: copy.deepcopy(env)):
        other = copied()
        for one in (env, other):
            one.step(int(one.action_masks().argmax()))
        assert env.game().state.tobytes() == other.game().state.tobytes()


@pytest.mark.parametrize(
    ("name", "player", "message"),
    [
        ("greedy", first_legal, "name='greedy' is taken"),
        ("random", first_legal, "name='random' is taken"),
        ("a:b", first_legal, "give a text without a colon"),
        ("", first_legal, "give a text without a colon"),
        (7, first_legal, "name=7 is not possible"),
        ("new", 7, "player 7 is no function"),
    ],
)
def test_refused_registrations(name: Any, player: Any, message: str) -> None:
    before = players.names()
    with pytest.raises(InvalidOptionError, match=message):
        players.register(name, player)
    assert players.names() == before


def test_a_registered_player_is_an_agent(mine: str) -> None:
    game, agent = Game.new(3, seed=1), make_agent(mine)
    assert agent.name == mine
    assert agent.act(game) == game.legal_actions()[0]


@pytest.fixture
def kind(tmp_path: Path) -> Iterator[str]:
    """Make players known that are named "other:<file>", for one test."""

    def make(path: str) -> CompiledPlayer:
        player = players.player_of("automa")
        return CompiledPlayer(f"other:{path}", player.entry, player.memory, (Path(path).read_text(),))

    (tmp_path / "variant").write_text("solo")
    players.register_kind("other", make, lambda path: (Path(path),))
    yield f"other:{tmp_path / 'variant'}"
    del PLAYERS.rows["other"]


def test_players_with_settings_of_the_users(kind: str) -> None:
    player = players.player_of(kind)
    assert (player.name, player.variants) == (kind, ("solo",))
    assert player.entry is players.player_of("automa").entry
    game = Game.new(variant="solo", seed=1)
    assert make_agent(kind).act(game) == make_agent("automa").act(game)
    Path(kind.partition(":")[2]).write_text("standard")
    assert players.player_of(kind) != player
    assert players.player_of(kind).variants == ("standard",)
    assert "other" not in players.names()
    for name in ("other", "other:"):
        with pytest.raises(InvalidOptionError, match=r"is unknown: possible are 'random', .*'other:<settings>'"):
            players.player_of(name)
    with pytest.raises(InvalidOptionError, match="kind='other' is taken"):
        players.register_kind("other", players.player_of)


def test_names_that_only_agents_have_are_named_as_such() -> None:
    for name in ("checkpoint:net.zip", "search:ms=5"):
        with pytest.raises(InvalidOptionError, match=f"'{name}' is possible as an agent only: ") as caught:
            players.player_of(name)
        assert "checkpoint:<path>" not in str(caught.value)
    with pytest.raises(
        InvalidOptionError, match=r"opponent 'checkpoint:net\.zip' is possible as an agent only: possible"
    ):
        make_endeavor(players=3, opponents="checkpoint:net.zip")


def test_unknown_names() -> None:
    with pytest.raises(InvalidOptionError, match="player 'best' is unknown: possible are 'random', 'greedy', 'automa'"):
        players.player_of("best")
    assert not players.is_player("best")
    assert not players.is_player(None)
    with pytest.raises(InvalidOptionError, match="kernels know it by its code"):
        players.player_of("random")
