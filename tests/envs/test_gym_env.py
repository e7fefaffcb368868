"""What only the Gymnasium environment has: a learner's seat, opponents that play on, and moves since the last look."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.envs.endeavor import make_endeavor
from endeavor_env.errors import InvalidOptionError
from tests.kits.envs import play_gym
from tests.kits.games import PLAYERS

SHARED = ["soloplay_2", "soloplay_3", "neutral_2", "exploits"]
"""The variants in which seats play against each other."""


def test_a_reset_names_seat_and_seed() -> None:
    env = make_endeavor(learner_seat=2)
    _, info = env.reset(seed=5)
    assert (info["seat"], info["seed"]) == (2, 5)
    _, info = env.reset()
    assert env.game().setup() == Game.new(4, seed=info["seed"]).setup()


def test_V2S_4_the_learner_and_its_opponents_remove_tokens_in_turn() -> None:
    env = make_endeavor(variant="soloplay_2", learner_seat=1)
    env.reset(seed=1, options={"first_player": 0})
    game = env.game()
    assert [seat for seat, _ in game.history] == [0]
    assert (game.decision, game.seat) == ("remove", 1)
    play_gym(env, 1, limit=1)
    assert [seat for seat, _ in env.game().history] == [0, 1, 0]


def test_a_rotating_learner_sits_in_the_next_seat_each_reset() -> None:
    env = make_endeavor(players=3, learner_seat="rotate")
    assert [env.reset()[1]["seat"] for _ in range(4)] == [0, 1, 2, 0]
    assert [env.reset(seed=seed)[1]["seat"] for seed in (10, 11, 12)] == [1, 2, 0]
    assert [env.reset()[1]["seat"] for _ in range(2)] == [1, 2]
    assert env.reset(options={"learner_seat": 0})[1]["seat"] == 0
    assert env.reset(options={"learner_seat": None})[1]["seat"] == 0
    assert env.reset()[1]["seat"] == 1


@pytest.mark.parametrize("variant", SHARED)
def test_the_seats_of_a_variant(variant: str) -> None:
    players = PLAYERS[variant]
    env = make_endeavor(variant=variant, learner_seat="rotate")
    assert [env.reset()[1]["seat"] for _ in range(players + 1)] == [*range(players), 0]
    assert make_endeavor(players=players, variant=variant).reset(seed=1)[0]["action_mask"].any()
    with pytest.raises(InvalidOptionError, match=f"give a seat, 0 to {players - 1}, or 'rotate'"):
        make_endeavor(variant=variant, learner_seat=players)
    with pytest.raises(InvalidOptionError, match=f"with {players} players give one, or a list of {players - 1}"):
        make_endeavor(variant=variant, opponents=["random"] * players)


def test_a_copy_keeps_the_turn_of_a_rotating_learner() -> None:
    env = make_endeavor(players=3, learner_seat="rotate")
    env.reset()
    other = copy.deepcopy(env)
    assert [env.reset()[1]["seat"] for _ in range(3)] == [other.reset()[1]["seat"] for _ in range(3)] == [1, 2, 0]


@pytest.mark.parametrize("table", [{"players": 3}, {"variant": "neutral_2"}, {"exploits": ["voc", "sun"]}], ids=str)
def test_ansi_rendering_shows_the_moves_since_the_last_look(table: dict[str, Any]) -> None:
    env = make_endeavor(**table, render_mode="ansi")
    env.reset(seed=1, options={"first_player": 0})
    assert "Last move" not in (env.render() or "")
    action = int(env.action_masks().argmax())
    env.step(action)
    text = env.render() or ""
    assert f"Last moves: seat 0 {env.game().describe(action)}, seat 1 build:" in text
    assert "Last move: " in (env.render() or "")
