"""Check the links of the built site without a network: ``python docs/make/check_links.py build/site``.

Every link within the site must lead to a file that is there and, if it names a place, to a place of that page.
Pictures, style sheets and scripts must be files of the site: a page that loads them from another machine is a fault,
and so is a link to another machine whose address is not well formed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "source": "src", "iframe": "src", "video": "src", "link": "href"}
"""Elements whose address a browser asks for by itself, with the attribute that holds it."""
ELSEWHERE = re.compile(r"(?:\w+:)?//")
"""How an address on another machine begins."""
STYLE_LOADS = re.compile(r"""(?:url\(|@import)\s*["']?([^"')\s]+)""")
"""What a style sheet loads."""
KEPT = ("data", "mailto")
"""Schemes of addresses that name no file and no other machine."""


class PageReader(HTMLParser):
    """Collects the links of a page, what it loads, and the places that links may name."""

    def __init__(self) -> None:
        """Read nothing yet."""
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses and places of one element."""
        values = {name: value for name, value in attrs if value is not None}
        self.places |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if address := values.get(LOADED.get(tag, "")):
            self.loaded.append(address)


@cache
def read_page(path: Path) -> PageReader:
    """Return what a page links to, loads and holds."""
    reader = PageReader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def faults_of(page: Path, site: Path) -> Iterator[str]:
    """Yield a sentence for each fault of a page."""
    reader = read_page(page)
    for address in reader.loaded:
        if ELSEWHERE.match(address):
            yield f"loads {address} from another machine"
        elif fault := _fault(page, site, address):
            yield fault
    for address in reader.links:
        if fault := _fault(page, site, address):
            yield fault


def _fault(page: Path, site: Path, address: str) -> str | None:
    """Return what is wrong with one address of a page, None if nothing is."""
    try:
        parts = urlsplit(address)
    except ValueError as error:
        return f"has the address {address}, which is not well formed: {error}"
    if parts.scheme in KEPT:
        return None
    if parts.scheme or parts.netloc:
        good = parts.scheme in ("http", "https") and "." in parts.netloc and not set(address) & set(' <>"`')
        return None if good else f"has the address {address}, which is not well formed"
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_relative_to(site) or not target.is_file():
        return f"links to {address}, which is not there"
    place = unquote(parts.fragment)
    if place and target.suffix == ".html" and place not in read_page(target).places:
        return f"links to {address}, but {target.relative_to(site)} has no place of that name"
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Check all pages of a folder. Return the exit status: 1 if there are faults, 2 if there are no pages."""
    parser = argparse.ArgumentParser(
        prog="python docs/make/check_links.py", description="Check the links of the built site, without a network."
    )
    parser.add_argument("site", type=Path, help="folder that sphinx-build wrote")
    site: Path = parser.parse_args(arguments).site.resolve()
    pages = sorted(site.rglob("*.html"))
    if not pages:
        print(f"error: {site} has no pages: build the site first, as docs/reproducing.md says", file=sys.stderr)
        return 2
    faults = [
        f"{sheet.relative_to(site)} loads {address} from another machine"
        for sheet in sorted(site.rglob("*.css"))
        for address in STYLE_LOADS.findall(sheet.read_text(encoding="utf-8"))
        if ELSEWHERE.match(address)
    ]
    faults += [f"{page.relative_to(site)} {fault}" for page in pages for fault in faults_of(page, site)]
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    links = sum(len(read_page(page).links) for page in pages)
    print(f"{links} links on {len(pages)} pages, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
