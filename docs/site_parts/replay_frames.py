"""Replay pages that run inside a page of the site.

The block ``{replay} game.json`` names a record beside the page. Its replay page is made when the site is built, and
shown in a frame with a link that opens it alone. On GitHub the block shows the name of the record.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from endeavor_env.web import write_replay_page

FOLDER = "replays"
"""Folder of these pages in the site."""


class ReplayFrame(SphinxDirective):
    """The block ``replay`` with the record of a game."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the frame and the link under it; the page is written at once, as every process has its own blocks."""
        record = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0]
        if not record.is_file():
            raise self.error(f"{self.arguments[0]} is no record beside this page")
        self.env.note_dependency(str(record))
        page = Path(self.env.app.outdir) / FOLDER / f"{record.stem}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        write_replay_page(record, page)
        up = "../" * self.env.docname.count("/")
        address = f"{up}{FOLDER}/{page.name}"
        text = (
            f'<iframe class="replay" src="{address}" title="A game to look through" loading="lazy"></iframe>'
            f'<p><a href="{address}">Open the replay alone</a></p>'
        )
        return [nodes.raw("", text, format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the block."""
    app.add_directive("replay", ReplayFrame)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
