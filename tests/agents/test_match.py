"""Matches: fair rotation on the same set-ups, repeatable, counted rightly, and clear about what they cannot do."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

import endeavor_env
from endeavor_env import Board, Game, GameConfig
from endeavor_env.agents.matches import Match, play_match
from endeavor_env.agents.players.compiled import GreedyAgent, RandomAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.agents.runner import play_game
from endeavor_env.agents.statistics import wilson_interval
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.errors import EndeavorError, IllegalActionError, InvalidOptionError
from tests.kits import players as kit


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_agent_takes_every_seat_of_every_setup(players: int) -> None:
    recorders = [kit.Recorder() for _ in range(players)]
    match = Match(recorders, games=3 * players, seed=4)
    for _ in match.play():
        pass
    assert match.setups == 3
    per_agent = [Counter(recorder.games) for recorder in recorders]
    assert all(seats == per_agent[0] for seats in per_agent)
    assert len(per_agent[0]) == 3 * players
    assert set(per_agent[0].values()) == {1}
    setups = {seed for seed, _ in per_agent[0]}
    assert set(per_agent[0]) == {(seed, seat) for seed in setups for seat in range(players)}


def test_scores_are_those_of_the_agents_wherever_they_sat() -> None:
    """An agent that never does anything but pass has the same low score in every seat."""
    result = play_match([kit.Idler(), GreedyAgent(), GreedyAgent()], games=6, seed=1)
    idle, *greedy = result.agents
    assert result.scores.shape == (2, 3, 3)
    assert result.scores[:, :, 0].max() < result.scores[:, :, 1:].min()
    assert (idle.win_rate, idle.mean_rank) == (0.0, 3.0)
    assert all(agent.mean_rank < 2 for agent in greedy)


def test_result_is_counted_from_the_scores() -> None:
    result = play_match(["greedy", "greedy", "random"], games=30, seed=5)
    rows = result.scores.reshape(-1, 3)
    first = rows.max(axis=1)
    for index, agent in enumerate(result.agents):
        wins = sum((row[index] == top) / np.sum(row == top) for row, top in zip(rows, first, strict=True))
        assert agent.win_rate == pytest.approx(wins / 30)
        assert agent.interval == wilson_interval(agent.win_rate, 30)
        assert agent.mean_score == pytest.approx(rows[:, index].mean())
        assert agent.score_sd == pytest.approx(rows[:, index].std(ddof=1))
    assert sum(agent.win_rate for agent in result.agents) == pytest.approx(1.0)
    assert sum(agent.mean_rank for agent in result.agents) == pytest.approx(6.0)
    assert result.games == 30
    assert result.decisions > 30 * 80


def test_a_first_place_all_share_counts_a_share_each() -> None:
    result = play_match([kit.Idler() for _ in range(4)], games=8, seed=0, board=kit.barren_board())
    assert [agent.win_rate for agent in result.agents] == [0.25] * 4
    assert [agent.mean_rank for agent in result.agents] == [2.5] * 4


def test_same_seed_same_match_and_another_seed_another() -> None:
    def scores(seed: int) -> list[Any]:
        return play_match(["random", "greedy", "random"], games=6, seed=seed).scores.tolist()

    assert scores(3) == scores(3)
    assert scores(3) != scores(4)


def test_a_used_agent_plays_the_match_of_a_fresh_one() -> None:
    agents = [RandomAgent(), GreedyAgent(), RandomAgent()]
    first = play_match(agents, games=6, seed=3)
    again = play_match(agents, games=6, seed=3)
    np.testing.assert_array_equal(first.scores, again.scores)


def test_every_agent_gets_another_seed_in_every_game() -> None:
    recorders = [kit.Recorder() for _ in range(3)]
    play_match(recorders, games=9, seed=4)
    seeds = [seed for recorder in recorders for seed in recorder.seeds[1:]]  # the first is that of the warm-up
    assert len(set(seeds)) == len(seeds) == 27


def test_more_games_begin_with_the_same_games() -> None:
    few = play_match(["random"] * 3, games=6, seed=8).scores
    more = play_match(["random"] * 3, games=12, seed=8).scores
    np.testing.assert_array_equal(few, more[:2])


def test_agents_of_the_same_name_get_numbers() -> None:
    names = [agent.name for agent in play_match(["random", "greedy", "random", "random"], games=4).agents]
    assert names == ["random", "greedy", "random#2", "random#3"]


def test_result_as_json_values() -> None:
    board = Board.generate(2)
    result = play_match(["random", "random", "greedy"], games=3, seed=6, board=board)
    written = json.loads(json.dumps(result.to_dict()))
    assert written["agents"][2]["name"] == "greedy"
    assert set(written["agents"][2]) == {"name", "win_rate", "interval", "mean_score", "score_sd", "mean_rank"}
    assert np.array(written["scores"]).shape == (1, 3, 3)
    assert (written["board"], written["board_hash"]) == ("generated_2", board.hash)
    assert (written["games"], written["players"], written["seed"]) == (3, 3, 6)
    assert written["package_version"] == endeavor_env.__version__


def test_a_seed_of_none_is_drawn_and_told() -> None:
    first = play_match(["random"] * 3, games=3, seed=None)
    again = play_match(["random"] * 3, games=3, seed=first.seed)
    np.testing.assert_array_equal(first.scores, again.scores)


def test_no_result_before_the_first_setup() -> None:
    with pytest.raises(EndeavorError, match="no set-up has been played"):
        Match(["random"] * 3, games=3).result()


@pytest.mark.parametrize(
    ("games", "message"),
    [
        (10, "multiple of 4, such as 12$"),
        (0, "multiple of 4$"),
        (-4, "multiple"),
        (2.0, "multiple"),
        (True, "multiple"),
    ],
)
def test_games_must_share_out_evenly(games: Any, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        play_match(["random"] * 4, games=games)


@pytest.mark.parametrize("count", [0, 1, 2, 6])
def test_three_to_five_agents(count: int) -> None:
    with pytest.raises(InvalidOptionError, match=f"a match of {count} agents is not possible: give 3 to 5"):
        play_match(["random"] * count, games=60)


@pytest.mark.parametrize(("variant", "players"), [("soloplay_2", 2), ("soloplay_3", 3), ("neutral_2", 2)])
def test_a_match_of_a_variant(variant: str, players: int) -> None:
    names = ["greedy", "automa", "random"][:players]
    result = play_match(names, games=players, seed=3, variant=variant)
    assert (result.config.variant, result.config.options, result.scores.shape) == (variant, {}, (1, players, players))
    assert result.to_dict()["variant"] == variant
    agents = [make_agent(name) for name in names]
    game = Game.new(variant=variant, seed=derived_seed(3, 0))
    for number, agent in enumerate(agents):
        agent.reset(derived_seed(3, 0, 0, number))
    assert play_game(agents, game) == result.scores[0, 0].tolist()


def test_options_reach_the_games() -> None:
    options = {"variant_removed_spaces_stay": True}
    seen: list[dict[str, Any]] = []

    class Reader(RandomAgent):
        def act(self, game: Game) -> int:
            seen.append(game.options)
            return super().act(game)

    result = play_match([Reader(), RandomAgent()], games=2, variant="soloplay_2", options=options)
    assert result.config.options == result.to_dict()["options"] == options
    assert all(found == options for found in seen)


@pytest.mark.parametrize(
    ("variant", "count", "message"),
    [
        ("soloplay_2", 3, "a match of 3 agents is not possible in variant 'soloplay_2': give 2, one a seat"),
        ("soloplay_3", 2, "a match of 2 agents is not possible in variant 'soloplay_3': give 3, one a seat"),
        ("solo", 1, "variant 'solo' has one seat: python -m endeavor_env.agents.solo_match plays it"),
        ("chess", 2, "variant 'chess' is unknown"),
    ],
)
def test_a_variant_has_its_own_number_of_seats(variant: str, count: int, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        play_match(["random"] * count, games=6, variant=variant)


def test_an_option_of_another_variant_is_refused() -> None:
    with pytest.raises(InvalidOptionError, match="variant 'soloplay_2' has no option 'difficulty'"):
        play_match(["random"] * 2, games=2, variant="soloplay_2", options={"difficulty": "easier"})


@pytest.mark.parametrize("seed", [-1, 1.5, "x"])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(InvalidOptionError, match="seed"):
        play_match(["random"] * 3, games=3, seed=seed)


@pytest.mark.parametrize("agent", [None, 3, RandomAgent, object(), lambda game: 0])
def test_something_that_is_no_agent(agent: Any) -> None:
    with pytest.raises(InvalidOptionError, match="is no agent"):
        play_match([agent, "random", "random"], games=3)


def test_one_object_takes_one_seat() -> None:
    agent = RandomAgent()
    with pytest.raises(InvalidOptionError, match="twice"):
        play_match([agent, agent, "random"], games=3)


def test_an_illegal_choice_names_the_agent() -> None:
    game = Game.new(players=3, seed=1)
    before = game.state.tobytes()
    agents = [kit.Idler("cheat", action=36) for _ in range(3)]
    with pytest.raises(IllegalActionError, match=r"agent 'cheat' chose badly: action 36 \(pass\) is illegal"):
        play_game(agents, game)
    assert game.state.tobytes() == before


def test_a_game_needs_an_agent_a_seat() -> None:
    with pytest.raises(InvalidOptionError, match="4 agents do not fit a game of 3 seats"):
        play_game([RandomAgent() for _ in range(4)], Game.new(players=3, seed=1))


def test_play_game_goes_on_from_where_the_game_stands() -> None:
    game = kit.position(50, players=3, seed=2)
    begun = list(game.history)
    scores = play_game([RandomAgent() for _ in range(3)], game)
    assert game.over
    assert scores == game.scores()
    assert game.history[:50] == begun


def test_a_match_of_a_config_is_that_of_its_parts() -> None:
    config = GameConfig("exploits", 3, "generated_3", {"exploit_discs": 30}, ["voc", "sun"])
    given: dict[str, Any] = {"board": "generated_3", "options": {"exploit_discs": 30}, "exploits": ["sun", "voc"]}
    one, other = play_match(["random"] * 3, 3, config=config), play_match(["random"] * 3, 3, **given)
    assert one.config == other.config == config
    assert one.scores.tolist() == other.scores.tolist()
    with pytest.raises(InvalidOptionError, match="a match of 4 agents is not possible in a game of 3 seats"):
        Match(["random"] * 4, 4, config=config)
    with pytest.raises(InvalidOptionError, match="variant='solo' is not possible beside config"):
        Match(["random"] * 3, 3, variant="solo", config=config)
    with pytest.raises(InvalidOptionError, match="has one seat"):
        Match(["random"], 1, config=GameConfig("solo"))
