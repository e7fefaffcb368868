"""The Markdown pages that people write: none that are made from the code, and none that a build left behind."""

from __future__ import annotations

from pathlib import Path

from tests.kits.scripts import DOCS, load_script

ROOT = DOCS.parent
LOG = DOCS / "log"
"""The lab book, whose pages stay as they were written."""


def made_pages() -> set[Path]:
    """Return the paths of the pages that are made from the code while the site is built."""
    return {DOCS / name for name in load_script("make/reference_pages.py").NAMES}


def written_pages() -> list[Path]:
    """Return the paths of all pages but those of the lab book."""
    pages = {*ROOT.glob("*.md"), ROOT / "notebooks" / "README.md", *DOCS.rglob("*.md")} - made_pages()
    return sorted(page for page in pages if LOG not in page.parents)


def log_pages() -> list[Path]:
    """Return the paths of the dated pages of the lab book."""
    return sorted(page for page in LOG.glob("*.md") if page.name != "index.md")
