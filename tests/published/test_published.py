"""The networks that come with the package play as they did when they were published."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from endeavor_env.endeavor.players.network_file import (
    NETWORKS,
    PUBLISHED_VALUES,
    VALUE_NETWORKS,
    published_networks,
    published_policy,
)
from endeavor_env.endeavor.players.network_file import PUBLISHED_POLICIES as POLICIES
from tests.published.sample import FILE, sample_scores, tables

SCORES = json.loads(FILE.read_text(encoding="utf-8"))
MOST_BYTES = 5_000_000


def test_the_file_has_every_kind_of_table() -> None:
    assert set(SCORES) == {f"{player} {name}" for player, name in tables()}


@pytest.mark.parametrize(("player", "name"), list(tables()))
def test_a_sample_of_games_is_what_it_was(player: str, name: str) -> None:
    assert sample_scores(player, tables()[player, name]) == SCORES[f"{player} {name}"]


def trainings_of(training: dict[str, Any]) -> list[dict[str, Any]]:
    """Return how a network was trained: of several that were put together, how each was."""
    return [one["training"] for one in training["networks"]] if "networks" in training else [training]


def test_cards_say_how_networks_were_made_and_what_they_reach() -> None:
    networks = published_networks()
    assert [network.variants for network in networks] == list(PUBLISHED_VALUES.values())
    policies = [published_policy(variant) for variant in POLICIES]
    assert [network.variant for network in policies] == list(POLICIES)
    networks.append(VALUE_NETWORKS.read("@value_boards"))
    trained = [(one, "td") for one in networks] + list(zip(policies, ("clone", "ppo"), strict=True))
    for network, command in trained:
        for training in trainings_of(network.card["training"]):
            assert re.match(rf"(python -m (endeavor_env\.)?training\.|endeavor train ){command}\b", training["command"])
            assert isinstance(training["seed"], int)
            assert training["hours"] > 0
        assert all(row["games"] >= 1200 for row in network.card["results"])
        assert network.card["results"]


def test_networks_are_small() -> None:
    files = list(NETWORKS.iterdir())
    assert files
    assert all(file.stat().st_size < MOST_BYTES for file in files)
