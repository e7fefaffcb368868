"""Arrays that are handed out again once nobody holds them."""

from __future__ import annotations

import pickle

import numpy as np

from endeavor_env.envs.endeavor import make_endeavor_vector
from endeavor_env.envs.vector_infos import KEPT, FreshArrays
from tests.kits.vector import QUICK


def address(array: np.ndarray) -> int:
    return int(array.ctypes.data)


def test_what_is_held_is_never_handed_out_again() -> None:
    arrays = FreshArrays((3, 5), np.float32)
    held = [arrays.take() for _ in range(3 * KEPT)]
    assert len({address(array) for array in held}) == len(held)
    assert all(array.shape == (3, 5) and array.dtype == np.float32 for array in held)


def test_what_is_dropped_is_used_again() -> None:
    arrays = FreshArrays((100,), np.int8)
    first = arrays.take()
    place = address(first)
    del first
    assert address(arrays.take()) == place


def test_a_view_holds_an_array() -> None:
    arrays = FreshArrays((100,), np.int8)
    view = arrays.take()[10:20]
    view[:] = 3
    other = arrays.take()
    other[:] = 4
    assert (view == 3).all()
    assert not np.shares_memory(view, other)


def test_a_copy_begins_without_arrays() -> None:
    arrays = FreshArrays((4,), np.int8)
    held = arrays.take()
    copy = pickle.loads(pickle.dumps(arrays))
    assert not np.shares_memory(copy.take(), held)


def test_observations_that_are_kept_stay_and_memory_does_not_grow() -> None:
    env = make_endeavor_vector(4, **QUICK, autoreset_mode="SAME_STEP")
    seen, _ = env.reset(seed=1)
    kept, places = [], set()
    for step in range(40):
        if step % 10 == 0:
            kept.append((seen, {name: value.copy() for name, value in seen.items()}))
        seen, *_ = env.step(seen["action_mask"].argmax(axis=1))
        places.add(address(seen["observation"]))
    for observation, wanted in kept:
        assert all((observation[name] == wanted[name]).all() for name in wanted)
    assert len(places) <= len(kept) + KEPT
