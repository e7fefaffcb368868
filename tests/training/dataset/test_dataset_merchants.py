"""Datasets of Merchants of Europe: what the seats see and choose, without the moves of chance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.rewards import margin
from endeavor_env.errors import EndeavorError
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.game_rules import MARGIN
from endeavor_env.training.dataset import Settings, make_dataset, read
from endeavor_env.training.dataset.to_minari import environment_of, write_minari
from tests.kits.commands import run_command

GAME = "merchants:max_rolls=6"
TABLE = ("greedy", "random", "planner")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of six games in two shards, made by the command."""
    path = tmp_path_factory.mktemp("data") / "merchants"
    arguments = (*TABLE, "--game", GAME, "--games", "6", "--shard-games", "3", "--observation", "compact")
    done = run_command("endeavor_env.training.dataset", *arguments, "--out", str(path))
    assert (done.status, done.err) == (0, "")
    assert "6 games" in done.out
    return path


def test_every_decision_is_one_of_the_game_as_its_seat_sees_it(folder: Path) -> None:
    dataset, shown = read(folder), 0
    assert (dataset.complete, dataset.games, len(dataset.shards)) == (True, 6, 2)
    for shard in dataset:
        for row, seed in enumerate(shard.game_seeds.tolist()):
            game = MerchantsConfig(3, max_rolls=6).new_game(seed)
            rows = np.flatnonzero(shard.games == shard.game_numbers[row])
            assert shard.moves[rows].tolist() == list(range(rows.size))
            for one in rows:
                assert shard.seats[one] == game.seat
                assert np.array_equal(shard.observations[one], game.observe(game.seat, "compact"))
                assert np.array_equal(shard.legal(one), game.mask())
                game.apply(int(shard.actions[one]))
            assert game.over
            assert shard.game_scores[row].tolist() == [*game.scores(), 0, 0]
            paid = margin(game.scores(), MARGIN)
            assert shard.outcomes[rows] == pytest.approx([paid[seat] for seat in shard.seats[rows]])
            seats = np.flatnonzero(shard.last_games == shard.game_numbers[row])
            assert shard.last_seats[seats].tolist() == [0, 1, 2]
            for seat, last in enumerate(shard.last_observations[seats]):
                assert np.array_equal(last, game.observe(seat, "compact"))
            assert any(seat == CHANCE for seat, _ in game.history)
            shown += rows.size
    assert shown == dataset.decisions


def test_every_seating_is_played_with_the_same_dice(folder: Path) -> None:
    shard = read(folder).together()
    assert shard.game_setups.tolist() == [0, 0, 0, 1, 1, 1]
    assert shard.game_agents[:, :3].tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]] * 2
    assert len(set(shard.game_seeds.tolist())) == 2


def test_the_card_says_what_was_played_and_the_command_goes_on(folder: Path) -> None:
    card = json.loads((folder / "dataset.json").read_text())
    assert card["layout"]["variant"] == "short"
    assert card["settings"]["game"] == GAME
    assert card["kinds"][0]["options"] == {"start": "fixed", "trade": "offers", "max_rolls": 6}
    first, before = folder / card["shards"][0]["file"], (folder / "dataset.json").read_bytes()
    content = first.read_bytes()
    first.unlink()
    words = card["command"].split(" endeavor_env.training.dataset ")[-1].split()
    done = run_command("endeavor_env.training.dataset", *words[words.index("greedy") :], "--out", str(folder))
    assert (done.status, done.err) == (0, "")
    assert first.read_bytes() == content
    assert (folder / "dataset.json").read_bytes() == before


def test_tables_of_three_and_four_are_in_one_dataset(tmp_path: Path) -> None:
    settings = Settings((("random",) * 3, ("greedy",) * 4), games=7, reward="rank", game="merchants:max_rolls=2")
    assert make_dataset(settings, tmp_path)["games"] == 7
    assert read(tmp_path).together().game_seats.tolist() == [3] * 3 + [4] * 4


def test_minari_gets_an_episode_for_each_seat(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    written = write_minari(read(folder), "merchants/mixed-v0")
    assert written.total_episodes == 18
    assert environment_of(read(folder)) is None
    alone = Settings((("random", "greedy", "greedy"),), games=3, game="merchants:variant=expert,max_rolls=2,trade=bank")
    make_dataset(alone, tmp_path / "alone")
    spec = environment_of(read(tmp_path / "alone"), "random")
    assert spec.id == "Merchants-v0"
    assert spec.kwargs["board"] == "expert"
    assert spec.kwargs["trade"] == "bank"
    assert spec.kwargs["opponents"] == "greedy"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": (("random", "random"),)}, "players=2"),
        ({"agents": (("random", "random", "automa"),)}, "agent 'automa' is unknown"),
        ({"reward": "ladder"}, "reward 'ladder' is not possible"),
        ({"game": "merchants:fly=1"}, "no option 'fly'"),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"agents": (TABLE,), "game": GAME, **changes}
    with pytest.raises(EndeavorError, match=message):
        make_dataset(Settings(**given), tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--game", "merchants", "--variant", "solo"), "leave out --variant, --board, --option"),
        (("--game", "solo"), "give merchants, or --variant"),
    ],
)
def test_the_command_refuses_two_games_at_once(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = run_command("endeavor_env.training.dataset", *TABLE, *arguments, "--out", str(tmp_path / "data"))
    assert done.status == 2
    assert message in " ".join(done.err.split())
