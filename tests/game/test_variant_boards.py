"""Boards a variant cannot be played on: every fault is listed, by Game.new as by the check itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidBoardError

Data = dict[str, Any]
BLUE = c.TOKEN_NAMES[4:]


def edited(change: Callable[[Data], None]) -> Board:
    """The default board with a change, its Politics tokens fitted to the number of its spaces."""
    data = Board.default().to_dict()
    data["id"] = "edited"
    change(data)
    spaces = len(data["cities"]) + len(data["connections"]) + sum(one["track_length"] for one in data["regions"])
    tokens = data["tokens"]
    tokens["politics"] = spaces - sum(tokens[kind] for kind in c.TOKEN_NAMES if kind != "politics")
    return Board.from_dict(data)


def by_id(data: Data, section: str, name: str) -> Data:
    """An entry of the board."""
    return next(entry for entry in data[section] if entry["id"] == name)


def track(region: str, length: int) -> Callable[[Data], None]:
    """Give a region another number of shipping spaces."""
    return lambda data: by_id(data, "regions", region).update(track_length=length)


def europe(count: int) -> Callable[[Data], None]:
    """Leave so many cities in Europe; the others count as Indian."""

    def change(data: Data) -> None:
        for city in [city for city in data["cities"] if city["region"] == "europe"][count:]:
            city["region"] = "india"

    return change


def building(name: str, **values: Any) -> Callable[[Data], None]:
    """Change a building."""
    return lambda data: by_id(data, "buildings", name).update(values)


def tokens(**counts: int) -> Callable[[Data], None]:
    """Give kinds of tokens other counts."""
    return lambda data: data["tokens"].update(counts)


def no_politics(data: Data) -> None:
    data["tokens"]["culture"] += data["tokens"]["politics"]


def one_round_one_copy(data: Data) -> None:
    data["constants"]["rounds"] = 1
    for entry in data["buildings"]:
        entry["copies"] = min(entry["copies"], 1)


FAULTS: dict[str, tuple[str, Callable[[Data], None], str]] = {
    "solo, two spaces": (
        "solo",
        track("africa", 2),
        "region africa has 2 shipping spaces; it needs at least 3, .* S1.6",
    ),
    "solo, one space": ("solo", track("india", 1), "region india has 1 shipping space; it needs at least 3"),
    "solo, four cities": ("solo", europe(4), r"region europe has 4 cities; it needs at least 5, .* \(S1.4\)"),
    "solo, one city": ("solo", europe(1), "region europe has 1 city; it needs at least 5"),
    "solo, two types": ("solo", building("theater", level=4), "level 3 has 2 building types .* exactly 3, .*S1.2"),
    "solo, four types": ("solo", building("theater", level=4), "level 4 has 4 building types .* exactly 3, .*S1.2"),
    "solo, no finance": (
        "solo",
        tokens(finance=0),
        "there is no finance token; the start region has to show one .S1.4",
    ),
    "solo, no politics": ("solo", no_politics, "there is no politics token"),
    "solo, no blue": ("solo", tokens(**dict.fromkeys(BLUE, 0)), "there are 0 blue tokens; it takes 1 to 16"),
    "solo, many blue": ("solo", tokens(pay=5), "there are 17 blue tokens; it takes 1 to 16 .S1.4, S5.5"),
    "soloplay_2, three spaces": (
        "soloplay_2",
        track("africa", 3),
        "africa has 3 shipping spaces; .* least 4, .* V2S.4",
    ),
    "soloplay_3, two spaces": ("soloplay_3", track("africa", 2), "africa has 2 shipping spaces; .* least 3, .* V3S.3"),
    "soloplay_2, copies": (
        "soloplay_2",
        one_round_one_copy,
        r"have 0 copies once one of each is gone \(V2S.1\); .* 2$",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_board_a_variant_cannot_be_played_on_is_refused(name: str) -> None:
    variant, change, message = FAULTS[name]
    board = edited(change)
    with pytest.raises(InvalidBoardError, match=f"board edited, for variant '{variant}', has .* fault") as caught:
        check_board(board, variant)
    assert len([fault for fault in caught.value.faults if re.search(message, fault)]) == 1
    with pytest.raises(InvalidBoardError, match=f"board edited, for variant '{variant}'"):
        Game.new(variant=variant, seed=1, board=board)


def test_every_fault_of_a_board_is_listed() -> None:
    def change(data: Data) -> None:
        track("africa", 2)(data)
        europe(3)(data)
        building("theater", level=2)(data)
        tokens(finance=0, pay=20)(data)

    with pytest.raises(InvalidBoardError) as caught:
        check_board(edited(change), "solo")
    assert len(caught.value.faults) == 6
    assert [fault.split()[:2] for fault in caught.value.faults] == [
        ["region", "africa"],
        ["region", "europe"],
        ["level", "2"],
        ["level", "3"],
        ["there", "is"],
        ["there", "are"],
    ]


ENOUGH: dict[str, tuple[str, Callable[[Data], None]]] = {
    "solo, three spaces": ("solo", track("africa", 3)),
    "solo, five cities": ("solo", europe(5)),
    "solo, one blue": ("solo", tokens(**{**dict.fromkeys(BLUE, 0), "pay": 1})),
    "solo, sixteen blue": ("solo", tokens(attack=c.MAX_WAITING - 3, occupy_draw=1, sail_draw=1, pay=1)),
    "solo, one finance": ("solo", tokens(finance=1)),
    "soloplay_2, four spaces": ("soloplay_2", track("africa", 4)),
    "soloplay_3, three spaces": ("soloplay_3", track("africa", 3)),
    "soloplay_3, copies": ("soloplay_3", one_round_one_copy),
    "neutral_2, one space": ("neutral_2", track("africa", 1)),
    "neutral_2, no blue": ("neutral_2", tokens(**dict.fromkeys(BLUE, 0))),
    "standard, one city": ("standard", europe(1)),
    "exploits, one city": ("exploits", europe(1)),
    "exploits, one space": ("exploits", track("africa", 1)),
    "exploits, no blue": ("exploits", tokens(**dict.fromkeys(BLUE, 0))),
}


@pytest.mark.parametrize("name", ENOUGH)
def test_a_board_that_just_suffices_is_taken(name: str) -> None:
    variant, change = ENOUGH[name]
    board = edited(change)
    check_board(board, variant)
    assert Game.new(variant=variant, seed=3, board=board).legal_actions()


@pytest.mark.parametrize("variant", c.VARIANT_NAMES)
def test_every_variant_is_played_on_the_printed_and_on_generated_boards(variant: str) -> None:
    for board in (Board.default(), *(Board.generate(seed) for seed in range(20))):
        check_board(board, variant)
