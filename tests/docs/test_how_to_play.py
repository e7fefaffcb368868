"""The page that tells the whole game: its pictures and the page for play are made from the code and are current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kits.scripts import load_script

how_to_play = load_script("make/how_to_play.py")
load_script("make/reference_pages.py")  # which lets its parts be imported
merchants_rules_page = load_script("make/merchants_rules_page.py")
LARGEST = 150_000


def test_pictures_and_page_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert how_to_play.main(["--check"]) == 0, capsys.readouterr().err


def test_check_names_what_is_stale_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "docs" / "page.html"
    page.parent.mkdir()
    monkeypatch.setattr(how_to_play, "ROOT", tmp_path)
    monkeypatch.setattr(how_to_play, "PICTURES", page.parent)
    monkeypatch.setattr(how_to_play, "PAGE", page)
    monkeypatch.setattr(how_to_play, "MERCHANTS_PAGE", page.with_name("merchants.html"))
    assert how_to_play.main(["--check"]) == 1
    assert "docs/page.html is stale: run `python docs/make/how_to_play.py`" in capsys.readouterr().err
    assert not page.exists()
    assert how_to_play.main([]) == 0
    assert how_to_play.main(["--check"]) == 0
    page.write_text("other", encoding="utf-8")
    assert how_to_play.main(["--check"]) == 1
    assert capsys.readouterr().err.count("is stale") == 1


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
    known = {clause for section in merchants_rules_page.sections() for clause, _, _ in section["clauses"]}
    assert 700 < len(re.findall(r"[A-Za-z]+", text)) < 1_150
    clauses = set(re.findall(r"K\d+(?:\.\d+)?", text))
    assert len(clauses) > 25
    assert {clause for clause in clauses - known if not any(one.startswith(f"{clause}.") for one in known)} == set()
    page = how_to_play.MERCHANTS_PAGE.read_text(encoding="utf-8")
    assert page.count("<svg") == page.count("<figure>") == 1
    assert page.count("<table>") == 2
    assert re.findall(r"(?:src|href)=\"(?!data:)", page) == []
    assert "<title>How to play · Merchants of Europe</title>" in page
