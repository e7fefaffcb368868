"""The page about the rules of Merchants of Europe names code and tests of every clause."""

from __future__ import annotations

import re

import pytest

from tests.kits.scripts import load_script

rules_page = load_script("make/rules_page.py")
BOOK = rules_page.MERCHANTS


def test_every_clause_stands_once_and_has_tests() -> None:
    clauses = [clause for section in rules_page.sections(BOOK) for clause, _, _ in section["clauses"]]
    page = rules_page.rules_page(BOOK)
    assert re.findall(r'^\| <a id="([^"]+)" href="#\1">\1</a> \|', page, re.MULTILINE) == clauses
    assert len(set(clauses)) == len(clauses)
    chapters = {clause.partition(".")[0] for clause in clauses}
    assert chapters == {f"K{number}" for number in range(2, 16)}


def test_every_worked_example_has_a_test() -> None:
    assert list(rules_page.find_examples(BOOK)) == [f"T-K{number}" for number in range(1, 15)]


@pytest.mark.parametrize(
    ("name", "clauses"),
    [
        ("test_T_K3_K4_3a_more_than_seven_cards", ["K4.3a"]),
        ("test_K2_5_K2_6_cities", ["K2.5", "K2.6"]),
        ("test_K13_every_draw", ["K13"]),
        ("test_K3_7_the_third_post_R34", ["K3.7"]),
        ("test_copies_are_independent", []),
    ],
)
def test_names_of_tests_say_which_clauses_they_are_for(name: str, clauses: list[str]) -> None:
    assert rules_page.ids_in(name) == clauses


def test_a_clause_without_test_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_page, "find_tests", lambda book: {})
    with pytest.raises(ValueError, match=r"clause K4\.3a has no test in tests/merchants whose name starts with it"):
        rules_page.rules_page(BOOK)


def test_code_that_does_not_exist_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        rules_page, "sections", lambda book: [{"title": "x", "clauses": [["K3.1", "", "core/none.py draw"]]}]
    )
    with pytest.raises(ValueError, match=r"clause K3\.1 names merchants/core/none\.py draw, which does not exist"):
        rules_page.rules_page(BOOK)
