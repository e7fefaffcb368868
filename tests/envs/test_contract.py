"""What holds for every environment of single games alike: PettingZoo's and Gymnasium's, in every variant."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.observation import layout_for, observe
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import InvalidSetupError
from tests.kits.envs import (
    KINDS,
    OF_ALL_AECS,
    OF_ALL_LEARNERS,
    OF_EVERY_KIND,
    OF_ONE_OF_EACH,
    Kind,
    expected_mask,
    frozen,
    observe_mover,
    plain,
    play,
    position,
    started,
)

INTERFACES = pytest.mark.parametrize("make", [endeavor_v0.env, make_endeavor, make_endeavor_solo])
# --- the game in play -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 11, 2**60])
@OF_EVERY_KIND
def test_it_plays_the_game_of_its_seed_move_for_move(kind: Kind, seed: int) -> None:
    """The game that the history describes passes through the same positions, and so does its record."""
    env, game, rng = started(kind.make, seed), kind.new_game(seed), generator(seed)
    while True:
        for seat, action in env.game().history[len(game.history) :]:
            assert seat == game.seat
            game.apply(action)
        assert position(env.game()) == position(game)
        assert env.action_masks().tolist() == expected_mask(game)
        if game.over:
            break
        if isinstance(env, GameAECEnv):
            assert env.agent_selection == f"player_{game.seat}"
        action = sample_action(env.action_masks(), rng)
        before = len(game.history)
        env.step(action)
        assert env.game().history[before] == (game.seat, action)
    assert (env.game().options, env.game().exploits) == (game.options, game.exploits)
    assert env.game().record() == game.record()
    assert position(replay(env.game().record())) == position(game)


@pytest.mark.parametrize("players", [3, 5])
@INTERFACES
def test_tables_of_other_sizes_and_boards_are_played(make: Any, players: int) -> None:
    board = Board.generate(players)
    env = started(make, board=board, **({} if make is make_endeavor_solo else {"players": players}))
    seen = observe_mover(env)
    space = env.observation_space("player_0") if isinstance(env, GameAECEnv) else env.observation_space
    assert space.contains(seen)
    assert env.game().board == board
    assert env.game().num_players == (1 if make is make_endeavor_solo else players)
    play(env, 1)
    assert env.game().over


@OF_ONE_OF_EACH
def test_the_game_handed_out_is_a_copy(kind: Kind) -> None:
    env = started(kind.make)
    mine, before = env.game(), position(env.game())
    mine.apply(mine.legal_actions()[0])
    assert position(env.game()) == before


@pytest.mark.parametrize("make_copy", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("options", [{}, {"shaping": {"gamma": 0.9}, "board": "generated_3"}], ids=str)
@OF_EVERY_KIND
def test_a_copy_goes_on_with_the_same_game(
    kind: Kind, options: dict[str, Any], make_copy: Callable[[Any], Any]
) -> None:
    env = started(kind.make, 3, **options)
    play(env, 1, limit=12)
    other, before = make_copy(env), position(env.game())
    assert position(other.game()) == before
    steps = play(other, 2)
    assert position(env.game()) == before
    assert play(env, 2) == steps
    assert position(other.game()) == position(env.game())
    if isinstance(env, GameAECEnv):
        assert other._cumulative_rewards == env._cumulative_rewards
        assert (other.rewards, other.agents) == (env.rewards, env.agents)
        assert [plain(info) for info in other.infos.values()] == [plain(info) for info in env.infos.values()]
    env.reset()
    other.reset()
    assert position(env.game()) == position(other.game())
    assert env.game().seed == other.game().seed
    assert env.game().options == other.game().options == kind.new_game().options
    assert env.game().exploits == other.game().exploits


@pytest.mark.parametrize("make_copy", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_through_make_and_before_the_first_reset(make_copy: Callable[[Any], Any]) -> None:
    wrapped = started(gymnasium.make, id="Endeavor-v0")
    action = int(wrapped.get_wrapper_attr("action_masks")().argmax())
    other = make_copy(wrapped)
    assert frozen(wrapped.step(action)[0]) == frozen(other.step(action)[0])
    fresh = [make_copy(make(seed=4)) for make in (endeavor_v0.env, make_endeavor)]
    for env in fresh:
        env.reset()
    assert fresh[0].game().setup() == fresh[1].game().setup() == Game.new(4, seed=4).setup()


def test_a_deepcopy_shares_the_board() -> None:
    assert copy.deepcopy(started(make_endeavor)).game().board is Board.default()


# --- observations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("observation", ["features", "compact"])
@OF_ALL_LEARNERS
def test_every_observation_of_a_learner_keeps_the_contract(kind: Kind, observation: str) -> None:
    env, rng = kind.make(observation=observation), generator(0)
    layout, actions = layout_for(kind.variant, observation), num_actions(kind.variant)
    assert env.action_space == gymnasium.spaces.Discrete(actions)
    space: Any = env.observation_space
    assert (space["observation"].shape, space["observation"].dtype) == ((layout.size,), layout.dtype)
    assert space["action_mask"] == gymnasium.spaces.Box(0, 1, (actions,), np.int8)
    seen, info = env.reset(seed=0)
    terminated, decisions = False, set()
    while not terminated:
        game = env.game()
        decisions.add(game.decision)
        assert space.contains(seen)
        assert seen["observation"].tolist() == observe(game, game.seat, observation).tolist()
        assert (seen["action_mask"].dtype, env.action_masks().dtype) == (np.int8, np.bool_)
        for mask in (seen["action_mask"], info["action_mask"], env.action_masks()):
            assert mask.tolist() == game.mask().tolist()
        assert (info["reason"], info["message"]) == ("", "")
        seen, reward, terminated, truncated, info = env.step(sample_action(seen["action_mask"], rng))
        assert (type(reward), type(terminated), truncated) == (float, bool, False)
    asked = {"solo": {"opposition"}, "soloplay_2": {"remove"}, "soloplay_3": {"remove"}}.get(kind.variant, set())
    assert decisions >= {"build", "turn", *asked}
    assert space.contains(seen)
    assert seen["action_mask"].all()
    assert env.action_masks().all()
    assert (info["reason"], info["seat"]) == ("game_over", 0)
    assert (info["scores"].tolist(), info["scores"].dtype) == (env.game().scores(), np.int64)
    assert (np.flatnonzero(info["winners"]).tolist(), info["winners"].dtype) == (env.game().winners(), np.bool_)
    assert ("ladder" in info) is (kind.variant == "solo")


@pytest.mark.parametrize("observation", ["features", "compact"])
@OF_ALL_AECS
def test_every_agent_can_be_observed_at_any_time(kind: Kind, observation: str) -> None:
    env, rng = kind.make(observation=observation), generator(0)
    layout, actions = layout_for(kind.variant, observation), num_actions(kind.variant)
    assert env.possible_agents == [f"player_{seat}" for seat in range(kind.players)]
    for agent in env.possible_agents:
        space: Any = env.observation_space(agent)
        assert (space["observation"].shape, space["observation"].dtype) == ((layout.size,), layout.dtype)
        assert (space["action_mask"].shape, env.action_space(agent).n) == ((actions,), actions)
    assert env.state_space == env.observation_space("player_0")["observation"]
    env.reset(seed=1)
    while True:
        game = env.game()
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert seen["observation"].tobytes() == observe(game, seat, observation).tobytes()
            assert seen["action_mask"].tolist() == (
                expected_mask(game) if game.over or seat == game.seat else [False] * actions
            )
        assert env.state_space.contains(env.state())
        assert env.state().tobytes() == env.observe("player_0")["observation"].tobytes()
        if game.over:
            break
        for _ in range(1 if game.round < 2 else 7):
            if not env.terminations[env.agent_selection]:
                env.step(sample_action(env.action_masks(), rng))
    while env.agents:
        env.step(None)
    assert env.observation_space("player_0").contains(env.observe("player_0"))


@INTERFACES
def test_observations_are_fresh_and_yours(make: Any) -> None:
    env = started(make)
    first = observe_mover(env)
    kept, masks = frozen(first), env.action_masks()
    again = observe_mover(env)
    for key, array in first.items():
        assert not np.shares_memory(array, again[key])
        again[key][:] = 0
    masks[:] = False
    assert env.action_masks().any()
    env.step(sample_action(env.action_masks(), generator(1)))
    assert frozen(first) == kept


@pytest.mark.parametrize("make", [make_endeavor, make_endeavor_solo])
def test_what_a_step_returns_is_fresh_and_yours(make: Any) -> None:
    env = make()
    first, info = env.reset(seed=1)
    kept = frozen(first)
    second, *_ = env.step(sample_action(first["action_mask"], generator(1)))
    assert frozen(first) == kept
    assert not np.shares_memory(first["observation"], second["observation"])
    second["action_mask"][:] = 0
    second["observation"][:] = 7
    assert env.action_masks().any()
    assert not info["action_mask"].all()


# --- seeds and set-ups ----------------------------------------------------------------------------------------------


@OF_ONE_OF_EACH
def test_the_seed_of_the_constructor_serves_the_first_reset_only(kind: Kind) -> None:
    one, other = kind.make(seed=9), kind.make()
    one.reset()
    other.reset(seed=9)
    assert one.game().seed == 9
    setups = []
    for _ in range(3):
        assert position(one.game()) == position(other.game())
        setups.append(one.game().setup())
        one.reset()
        other.reset()
    assert setups[0] != setups[1] != setups[2]
    one = kind.make(seed=9)
    one.reset(seed=3)
    assert one.game().seed == 3


@INTERFACES
def test_different_seeds_give_different_games_and_so_do_none(make: Any) -> None:
    env = make()
    seen = set()
    for seed in range(12):
        env.reset(seed=seed)
        seen.add(frozen(observe_mover(env)))
    assert len(seen) == 12
    one, other = make(), make()
    one.reset()
    other.reset()
    assert one.game().seed != other.game().seed


@OF_ONE_OF_EACH
def test_reset_options_fix_the_setup(kind: Kind) -> None:
    env, setup, drawn = kind.make(), kind.new_game(123).setup(), kind.new_game(1).setup()
    if kind.exploits == "random":
        with pytest.raises(InvalidSetupError, match="setup does not say which Exploits are in play: name them"):
            env.reset(seed=1, options={"setup": setup})
    else:
        env.reset(seed=1, options={"setup": setup})
        assert env.game().setup() == setup
        assert env.game().exploits == kind.new_game(123).exploits
        assert env.game().seed is None
    if not isinstance(env, GameEnv):
        last = kind.players - 1
        env.reset(seed=1, options={"first_player": np.int64(last)})
        assert env.game().setup() == {**drawn, "first_player": last}
        assert env.game().exploits == kind.new_game(1).exploits
        env.reset(seed=1, options={"first_player": None, "setup": None})
        assert env.game().setup() == drawn


# --- drawings and the rest ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["aec", "gym", "gym solo"])
def test_close_may_be_called_again(name: str) -> None:
    env = KINDS[name].make()
    env.close()
    env.close()


@pytest.mark.parametrize(("name", "variant"), [("Endeavor-v0", "standard"), ("EndeavorSolo-v0", "solo")])
def test_masks_are_reached_through_the_wrappers(name: str, variant: str) -> None:
    env = started(gymnasium.make, id=name)
    assert env.get_wrapper_attr("action_masks")().shape == (num_actions(variant),)
    env.close()
    env.close()
