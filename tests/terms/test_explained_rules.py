"""Explanations against the rules: each step did what the clause it names says, recomputed from the position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.opposition import Step, explain
from endeavor_env.endeavor.options import check_options
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.endeavor.setups import setup_to_dict
from tests.kits.games import GAMES_AND_SEEDS, finished

State = Any


def trace(game: Game) -> Iterator[tuple[State, State]]:
    """Play ``game`` again; yield the state before and after each step of the Opposition, and after each answer."""
    boards, states, out = game.board.array, np.zeros(1, STATE), np.zeros(4, np.int64)
    options = check_options(game.options, "solo")
    entry.begin_game(boards, states, 1, c.VARIANT_SOLO, options, game.drawn)
    moves = iter(action for _, action in game.history)
    question = None
    while True:
        before = states.copy()
        while entry.opposition_step(boards, states, out):
            if states["decision"][0] == c.DECIDE_OPPOSITION:
                question = before
            elif out[1] or before["task"][0] not in (c.TASK_DISCARD, c.TASK_END_DISCARD):
                yield before[0], states[0].copy()
            before = states.copy()
        action = next(moves, None)
        if action is None:
            assert states.tobytes() == game.state.tobytes()
            return
        entry.begin_step(boards, states, action)
        if question is not None:
            yield question[0], states[0].copy()
            question = None


def target(board: Board, move: str) -> int:
    """The number of the city, region, deck or card of a move."""
    verb, _, name = move.partition(":")
    table = {"sail": board.regions, "draw": board.decks, "discard": board.cards}.get(verb, board.cities)
    return table.index(name)


def reach(board: Board, before: State, side: int) -> set[int]:
    """The regions where ``side`` can occupy: open, and with one of its discs; the start region always (S4.1)."""
    facts = board.array[0]
    regions = set()
    for region in range(7):
        cities = (facts["city_region"][: facts["num_cities"]] == region).nonzero()[0]
        discs = (before["city_owner"][cities] == side).sum() + (before["track_owner"][region] == side).sum()
        discs += before["beside"][side, region]
        if before["open"][region] and (facts["track_length"][region] == 0 or discs):
            regions.add(region)
    return regions


def free(board: Board, before: State, regions: set[int]) -> list[int]:
    """The cities without a disc in ``regions``."""
    return [
        city
        for city in range(len(board.cities))
        if before["city_owner"][city] == -1 and board.array[0]["city_region"][city] in regions
    ]


def connecting(board: Board, before: State, side: int, cities: list[int]) -> list[int]:
    """Those of ``cities`` that a connection joins to a city of ``side``."""
    pairs = [tuple(name.split("--")) for name in board.connections]
    mine = {board.cities[city] for city in range(len(board.cities)) if before["city_owner"][city] == side}
    return [
        city
        for city in cities
        if any(board.cities[city] in pair and (set(pair) - {board.cities[city]}) & mine for pair in pairs)
    ]


def next_token(before: State, region: int) -> int:
    """The token on the space that the next disc takes."""
    return int(before["token"][c.TRACK_SPACES + c.MAX_TRACK * region + int(before["track_next"][region])])


def check_occupy(board: Board, step: Step, side: int, before: State, after: State) -> None:
    """S4.1 a and b."""
    city = target(board, step.move)
    cities = free(board, before, reach(board, before, side))
    completing = connecting(board, before, side, cities)
    glory = [one for one in cities if board.array[0]["city_glory"][one] == 2]
    wanted = completing or glory or cities
    assert city in wanted
    assert step.reason == (
        "completes a connection" if completing else "a free city of 2 Glory" if glory else "a free city"
    )
    assert step.clause == ("S4.1a" if completing else "S4.1b")
    assert {target(board, move) for move in step.options} <= set(wanted)
    assert after["city_owner"][city] == side
    assert bool({"T1", "T2"} & set(step.tie_breaks)) == (len(step.options) < len(wanted))


def check_sail(board: Board, step: Step, side: int, before: State, after: State) -> None:
    """S4.1 c and d."""
    region = target(board, step.move)
    taken, length = before["track_next"][region], board.array[0]["track_length"][region]
    if not step.token:
        assert not free(board, before, reach(board, before, side))
    if step.clause == "S4.1c":
        assert taken == length - 1
        assert after["card_place"][board.array[0]["governor_card"][region]] == 1
        assert after["open"][region] == 1
        return
    owners = before["track_owner"][region].tolist()
    assert step.token == ""
    if step.clause == "S4.1d.iii":
        assert before["open"][region] == 1
        assert after["beside"][side, region] == before["beside"][side, region] + 1
        return
    assert taken <= length - 2  # S4.4
    assert (owners[0] == side) == (step.clause == "S4.1d.i")
    assert side in owners
    assert after["track_owner"][region, taken] == side
    kind = next_token(before, region)
    useless = kind < c.FIRST_BLUE and before["status"][1, kind] >= 15
    if useless or step.useless:
        assert useless == step.useless  # S4.3
    assert ("S5.2" in step.tie_breaks) <= any(
        next_token(before, target(board, move)) >= c.FIRST_BLUE for move in step.options
    )


def check_draw(board: Board, step: Step, side: int, before: State, after: State) -> None:
    """S4.1 e, S5.4 and S3.6."""
    deck = target(board, step.move)
    card = deck * 6 + before["pile_top"][deck]
    region = board.array[0]["deck_region"][deck]
    assert before["open"][region] == 1
    assert before["presence"][side, region] >= board.array[0]["card_value"][card]
    assert after["card_place"][card] in (1, 9, -2)  # held, or turned face down or gone by the abolition it brought
    assert (step.clause == "S4.1e") == (step.token == "" and step.clause != "S3.6")
    if step.clause == "S3.6":
        assert before["bonus_due"] == 1
        assert (step.position, side) == (before["ipf"], before["scale"][before["ipf"] - 1])


def check_attack(board: Board, step: Step, side: int, before: State, after: State) -> None:
    """S5.5."""
    city = target(board, step.move)
    assert (step.token, before["city_owner"][city], after["city_owner"][city]) == ("attack", 0, side)
    assert after["supply"][0] == before["supply"][0] + 1


def check_take(board: Board, step: Step, side: int, before: State, after: State) -> None:
    """S5.5, C9."""
    status = ["industry", "culture", "finance", "politics"].index(step.move.partition(":")[2])
    assert step.token == "pay"
    assert after["tokens"][0, status] == before["tokens"][0, status] - 1
    assert after["tokens"][1, status] == before["tokens"][1, status] + 1
    held = [one for one in range(4) if before["tokens"][0, one] > 0]
    lowest = min(min(15, before["status"][1, one]) for one in held)
    best = [one for one in held if min(15, before["status"][1, one]) == lowest]
    assert len(step.options) == len(best)
    assert status in best
    assert step.tie_breaks == (("T2",) if len(best) < len(held) else ())


def check_discard(board: Board, step: Step, side: int, before: State, after: State) -> None:
    """S7.1."""
    card = target(board, step.move)
    assert (before["card_place"][card], step.tie_breaks) == (1, ("best holding",))
    assert after["num_cards"][1] == before["num_cards"][1] - 1
    place = -3 if board.array[0]["card_governor"][card] else 9 if board.array[0]["card_slavery"][card] else -1
    assert after["card_place"][card] == place


CHECKS = {
    "occupy": check_occupy,
    "sail": check_sail,
    "draw": check_draw,
    "attack": check_attack,
    "take": check_take,
    "discard": check_discard,
}


@pytest.mark.parametrize(("name", "seed"), GAMES_AND_SEEDS)
def test_S4_S5_each_step_does_what_its_clause_says(name: str, seed: int) -> None:
    game = finished(name, seed)
    steps = explain(game)
    states = list(trace(game))
    assert len(states) == len(steps)
    for step, (before, after) in zip(steps, states, strict=True):
        side = int(before["acting"])
        assert step.colour == (c.COLOUR_NAMES[side] if side > 0 else "opposition")
        assert step.round == before["round_number"]
        if step.round == 0:
            continue
        if step.position is not None and step.clause != "S7.1":
            assert before["scale"][step.position - 1] == side
            assert step.position <= before["ipf"]
        if step.move:
            CHECKS[step.move.partition(":")[0]](game.board, step, side, before, after)


@pytest.mark.parametrize(("name", "seed"), GAMES_AND_SEEDS)
def test_S2_1_S2_3_the_discs_below_the_marker_act_in_order(name: str, seed: int) -> None:
    game = finished(name, seed)
    acting: dict[int, list[int | None]] = {number: [] for number in range(1, 8)}
    marker = dict.fromkeys(acting, 0)
    for step, (before, _) in zip(explain(game), trace(game), strict=True):
        if before["task"] == c.TASK_ACTION:
            acting[step.round].append(step.position)
            marker[step.round] = int(before["ipf"])
    for number, base in enumerate((3, 3, 3, 4, 4, 5, 5), 1):
        assert acting[number] == list(range(1, marker[number]))
        assert marker[number] - base in (0, 1, 2)


# --- the examples of the rulebook ------------------------------------------------------------------------------------

SCALE = ["green", "red", "black", "green", "violet", "red", "black", "violet"]


def scaled(seed: int = 2) -> Game:
    """A game with the scale of T-S01 and T-S02, and Market, Shipyard and Workshop in this order in the first row."""
    board = Board.default()
    setup = setup_to_dict(board, "solo", GameConfig("solo", board=board).draw_setup(seed))
    setup["scale"] = SCALE
    setup["grid"][0] = ["market", "shipyard", "workshop"]
    game = Game.new(variant="solo", setup=setup, options={"opposition_ties": "first"})
    assert game.decision == "build"
    return game


def actors(game: Game, number: int) -> list[tuple[str, int | None, str]]:
    """Colour, position and clause of the steps of a round that are no tokens and no discards."""
    return [
        (step.colour, step.position, "S3.6" if step.clause == "S3.6" else "")
        for step in explain(game)
        if step.round == number and not step.token and step.position
    ]


def test_TS01_green_and_red_act_and_black_makes_the_bonus_draw() -> None:
    game = scaled()
    for move in ("build:market", "activate:market", "draw:europe", "pass"):
        game.play(move)
    assert actors(game, 1) == [("green", 1, ""), ("red", 2, ""), ("black", 3, "S3.6")]
    bonus = next(step for step in explain(game) if step.clause == "S3.6")
    assert bonus.reason == "the bonus draw of the round"
    assert bonus.move.startswith("draw:")


def test_TS02_two_columns_away_four_discs_act() -> None:
    game = scaled()
    for move in ("build:workshop", "pass"):
        game.play(move)
    assert actors(game, 1) == [("green", 1, ""), ("red", 2, ""), ("black", 3, ""), ("green", 4, "")]


@pytest.mark.parametrize(
    ("building", "scale"),
    [
        ("market", ["black", "green", "violet", "red", "black", "violet", "green", "red"]),
        ("workshop", ["violet", "red", "black", "violet", "green", "red", "black", "green"]),
    ],
)
def test_TS03_the_discs_that_acted_go_to_the_top(building: str, scale: list[str]) -> None:
    game = scaled()
    for move in (f"build:{building}", "pass"):
        game.play(move)
    assert [c.COLOUR_NAMES[side] for side in game.state["scale"][0]] == scale
    for move in (game.legal_moves()[0], "pass"):
        game.play(move)
    colours = [colour for colour, _, _ in actors(game, 2)]
    assert 2 <= len(colours) <= 4
    assert colours == scale[: len(colours)]
