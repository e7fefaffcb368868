"""Every fault that a board can have (board format, section 3), each on a board with exactly that fault."""

from __future__ import annotations

import pytest

from endeavor_env.errors import EndeavorError, InvalidBoardError
from endeavor_env.merchants.board import check_board, parse_board
from endeavor_env.merchants.board.checks import DISTANCES, MORE_THAN, NAMES, WESTERN_NAMES
from endeavor_env.merchants.board.content import CELL, FAULTS, FORM_FAULTS, WHOLE_FAULTS
from tests.merchants.board import form_fault_cases, whole_fault_cases
from tests.merchants.board.edits import Edit, city, fresh, numbered, placed, terrain

CASES = [*form_fault_cases.CASES, *whole_fault_cases.CASES]


def details(data: object) -> dict[str, list[str]]:
    """Return the sentences of all faults by name."""
    found: dict[str, list[str]] = {}
    for name, detail in check_board(data):
        found.setdefault(name, []).append(detail)
    return found


@pytest.mark.parametrize(("fault", "side", "edit", "sentence"), CASES)
def test_one_mistake_is_one_fault(fault: str, side: str, edit: Edit, sentence: str) -> None:
    data = fresh(side)
    edit(data)
    found = check_board(data)
    assert [name for name, _ in found] == [fault]
    assert found[0][1].startswith(sentence)


def test_every_fault_has_a_board() -> None:
    assert {fault for fault, *_ in CASES} | {"fact_distance"} == set(FAULTS)


def test_no_start_places_at_all() -> None:
    data = fresh("short")
    del data["start"]
    assert [name for name, _ in check_board(data)] == ["start"] * 4
    assert check_board(fresh("expert") | {"start": fresh("short")["start"]}) == []


@pytest.mark.parametrize(("first", "second", "paths"), [*DISTANCES, MORE_THAN])
def test_each_distance(first: str, second: str, paths: int) -> None:
    """Each distance is a fault of its own when one of its cities changes its place with another one."""
    sentence = f"the shortest way between {first} and {second} has"
    rule = f": it must be {'more than ' if (first, second, paths) == MORE_THAN else ''}{paths}"
    seen = 0
    for other in ("krakow", "vilnius", "hamburg", "madrid", "warsaw", "vienna", "bordeaux"):
        data = fresh("expert")
        one, two = city(data, second), city(data, other)
        one["at"], two["at"] = two["at"], one["at"]
        one["gold"], two["gold"] = two["gold"], one["gold"]
        found = details(data)
        assert found.keys() <= {"fact_distance", "fact_terrain", "fact_arrow"}
        seen += any(one.startswith(sentence) and one.endswith(rule) for one in found.get("fact_distance", ()))
    assert seen >= (1 if rule.startswith(": it must be more") else 4)


def test_terrains_of_cologne_and_nuremberg() -> None:
    data = fresh("expert")
    numbered(data, -1, 2, 4)
    assert check_board(data) == [
        ("fact_terrain", f"{name} touches no field with the printed number 5: it must touch one")
        for name in ("cologne", "nuremberg")
    ]


def test_a_dotted_place_is_not_empty() -> None:
    data = fresh("short")
    placed(data, 3, -1, "dotted")
    placed(data, 1, -1)
    assert [name for name, _ in check_board(data)] == ["fact_terrain"]


def test_every_name_is_looked_for() -> None:
    for name in (*NAMES, *WESTERN_NAMES):
        data = fresh("expert")
        city(data, name)["id"] = "elsewhere"
        assert check_board(data)[0] == ("fact_names", f"there is no city {name}: the expert side has one")


def test_facts_are_not_looked_at_for_a_free_map() -> None:
    data = fresh("short")
    data["arrows"] = []
    city(data, "venice")["id"] = "venezia"
    assert [name for name, _ in check_board(data)] == ["fact_names", "fact_arrow"]
    data["facts"] = False
    assert check_board(data) == []
    del data["facts"]
    assert [name for name, _ in check_board(data)] == ["fact_names", "fact_arrow"]


def test_later_stages_wait_for_earlier_ones() -> None:
    data = fresh("short")
    data["arrows"] = []
    assert details(data).keys() == {"fact_arrow"}
    data["cities"].pop()
    assert details(data).keys() == {"city_count"}
    data["development"]["bribe"] = 5
    assert details(data).keys() == {"development_cards"}


def test_faults_of_one_stage_come_together_and_in_order() -> None:
    data = fresh("short")
    data["development"]["bribe"] = 5
    data["side"] = "long"
    data["robber"] = [0, 0]
    city(data, "riga")["gold"] = 9
    terrain(data, 1, -2)["kind"] = "desert"
    data["arrows"].append(data["arrows"][0])
    assert [name for name, _ in check_board(data)] == [
        "side",
        "terrain_kind",
        "city_gold",
        "arrow_place",
        "robber_place",
        "development_cards",
    ]
    data = fresh("short")
    data["cities"].pop()
    numbered(data, -2, 3, 3)
    placed(data, 4, -2, "dotted")
    data["start"].pop("red")
    data["terrains"].append({"at": [9, -9], "kind": "forest", "number": 8})
    assert [name for name, _ in check_board(data)] == [
        "not_connected",
        "city_count",
        "number_missing",
        "token_places",
        "start",
    ]
    assert (*FORM_FAULTS, *WHOLE_FAULTS, "fact_names", *FAULTS[-4:]) == FAULTS


def test_nothing_lies_wrong_where_land_cannot_be_read() -> None:
    data = fresh("short")
    terrain(data, 5, -1)["at"] = "far away"
    assert details(data) == {"format": [f"at of terrain number 8 is 'far away': it must be {CELL.words}"]}
    data["terrains"] = 7
    assert [name for name, _ in check_board(data)] == ["format"]


def test_one_error_lists_all_faults() -> None:
    data = fresh("short")
    data["development"]["bribe"] = 5
    data["side"] = "long"
    with pytest.raises(InvalidBoardError) as caught:
        parse_board(data, "mine.toml")
    assert str(caught.value) == (
        "board mine.toml has 2 faults:\n"
        "  1. the side is 'long': it must be short or expert (side)\n"
        "  2. there are 24 development cards: there must be 25 (development_cards)"
    )
    assert isinstance(caught.value, EndeavorError)
