"""A table of players who read and write: prompts, retries, and what answers without a move cost."""

from __future__ import annotations

import json

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.players import agent_named
from endeavor_env.endeavor.rewards import reward_function
from endeavor_env.endeavor.text import AnswerError, TextOptions, TextTable, primer
from endeavor_env.errors import GameOverError, InvalidOptionError


def test_a_whole_game_in_words():
    table = TextTable(Game.new(4, seed=7), TextOptions(primer=False))
    while not table.over:
        assert f"You are seat {table.game.seat}." in table.prompt()
        assert table.answer(f"[{table.game.legal_moves()[0]}]").move is not None
    assert table.refused == [0, 0, 0, 0]
    rewards = table.rewards()
    assert rewards is not None
    assert sum(rewards.values()) == pytest.approx(1)
    with pytest.raises(GameOverError):
        table.prompt()
    with pytest.raises(GameOverError):
        table.answer("[pass]")
    assert table.message()["result"] is not None


def test_the_game_ends_after_the_last_retry():
    table = TextTable(Game.new(3, seed=1), TextOptions(retries=1))
    seat = table.game.seat
    first, second = table.answer("no"), table.answer("no")
    assert (first.move, first.retries_left, second.retries_left) == (None, 1, 0)
    assert first.message
    assert table.over
    assert table.rewards() == {0: 0.0, 1: 0.0, 2: 0.0} | {seat: -1.0}
    assert table.to_dict()["forfeited"] == seat


def test_a_move_gives_the_retries_back():
    table = TextTable(Game.new(3, seed=1), TextOptions(retries=1))
    for _ in range(3):
        assert table.answer("no").retries_left == 1
        assert table.answer(table.game.legal_moves()[0]).move
    assert sum(table.refused) == 3
    assert not table.over
    assert table.rewards() is None


@pytest.mark.parametrize(("variant", "reward"), [("standard", "rank"), ("solo", "margin")])
def test_a_finished_game_pays_by_the_reward_of_the_options(variant: str, reward: str):
    table = TextTable(Game.new(variant=variant, seed=3), TextOptions(reward=reward))
    agent = agent_named("greedy")
    while not table.over:
        table.game.apply(agent.act(table.game))
    function = reward_function(reward, table.game.num_players, variant)
    assert table.rewards() == dict(enumerate(function(table.game.scores())))


def test_a_reward_of_another_variant_is_refused_at_once():
    with pytest.raises(InvalidOptionError, match="it grades a solitaire game"):
        TextTable(Game.new(3, seed=1), TextOptions(reward="ladder"))


def test_an_error_in_place_of_the_end():
    table = TextTable(Game.new(3, seed=1), TextOptions(retries=0, illegal_action="raise"))
    for _ in range(2):
        with pytest.raises(AnswerError):
            table.answer("no")
    assert not table.over


def test_options_say_what_is_told():
    game = Game.new(3, seed=1)
    legal = "Legal moves: build:market, build:shipyard, build:workshop."
    assert legal in TextTable(game).prompt()
    counted = TextTable(game, TextOptions(legal_moves="count")).prompt()
    assert legal not in counted
    assert "There are 3 legal moves." in counted
    silent = TextTable(game, TextOptions(legal_moves="none"))
    assert "egal moves" not in silent.prompt()
    assert silent.message()["legal_moves"] is None
    assert primer(game.config) in silent.prompt()
    assert primer(game.config) not in TextTable(game, TextOptions(primer=False)).prompt()


def test_the_last_moves_are_told():
    game = Game.new(3, seed=1)
    for _ in range(5):
        game.apply(game.legal_actions()[0])
    told = TextTable(game, TextOptions(history=2)).message()["events"]
    assert [(one["seat"], game.encode(one["move"])) for one in told] == game.history[-2:]
    assert TextTable(game, TextOptions(history=0)).message()["events"] == []


def test_the_position_can_be_json_or_complete_lines():
    game = Game.new(3, seed=1)
    as_json = TextTable(game, TextOptions(form="json"))
    assert json.loads(as_json.situation()) == json.loads(json.dumps(as_json.message()))
    assert "format: endeavor-text/1" in TextTable(game, TextOptions(form="full")).situation()


@pytest.mark.parametrize(
    "wrong",
    [{"form": "long"}, {"legal_moves": "all"}, {"retries": -1}, {"history": 1.5}, {"illegal_action": "ignore"}],
)
def test_wrong_options(wrong: dict[str, object]):
    with pytest.raises(InvalidOptionError):
        TextOptions(**wrong)  # type: ignore[arg-type]
