"""A check that cannot fail proves nothing: every violation is provoked here, and must be named."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest

from endeavor_env.core import audit, soak
from endeavor_env.core.actions import BUILD_AT, DONE_AT, NUM_ACTIONS, OCCUPY_AT, PASS_AT
from endeavor_env.core.constants import DECIDE_BUILD, DECIDE_TARGET, DECIDE_TURN, NUM_BREAKDOWN, TRACK_SPACES
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import STATE
from endeavor_env.errors import GameOverError, IllegalActionError
from endeavor_env.game import Game
from endeavor_env.testing import (
    ActionMismatchError,
    UnsoundStateError,
    check_actions,
    check_state,
    flag_names,
    random_game,
    violations,
)


@functools.cache
def first_of(decision: str) -> Game:
    """A position of five seats in the third round or later in which this kind of decision is asked."""
    for seed in range(40):
        whole = random_game(5, seed, redraws=2)
        game = Game.new(5, seed=seed)
        for _, action in whole.history:
            if game.decision == decision and game.round > 2:
                return game
            game.apply(action)
    raise AssertionError(f"no decision {decision} in 40 games")


def lay_token(game: Game) -> None:
    """Puts a token back on an occupied city, out of the hand of a seat that has one."""
    city = int(np.flatnonzero(game.state["city_owner"][0] >= 0)[0])
    seat = int(np.flatnonzero(game.state["tokens"][0, :5, 3])[0])
    game.state["tokens"][0, seat, 3] -= 1
    game.state["status"][0, seat, 3] -= 1
    game.state["token"][0, city] = 3


def leave_gap(game: Game) -> None:
    """Moves the last disc of a track one space on, token and all: nothing else notices."""
    region = next(r for r in range(7) if 1 <= game.state["track_next"][0, r] < game.board.array["track_length"][0, r])
    space = int(game.state["track_next"][0, region]) - 1
    owners, tokens = game.state["track_owner"][0, region], game.state["token"][0]
    owners[space], owners[space + 1] = owners[space + 1], owners[space]
    at = TRACK_SPACES + region * 8 + space
    tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
    game.state["track_next"][0, region] = space  # as a recount finds the first free space


def close_with_city(game: Game) -> None:
    """Moves a city disc of Europe to a city of a closed region, counts and all."""
    board, state = game.board.array[0], game.state[0]
    city = int(np.flatnonzero(state["city_owner"] >= 0)[0])
    closed = next(r for r in range(1, 7) if not state["open"][r])
    target = board["city_region"].tolist().index(closed)
    seat = int(state["city_owner"][city])
    state["city_owner"][city], state["city_owner"][target] = -1, seat
    state["token"][city], state["token"][target] = state["token"][target], -1
    state["presence"][seat, board["city_region"][city]] -= 1
    state["presence"][seat, closed] += 1


def second_top(game: Game) -> None:
    """Gives one seat two buildings of level 5 instead of two others."""
    state = game.state[0]
    for take, give in zip(np.flatnonzero(state["buildings"][0])[1:3], (13, 14), strict=True):
        for building, change in ((take, -1), (give, 1)):
            state["buildings"][0, building] += change
            state["building_supply"][building] -= change


def put(field: str, value: int, *where: int) -> Callable[[Game], None]:
    """Returns a spoiler that writes one entry."""

    def spoil(game: Game) -> None:
        game.state[field][(0, *where)] = value

    return spoil


DISCS, TOKENS = "discs of a colour do not add up", "trade tokens do not add up"
WHERE, LEFT = (
    "round, phase, decision and seat do not go together",
    "an action that is not under way has left parts or locks",
)
RANGE, TAKEN = "a count is out of range", "a token lies where it must have been taken"
CLOSED, BUILT = "a closed region holds", "buildings owned do not fit the rounds played"
DERIVED = "a running count differs from a recount"
SPOILED = [
    ("supply", DISCS, "turn", put("supply", 31, 0)),
    ("held_tokens", TOKENS, "turn", put("tokens", 30, 0, 0)),
    ("lying_token", TOKENS, "turn", put("token", 3, 39)),
    ("building_supply", "copies of a building do not add up", "turn", put("building_supply", 6, 1)),
    ("card_nowhere", "a card is in no possible place", "turn", put("card_place", 7, 3)),
    ("card_of_absent_seat", "a card is in no possible place", "turn", put("card_place", 5, 3)),
    ("card_face_down", "a card is in no possible place", "turn", put("card_place", 8, 20)),
    ("card_out_of_game", "a card is in no possible place", "turn", put("card_place", -2, 20)),
    ("status", DERIVED, "turn", put("status", 77, 1, 2)),
    ("presence", DERIVED, "turn", put("presence", 9, 1, 2)),
    ("num_cards", DERIVED, "turn", put("num_cards", 9, 1)),
    ("pile_top", DERIVED, "turn", put("pile_top", 5, 0)),
    ("harbor", RANGE, "turn", put("harbor", -1, 0)),
    ("seat", RANGE, "turn", put("seat", 5)),
    ("owner", RANGE, "turn", put("city_owner", 100, 0)),
    ("parts", RANGE, "target", put("parts", 9, 0)),
    ("token_kind", RANGE, "turn", put("token", 8, 0)),
    ("track", RANGE, "turn", put("track_owner", 6, 1, 0)),
    ("occupied", RANGE, "turn", put("occupied", 9, 0, 0)),
    ("open", "a region is open or closed against its track", "turn", put("open", 1, 6)),
    ("nobody", WHERE, "turn", put("seat", -1)),
    ("phase", WHERE, "turn", put("phase", 1)),
    ("round", WHERE, "turn", put("round_number", 8)),
    ("over", WHERE, "turn", put("decision", 0)),
    ("payments", WHERE, "salary", put("payments_left", 0)),
    ("lock", LEFT, "turn", put("lock_deck", 2)),
    ("source", LEFT, "build", put("source", 1)),
    ("parts_done", LEFT, "target", put("parts_done", 2)),
    ("token_in_city", TAKEN, "turn", lay_token),
    ("gap", TAKEN, "turn", leave_gap),
    ("closed_city", CLOSED, "turn", close_with_city),
    ("round_of_builds", BUILT, "build", put("round_number", 7)),
    ("two_of_level_5", BUILT, "turn", second_top),
]


@pytest.mark.parametrize(
    ("name", "decision", "spoil"), [case[1:] for case in SPOILED], ids=[case[0] for case in SPOILED]
)
def test_a_spoiled_state_is_named(name: str, decision: str, spoil: Callable[[Game], None]) -> None:
    game = first_of(decision).clone()
    check_state(game)
    spoil(game)
    assert any(found.startswith(name) for found in violations(game))
    with pytest.raises(UnsoundStateError, match=name) as caught:
        check_state(game)
    assert caught.value.violations == violations(game)


@pytest.mark.parametrize(
    ("name", "decision", "bits"),
    [
        ("a seat is asked but has no legal move", DECIDE_BUILD, {}),
        ("done is offered alone", DECIDE_TARGET, {DONE_AT: 1}),
        ("the mask has a bit that does not fit the decision", DECIDE_BUILD, {BUILD_AT: 1, OCCUPY_AT: 1}),
        ("the mask has a bit that does not fit the decision", DECIDE_BUILD, {BUILD_AT: 2}),
        ("the mask has a bit that does not fit the decision", DECIDE_TURN, {PASS_AT + 1: 1, PASS_AT: 1}),
    ],
)
def test_a_wrong_mask_is_named(name: str, decision: int, bits: dict[int, int]) -> None:
    mask = np.zeros(NUM_ACTIONS, np.int8)
    for action, value in bits.items():
        mask[action] = value
    assert flag_names(audit.mask_flags(decision, mask)) == [name]


def test_a_turn_without_pass_is_named() -> None:
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[BUILD_AT + 16] = 1  # activates the first building type
    assert flag_names(audit.mask_flags(DECIDE_TURN, mask)) == ["the mask has a bit that does not fit the decision"]


def test_a_game_longer_than_its_move_list_is_named() -> None:
    game = Game.new(3, seed=1)
    moves, mask = np.zeros(20, np.int16), np.zeros(NUM_ACTIONS, np.int8)
    scratch = np.zeros(1, STATE), mask, np.zeros(NUM_BREAKDOWN, np.int16)
    made, flags = soak.play_audited(game.board.array, game.state, seeded(1), 0, moves, *scratch)
    assert (made, flag_names(flags)) == (20, ["the game does not end"])


def accept(game: Game, action: int) -> None:
    """An ``apply`` that takes every action."""
    game.history.append((game.seat, action))


def refuse(game: Game, action: int) -> None:
    """An ``apply`` that takes none."""
    raise IllegalActionError(f"action {action}")


def leave_trace(game: Game, action: int) -> None:
    """An ``apply`` that starts before it looks."""
    game.state["harbor"] += 1
    if not 0 <= action < NUM_ACTIONS or not game.mask()[action]:
        raise IllegalActionError(f"action {action}")


def call_it_over(game: Game, action: int) -> None:
    """An ``apply`` that refuses with the wrong error."""
    if not 0 <= action < NUM_ACTIONS or not game.mask()[action]:
        raise GameOverError(f"action {action}")


@pytest.mark.parametrize(
    ("apply", "message"),
    [
        (accept, "is illegal at .* but accepted"),
        (refuse, "is legal at .* but refused"),
        (leave_trace, "changed the game"),
        (call_it_over, "raises GameOverError"),
    ],
)
def test_a_facade_that_disagrees_with_its_mask_is_caught(
    monkeypatch: pytest.MonkeyPatch, apply: Callable[[Game, int], None], message: str
) -> None:
    game = Game.new(3, seed=1)
    check_actions(game)
    monkeypatch.setattr(Game, "apply", apply)
    with pytest.raises(ActionMismatchError, match=message):
        check_actions(game)
