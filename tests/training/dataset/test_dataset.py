"""Datasets hold the games that were played, decision by decision."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from endeavor_env import Board, Game
from endeavor_env.endeavor.observation import layout_for, observe
from endeavor_env.endeavor.rewards import reward_function
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.dataset import Dataset, Settings, Shard, make_dataset, read
from endeavor_env.training.dataset.making import plan, read_settings

RANDOM3 = (("random", "random", "automa"),)


def dataset_of(folder: Path, settings: Settings) -> Dataset:
    card = make_dataset(settings, folder)
    assert card["complete"]
    return read(folder)


def new_game(dataset: Dataset, shard: Shard, row: int) -> Game:
    """The game of a row of a shard, at its first decision."""
    kind = dataset.kinds[shard.game_kinds[row]]
    options = dict(kind["options"])
    if kind["variant"] == "solo":
        options["difficulty"] = c.DIFFICULTY_NAMES[shard.game_difficulties[row]]
    players, seed = int(shard.game_seats[row]), int(shard.game_seeds[row])
    return Game.new(players, kind["variant"], seed, board=kind["board"], options=options)


def check_game(dataset: Dataset, shard: Shard, row: int) -> None:
    """Play a game of a shard again from its seed and compare everything that is said of it."""
    game, observation = new_game(dataset, shard, row), dataset.card["layout"]["observation"]
    own = layout_for(game.variant, observation).size  # the layout of several variants begins with that of the base game
    rows = np.flatnonzero(shard.games == shard.game_numbers[row])
    agents = shard.game_agents[row]
    seats = []
    for move, at in enumerate(rows):
        assert (shard.moves[at], shard.seats[at], shard.agents[at]) == (move, game.seat, agents[game.seat])
        np.testing.assert_array_equal(shard.observations[at][:own], observe(game, None, observation))
        np.testing.assert_array_equal(shard.legal(at)[: num_actions(game.variant)], game.mask())
        assert not shard.legal(at)[num_actions(game.variant) :].any()
        seats.append(game.seat)
        game.apply(shard.actions[at])
    assert game.over
    scores = game.scores()
    assert shard.game_scores[row].tolist() == scores + [0] * (c.MAX_SEATS - len(scores))
    paid = reward_function(dataset.card["settings"]["reward"], game.num_players, game.variant)(scores)
    np.testing.assert_allclose(shard.outcomes[rows], [paid[seat] for seat in seats], rtol=1e-6)
    ends = np.flatnonzero(shard.last_games == shard.game_numbers[row])
    assert shard.last_seats[ends].tolist() == list(range(game.num_players))
    for end, seat in zip(ends, range(game.num_players), strict=True):
        np.testing.assert_array_equal(shard.last_observations[end][:own], observe(game, seat, observation))


@pytest.mark.parametrize("observation", ["features", "compact"])
def test_every_decision_is_that_of_the_game_with_the_seed(tmp_path: Path, observation: str) -> None:
    dataset = dataset_of(tmp_path, Settings(RANDOM3, games=6, shard_games=3, observation=observation, reward="win"))
    assert (dataset.games, len(dataset.shards)) == (6, 2)
    for shard in dataset:
        assert len(set(shard.game_seeds.tolist())) == 1, "the seatings of a set-up play the same deal"
        for row in range(3):
            check_game(dataset, shard, row)
    assert dataset.decisions == sum(len(shard) for shard in dataset)
    assert len(dataset) == len(list(dataset)) == 2


def test_every_agent_has_every_seat_of_a_set_up(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path, Settings((("random", "greedy", "automa"),), games=3))
    seated = dataset.load(0).game_agents[:, :3]
    assert [dataset.agents[agent] for agent in seated[0]] == ["random", "greedy", "automa"]
    assert [dataset.agents[agent] for agent in seated[1]] == ["automa", "random", "greedy"]
    assert {tuple(sorted(column)) for column in seated.T.tolist()} == {(0, 1, 2)}


def test_tables_variants_and_boards_are_mixed_in_one_layout(tmp_path: Path) -> None:
    settings = Settings(
        (("random",), ("random", "automa"), ("automa", "automa", "random")),
        variants=("standard", "solo", "neutral_2"),
        boards=("endeavor_2009", "generated_3"),
        options={"difficulty": "harder", "opposition_ties": "first"},
        games=1,
        observation="compact",
    )
    dataset = dataset_of(tmp_path, settings)
    assert [(kind["variant"], kind["board"]) for kind in dataset.kinds] == [
        (variant, board) for variant in ("solo", "neutral_2", "standard") for board in ("endeavor_2009", "generated_3")
    ]
    assert [kind["options"] for kind in dataset.kinds[::2]] == [{"opposition_ties": "first"}, {}, {}]
    assert dataset.kinds[1]["board_hash"] == Board.resolve("generated_3").hash
    assert dataset.layout is layout_for("neutral_2", "compact")
    shard = dataset.together()
    assert shard.game_kinds.tolist() == [0, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5]
    for row in range(12):
        check_game(dataset, shard, row)


def test_solo_plays_every_difficulty_of_a_set_up(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path, Settings((("random",),), variants=("solo",), games=1, reward="ladder"))
    shard = dataset.load(0)
    played = [c.DIFFICULTY_NAMES[number] for number in shard.game_difficulties]
    assert played == dataset.kinds[0]["difficulties"] == ["easier", "normal", "harder"]
    for row in range(3):
        check_game(dataset, shard, row)


def test_games_with_exploits_have_their_own_layout(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path, Settings(RANDOM3, variants=("exploits",), games=3, observation="compact"))
    assert dataset.layout is layout_for("exploits", "compact")
    check_game(dataset, dataset.load(0), 1)


def test_shards_hold_whole_set_ups_of_every_kind() -> None:
    settings = Settings((("random",) * 3, ("random",) * 4), games=50, shard_games=20)
    made = plan(settings, settings.kinds())
    assert (made.games_per_cycle, made.cycles, made.cycles_per_shard, made.shards) == (7, 8, 2, 4)
    assert [list(made.cycles_of(shard)) for shard in range(4)] == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_the_split_keeps_set_ups_apart(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path, Settings(RANDOM3, games=12, shard_games=3, observation="compact"))
    training, held_out = dataset.split(0.3)
    assert (training, held_out) == ([0, 1], [2, 3])
    setups = [set(dataset.together(numbers).game_setups.tolist()) for numbers in (training, held_out)]
    assert not setups[0] & setups[1]
    assert (dataset.split(0.01), dataset.split(0.99)) == (([0, 1, 2], [3]), ([0], [1, 2, 3]))
    for share in (0, 1, "half", None):
        with pytest.raises(InvalidOptionError, match=r"held_out=.* is not possible"):
            dataset.split(share)  # type: ignore[arg-type]


def test_the_command_of_the_card_makes_the_same_settings() -> None:
    settings = Settings(
        (("greedy:disc=0.5,growth=1", "random", "random"), ("random",) * 4),
        variants=("standard", "exploits"),
        boards=("generated_1", "endeavor_2009"),
        options={"value1_bonus": True},
        games=7,
        shard_games=4,
        seed=9,
        observation="compact",
        reward="rank",
    )
    assert Settings(**settings.to_dict()) == settings
    assert settings.command() == (
        "python -m endeavor_env.training.dataset greedy:disc=0.5,growth=1 random random "
        "--table 'random random random random' --variant standard --variant exploits "
        "--board generated_1 --board endeavor_2009 --option value1_bonus=True "
        "--games 7 --shard-games 4 --seed 9 --observation compact --reward rank"
    )


WRONG = {
    "agents () are not possible": {"agents": ()},
    "each once": {"agents": (("random",) * 3, ("random",) * 3)},
    "a table of 2 agents is not possible in standard": {"agents": (("random",) * 2,)},
    "variant 'solo' has 1 seat: give a table": {"variants": ("standard", "solo")},
    "variant 'chess' is unknown": {"variants": ("chess",)},
    "the board 'moon' is unknown": {"boards": ("moon",)},
    "option 'difficulty' is not possible": {"options": {"difficulty": "harder"}},
    "reward 'ladder' is not possible in 'standard'": {"reward": "ladder"},
    "side by side": {"agents": (("random",) * 3, ("random",)), "variants": ("exploits", "solo")},
    "games=0": {"games": 0},
    "shard_games=-1": {"shard_games": -1},
    "seed=None": {"seed": None},
    "observation='text'": {"observation": "text"},
    "agent 'nobody' is unknown": {"agents": (("random", "random", "nobody"),)},
}


@pytest.mark.parametrize("message", WRONG)
def test_impossible_settings_are_refused_before_the_first_game(tmp_path: Path, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message.replace("(", r"\(").replace(")", r"\)")):
        make_dataset(Settings(**{"agents": RANDOM3, **WRONG[message]}), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_board_file_is_named_by_its_full_path_and_a_broken_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = read_settings(["random"], ["greedy 'random'"], ["own.toml", "generated_2"], {})
    assert settings.boards == (str(tmp_path / "own.toml"), "generated_2")
    assert settings.agents == (("random",), ("greedy", "random"))
    with pytest.raises(InvalidOptionError, match="a table cannot be read"):
        read_settings(["random"], ["greedy 'random"], [], {})
