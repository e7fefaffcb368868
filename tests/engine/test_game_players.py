"""Compiled players belong to a game: the toy game has one of its own, and none of another game."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.players import CompiledPlayer
from endeavor_env.engine.seating import Roster, SeatedPlayers
from endeavor_env.envs.endeavor import make_endeavor
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.errors import InvalidOptionError
from endeavor_env.search import Positions, rollout
from tests.kits.toy_player import TOY_WITH_PLAYER
from tests.toy_game.rules import NUM_ACTIONS, PLAY, ROLL, SEATS, TOY_GAME

CONFIG = GameConfig(TOY_WITH_PLAYER, SEATS, "toy")
LEAST = {"careful": 4, "careful:2": 2, "careful:6": 6}


def careful_move(game: AnyGame, least: int) -> int:
    """Return the move that the player is to choose."""
    hand = int(game.state[0]["hand"][game.seat])
    return PLAY if PLAY in game.legal_actions() and hand >= least else ROLL


def game_among(name: str, seed: int) -> AnyGame:
    """Return a finished game in which seat 1 rolls and ``name`` plays the other seats."""
    game = GameConfig(TOY_GAME).new_game(seed)
    while not game.over:
        game.apply(ROLL if game.seat == 1 else careful_move(game, LEAST[name]))
    return game


@pytest.mark.parametrize("name", LEAST)
def test_a_player_of_the_toy_game_opposes_a_learner(name: str) -> None:
    env = GameEnv(CONFIG, opponents=name, learner_seat=1)
    for seed in range(20):
        env.reset(seed=seed)
        over = False
        while not over:
            over = env.step(ROLL)[2]
        assert env.game().history == game_among(name, seed).history


@pytest.mark.parametrize("name", LEAST)
def test_it_plays_in_batches_the_same(name: str) -> None:
    envs = GameVectorEnv(8, config=CONFIG, opponents=name, learner_seat=1)
    envs.reset(seed=list(range(8)))
    for _ in range(4):
        *_, infos = envs.step(np.full(8, ROLL))
    assert infos["scores"].tolist() == [game_among(name, seed).scores() for seed in range(8)]


def test_it_plays_rollouts_also_beside_a_function() -> None:
    game = CONFIG.new_game(3)
    positions = Positions.of(game, copies=30)
    alone = rollout(positions, ["careful:2", "random", "careful:6"], 5)
    assert alone.over.all()
    first = rollout(positions, ["careful", "careful", "careful"], 5)
    beside = rollout(positions, ["careful", lambda seen, masks: careful_answers(seen, masks), "careful"], 5)
    assert first.scores.tolist() == beside.scores.tolist()
    assert first.scores.tolist() != alone.scores.tolist()


def careful_answers(seen, masks):  # type: ignore[no-untyped-def]
    """Return what ``careful`` chooses, as a function of observations: the first entry is the own card."""
    return ((seen[:, 0] >= LEAST["careful"]) & (masks[:, PLAY] == 1)).astype(int) * (PLAY - ROLL) + ROLL


def test_no_game_has_the_players_of_another() -> None:
    with pytest.raises(InvalidOptionError, match=r"'greedy' is unknown: possible are 'random', 'careful', 'careful:<"):
        GameEnv(CONFIG, opponents="greedy")
    with pytest.raises(InvalidOptionError, match=r"'careful' is unknown: possible are 'random', or"):
        GameEnv(GameConfig(TOY_GAME, SEATS, "toy"), opponents="careful")
    with pytest.raises(InvalidOptionError, match="'careful' is unknown: possible are 'random', 'greedy'"):
        make_endeavor(players=3, opponents="careful")
    with pytest.raises(InvalidOptionError, match="'careful' is unknown"):
        rollout(Positions.of(Game.new(3, seed=1)), "careful", 0)
    with pytest.raises(InvalidOptionError, match="opponent 'automa' is unknown"):
        GameVectorEnv(2, config=CONFIG, opponents="automa")
    with pytest.raises(InvalidOptionError, match="player 'greedy' is unknown"):
        Roster(TOY_WITH_PLAYER.players).code_of("greedy")
    with pytest.raises(InvalidOptionError, match="opponent 7 cannot play here: possible are 'random', 'careful'"):
        GameEnv(CONFIG, opponents=7)  # type: ignore[arg-type]


def test_a_player_that_was_made_for_other_variants_is_refused() -> None:
    player = TOY_WITH_PLAYER.players.find("careful")
    assert isinstance(player, CompiledPlayer)
    player.check_plays("toy")
    with pytest.raises(InvalidOptionError, match="player 'careful' does not play 'other': it was made for toy"):
        player.check_plays("other")


def test_copies_of_a_table_have_memory_of_their_own() -> None:
    players = SeatedPlayers(NUM_ACTIONS, of=TOY_WITH_PLAYER.players)
    code = players.code_of("careful:2")
    assert players.seat_alone(frozenset((code,))).memory[0] == 2
    other = copy.deepcopy(players)
    assert other.code_of("careful:2") == code
    assert other.seat_alone(frozenset((code,))).memory[0] == 2
    assert other.player(code) is players.player(code)
