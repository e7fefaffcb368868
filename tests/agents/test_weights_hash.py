"""The hash of the network that an agent plays with, and who plays the games of matches."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from endeavor_env import Game
from endeavor_env.agents.matches import Match, SoloMatch
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.agents.players.policy_agent import PolicyAgent
from endeavor_env.agents.registry import make_agent, player_named, weights_hash
from endeavor_env.agents.runner import play_game
from endeavor_env.endeavor.players import PLAYERS
from endeavor_env.endeavor.players.network_file import package_path
from endeavor_env.endeavor.records import replay
from endeavor_env.engine.players_info import Player, PlayersInfo
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.commands import run_command


def sha256(file: Path) -> str:
    """The hash of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("name", "variant", "network"),
    [
        ("value", "standard", "value_standard"),
        ("value", "soloplay_3", "value_variants"),
        ("search", "exploits", "value_exploits"),
        ("search:sims=5", "solo", "value_solo"),
        ("policy", "solo", "policy_solo"),
    ],
)
def test_the_networks_of_the_package_have_the_hash_that_their_cards_name(name: str, variant: str, network: str) -> None:
    path = package_path(network)
    card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert weights_hash(name, variant) == sha256(path) == card["weights"]["sha256"]


def test_the_networks_of_files_have_the_hash_of_the_file(tmp_path: Path) -> None:
    for kind in ("value", "policy"):
        for suffix in (".npz", ".json"):
            shutil.copy(package_path(f"{kind}_standard").with_suffix(suffix), tmp_path / f"{kind}{suffix}")
    value, policy = tmp_path / "value.npz", tmp_path / "policy.npz"
    assert weights_hash(f"value:{value}", "standard") == sha256(value)
    assert weights_hash(f"value:{value.with_suffix('.json')}", "standard") == sha256(value)
    assert weights_hash(f"search:sims=5,network={value}", "standard") == sha256(value)
    for given in (policy, policy.with_suffix(".json"), policy.with_suffix("")):
        assert weights_hash(f"policy:{given}", "standard") == sha256(policy)
        assert isinstance(make_agent(f"policy:{given}"), PolicyAgent)
    checkpoint = untrained_checkpoint(tmp_path, "standard", "learned")
    for given in (checkpoint, checkpoint.with_suffix(".json"), checkpoint.with_suffix("")):
        assert weights_hash(f"checkpoint:{given}", "standard") == sha256(checkpoint)
        assert weights_hash(f"policy:{given}", "standard") == sha256(checkpoint)


def test_an_agent_of_two_networks_has_the_hash_of_both(tmp_path: Path) -> None:
    for suffix in (".npz", ".json"):
        for kind in ("value", "policy"):
            shutil.copy(package_path(f"{kind}_standard").with_suffix(suffix), tmp_path / f"{kind}{suffix}")
    value, policy = tmp_path / "value.npz", tmp_path / "policy.npz"
    both = hashlib.sha256(f"{sha256(value)}\n{sha256(policy)}\n".encode()).hexdigest()
    for name in ("advised", f"advised:network={tmp_path}", "search:policy=0.5", f"search:policy=1,network={tmp_path}"):
        assert weights_hash(name, "standard") == both
    for name in ("search:policy=0", f"search:network={tmp_path}"):
        assert weights_hash(name, "standard") == sha256(value)
    assert weights_hash("search:policy=much", "standard") is None
    shutil.copy(package_path("policy_solo"), policy)
    assert weights_hash(f"advised:network={tmp_path}", "standard") not in (None, both)


@pytest.mark.parametrize("name", ["random", "greedy", "greedy:disc=1", "automa", "nobody", "", "value:missing.npz"])
def test_agents_without_a_network_have_no_hash(name: str) -> None:
    assert weights_hash(name, "standard") is None


def test_every_agent_of_the_registry_can_be_asked() -> None:
    networks = {name for name in PLAYERS.rows if weights_hash(name, "standard")}
    assert networks == {"value", "advised", "search", "policy"}


def test_a_player_is_described_so_that_records_take_it() -> None:
    digest = sha256(package_path("value_standard"))[:16]
    assert player_named("value", "standard") == Player("value", "value", digest)
    assert player_named("greedy", "standard", "Ada") == Player("Ada", "greedy", None)
    far = f"value:/{'folder/' * 80}best.npz"
    assert player_named(far, "standard") == Player("value:best.npz", None, None)
    assert PlayersInfo.of([player_named("a\nb", "solo")]).seats == (Player("a?b", None, None),)


def test_the_games_of_a_match_say_who_played_and_how_long() -> None:
    match = Match(["random", "value", "random"], games=3, seed=1)
    games = match.play_setup(0)
    weights = sha256(package_path("value_standard"))[:16]
    of_agents = Player("random", "random"), Player("value", "value", weights), Player("random#2", "random")
    for seating, game in enumerate(games):
        played = game.played
        assert played is not None
        assert played.seats == tuple(of_agents[(seat - seating) % 3] for seat in range(3))
        assert len(played.seconds) == len(game.history)
        assert all(seconds is not None and seconds >= 0 for seconds in played.seconds)
        assert replay(game.record()).played == played


def test_agents_given_as_objects_are_called_as_they_call_themselves() -> None:
    class Nameless(RandomAgent):
        name = 7  # type: ignore[assignment]

        def __init__(self) -> None:
            super().__init__("x")
            self.name = 7  # type: ignore[assignment]

    games = Match([RandomAgent("Ada"), RandomAgent("Bob"), Nameless()], games=3, seed=1).play_setup(0)
    assert games[0].played is not None
    assert games[0].played.seats == (Player("Ada", "Ada"), Player("Bob", "Bob"), Player("7", "7"))


def test_solitaire_games_say_who_played() -> None:
    games = SoloMatch(["greedy", "random"], games=2, difficulties=["easier"]).play_setup(0)
    assert [game.played.seats for game in games if game.played] == [
        (Player("greedy", "greedy"),),
        (Player("random", "random"),),
    ]


def test_time_is_measured_from_where_a_game_is_and_only_if_it_says_who_plays() -> None:
    game = Game.new(3, seed=2)
    for _ in range(5):
        game.apply(game.legal_actions()[0])
    plain = game.clone()
    game.played = PlayersInfo.of(["a", "b", "c"])
    for one in (game, plain):
        play_game([RandomAgent() for _ in range(3)], one)
    assert plain.played is None
    assert game.played is not None
    assert game.played.seconds[:5] == (None,) * 5
    assert len(game.played.seconds) == len(game.history)
    assert None not in game.played.seconds[5:]


def test_the_records_of_a_tournament_name_the_text_that_makes_each_agent(tmp_path: Path) -> None:
    checkpoint = untrained_checkpoint(tmp_path, "standard", "learned")
    asked = ["random", f"checkpoint:{checkpoint}", "--round-robin", "--players", "3", "--games", "3", "--mixed", "0"]
    done = run_command(
        "endeavor_env.agents.arena", *asked, "--jobs", "1", "--record", str(tmp_path / "new"), "--resamples", "1"
    )
    assert done.status == 0, done.err
    seats = {
        tuple(seat.values())
        for file in (tmp_path / "new").glob("*/setup_*.json")
        for seat in json.loads(file.read_text(encoding="utf-8"))["played"]["seats"]
    }
    assert ("random", "random", None) in seats
    assert ("learned", f"checkpoint:{checkpoint}", sha256(checkpoint)[:16]) in seats
