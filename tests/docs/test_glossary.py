"""The words of docs/glossary.md: each has one meaning and is used, and the pages keep to them."""

from __future__ import annotations

import re

import pytest

from tests.kits.pages import ROOT, written_pages

PACKAGES = ("endeavor_env", "agents", "training", "benchmarks", "cli")
TEXT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
TERMS, _, AVOIDED = TEXT.partition("## Words that the pages do not use")
AVOIDED, _, AVOIDED_IN_CODE = AVOIDED.partition("## Words that the code does not use")
WORDS = [
    word for row in re.findall(r"^- (\*\*.+?):", TERMS, re.MULTILINE) for word in re.findall(r"\*\*(.+?)\*\*", row)
]
ROWS = [row for row in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", AVOIDED, re.MULTILINE) if row[0] not in ("not", "---")]
NOT = [word for words, _ in ROWS for word in words.split(", ")]
NOT_IN_CODE = [word for word in re.findall(r"^\| (\w+) \|", AVOIDED_IN_CODE, re.MULTILINE) if word != "not"]
CODE = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
PAGES = {page: page.read_text(encoding="utf-8") for page in written_pages() if page.name != "glossary.md"}


def uses(word: str, text: str) -> bool:
    """Return whether a text has a word, or its plural."""
    return bool(re.search(rf"\b{re.escape(word)}(?:s|es)?\b", " ".join(text.split()), re.IGNORECASE))


def prose(text: str) -> str:
    """Return a page without its code, which has the names that other libraries gave."""
    return re.sub(r"```.*?```|`[^`]+`", " ", text, flags=re.DOTALL)


def test_no_word_has_two_meanings():
    assert len(WORDS) == len(set(WORDS)) > 40


@pytest.mark.parametrize("word", WORDS)
def test_every_word_is_used(word: str):
    assert any(uses(word, text) for text in PAGES.values())


@pytest.mark.parametrize("word", NOT)
def test_no_page_uses_a_word_that_has_a_better_one(word: str):
    assert [page.relative_to(ROOT).as_posix() for page, text in PAGES.items() if uses(word, prose(text))] == []


def test_a_word_is_found_in_either_number_and_across_lines():
    assert uses("game state", "two Game\nstates")
    assert not uses("ply", "a reply, simply")


@pytest.mark.parametrize("words", [words for _, words in ROWS])
def test_the_better_words_are_used(words: str):
    assert all(any(uses(word, text) for text in PAGES.values()) for word in words.split(", "))


@pytest.mark.parametrize("word", NOT_IN_CODE)
def test_no_name_in_the_code_has_a_word_that_has_a_better_one(word: str):
    part = re.compile(rf"(?<![a-z]){word}(?![a-z])|{word.title()}(?![a-z])")
    assert [path.relative_to(ROOT).as_posix() for path in CODE if part.search(path.read_text(encoding="utf-8"))] == []


def test_the_code_has_words_to_avoid():
    assert {"desk", "lessons", "practise"} <= set(NOT_IN_CODE)
