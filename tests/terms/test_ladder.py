"""The ladder of solitaire results: every rung at both its ends, and the panache mark."""

from __future__ import annotations

import pytest

from endeavor_env.endeavor.results import RUNG_NAMES, TOP_RUNG, Ladder, ladder_of, rung_of

RUNGS = [
    (-100, 0),
    (-1, 0),
    (0, 1),
    (2, 1),
    (3, 2),
    (4, 2),
    (5, 3),
    (6, 3),
    (7, 4),
    (8, 4),
    (9, 5),
    (10, 5),
    (100, 5),
]


@pytest.mark.parametrize(("lead", "rung"), RUNGS)
def test_S8_3_the_lead_in_glory_decides_the_rung(lead: int, rung: int) -> None:
    assert rung_of(lead) == rung
    assert ladder_of(lead, False) == Ladder(RUNG_NAMES[rung], rung, False)


def test_TS13_a_lead_of_seven_and_of_eight_is_a_complete_victory_and_a_draw_a_minor_one() -> None:
    assert [ladder_of(lead, False).name for lead in (7, 8, 0, -1)] == [
        "complete victory",
        "complete victory",
        "minor victory",
        "defeat",
    ]


def test_S8_3_the_rungs_have_the_names_of_the_rulebook() -> None:
    assert RUNG_NAMES == (
        "defeat",
        "minor victory",
        "victory",
        "major victory",
        "complete victory",
        "total victory",
    )
    assert TOP_RUNG == 5


@pytest.mark.parametrize(("lead", "panache"), [(-1, False), (0, True), (4, True), (9, True)])
def test_S8_4_a_victory_with_a_level_5_building_has_panache(lead: int, panache: bool) -> None:
    assert ladder_of(lead, True).panache is panache
    assert ladder_of(lead, False).panache is False
