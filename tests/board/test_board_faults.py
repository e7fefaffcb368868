"""Every kind of fault of a board is named, all faults are listed, and nothing but InvalidBoardError escapes."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.checks import PARTS_OF_MODE
from endeavor_env.endeavor.board.loading import find_faults
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidBoardError

Data = dict[str, Any]
TABLE = tomllib.loads(Path(__file__).with_name("board_faults.toml").read_text(encoding="utf-8"))["fault"]


def find(data: Data, path: str) -> tuple[Any, Any]:
    """Return the list or table that holds the value at ``path``, and its index or key there."""
    place: Any = data
    *steps, last = path.split("/")
    for step in steps:
        place = place[index_of(place, step)]
    return place, index_of(place, last)


def index_of(place: Any, step: str) -> Any:
    """Return the index that ``step`` (a number or an id) has in a list; a key as it is."""
    if not isinstance(place, list):
        return step
    return int(step) if step.isdigit() else [entry["id"] for entry in place].index(step)


def edit(data: Data, edits: list[Data]) -> None:
    """Carry out edits as ``board_faults.toml`` writes them."""
    for one in edits:
        place, key = find(data, one.get("set") or one["drop"])
        if "set" in one:
            place[key] = one["value"]
        else:
            del place[key]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in TABLE])
def test_each_fault_is_named(case: Data) -> None:
    data = Board.default().to_dict()
    edit(data, case["edits"])
    assert find_faults(data)[1] == case["expected"]


def add_cities(data: Data) -> None:
    for number in range(12):
        city = {"id": f"town_{number}", "name": f"Town {number}", "region": "europe", "glory": 1}
        data["cities"].append({**city, "provenance": "box"})
    data["tokens"]["politics"] += 12


def add_connections(data: Data) -> None:
    names = [city["id"] for city in data["cities"]]
    for first, second in zip(names[:14], names[15:], strict=True):
        data["connections"].append({"cities": [first, second], "provenance": "box"})
    data["tokens"]["politics"] += 14


def join_rome_to_eight_more_cities(data: Data) -> None:
    for city in data["cities"][10:18]:
        data["connections"].append({"cities": ["rome", city["id"]], "provenance": "box"})
    data["tokens"]["politics"] += 8


def add_a_building(data: Data) -> None:
    data["buildings"].append({**data["buildings"][4], "id": "bank_too"})


def move_cities(data: Data, old: str, new: str) -> None:
    for city in data["cities"]:
        if city["region"] == old:
            city["region"] = new


def name_two_regions_india(data: Data) -> None:
    edit(data, [{"set": "decks/far_east/region", "value": "india"}, {"set": "regions/far_east/id", "value": "india"}])
    move_cities(data, "far_east", "india")


def remove_india(data: Data) -> None:
    """Remove a region and all that lies there, and as many tokens as spaces."""
    edit(data, [{"drop": "regions/india"}, {"drop": "decks/india"}, {"drop": "cities/bombay"}])
    edit(data, [{"drop": "cities/calcutta"}, {"set": "tokens/politics", "value": 25 - 6 - 2 - 3}])
    gone = {"bombay", "calcutta"}
    data["connections"] = [each for each in data["connections"] if not gone & set(each["cities"])]


def take_copies_away(data: Data) -> None:
    for building in data["buildings"]:
        if building["level"] in (1, 2, 3):
            building["copies"] -= 1


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (add_cities, ["there are 41 cities; a board has at most 40"]),
        (add_connections, ["there are 41 connections; a board has at most 40"]),
        (add_a_building, ["there are 17 buildings; a board has at most 16"]),
        (join_rome_to_eight_more_cities, ["city rome has 9 connections; at most 8 may meet in a city"]),
        (name_two_regions_india, ["region id india is given 2 times; each region needs an id of its own"]),
        (remove_india, ["there are 6 regions; a board has 7", "there are 7 decks; a board has 8"]),
        (
            lambda data: move_cities(data, "india", "africa"),
            ["region india has no city; every region needs at least one"],
        ),
        (
            take_copies_away,
            [
                "the buildings below level 5 have 33 copies in all; 5 players who build in each of 7 rounds need at "
                "least 35"
            ],
        ),
        (
            lambda data: data["tokens"].update(pay=10**5000),
            ["tokens: pay is a number of 16610 bits; it must be a whole number from 0 to 99"],
        ),
    ],
)
def test_faults_of_larger_changes(change: Callable[[Data], None], expected: list[str]) -> None:
    data = Board.default().to_dict()
    change(data)
    assert find_faults(data)[1] == expected


def test_the_unedited_board_has_no_fault() -> None:
    assert find_faults(Board.default().to_dict())[1] == []


def test_five_faults_are_reported_together() -> None:
    data = Board.default().to_dict()
    edit(
        data,
        [
            {"set": "connections/0/cities", "value": ["london", "oslo"]},
            {"set": "tokens/pay", "value": 5},
            {"drop": "decks/africa/cards/5"},
            {"set": "cities/rome/region", "value": "atlantis"},
            {"set": "status_tracks/thresholds", "value": [0, 4, 2, 7, 10]},
        ],
    )
    with pytest.raises(InvalidBoardError) as caught:
        Board.from_dict(data, source="my_board.toml")
    assert len(caught.value.faults) == 5
    assert str(caught.value).startswith("board my_board.toml has 5 faults:\n  1. ")
    for word in (
        "oslo",
        "95 spaces for 96 tokens",
        "deck africa has no card of value 5",
        "atlantis",
        "[0, 4, 2, 7, 10]",
    ):
        assert word in str(caught.value)


def test_every_mode_has_its_number_of_actions() -> None:
    assert set(PARTS_OF_MODE) == set(c.MODE_NAMES)


def test_both_may_hold_two_payments() -> None:
    data = Board.default().to_dict()
    find(data, "buildings/museum/mode")[0].update(mode="both", actions=["pay", "pay"])
    board = Board.from_dict(data)
    number = board.buildings.index("museum")
    assert board.array[0].building_mode[number] == c.MODE_NAMES.index("both")
    assert board.array[0].building_action[number].tolist() == [4, 4]


@pytest.mark.parametrize("junk", [None, 7, "endeavor_2009", [], {}, {1: 2, None: 3}, [{}], object()])
def test_what_is_no_board_at_all(junk: object) -> None:
    with pytest.raises(InvalidBoardError, match="fault"):
        Board.from_dict(junk)
