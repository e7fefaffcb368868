"""The corpus: its parts, splits and hash, and its games as records and as OpenSpiel's trajectories."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from endeavor_env.bench.version import version_one
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules.constants import VARIANT_NAMES
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.dataset import Settings, make_dataset, read
from endeavor_env.training.dataset import corpus as corpus_module
from endeavor_env.training.dataset.corpus import (
    PARTS,
    hash_of,
    make_corpus,
    replayed,
    settings_of,
    splits_of,
    write_form,
)

SMALL = ["exploits-4-mixed", "two-mixed", "solo-mixed"]
FROZEN = {
    "exploits-4-mixed": "82fca49fa97b17813669d8665713205e9608f17ad92d907d349ee8e467742301",
    "two-mixed": "ae450afe3b18fe5b33c5fec78b3cab2ea3718e771489726627b8b0485352115d",
    "solo-mixed": "f831fc7ec8cbc715ae12b6ef799afda72278a58edf3ffcba833bbcd758a5c0fc",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some parts of a corpus of 40 games."""
    folder = tmp_path_factory.mktemp("corpus") / "small"
    make_corpus(folder, 40, 0, "compact", SMALL, str)
    return folder


def test_the_parts_are_all_games_of_all_variants() -> None:
    assert sum(part.share for part in PARTS.values()) == pytest.approx(1.0)
    assert {variant for part in PARTS.values() for variant in part.variants} == set(VARIANT_NAMES)
    settings = [settings_of(name, 100_000, 0, "compact") for name in PARTS]
    assert len({one.seed for one in settings}) == len(PARTS)
    assert sum(one.games for one in settings) == 100_000


def test_a_corpus_is_the_same_games_every_time_and_goes_on(corpus: Path, tmp_path: Path) -> None:
    card = json.loads((corpus / "corpus.json").read_text())
    assert list(card["parts"]) == SMALL
    assert not card["complete"], "there are other parts"
    assert card["games"] == sum(one["games"] for one in card["parts"].values()) > 6
    again = make_corpus(tmp_path / "again", 40, 0, "features", SMALL[2:], str)
    assert again["parts"]["solo-mixed"]["hash"] == card["parts"]["solo-mixed"]["hash"], "whatever is observed"
    other = make_corpus(tmp_path / "other", 40, 1, "compact", SMALL[2:], str)
    assert other["parts"]["solo-mixed"]["hash"] != card["parts"]["solo-mixed"]["hash"]
    before = (corpus / "corpus.json").read_bytes()
    make_corpus(corpus, 40, 0, "compact", SMALL, str)
    assert (corpus / "corpus.json").read_bytes() == before


def test_version_1_is_the_same_games_for_ever(corpus: Path) -> None:
    """The hash of a part also pins the rules and the agents that play it: a change is another version of the corpus."""
    card = json.loads((corpus / "corpus.json").read_text())
    assert {name: part["hash"] for name, part in card["parts"].items()} == FROZEN


def test_other_games_than_the_published_ones_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = version_one()
    assert set(version.corpus) == set(PARTS)
    monkeypatch.setattr(corpus_module, "GAMES", 40)
    for published, words in ((FROZEN["solo-mixed"], 0), ("0" * 64, 1)):
        frozen = replace(version, corpus={"solo-mixed": published})
        monkeypatch.setattr(corpus_module, "version_one", lambda frozen=frozen: frozen)
        said: list[str] = []
        make_corpus(tmp_path / str(words), 40, 0, "compact", ["solo-mixed"], said.append)
        assert sum("other games than the published ones" in line for line in said) == words


def test_another_corpus_in_the_folder_is_refused(corpus: Path) -> None:
    with pytest.raises(InvalidOptionError, match="holds another corpus, with another"):
        make_corpus(corpus, 41, 0, "compact", SMALL, str)
    with pytest.raises(InvalidOptionError, match="part 'chess' is unknown"):
        make_corpus(corpus, 40, 0, "compact", ["chess"], str)


def test_no_set_up_is_in_two_splits(tmp_path: Path) -> None:
    make_dataset(Settings((("random",) * 3,), games=63, shard_games=3, observation="compact"), tmp_path)
    dataset = read(tmp_path)
    split = splits_of(dataset)
    assert {name: len(shards) for name, shards in split.items()} == {"training": 19, "validation": 1, "test": 1}
    seeds = {
        name: {int(seed) for one in shards for seed in dataset.load(one).game_seeds} for name, shards in split.items()
    }
    assert not seeds["training"] & (seeds["validation"] | seeds["test"])
    assert not seeds["validation"] & seeds["test"]
    assert hash_of(dataset) == hash_of(read(tmp_path))


@pytest.mark.parametrize("part", SMALL)
def test_the_games_are_played_again_from_their_shards(part: str, corpus: Path) -> None:
    dataset = read(corpus / part)
    shard = dataset.load(0)
    for row, (game, agents) in enumerate(replayed(dataset, shard)):
        assert game.over
        assert game.scores() == shard.game_scores[row, : len(game.scores())].tolist()
        assert len(agents) == game.num_players


@pytest.mark.parametrize("part", SMALL)
def test_records_and_trajectories_are_the_same_games(part: str, corpus: Path) -> None:
    dataset = read(corpus / part)
    records, trajectories = (
        [json.loads(line) for line in (write_form(dataset, form) / "shard_00000.jsonl").read_text().splitlines()]
        for form in ("records", "trajectories")
    )
    for stored, played in zip(records, trajectories, strict=True):
        game = replay({name: value for name, value in stored.items() if name != "agents"})
        assert [action for _, action in game.history] == played["actions"]
        assert [seat for seat, _ in game.history] == played["players"]
        assert stored["agents"] == played["agents"]
        assert len(played["returns"]) == game.num_players
    assert len(records) == dataset.card["shards"][0]["games"]
