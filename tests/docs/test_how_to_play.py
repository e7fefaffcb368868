"""The page that tells the whole game: its pictures and the page for play are made from the code and are current."""

from __future__ import annotations

import re

from tests.kits.scripts import load_script

how_to_play = load_script("make/how_to_play.py")
rules_page = load_script("make/rules_page.py")
LARGEST = 150_000


def test_every_picture_is_shown_and_small() -> None:
    text, drawn = how_to_play.TEXT.read_text(encoding="utf-8"), how_to_play.pictures()
    assert re.findall(r"!\[[^\]]+\]\(pictures/([\w.]+)\)", text) != []
    assert set(re.findall(r"\(pictures/([\w.]+)\)", text)) == set(drawn)
    assert all(3_000 < len(svg.encode()) < LARGEST for svg in drawn.values())
    assert all("data-key" not in svg for svg in drawn.values())


def test_the_page_has_everything_in_itself() -> None:
    page = how_to_play.PAGE.read_text(encoding="utf-8")
    assert page.count("<svg") == page.count("<figure>") == len(how_to_play.pictures())
    assert page.count("<table>") == 2
    assert re.findall(r"(?:src|href)=\"(?!data:)", page) == []
    assert "](" not in page
    assert "<script" not in page


def test_the_text_has_about_fifteen_hundred_words_and_tells_all() -> None:
    text = re.sub(r"!?\[[^\]]*\]\([^)]*\)", "", how_to_play.TEXT.read_text(encoding="utf-8"))
    assert 1_300 < len(re.findall(r"[A-Za-z]+", text)) < 1_850
    for word in (
        "Build",
        "Growth",
        "Salary",
        "Sail",
        "Occupy",
        "Attack",
        "Draw",
        "Pay",
        "Governor",
        "shield",
        "neutral",
    ):
        assert word in text


def test_merchants_are_told_in_about_a_thousand_words_with_clauses_of_their_rules() -> None:
    text = how_to_play.MERCHANTS_TEXT.read_text(encoding="utf-8")
    known = {clause for section in rules_page.sections(rules_page.MERCHANTS) for clause, _, _ in section["clauses"]}
    assert 700 < len(re.findall(r"[A-Za-z]+", text)) < 1_150
    clauses = set(re.findall(r"K\d+(?:\.\d+)?", text))
    assert len(clauses) > 25
    assert {clause for clause in clauses - known if not any(one.startswith(f"{clause}.") for one in known)} == set()
    page = how_to_play.MERCHANTS_PAGE.read_text(encoding="utf-8")
    assert page.count("<svg") == page.count("<figure>") == 1
    assert page.count("<table>") == 2
    assert re.findall(r"(?:src|href)=\"(?!data:)", page) == []
    assert "<title>How to play · Merchants of Europe</title>" in page
