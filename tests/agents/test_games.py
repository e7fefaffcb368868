"""Games as text, and what checkpoints and agents know of each variant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import pytest

from endeavor_env.agents.games import config_of, environment_of, layouts_of, read_game, sizes_of
from endeavor_env.agents.registry import agents_for
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.engine.games import known_variants
from endeavor_env.errors import EndeavorError, InvalidBoardError
from endeavor_env.merchants.board import dump_board, generate_board
from endeavor_env.merchants.game import MerchantsConfig


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("merchants", ("short", 4, "fixed", "offers", 300)),
        ("merchants:", ("short", 4, "fixed", "offers", 300)),
        ("merchants:variant=expert,players=3", ("expert", 3, "free", "offers", 300)),
        ("merchants:board=short,start=free,trade=bank,max_rolls=50", ("short", 4, "free", "bank", 50)),
        ("merchants:variant=expert,board=generated_7", ("expert", 4, "free", "offers", 300)),
        ("merchants:board=generated_7", ("short", 4, "fixed", "offers", 300)),
    ],
)
def test_games_of_merchants_are_read(text: str, expected: tuple[Any, ...]) -> None:
    config = read_game(text)
    assert isinstance(config, MerchantsConfig)
    assert (config.variant, config.players, config.start, config.trade, config.max_rolls) == expected
    if "generated" in text:
        assert config.board == generate_board(7, config.variant)


def test_a_board_file_gives_the_variant(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text(dump_board(generate_board(3, "expert")))
    assert read_game(f"merchants:board={file}").variant == "expert"
    with pytest.raises(EndeavorError, match="leave out variant=short"):
        read_game(f"merchants:variant=short,board={file}")


def test_a_board_file_that_is_missing_is_named() -> None:
    with pytest.raises(InvalidBoardError, match="cannot be read"):
        read_game("merchants:board=nowhere.toml")


def test_the_number_of_seats_may_come_from_elsewhere() -> None:
    assert read_game("merchants", 3).players == read_game("merchants:players=3", 3).players == 3
    assert read_game("soloplay_2", 2) == GameConfig("soloplay_2", 2)
    with pytest.raises(EndeavorError, match="players=4 does not fit merchants:players=3"):
        read_game("merchants:players=3", 4)


@pytest.mark.parametrize(
    "text",
    [
        "merchants:fly=1",
        "merchants:players",
        "merchants:players=2",
        "merchants:players=3,players=3",
        "merchants:players=x",
        "merchants:variant=long",
        "merchants:variant=expert,start=fixed",
        "merchants:max_rolls=0",
        "merchants:trade=all",
        "colons",
    ],
)
def test_what_is_no_game_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(EndeavorError) as refused:
        read_game(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("variant", known_variants())
def test_sizes_are_those_of_the_environment(variant: str) -> None:
    if variant in ("solo", "standard", "short"):
        env = gymnasium.make(environment_of(variant))
        space: Any = env.observation_space
        assert sizes_of(variant) == (space["observation"].shape[0], space["action_mask"].shape[0])
    assert config_of(variant).variant == variant
    assert all(len(digits) == 16 for digits in layouts_of(variant).values())


def test_no_two_variants_with_other_actions_have_the_same_hash() -> None:
    assert len({layouts_of(variant)["actions"] for variant in ("standard", "solo", "exploits", "short")}) == 4


@pytest.mark.parametrize("name", ["random", "greedy", "greedy:gold=1", "planner", "tree:sims=4"])
def test_agents_of_merchants_play(name: str) -> None:
    config = MerchantsConfig(3, max_rolls=2)
    (agent,), game = agents_for(config, [name]), config.new_game(1)
    agent.reset(1)
    for _ in range(3):
        action = agent.act(game)
        assert game.mask()[action]
        game.apply(action)


@pytest.mark.parametrize("name", ["automa", "greedy:fly=1", "tree:sims=0", "tree:sims=x", "tree:depth=2", "tree:", ""])
def test_agents_that_merchants_does_not_have_are_refused(name: str) -> None:
    with pytest.raises(EndeavorError):
        agents_for(MerchantsConfig(3), [name])


def test_agents_of_endeavor_are_those_of_the_registry() -> None:
    assert [agent.name for agent in agents_for(GameConfig(), ["random", "greedy"])] == ["random", "greedy"]
