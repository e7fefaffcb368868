"""Games recorded with Minari's ``DataCollector``: infos of one structure, which hold the masks."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest

minari = pytest.importorskip("minari")
from endeavor_env.minari import MaskCallback  # noqa: E402  # which needs Minari

IDS = ["Endeavor-v0", "EndeavorSolo-v0", "Merchants-v0"]
FORMS: list[dict[str, Any]] = [{}, {"flat": True}, {"flat": True, "mask_dtype": "bool"}]


def played(env: Any, seed: int) -> list[Any]:
    """Play a game by the first legal action; return the mask of every step, the first and the last included."""
    _, info = env.reset(seed=seed)
    masks, over = [info["action_mask"]], False
    while not over:
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        masks.append(info["action_mask"])
        over = terminated or truncated
    return masks


@pytest.mark.parametrize("options", FORMS)
@pytest.mark.parametrize("env_id", IDS)
def test_what_is_recorded_of_every_step_has_one_structure(env_id: str, options: dict[str, Any]) -> None:
    env, record = gymnasium.make(env_id, max_cycles=40, **options), MaskCallback()
    obs, info = env.reset(seed=3)
    steps, over = [record(env=env, obs=obs, info=info)], False
    while not over:
        action = int(np.flatnonzero(info["action_mask"])[0])
        obs, reward, terminated, truncated, info = env.step(action)
        steps.append(record(env, obs, info, action, reward, terminated, truncated))
        assert (steps[-1]["action"], steps[-1]["reward"], steps[-1]["terminated"]) == (action, reward, terminated)
        over = terminated or truncated
    structures = {
        tuple((key, type(value), value.dtype, value.shape) for key, value in step["info"].items()) for step in steps
    }
    assert structures == {(("action_mask", np.ndarray, info["action_mask"].dtype, info["action_mask"].shape),)}


@pytest.mark.filterwarnings("ignore::UserWarning")  # Minari asks for the name of an author and a link to the code
@pytest.mark.parametrize("env_id", IDS)
def test_a_recorded_dataset_has_the_mask_of_every_decision(
    env_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("jax", reason="minari[create] is not installed")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    # Minari leaves its folders to the collector of garbage, with a warning; pytest removes those in tmp_path.
    monkeypatch.setattr(tempfile, "TemporaryDirectory", lambda dir: SimpleNamespace(name=tempfile.mkdtemp(dir=dir)))
    env = minari.DataCollector(gymnasium.make(env_id, flat=True), step_data_callback=MaskCallback, record_infos=True)
    masks = [played(env, seed) for seed in (1, 2)]
    dataset = env.create_dataset("endeavor/masked-v0", algorithm_name="first legal action")
    env.close()
    for episode, expected in zip(dataset.iterate_episodes(), masks, strict=True):
        assert np.array_equal(episode.infos["action_mask"], np.array(expected))
        assert np.array(expected)[np.arange(len(episode)), episode.actions].all()
