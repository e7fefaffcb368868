"""Networks of the package by the names of their files, which never change."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from endeavor_env import Game
from endeavor_env.agents.registry import make_agent, weights_hash
from endeavor_env.endeavor.players import network_file, player_of
from endeavor_env.endeavor.players.network_file import (
    FORMER_NETWORKS,
    NETWORKS,
    VALUE_NETWORKS,
    named_network_files,
    package_names,
    package_path,
    published_policy,
    read_policy_network,
)
from endeavor_env.errors import CheckpointError

PUBLISHED = {
    "policy_solo": "c8734594",
    "policy_solo_4": "cd63d84c",
    "policy_standard": "4204f86c",
    "policy_standard_5": "5326cecd",
    "value_boards": "21ee604e",
    "value_exploits": "27fcc2dd",
    "value_solo": "9fc33a52",
    "value_standard": "7829d28d",
    "value_exploits_2": "4c5b24c0",
    "value_standard_3": "04b86c25",
    "value_standard_6": "f47123b3",
    "value_solo_3": "419768eb",
    "value_variants": "5bd0d0cf",
    "value_variants_2": "e7caeaa8",
}
"""First digits of the SHA-256 of each network file."""


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_network_never_changes(name: str) -> None:
    arrays, card = named_network_files(f"@{name}")
    assert sha256(arrays).startswith(PUBLISHED[name])
    assert card.is_file()


def test_every_file_is_named_here() -> None:
    assert {file.stem for folder in (FORMER_NETWORKS, NETWORKS) for file in folder.glob("*.npz")} == set(PUBLISHED)


@pytest.mark.parametrize(
    "name", ["value:@value_standard", "policy:@policy_standard", "search:sims=2,network=@value_standard"]
)
def test_players_take_them_by_name(name: str) -> None:
    file = name.rpartition("@")[2]
    assert weights_hash(name, "standard") == sha256(NETWORKS / f"{file}.npz")
    assert player_of(name).variants == ("standard",)
    game, agent = Game.new(3, seed=1), make_agent(name)
    agent.reset(0)
    assert agent.act(game) in game.legal_actions()


def test_the_newest_plays_where_none_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for suffix in (".npz", ".json"):
        shutil.copy(FORMER_NETWORKS / f"policy_solo{suffix}", tmp_path / f"policy_standard_9{suffix}")
    monkeypatch.setattr(network_file, "NETWORKS", tmp_path)
    monkeypatch.setitem(network_file.NEWEST, "policy_standard", "policy_standard_9")
    assert package_path("policy_standard") == tmp_path / "policy_standard_9.npz"
    assert published_policy("standard").variant == "solo"


def test_a_former_network_plays_in_a_checkout_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for suffix in (".npz", ".json"):
        shutil.copy(NETWORKS / f"value_boards{suffix}", tmp_path / f"value_boards_0{suffix}")
    monkeypatch.setattr(network_file, "FORMER_NETWORKS", tmp_path)
    assert "@value_boards_0" in package_names()
    assert named_network_files("@value_boards_0") == (tmp_path / "value_boards_0.npz", tmp_path / "value_boards_0.json")
    assert player_of("value:@value_boards_0").variants == ("standard",)


def test_unknown_names_are_refused_with_those_that_there_are() -> None:
    for read in (read_policy_network, VALUE_NETWORKS.read):
        with pytest.raises(CheckpointError, match="'@nothing' does not come with the package: there are @pol"):
            read("@nothing")
    with pytest.raises(CheckpointError, match=r"'@\.\./x' does not come with the package"):
        make_agent("value:@../x")
