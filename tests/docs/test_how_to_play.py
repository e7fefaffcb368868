"""The page that tells the whole game: its pictures and the page for play are made from the code and are current."""

from __future__ import annotations

import re

from tests.kits.scripts import load_script

how_to_play = load_script("make/how_to_play.py")


def test_the_page_has_everything_in_itself() -> None:
    page = how_to_play.PAGE.read_text(encoding="utf-8")
    assert page.count("<svg") == page.count("<figure>") == len(how_to_play.pictures())
    assert page.count("<table>") == 2
    assert re.findall(r"(?:src|href)=\"(?!data:)", page) == []
    assert "](" not in page
    assert "<script" not in page
