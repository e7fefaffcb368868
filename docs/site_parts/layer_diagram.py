"""Draws the chain of layers of ``docs/architecture.md`` as boxes, one below the other.

GitHub draws the same block with Mermaid. In the site Mermaid would need a program from another machine in the reader's
browser, and a chain needs none.
"""

from __future__ import annotations

import itertools
import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

LABEL = re.compile(r'(\w+)\["([^"]+)"\]')
ARROW = "-->"
STRUCTURE = ("graph ", "subgraph ", "end")


class LayerDiagram(SphinxDirective):
    """The block ``mermaid`` with one chain of boxes, as ``a --> b --> c`` and ``b["text"]``."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a list of the boxes from top to bottom."""
        labels, next_of = read_graph(list(self.content))
        order = chain(next_of)
        if order is None:
            raise self.error(f"only one chain of boxes can be drawn, but the arrows are {next_of}")
        boxes = nodes.enumerated_list(classes=["layers"])
        for box in order:
            boxes += nodes.list_item("", nodes.paragraph("", "", *words_of(labels.get(box, box))))
        return [boxes]


def read_graph(lines: list[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the text of each box that has one, and the boxes that arrows lead to from each box."""
    labels: dict[str, str] = {}
    next_of: dict[str, list[str]] = {}
    for line in map(str.strip, lines):
        if found := LABEL.fullmatch(line):
            labels[found[1]] = found[2]
        elif ARROW in line:
            boxes = [box.strip() for box in line.split(ARROW)]
            for upper, lower in itertools.pairwise(boxes):
                next_of.setdefault(upper, []).append(lower)
        elif line and not line.startswith(STRUCTURE):
            raise ValueError(f"{line!r} is neither a box nor an arrow")
    return labels, next_of


def chain(next_of: dict[str, list[str]]) -> list[str] | None:
    """Return the boxes in order, None if they are no single chain."""
    lower = [box for boxes in next_of.values() for box in boxes]
    tops = [box for box in next_of if box not in lower]
    if len(tops) != 1 or any(len(boxes) > 1 for boxes in next_of.values()) or len(set(lower)) < len(lower):
        return None
    order = tops
    while order[-1] in next_of:
        order.append(next_of[order[-1]][0])
    return order if len(order) == len(lower) + 1 else None


def words_of(label: str) -> list[nodes.Node]:
    """Return the text of a box: the names before a colon are set as code."""
    words: list[nodes.Node] = []
    for part in label.split(" · "):
        names, colon, rest = part.partition(":")
        words += [nodes.Text(" · ")] if words else []
        words += [nodes.literal("", names), nodes.Text(colon + rest)]
    return words


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("mermaid", LayerDiagram)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
