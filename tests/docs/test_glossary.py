"""The words of docs/glossary.md: each has one meaning, and the pages use it."""

from __future__ import annotations

import re

import pytest

from tests.kits.pages import ROOT, written_pages

TEXT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
WORDS = [word for row in re.findall(r"^- (\*\*.+?):", TEXT, re.MULTILINE) for word in re.findall(r"\*\*(.+?)\*\*", row)]
PAGES = [page.read_text(encoding="utf-8") for page in written_pages() if page.name != "glossary.md"]


def uses(word: str, text: str) -> bool:
    """Return whether a text has a word, or its plural."""
    return bool(re.search(rf"\b{re.escape(word)}(?:s|es)?\b", " ".join(text.split()), re.IGNORECASE))


def test_no_word_has_two_meanings():
    assert len(WORDS) == len(set(WORDS)) > 40


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_used(word: str):
    assert any(uses(word, text) for text in PAGES)


def test_a_word_is_found_in_either_number_and_across_lines():
    assert uses("game state", "two Game\nstates")
    assert not uses("ply", "a reply, simply")
