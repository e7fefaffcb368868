"""The networks that come with the package play as they did when they were published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from endeavor_env.value_network import PUBLISHED, published_networks
from tests.published.sample import FILE, sample_scores, tables

SCORES = json.loads(FILE.read_text(encoding="utf-8"))
MOST_BYTES = 5_000_000


def test_the_file_has_every_kind_of_table() -> None:
    assert set(SCORES) == set(tables())


@pytest.mark.parametrize("name", list(tables()))
def test_a_sample_of_games_is_what_it_was(name: str) -> None:
    assert sample_scores(tables()[name]) == SCORES[name]


def test_cards_say_how_networks_were_made_and_what_they_reach() -> None:
    networks = published_networks()
    assert [network.variants for network in networks] == list(PUBLISHED.values())
    for network in networks:
        training = network.card["training"]
        assert training["command"].startswith("python -m training.td")
        assert isinstance(training["seed"], int)
        assert training["hours"] > 0
        assert all(row["games"] >= 1200 for row in network.card["results"])
        assert network.card["results"]


def test_networks_are_small() -> None:
    import endeavor_env.data

    files = list((Path(str(endeavor_env.data.__file__)).parent / "networks").iterdir())
    assert files
    assert all(file.stat().st_size < MOST_BYTES for file in files)
