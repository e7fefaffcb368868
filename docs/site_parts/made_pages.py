"""Makes the reference pages from the code before Sphinx reads the pages; git ignores them."""

from __future__ import annotations

from pathlib import Path

from make import markdown_tables, reference_pages
from sphinx.application import Sphinx
from sphinx.config import Config


def make_pages(app: Sphinx, _config: Config) -> None:
    """Write the pages, where this is the documentation and no other folder that is built with its settings."""
    if Path(app.srcdir) == reference_pages.DOCS:
        markdown_tables.write(markdown_tables.changed(reference_pages.files()))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the step."""
    app.connect("config-inited", make_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
