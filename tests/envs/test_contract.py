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
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import InvalidSetupError
from tests.kits.envs import (
    KINDS,
    OF_ONE_OF_EACH,
    Kind,
    frozen,
    observe_mover,
    position,
    started,
)

INTERFACES = pytest.mark.parametrize("make", [endeavor_v0.env, make_endeavor, make_endeavor_solo])
# --- the game in play -----------------------------------------------------------------------------------------------


@OF_ONE_OF_EACH
def test_the_game_handed_out_is_a_copy(kind: Kind) -> None:
    env = started(kind.make)
    mine, before = env.game(), position(env.game())
    mine.apply(mine.legal_actions()[0])
    assert position(env.game()) == before


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


# --- actions
@pytest.mark.parametrize("action_type", [int, np.int64, np.int8, np.uint16, np.array])
@pytest.mark.parametrize("make", [endeavor_v0.env, make_endeavor, make_endeavor_solo])
def test_whole_numbers_of_any_kind_are_actions(make: Any, action_type: Any) -> None:
    env, other = started(make), started(make)
    action = int(env.action_masks().argmax())
    env.step(action_type(action))
    other.step(action)
    assert position(env.game()) == position(other.game())


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
