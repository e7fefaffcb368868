"""Lines of pages are short enough for a diff to show what changed, pages are few words, the lab book in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kits.pages import LOG, ROOT, log_pages, written_pages
from tests.kits.scripts import DOCS

WIDTH = 120
PIECE = re.compile(r"(?:!?\[[^\]]*\]\([^)]*\)|`[^`]+`|\S)+")
"""What a line cannot be broken in: a word, a link, a picture, or code."""
ALL = [*written_pages(), LOG / "index.md", *log_pages()]
README_WORDS = 1_800
MANUAL_WORDS = 31_000
"""The most words that people may write in docs, the lab book and the tables of figures aside: what more there is to say
belongs into the lab book, into docstrings, or in place of something else."""


def long_lines(text: str) -> list[int]:
    """Return the numbers of the lines of prose that are too long: tables, code and what cannot be broken may be."""
    found, fence = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        if opened := re.match(r"\s*(`{3,})", line):
            fence = "" if fence and line.strip() == fence else fence or opened[1]
        elif not fence and len(line) > WIDTH and not line.lstrip().startswith("|"):
            words = re.sub(r"^\s*(?:[-*]|\d+\.) ", "", line)
            found += [number] if len(PIECE.findall(words)) > 1 else []
    return found


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_line_of_prose_is_long(page: Path):
    assert long_lines(page.read_text(encoding="utf-8")) == []


def test_a_long_line_is_found_unless_it_cannot_be_broken():
    words, table, link = "word " * 30, f"| {'cell ' * 40}|", f"[{'text ' * 30}](page.md)"
    assert long_lines(f"short\n{words}\n{table}\n- {words}") == [2, 4]
    assert long_lines(f"```\n{words}\n```\n{link}\n- {link}\n\n`{words}`") == []
    assert long_lines(f"{link} and {words}") == [1]


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= README_WORDS


def test_the_manual_stays_short():
    texts = [page.read_text(encoding="utf-8") for page in written_pages() if DOCS in page.parents]
    by_hand = [
        re.sub(r"<!-- (table|rows|references)\b.*?<!-- end of table -->", "", text, flags=re.DOTALL) for text in texts
    ]
    words = sum(len(text.split()) for text in by_hand)
    assert MANUAL_WORDS / 2 < words <= MANUAL_WORDS


def test_the_lab_book_lists_its_pages_newest_first():
    names = [page.stem for page in log_pages()]
    assert all(re.fullmatch(r"20\d\d-[01]\d-[0-3]\d-[a-z-]+", name) for name in names)
    text = (LOG / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[([\d-]+)\]\(([^)]+)\.md\) \|", text, re.MULTILINE)
    listed = [name for _, name in rows]
    assert sorted(listed) == names
    assert all(name.startswith(date) for date, name in rows)
    assert [name[:10] for name in listed] == sorted((name[:10] for name in listed), reverse=True)


def test_no_page_but_the_lab_book_tells_of_old_weights():
    """Names of players with dozens of weights belong to the experiments that they come from."""
    long = re.compile(r"greedy:(?:[\w.]+=[\d.-]+,){6}")
    assert [page.name for page in written_pages() if long.search(page.read_text(encoding="utf-8"))] == []
    assert any(long.search(page.read_text(encoding="utf-8")) for page in DOCS.glob("log/*.md"))
