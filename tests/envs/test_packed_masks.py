"""Masks that stay packed, 64 action ids in each word, for learners that unpack them on a graphics card."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.engine.batch.threads import default_threads
from endeavor_env.envs.endeavor import make_endeavor_solo_vector, make_endeavor_vector
from endeavor_env.errors import InvalidOptionError
from tests.kits.vector import QUICK


def unpacked(words: np.ndarray, actions: int) -> np.ndarray:
    """Return packed masks as bools, as the documentation says."""
    bits = np.arange(64, dtype=np.uint64)
    return (words[..., None] >> bits & np.uint64(1)).reshape(*words.shape[:-1], -1)[..., :actions] == 1


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("options", [{}, {"exploits": "random"}], ids=["base", "exploits"])
def test_they_say_what_bytes_say(copy: bool, options: dict[str, Any]) -> None:
    packed, plain = (
        make_endeavor_vector(
            6, **QUICK, **options, mask_dtype=kind, copy=copy, max_cycles=30, autoreset_mode="SAME_STEP"
        )
        for kind in ("packed", "int8")
    )
    actions = packed.batch.num_actions
    (seen, infos), (wanted, _) = (env.reset(seed=4) for env in (packed, plain))
    for _ in range(40):
        assert seen["action_mask"].dtype == np.uint64
        assert packed.observation_space.contains(seen)
        assert (unpacked(seen["action_mask"], actions) == wanted["action_mask"]).all()
        assert infos["action_mask"] is seen["action_mask"]
        chosen = wanted["action_mask"].argmax(axis=1)
        (seen, *_, infos), (wanted, *_, wanted_infos) = (env.step(chosen) for env in (packed, plain))
        for row in np.flatnonzero(wanted_infos.get("_final_obs", ())):
            final = infos["final_obs"][row]["action_mask"]
            assert unpacked(final, actions).all()
            assert packed.single_observation_space.contains(infos["final_obs"][row])


def test_with_copies_they_are_fresh() -> None:
    env = make_endeavor_solo_vector(3, mask_dtype="packed")
    first, _ = env.reset(seed=1)
    kept = first["action_mask"].copy()
    assert kept.shape == (3, -(-num_actions("solo") // 64))
    env.step(env.action_masks().argmax(axis=1))
    assert (first["action_mask"] == kept).all()


def test_threads_do_not_matter() -> None:
    runs = []
    for threads in (1, default_threads()):
        env = make_endeavor_vector(300, **QUICK, mask_dtype="packed", threads=threads)
        seen, _ = env.reset(seed=2)
        for _ in range(5):
            seen, *_ = env.step(env.action_masks().argmax(axis=1))
        runs.append(seen["action_mask"].tobytes())
    assert runs[0] == runs[1]


def test_single_environments_have_bytes_alone() -> None:
    with pytest.raises(InvalidOptionError, match="mask_dtype"):
        gymnasium.make("Endeavor-v0", mask_dtype="packed")
