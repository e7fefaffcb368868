"""Links to the clauses of ``docs/rules.md``.

Their anchors are written as HTML, ``<a id="R4.3" href="#R4.3">R4.3</a>``, because GitHub knows no other way to name a
place within a table. This makes them known to Sphinx, so that ``[R4.3](rules.md#R4.3)`` leads to the clause. In
tables whose last column is headed "clause" the numbers become such links by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

RULES = "rules"
"""The page with the clauses."""
ANCHOR = re.compile(r'<a id="([^"]+)"')
WORD = re.compile(r"([\w.]+)")


def note_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Add the anchors that a page has as HTML to those that links may name."""
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for table in doctree.findall(nodes.table):
        for raw in table.findall(nodes.raw):
            for name in ANCHOR.findall(raw.astext()):
                slugs[name] = (raw.line or 0, name, name)
                if "clauses" not in table["classes"]:
                    table["classes"].append("clauses")  # the style sheet knows how wide their columns are


def link_clauses(app: Sphinx, doctree: nodes.document) -> None:
    """Turn the clause numbers of tables whose last column is headed "clause" into links."""
    clauses = set(ANCHOR.findall((Path(app.srcdir) / f"{RULES}.md").read_text(encoding="utf-8")))
    page = app.builder.get_relative_uri(app.env.docname, RULES)
    for table in doctree.findall(nodes.table):
        rows = [list(row.findall(nodes.entry)) for row in table.findall(nodes.row)]
        if rows[0][-1].astext() != "clause":
            continue
        for text in [text for row in rows[1:] for text in row[-1].findall(nodes.Text)]:
            text.parent.replace(text, list(_linked(text.astext(), clauses, page)))


def _linked(text: str, clauses: set[str], page: str) -> Iterator[nodes.Node]:
    """Yield ``text`` in parts, of which those that are clauses are links."""
    for part in WORD.split(text):
        if part in clauses:
            yield nodes.reference("", part, internal=True, refuri=f"{page}#{part}")
        else:
            yield nodes.Text(part)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the steps."""
    app.connect("doctree-read", note_anchors)
    app.connect("doctree-read", link_clauses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
