from __future__ import annotations

import pytest

from endeavor_env import Game
from endeavor_env.agents.play.timeline import TimelineMove, last_turn, moves_known, moves_made
from endeavor_env.agents.registry import make_agent


def made(text: str, round_number: int = 1) -> list[TimelineMove]:
    """Moves written as "<seat>:<decision> ...", all in one round."""
    pairs = [part.split(":") for part in text.split()]
    return [TimelineMove(int(seat), 0, round_number, "action", decision) for seat, decision in pairs]


@pytest.mark.parametrize(
    ("moves", "at"),
    [
        ("", None),
        ("1:turn 1:target", None),
        ("0:turn", 0),
        ("0:turn 0:target 0:target", 0),
        ("0:turn 0:target 1:turn 1:target", 0),
        ("0:turn 0:target 1:turn 0:turn 0:follow_up", 3),
        ("0:turn 0:discard 0:discard 1:turn", 0),
        ("0:build 1:build 0:salary 0:salary 0:salary", 2),
        ("0:turn 0:round_end_discard 0:round_end_discard", 1),
        ("0:remove 1:remove 0:remove 0:remove", 2),
        ("0:turn 0:opposition 0:opposition", 2),
        ("0:turn 0:target 0:neutral", 0),
    ],
)
def test_a_turn_begins_with_its_first_decision(moves: str, at: int | None) -> None:
    assert last_turn(made(moves), {0}) == at


def test_payments_of_two_rounds_are_two_turns() -> None:
    assert last_turn(made("0:salary 0:salary") + made("0:salary 0:salary", 2), {0}) == 2


def test_payments_of_two_people_are_two_turns() -> None:
    assert last_turn(made("0:salary 0:salary 1:salary 1:salary"), {0, 1}) == 2


@pytest.mark.parametrize(
    ("moves", "known"),
    [("", 0), ("1:turn", 0), ("0:turn 1:turn 1:target", 1), ("0:turn 1:turn 0:turn", 3), ("0:turn 0:opposition", 1)],
)
def test_what_came_after_the_last_move_of_a_person_is_news(moves: str, known: int) -> None:
    assert moves_known(made(moves), {0}) == known


def test_moves_carry_the_moment_at_which_they_were_made() -> None:
    game, agent = Game.new(3, seed=5), make_agent("greedy")
    expected = []
    while not game.over:
        seat, action = game.seat, agent.act(game)
        expected.append(TimelineMove(seat, action, game.round, game.phase, game.decision))
        game.apply(action)
    assert moves_made(game) == expected
