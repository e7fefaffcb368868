"""What the options flat, mask_dtype, max_cycles and opponents by name do in environments of single games."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from endeavor_env import endeavor_v0
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo
from endeavor_env.envs.sampling import generator, sample_action
from endeavor_env.errors import EndeavorError, InvalidOptionError
from tests.kits.envs import (
    OF_ALL_AECS,
    OF_ALL_LEARNERS,
    OF_ONE_OF_EACH,
    Kind,
    play,
    position,
    started,
)

INTERFACES = pytest.mark.parametrize("make", [endeavor_v0.env, make_endeavor, make_endeavor_solo])


# --- flat observations ----------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*is not within the observation space.*", "ignore:.*Box.*precision.*")
@pytest.mark.parametrize(
    ("name", "game"),
    [("Endeavor-v0", {}), ("EndeavorSolo-v0", {}), ("Endeavor-v0", {"exploits": "random"})],
    ids=["Endeavor-v0", "EndeavorSolo-v0", "Exploits"],
)
@pytest.mark.parametrize("options", [{"flat": True}, {"mask_dtype": "bool"}, {"max_cycles": 30}], ids=str)
def test_gymnasiums_checker_accepts_the_options(name: str, game: dict[str, Any], options: dict[str, Any]) -> None:
    check_env(gymnasium.make(name, **game, **options).unwrapped)


# --- masks ----------------------------------------------------------------------------------------------------------


@OF_ALL_AECS
def test_the_infos_of_agents_keep_keys_types_and_shapes(kind: Kind) -> None:
    """Also through the end, and through an illegal action."""
    shapes = set()
    for plays_illegally in (False, True):
        env, rng = started(kind.make, 3), generator(3)
        while env.agents:
            for info in env.infos.values():
                shapes.add(tuple((key, type(value), np.shape(value)) for key, value in sorted(info.items())))
            over = env.terminations[env.agent_selection]
            action = int(env.action_masks().argmin()) if plays_illegally else sample_action(env.action_masks(), rng)
            env.step(None if over else action)
    [found] = shapes
    assert found == (("action_mask", np.ndarray, (num_actions(kind.variant),)),)


# --- the limit of decisions -----------------------------------------------------------------------------------------


@OF_ALL_LEARNERS
def test_a_learner_decides_before_the_smallest_limit(kind: Kind) -> None:
    for seed in range(12):
        for seat in range(kind.players):
            options = {} if kind.variant == "solo" else {"learner_seat": seat}
            env = kind.make(max_cycles=5, **options)
            _, info = env.reset(seed=seed)
            assert info["reason"] == ""
            env.step(int(env.action_masks().argmax()))


@INTERFACES
@pytest.mark.parametrize("limit", [0, 4, -1, 2.0, True, None, "many", 10**400])
def test_a_limit_that_is_none_is_refused(make: Any, limit: Any) -> None:
    with pytest.raises(InvalidOptionError, match="max_cycles="):
        make(max_cycles=limit)


@INTERFACES
@pytest.mark.parametrize(
    "options", [{"flat": 1}, {"flat": None}, {"mask_dtype": np.int8}, {"mask_dtype": "float32"}], ids=str
)
def test_wrong_kinds_of_observations_and_masks_are_refused(make: Any, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionError, match="is not possible: give"):
        make(**options)


# --- opponents by name ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [{}, {"exploits": "random"}], ids=str)
@pytest.mark.parametrize("opponents", ["random", "greedy", "automa", ["greedy", "random", "automa"]], ids=str)
def test_opponents_by_name_play_as_those_of_the_vector_environment(opponents: Any, game: dict[str, Any]) -> None:
    single = gymnasium.make("Endeavor-v0", opponents=opponents, **game)
    several: Any = gymnasium.make_vec("Endeavor-v0", num_envs=2, opponents=opponents, **game)
    rng, terminated = generator(7), False
    seen, _ = single.reset(seed=7)
    rows, _ = several.reset(seed=[6, 7])
    while not terminated:
        assert rows["observation"][1].tobytes() == seen["observation"].tobytes()
        action = sample_action(seen["action_mask"], rng)
        seen, _, terminated, _, _ = single.step(action)
        first = int(rows["action_mask"][0].argmax())
        rows, _, ended, _, _ = several.step(np.array([first, action]))
        assert bool(ended[1]) is terminated
    several.close()


# --- resets that are refused ----------------------------------------------------------------------------------------


@OF_ONE_OF_EACH
def test_a_refused_reset_changes_nothing_that_follows(kind: Kind) -> None:
    """Neither the game in play nor the games of later resets, whether the first reset was refused or a later one."""
    calm, tried = kind.make(seed=5), kind.make(seed=5)
    wrong = [{"seed": -1}, {"options": {"setup": {}}}, {"seed": 3, "options": {"setup": {"tokens": 1}}}]
    if kind.variant != "solo":
        wrong.append({"options": {"first_player": 9}})
    for _ in range(3):
        for arguments in wrong:
            before = position(tried.game()) if tried._table.sound else None
            with pytest.raises(EndeavorError):
                tried.reset(**arguments)
            if before:
                assert position(tried.game()) == before
        calm.reset()
        tried.reset()
        assert position(calm.game()) == position(tried.game())
        assert play(calm, 1, limit=5) == play(tried, 1, limit=5)
