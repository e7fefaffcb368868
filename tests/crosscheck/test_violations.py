"""A check that cannot fail proves nothing: every violation is provoked here, and must be named."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.checks import audit
from endeavor_env.endeavor.checks import audit as soak
from endeavor_env.endeavor.flow.scoring import NUM_PARTS
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import (
    BUILD_AT,
    DISCARD_AT,
    DONE_AT,
    NEUTRAL_SAIL_AT,
    NUM_ACTIONS,
    NUM_IDS,
    OCCUPY_AT,
    OFFSETS,
    PASS_AT,
    REMOVE_CITY_AT,
    REMOVE_SPACE_AT,
    TAKE_AT,
)
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.errors import GameOverError, IllegalActionError
from endeavor_env.testing import (
    ActionMismatchError,
    UnsoundStateError,
    check_actions,
    check_state,
    flag_names,
    violations,
)
from tests.crosscheck.spoilers import SPOILED_EXPLOITS, put
from tests.crosscheck.strategies import played


@functools.cache
def first_of(decision: str, variant: str = "standard") -> Game:
    """A position of round 4 or later, or of the set-up, that asks this decision; five seats, all Exploits."""
    kind: dict[str, Any] = {"players": 5 if variant in ("standard", "exploits") else None, "variant": variant}
    kind["exploits"] = list(c.EXPLOIT_NAMES) if variant == "exploits" else None
    for seed in range(40):
        whole = played(seed=seed, redraws=2, **kind)
        game = Game.new(seed=seed, **kind)
        for _, action in whole.history:
            if game.decision == decision and (game.round > 3 or decision == "remove"):
                return game
            game.apply(action)
    raise AssertionError(f"no decision {decision} in 40 games")


def lay_token(game: Game) -> None:
    """Put a token back on an occupied city, out of the hand of a seat that has one."""
    city = int(np.flatnonzero(game.state["city_owner"][0] >= 0)[0])
    seat = int(np.flatnonzero(game.state["tokens"][0, :5, 3])[0])
    game.state["tokens"][0, seat, 3] -= 1
    game.state["status"][0, seat, 3] -= 1
    game.state["token"][0, city] = 3


def leave_gap(game: Game) -> None:
    """Move the last disc of a track to the next free space, token and all: nothing else notices."""
    owners = game.state["track_owner"][0]
    lengths = game.board.array["track_length"][0].tolist()
    free = [(region, space) for region, space in np.argwhere(owners == c.NONE).tolist() if space < lengths[region]]
    region, to = next((region, space) for region, space in free if (owners[region, :space] >= 0).any())
    space = int(np.flatnonzero(owners[region] >= 0)[-1])
    owners[region, to], owners[region, space] = owners[region, space], c.NONE
    at, tokens = c.TRACK_SPACES + region * c.MAX_TRACK, game.state["token"][0]
    tokens[at + space], tokens[at + to] = tokens[at + to], c.NONE
    game.state["track_next"][0, region] = space  # as a recount finds the first free space


def close_with_city(game: Game) -> None:
    """Move a city disc of Europe to a city of a closed region, count and all."""
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
    """Give one seat two buildings of level 5 instead of two others."""
    state = game.state[0]
    for take, give in zip(np.flatnonzero(state["buildings"][0])[1:3], (13, 14), strict=True):
        for building, change in ((take, -1), (give, 1)):
            state["buildings"][0, building] += change
            state["building_supply"][building] -= change


def turn_disc(game: Game) -> None:
    """Give a disc of the action scale another colour."""
    game.state["scale"][0, 0] = game.state["scale"][0, 0] % 4 + 1


def overload_opposition(game: Game) -> None:
    """Give the Opposition every card that no one has, running counts included."""
    cards = (game.state["card_place"][0] == c.CARD_IN_PILE) & (game.board.array["card_governor"][0] == 0)
    game.state["card_place"][0, cards] = c.OPPOSITION
    entry.recount(game.board.array, game.state)


def reopen_space(game: Game) -> None:
    """Make a closed shipping space a free one, running counts included."""
    region, space = np.argwhere(game.state["track_owner"][0] == c.SPACE_CLOSED)[0]
    game.state["track_owner"][0, region, space] = c.NONE
    entry.recount(game.board.array, game.state)


def lay_on_closed_space(game: Game) -> None:
    """Lay a token of seat 0 on a closed shipping space."""
    region, space = np.argwhere(game.state["track_owner"][0] == c.SPACE_CLOSED)[0]
    kind = int(np.flatnonzero(game.state["tokens"][0, 0])[0])
    game.state["token"][0, c.TRACK_SPACES + region * c.MAX_TRACK + space] = kind
    game.state["tokens"][0, 0, kind] -= 1
    entry.recount(game.board.array, game.state)


def lay_under_neutral_disc(game: Game) -> None:
    """Lay a token of seat 0 into a city of a neutral disc."""
    city = int(np.flatnonzero(game.state["city_owner"][0] >= game.num_players)[0])
    kind = int(np.flatnonzero(game.state["tokens"][0, 0])[0])
    game.state["token"][0, city] = kind
    game.state["tokens"][0, 0, kind] -= 1
    entry.recount(game.board.array, game.state)


def pass_seat(game: Game) -> None:
    """Let the seat to move have passed already."""
    game.state["passed"][0, game.seat] = 1


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
    ("round_of_builds", BUILT, "build", put("round_number", 7)),
    ("two_of_level_5", BUILT, "turn", second_top),
]


SUM, ENDLESS = "a breakdown does not sum to the total", "the game does not end"
SOLITAIRE, COPIES, CARD = "scale, grid, markers or tasks", "copies of a building", "a card is in no possible place"
SPOILED_VARIANTS = [
    ("scale", "solo", SOLITAIRE, "turn", turn_disc),
    ("marker_below", "solo", SOLITAIRE, "turn", put("ipf", 0)),
    ("marker_above", "solo", SOLITAIRE, "turn", put("ipf", 9)),
    ("task_of_nobody", "solo", SOLITAIRE, "turn", put("task", 3)),
    ("question_without_task", "solo", SOLITAIRE, "opposition", put("task", 0)),
    ("task_of_set_up", "solo", SOLITAIRE, "opposition", put("task", 1)),
    ("waiting_token", "solo", SOLITAIRE, "turn", put("num_waiting", 1)),
    ("bonus_left", "solo", SOLITAIRE, "build", put("bonus_due", 1)),
    ("opposition_over_its_limit", "solo", SOLITAIRE, "build", overload_opposition),
    ("grid", "solo", COPIES, "turn", put("grid", -1, 0, 0)),
    ("disc_of_a_colour", "solo", DISCS, "turn", put("supply", 0, 4)),
    ("tokens_of_the_opposition", "solo", TOKENS, "turn", put("tokens", 30, 1, 0)),
    ("status_of_the_opposition", "solo", DERIVED, "turn", put("status", 77, 1, 3)),
    ("choices_for_the_opposition", "solo", DERIVED, "opposition", put("choices", 1)),
    ("choices_of_nobody", "solo", DERIVED, "turn", put("choices", 3)),
    ("presence_of_a_colour", "solo", DERIVED, "turn", put("presence", 9, 4, 1)),
    ("card_of_a_colour", "solo", CARD, "turn", put("card_place", 2, 8)),
    ("retained_card", "solo", CARD, "turn", put("card_place", -3, 8)),
    ("owner_of_nobody", "solo", RANGE, "turn", put("city_owner", 5, 0)),
    ("question_of_a_phase", "solo", WHERE, "opposition", put("phase", 1)),
    ("removal_in_a_round", "soloplay_2", WHERE, "remove", put("round_number", 1)),
    ("removal_in_a_phase", "soloplay_3", WHERE, "remove", put("phase", 4)),
    ("asked_after_passing", "soloplay_2", WHERE, "neutral", pass_seat),
    ("reserve", "soloplay_2", DISCS, "turn", put("neutral_reserve", 9, 0)),
    ("discs_of_the_harbor", "soloplay_3", DISCS, "turn", put("neutral_harbor", 9, 2)),
    ("no_harbor", "soloplay_2", RANGE, "turn", put("neutral_harbor", -1, 1)),
    ("discs_gone", "soloplay_3", DISCS, "turn", put("supply", 9, 3)),
    ("thinned_copies", "soloplay_2", COPIES, "turn", put("building_supply", 5, 1)),
    ("reopened", "soloplay_2", TAKEN, "turn", reopen_space),
    ("token_on_closed_space", "soloplay_3", TAKEN, "turn", lay_on_closed_space),
    ("permission_left", "soloplay_2", LEFT, "turn", put("neutral_regions", 3)),
    ("permission_lost", "soloplay_3", LEFT, "neutral", put("neutral_regions", 0)),
    ("disc_without_part", "neutral_2", LEFT, "neutral", put("parts_done", 0)),
    ("duty_left", "neutral_2", LEFT, "turn", put("neutral_due", 1)),
    ("discs_of_a_side", "neutral_2", DISCS, "turn", put("supply", 30, 3)),
    ("presence_of_a_side", "neutral_2", DERIVED, "turn", put("presence", 9, 2, 0)),
    ("token_under_neutral_disc", "neutral_2", TAKEN, "turn", lay_under_neutral_disc),
    ("retained_without_opposition", "neutral_2", CARD, "turn", put("card_place", -3, 25)),
    *((f"task_in_{variant}", variant, SOLITAIRE, "turn", put("task", 3)) for variant in c.VARIANT_NAMES[2:]),
]
EVERYWHERE = [
    *((f"{name}-{variant}", variant, *case) for name, *case in SPOILED for variant in c.VARIANT_NAMES),
    *((f"closed_city-{name}", name, CLOSED, "turn", close_with_city) for name in c.VARIANT_NAMES if name != "exploits"),
    *SPOILED_VARIANTS,
    *((name, "exploits", *case) for name, *case in SPOILED_EXPLOITS),
]


@pytest.mark.parametrize(
    ("variant", "name", "decision", "spoil"), [case[1:] for case in EVERYWHERE], ids=[case[0] for case in EVERYWHERE]
)
def test_a_spoiled_state_is_named(variant: str, name: str, decision: str, spoil: Callable[[Game], None]) -> None:
    game = first_of(decision, variant).clone()
    check_state(game)
    spoil(game)
    assert any(found.startswith(name) for found in violations(game))
    with pytest.raises(UnsoundStateError, match=name) as caught:
        check_state(game)
    assert caught.value.violations == violations(game)


WRONG_MASKS = [
    ("a seat is asked but has no legal move", c.DECIDE_BUILD, {}),
    ("done is offered alone", c.DECIDE_TARGET, {DONE_AT: 1}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_BUILD, {BUILD_AT: 1, OCCUPY_AT: 1}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_BUILD, {BUILD_AT: 2}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_TURN, {PASS_AT + 1: 1, PASS_AT: 1}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_REMOVE, {REMOVE_SPACE_AT: 1, REMOVE_CITY_AT: 1}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_NEUTRAL, {DONE_AT: 1, OCCUPY_AT: 1}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_TARGET, {DONE_AT: 1, NEUTRAL_SAIL_AT: 1}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_OPPOSITION, {DONE_AT: 1, OCCUPY_AT: 1}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_DISCARD, {DISCARD_AT: 1, TAKE_AT: 1}),
    ("done is offered alone", c.DECIDE_NEUTRAL, {DONE_AT: 1}),
    ("a seat is asked but has no legal move", c.DECIDE_REMOVE, {}),
    ("a seat is asked but has no legal move", c.DECIDE_OPPOSITION, {TAKE_AT: 1}),  # one option is no choice
    ("the mask has a bit that does not fit the decision", c.DECIDE_FOLLOW_UP, {DONE_AT: 1, OFFSETS["SUN_PLACE"]: 1}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_TARGET, {DONE_AT: 1, OFFSETS["VOC_TAKE"]: 1}),
    ("the mask has a bit that does not fit the decision", c.DECIDE_TURN, {PASS_AT: 1, OFFSETS["SUN_PLACE"]: 1}),
    ("done is offered alone", c.DECIDE_FOLLOW_UP, {DONE_AT: 1}),
    ("a seat is asked but has no legal move", c.DECIDE_FOLLOW_UP, {}),
]


@pytest.mark.parametrize(("name", "decision", "bits"), WRONG_MASKS)
def test_a_wrong_mask_is_named(name: str, decision: int, bits: dict[int, int]) -> None:
    mask = np.zeros(NUM_IDS, np.int8)
    for action, value in bits.items():
        mask[action] = value
    assert flag_names(audit.mask_flags(decision, mask)) == [name]


def test_a_turn_without_pass_is_named() -> None:
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[BUILD_AT + 16] = 1  # activates the first building type
    assert flag_names(audit.mask_flags(c.DECIDE_TURN, mask)) == ["the mask has a bit that does not fit the decision"]


@pytest.mark.parametrize("variant", c.VARIANT_NAMES)
def test_a_breakdown_that_is_not_the_total_is_named(variant: str) -> None:
    game = first_of("turn", variant).clone()
    boards = game.board.array.copy()
    boards["building_glory"], game.state["buildings"][0, 0] = 100, 100  # more Glory than a breakdown has room for
    boards.flags.writeable = False  # as every board is: another type would be compiled for
    mask = np.zeros(game.mask().size, np.int8)
    flags = audit.audit(boards, game.state, np.zeros(1, STATE), mask, np.zeros(NUM_PARTS, np.int16))
    assert SUM in flag_names(flags)


def test_a_game_longer_than_its_move_list_is_named() -> None:
    game = Game.new(3, seed=1)
    moves, mask = np.zeros(20, np.int16), np.zeros(NUM_ACTIONS, np.int8)
    scratch = np.zeros(1, STATE), mask, np.zeros(NUM_PARTS, np.int16)
    made, flags = soak.play_audited(game.board.array, game.state, seeded(1), 0, moves, *scratch)
    assert (made, flag_names(flags)) == (20, [ENDLESS])


def test_every_violation_is_provoked_in_these_tests() -> None:
    provoked = {case[2] for case in EVERYWHERE} | {case[0] for case in WRONG_MASKS} | {SUM, ENDLESS}
    assert {name for name in audit.FLAG_NAMES.values() if not name.startswith(tuple(provoked))} == set()


def accept(game: Game, action: int) -> None:
    """An ``apply`` that takes every action."""
    game.history.append((game.seat, action))


def refuse(game: Game, action: int) -> None:
    """An ``apply`` that takes none."""
    raise IllegalActionError(f"action {action}")


def leave_trace(game: Game, action: int) -> None:
    """An ``apply`` that starts before it looks."""
    game.state["harbor"] += 1
    if not 0 <= action < game.mask().size or not game.mask()[action]:
        raise IllegalActionError(f"action {action}")


def call_it_over(game: Game, action: int) -> None:
    """An ``apply`` that refuses with the wrong error."""
    if not 0 <= action < game.mask().size or not game.mask()[action]:
        raise GameOverError(f"action {action}")


@pytest.mark.parametrize("variant", c.VARIANT_NAMES)
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
    monkeypatch: pytest.MonkeyPatch, apply: Callable[[Game, int], None], message: str, variant: str
) -> None:
    game = Game.new(variant=variant, seed=1)
    check_actions(game)
    monkeypatch.setattr(Game, "apply", apply)
    with pytest.raises(ActionMismatchError, match=message):
        check_actions(game)
