"""A checkpoint is of one variant: its card says which, and nothing else is played with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game
from endeavor_env.agents.checkpoint import load_network, read_card, write_card
from endeavor_env.agents.matches import SoloMatch, play_match
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.agents.runner import play_game
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import layout_hash
from endeavor_env.errors import CheckpointMismatchError
from tests.kits.checkpoints import spec_of, untrained_checkpoint


def edit(path: Path, **fields: Any) -> None:
    """Give fields of a card other values; None takes them away."""
    card = json.loads(path.with_suffix(".json").read_text()) | fields
    kept = {key: value for key, value in card.items() if value is not None}
    path.with_suffix(".json").write_text(json.dumps(kept))


@pytest.mark.parametrize("variant", c.VARIANT_NAMES)
def test_the_card_carries_variant_environment_and_layouts(tmp_path: Path, variant: str) -> None:
    card = read_card(untrained_checkpoint(tmp_path, variant))
    assert card["variant"] == variant
    assert card["environment"] == ("EndeavorSolo-v0" if variant == "solo" else "Endeavor-v0")
    assert card["layouts"] == {
        "actions": layout_hash(variant),
        "features": layout_for(variant, "features").hash,
    }


@pytest.mark.parametrize("variant", c.VARIANT_NAMES)
def test_a_checkpoint_plays_its_variant(tmp_path: Path, variant: str) -> None:
    path = untrained_checkpoint(tmp_path, variant)
    agent = LearnedAgent(path)
    assert agent.variant == variant
    game = Game.new(variant=variant, seed=2)
    play_game([agent] * game.num_players, game)  # raises for an illegal move
    assert game.over


@pytest.mark.parametrize(
    ("trained", "played"),
    [("solo", "standard"), ("standard", "solo"), ("solo", "soloplay_2"), ("neutral_2", "soloplay_2")],
)
def test_no_other_variant_even_with_the_same_layouts(tmp_path: Path, trained: str, played: str) -> None:
    agent = LearnedAgent(untrained_checkpoint(tmp_path, trained))
    game = Game.new(variant=played, seed=2)
    before = game.state.tobytes()
    with pytest.raises(CheckpointMismatchError, match=f"was trained on variant '{trained}' and cannot play '{played}'"):
        agent.act(game)
    assert game.state.tobytes() == before


def test_matches_refuse_it_before_the_first_game(tmp_path: Path) -> None:
    name = f"checkpoint:{untrained_checkpoint(tmp_path, 'standard')}"
    with pytest.raises(CheckpointMismatchError, match="cannot play 'solo'"):
        list(SoloMatch(["random", name], 2).play())
    with pytest.raises(CheckpointMismatchError, match="cannot play 'neutral_2'"):
        play_match(["random", name], games=2, variant="neutral_2")


def test_the_solitaire_match_takes_it(tmp_path: Path) -> None:
    match = SoloMatch([f"checkpoint:{untrained_checkpoint(tmp_path, 'solo', 'quick')}"], 2, difficulties=["easier"])
    list(match.play())
    (row,) = match.result().rows
    assert (row.agent, row.scores.shape) == ("quick", (2, 2))


def test_the_arena_takes_it(tmp_path: Path) -> None:
    result = play_match(
        [make_agent(f"checkpoint:{untrained_checkpoint(tmp_path, 'soloplay_2')}"), "random"], 2, variant="soloplay_2"
    )
    assert result.agents[0].name == "policy"


def test_a_card_older_than_the_variants_is_of_the_standard_game(tmp_path: Path) -> None:
    path = untrained_checkpoint(tmp_path, "standard")
    edit(path, variant=None)
    assert read_card(path)["variant"] == LearnedAgent(path).variant == "standard"


@pytest.mark.parametrize(
    ("made", "fields", "message"),
    [
        ("solo", {"variant": "chess"}, "was made for variant 'chess': this version plays standard, solo, "),
        ("solo", {"variant": 3}, "was made for variant 3"),
        ("solo", {"variant": "standard"}, "was made for 'EndeavorSolo-v0': variant 'standard' is Endeavor-v0 here"),
        ("soloplay_2", {"variant": "standard"}, "was made for actions layout"),
        ("soloplay_2", {"variant": None}, "was made for actions layout"),
        ("standard", {"variant": "neutral_2"}, "was made for actions layout"),
    ],
)
def test_a_card_that_does_not_fit_is_a_mismatch(
    tmp_path: Path, made: str, fields: dict[str, Any], message: str
) -> None:
    path = untrained_checkpoint(tmp_path, made)
    edit(path, **fields)
    with pytest.raises(CheckpointMismatchError, match=message):
        read_card(path)


def test_a_network_of_other_sizes_than_the_variant_has_is_a_mismatch(tmp_path: Path) -> None:
    path = untrained_checkpoint(tmp_path, "solo")
    edit(path, network=spec_of("standard").to_dict())
    with pytest.raises(CheckpointMismatchError, match="variant 'solo' is played with"):
        load_network(path)
    with pytest.raises(CheckpointMismatchError, match="variant 'standard' is played with"):
        write_card(path, spec_of("solo"), {}, [])
