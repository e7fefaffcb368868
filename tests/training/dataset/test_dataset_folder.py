"""A dataset can be stopped, continued and replaced; what is cut off, edited or foreign is refused."""

from __future__ import annotations

import hashlib
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.basics.file_lock import file_lock
from endeavor_env.errors import DatasetError, InvalidOptionError
from endeavor_env.training.dataset import Dataset, Settings, make_dataset, read
from endeavor_env.training.dataset.making import DatasetGames, PlayedGame
from endeavor_env.training.dataset.reading import ARRAYS, MOST
from tests.kits.commands import run_command

SETTINGS = Settings((("random", "random", "random"),), games=12, shard_games=3, observation="compact")
ARGUMENTS = ("random", "random", "random", "--games", "12", "--shard-games", "3", "--observation", "compact")


def interrupt_at(monkeypatch: pytest.MonkeyPatch, setup: int) -> None:
    """Press Ctrl-C when this set-up is to be played."""
    play: Callable[[DatasetGames, int, int], list[PlayedGame]] = DatasetGames.play

    def impatient(games: DatasetGames, kind: int, number: int) -> list[PlayedGame]:
        if number == setup:
            raise KeyboardInterrupt
        return play(games, kind, number)

    monkeypatch.setattr(DatasetGames, "play", impatient)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the dataset of SETTINGS, made without interruption."""
    folder = tmp_path_factory.mktemp("whole")
    assert make_dataset(SETTINGS, folder)["complete"]
    return contents(folder)


@pytest.fixture
def made(whole: dict[str, bytes], tmp_path: Path) -> Path:
    """A folder of its own with these files."""
    for name, content in whole.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_a_dataset_that_was_stopped_goes_on_to_the_same_files(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        interrupt_at(patched, 2)
        stopped = run_command("endeavor_env.training.dataset", *ARGUMENTS, "--out", str(tmp_path))
    assert stopped.status == 130
    assert "stopped; go on with: python -m endeavor_env.training.dataset random random random" in stopped.err
    unfinished = read(tmp_path)
    assert (unfinished.complete, unfinished.games) == (False, 6)
    assert sorted(contents(tmp_path)) == ["dataset.json", "dataset.lock", "shard_00000.npz", "shard_00001.npz"]
    went_on = run_command("endeavor_env.training.dataset", *ARGUMENTS, "--out", str(tmp_path))
    assert (went_on.status, went_on.err) == (0, "")
    assert contents(tmp_path) == whole


def test_a_finished_dataset_is_left_as_it_is(made: Path, whole: dict[str, bytes], monkeypatch: Any) -> None:
    interrupt_at(monkeypatch, 0)
    assert make_dataset(SETTINGS, made)["complete"]
    assert contents(made) == whole


def test_a_shard_that_was_cut_off_is_refused_by_readers_and_played_again(made: Path, whole: dict[str, bytes]) -> None:
    (made / "shard_00001.npz").write_bytes(whole["shard_00001.npz"][:5000])
    dataset = read(made)
    assert len(dataset.load(0))
    with pytest.raises(DatasetError, match=r"shard_00001\.npz is cut off, edited or another file, with 5,000 bytes"):
        dataset.load(1)
    assert make_dataset(SETTINGS, made)["complete"]
    assert contents(made) == whole


def test_a_missing_shard_and_one_of_another_dataset_are_refused(made: Path, whole: dict[str, bytes]) -> None:
    (made / "shard_00001.npz").unlink()
    (made / "shard_00002.npz").write_bytes(whole["shard_00000.npz"])
    dataset = read(made)
    with pytest.raises(DatasetError, match=r"shard_00001\.npz cannot be read: No such file"):
        dataset.load(1)
    with pytest.raises(DatasetError, match=r"shard_00002\.npz is cut off, edited or another file"):
        dataset.load(2)
    with pytest.raises(InvalidOptionError, match="shard 7 is not there: give 0 to 3"):
        dataset.load(7)


def test_a_shard_that_is_named_twice_and_a_folder_in_place_of_one_are_refused(made: Path) -> None:
    card = json.loads((made / "dataset.json").read_text(encoding="utf-8"))
    twice = {**card, "shards": [*card["shards"], card["shards"][0]]}
    (made / "dataset.json").write_text(json.dumps(twice), encoding="utf-8")
    with pytest.raises(DatasetError, match=f"was edited: it names the shard '{card['shards'][0]['file']}' twice"):
        read(made)
    (made / "dataset.json").write_text(json.dumps(card), encoding="utf-8")
    shard = made / card["shards"][0]["file"]
    shard.unlink()
    shard.mkdir()
    with pytest.raises(DatasetError, match="cannot be read: it is a folder"):
        read(made).load(0)


def replaced(made: Path, content: bytes, **entries: int) -> Dataset:
    """Put other bytes in the place of the first shard, with their digest in the card, and read the dataset."""
    file = made / "dataset.json"
    card = json.loads(file.read_text(encoding="utf-8"))
    card["shards"][0] |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(), **entries}
    file.write_text(json.dumps(card), encoding="utf-8")
    (made / card["shards"][0]["file"]).write_bytes(content)
    return read(made)


def test_a_damaged_shard_with_the_right_digest_is_refused(made: Path, whole: dict[str, bytes]) -> None:
    good, rng = whole["shard_00000.npz"], random.Random(3)
    for _ in range(60):
        damaged = bytearray(good)
        for place in rng.sample(range(100, len(good)), 5):
            damaged[place] ^= 1 << rng.randrange(8)
        with pytest.raises(DatasetError, match="does not hold the arrays of a dataset"):
            replaced(made, bytes(damaged)).load(0)


def test_a_shard_that_takes_a_thousand_times_its_bytes_is_refused(made: Path) -> None:
    stored = io.BytesIO()
    zeros: dict[str, Any] = {name: np.zeros(1 << 22, np.int8) for name in ARRAYS}
    np.savez_compressed(stored, **zeros)
    for decisions in (1, MOST):
        with pytest.raises(DatasetError, match="its arrays take 79,69"):
            replaced(made, stored.getvalue(), decisions=decisions, games=decisions).load(0)


def test_other_settings_are_refused_and_replaced_with_force(made: Path) -> None:
    other = run_command("endeavor_env.training.dataset", *ARGUMENTS, "--seed", "1", "--out", str(made))
    assert other.status == 2
    assert other.err.startswith(f"error: {made} holds a dataset with other seed, 0 instead of 1: give the same")
    assert read(made).card["settings"]["seed"] == 0
    forced = run_command("endeavor_env.training.dataset", *ARGUMENTS[:3], "--games", "3", "--out", str(made), "--force")
    assert forced.status == 0
    assert sorted(contents(made)) == ["dataset.json", "dataset.lock", "shard_00000.npz"]
    assert read(made).card["settings"]["observation"] == "features"


def test_a_folder_with_other_files_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    for more in ((), ("--force",)):
        refused = run_command("endeavor_env.training.dataset", *ARGUMENTS, "--out", str(tmp_path), *more)
        assert refused.status == 2
        assert "holds thesis.txt but no dataset: give an empty or new folder" in refused.err
    assert sorted(contents(tmp_path)) == ["dataset.lock", "thesis.txt"]


def edited(folder: Path, **changes: Any) -> None:
    """Change entries of the card."""
    card = json.loads((folder / "dataset.json").read_text())
    (folder / "dataset.json").write_text(json.dumps({**card, **changes}))


EDITS = {
    "has the format 'other/1': this version reads 'endeavor-dataset/1'": {"format": "other/1"},
    "it has no usable shards": {"shards": 3},
    "it has no usable layout": {"layout": {"variant": "chess"}},
    "was made for another observation layout, 'abc'": {
        "layout": {"variant": "standard", "observation": "compact", "hash": "abc"}
    },
    "was made for another action layout, 'abc'": {"actions": {"hash": "abc", "number": 197}},
    "describes no shard": {"shards": [{"file": "shard_00000.npz"}]},
    "is no name of a shard": {
        "shards": [{"file": "../secret.npz", "games": 1, "decisions": 1, "bytes": 1, "sha256": ""}]
    },
    "has no shard yet": {"shards": []},
}


@pytest.mark.parametrize("message", EDITS)
def test_an_edited_card_is_refused(made: Path, message: str) -> None:
    edited(made, **EDITS[message])
    with pytest.raises(DatasetError, match=message):
        read(made)


def test_a_card_that_is_cut_off_is_refused_and_replaced_with_force(made: Path, whole: dict[str, bytes]) -> None:
    (made / "dataset.json").write_bytes(whole["dataset.json"][:100])
    with pytest.raises(DatasetError, match="is not JSON, it may be cut off"):
        read(made)
    with pytest.raises(DatasetError, match="--force replaces the dataset"):
        make_dataset(SETTINGS, made)
    assert make_dataset(SETTINGS, made, force=True)["complete"]
    assert contents(made) == whole


def test_a_shard_with_other_arrays_than_the_card_says_is_refused(made: Path) -> None:
    entries = read(made).card["shards"]
    edited(made, shards=[{**entries[0], "decisions": entries[0]["decisions"] + 1}, *entries[1:]])
    with pytest.raises(DatasetError, match=r"shard_00000\.npz has observations of shape"):
        read(made).load(0)


def test_a_folder_without_a_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"holds no dataset: it has no dataset\.json"):
        read(tmp_path)


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    with (
        file_lock(tmp_path / "dataset.lock", lambda _: None),
        pytest.raises(InvalidOptionError, match="another process writes the dataset"),
    ):
        make_dataset(SETTINGS, tmp_path)


def test_the_command_writes_the_card_where_it_is_asked_to(tmp_path: Path) -> None:
    file = tmp_path / "card.json"
    done = run_command(
        "endeavor_env.training.dataset", *ARGUMENTS, "--out", str(tmp_path / "data"), "--json", str(file)
    )
    assert done.status == 0
    assert json.loads(file.read_text()) == read(tmp_path / "data").card
    assert "12 games with" in done.out
    assert "decisions of random in 4 shards" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("random", "random"), "a table of 2 agents is not possible in standard"),
        (("random", "random", "random", "--option", "x"), "option 'x' is not possible"),
        (("random", "random", "random", "--json", "/none/x.json"), "there is no folder /none"),
        (("random", "random", "random", "--minari", "x"), "Minari dataset 'x' is not possible"),
    ],
)
def test_mistakes_are_one_sentence_and_status_2(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run_command("endeavor_env.training.dataset", *arguments, "--out", str(tmp_path / "new"))
    assert done.status == 2
    assert message in done.err
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_masks_take_a_bit_for_each_action(made: Path) -> None:
    shard = read(made).load(0)
    assert shard.masks.shape == (len(shard), 25)
    legal = shard.legal()
    assert legal.shape == (len(shard), 197)
    np.testing.assert_array_equal(legal[5], shard.legal(5))
    assert legal[np.arange(len(shard)), shard.actions].all()
