"""Makes the anchors of the clauses in ``docs/rules.md`` known, so that ``[R4.3](rules.md#R4.3)`` leads to the clause.

The anchors are written as HTML, ``<a id="R4.3" href="#R4.3">R4.3</a>``, because GitHub knows no other way to name a
place within a table.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

ANCHOR = re.compile(r'<a id="([^"]+)"')


def note_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Add the anchors that a page has as HTML to those that links may name."""
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for raw in doctree.findall(nodes.raw):
        for name in ANCHOR.findall(raw.astext()):
            slugs[name] = (raw.line or 0, name, name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the step."""
    app.connect("doctree-read", note_anchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
