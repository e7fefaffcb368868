"""A dataset as a Minari dataset: loaded again, and its environment recovered."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest

from endeavor_env.errors import DatasetError, InvalidOptionError, MissingLibraryError
from endeavor_env.training.dataset import Dataset, Settings, make_dataset, read
from endeavor_env.training.dataset.to_minari import environment_of, write_minari
from tests.kits.commands import run_command


@pytest.fixture(autouse=True)
def _own_minari_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))


def dataset_of(folder: Path, agents: tuple[str, ...] = ("greedy", "greedy", "greedy"), **more: Any) -> Dataset:
    settings = {"games": 6, "shard_games": 3, "observation": "compact", **more}
    make_dataset(Settings((agents,), **settings), folder)
    return read(folder)


def test_an_episode_has_the_decisions_of_a_seat_and_the_end_of_the_game(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "data")
    write_minari(dataset, "endeavor/greedy-v0")
    loaded, shard = minari.load_dataset("endeavor/greedy-v0"), dataset.together()
    assert (loaded.total_episodes, loaded.total_steps) == (18, dataset.decisions)
    assert "Made by python -m endeavor_env.training.dataset greedy" in str(loaded.storage.metadata["description"])
    for number, episode in enumerate(loaded.iterate_episodes()):
        game, seat = divmod(number, 3)
        rows = np.flatnonzero((shard.games == game) & (shard.seats == seat))
        observations: Any = episode.observations
        np.testing.assert_array_equal(observations["observation"][:-1], shard.observations[rows])
        np.testing.assert_array_equal(observations["observation"][-1], shard.last_observations[number])
        np.testing.assert_array_equal(observations["action_mask"][:-1], shard.legal(rows))
        assert observations["action_mask"][-1].all()
        np.testing.assert_array_equal(episode.actions, shard.actions[rows])
        assert not episode.rewards[:-1].any()
        assert episode.rewards[-1] == pytest.approx(shard.outcomes[rows[-1]])
        assert episode.terminations.tolist() == [False] * (len(rows) - 1) + [True]
        assert not episode.truncations.any()


def test_the_environment_is_recovered_and_shows_the_same_games(tmp_path: Path) -> None:
    """The policy network plays by no random numbers, so that its actions lead through the whole episode once more."""
    dataset = dataset_of(tmp_path / "data", ("policy",) * 3, reward="rank")
    loaded = write_minari(dataset, "endeavor/policy-v0")
    env: Any = loaded.recover_environment()
    assert env.observation_space == loaded.observation_space
    assert env.action_space == loaded.action_space
    for episode, told in zip(loaded.iterate_episodes([0, 4]), loaded.storage.get_episode_metadata([0, 4]), strict=True):
        observation, _ = env.reset(seed=told["seed"], options=told["options"])
        rewards = []
        for step, action in enumerate(episode.actions):
            for key in ("observation", "action_mask"):
                np.testing.assert_array_equal(observation[key], episode.observations[key][step])
            observation, reward, terminated, _, _ = env.step(action)
            rewards.append(reward)
        assert terminated
        for key in ("observation", "action_mask"):
            np.testing.assert_array_equal(observation[key], episode.observations[key][-1])
        np.testing.assert_allclose(rewards, episode.rewards, rtol=1e-6)
    env.close()


def test_the_solitaire_environment_is_recovered(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "data", ("random",), variants=("solo",), options={"difficulty": "easier"}, games=1)
    loaded = write_minari(dataset, "endeavor/solo-v0")
    env: Any = loaded.recover_environment()
    (told,) = loaded.storage.get_episode_metadata([0])
    observation, _ = env.reset(seed=told["seed"])
    for action in loaded[0].actions:
        observation, reward, terminated, _, _ = env.step(action)
    assert terminated
    assert reward == pytest.approx(loaded[0].rewards[-1])
    np.testing.assert_array_equal(observation["observation"], loaded[0].observations["observation"][-1])
    env.close()


def test_the_seats_of_one_agent_can_be_chosen(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "data", ("greedy", "random", "random"))
    assert environment_of(dataset) is None
    spec = environment_of(dataset, "greedy")
    assert (spec.id, spec.kwargs["opponents"], spec.kwargs["players"]) == ("Endeavor-v0", "random", 3)
    loaded = write_minari(dataset, "endeavor/greedy-v0", "greedy")
    assert loaded.total_episodes == 6
    assert [told["options"]["learner_seat"] for told in loaded.storage.get_episode_metadata(range(3))] == [0, 1, 2]
    with pytest.raises(
        InvalidOptionError, match="agent 'value' plays no game of the dataset: these do: greedy, random"
    ):
        write_minari(dataset, "endeavor/value-v0", "value")


def test_games_of_several_kinds_have_no_single_environment(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "data", ("random",) * 3, boards=("endeavor_2009", "generated_1"))
    loaded = write_minari(dataset, "endeavor/boards-v0")
    assert loaded.total_episodes == 18
    with pytest.raises(ValueError, match="cannot be recovered"):
        loaded.recover_environment()
    exploits = dataset_of(tmp_path / "exploits", ("random",) * 3, variants=("exploits",), games=1)
    assert environment_of(exploits).kwargs["exploits"] == "random"
    weights = dataset_of(tmp_path / "weights", ("greedy:disc=0.5",) * 3, games=1)
    assert environment_of(weights).kwargs["opponents"] == "greedy:disc=0.5"


def test_an_existing_minari_dataset_is_replaced_only_with_force(tmp_path: Path) -> None:
    arguments = ["random", "random", "random", "--games", "3", "--observation", "compact"]
    arguments += ["--out", str(tmp_path / "data"), "--minari", "endeavor/random-v0"]
    first = run_command("endeavor_env.training.dataset", *arguments)
    assert (first.status, first.err) == (0, "")
    assert "Minari dataset endeavor/random-v0: 9 episodes; recover_environment() makes its games" in first.out
    second = run_command("endeavor_env.training.dataset", *arguments)
    assert second.status == 2
    assert "the Minari dataset endeavor/random-v0 exists already" in second.err
    assert run_command("endeavor_env.training.dataset", *arguments, "--force").status == 0
    assert minari.load_dataset("endeavor/random-v0").total_episodes == 9


def test_an_unfinished_dataset_is_refused(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "data", ("random",) * 3, games=3)
    dataset.complete = False
    with pytest.raises(DatasetError, match=r"is not complete: go on with python -m endeavor_env\.training"):
        write_minari(dataset, "endeavor/random-v0")


def test_without_minari_the_error_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = dataset_of(tmp_path / "data", ("random",) * 3, games=3)
    monkeypatch.setitem(sys.modules, "minari", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'endeavor-env\[data\]'"):
        write_minari(dataset, "endeavor/random-v0")
