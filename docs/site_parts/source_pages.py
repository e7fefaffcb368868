"""Pages with the source of every file of the repository that a page links to.

On GitHub a link such as ``[test](../tests/rules/base/test_build.py)`` shows the file. The site has no pages for files
that are not documents, so this makes one for each file that is linked. If the text of a link is the name of a function
of the file, the link leads to the line where it is defined.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

from site_parts.notebook_pages import page_of_notebook

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT_OF = {"README.md": "index", "notebooks/README.md": "notebooks", "docs/search.md": "searching"}
"""Files that the site has under another name: ``search.html`` is Sphinx's page with the results of a search."""
FOLDER = "source"
"""Folder of these pages in the site."""
LANGUAGES = {".py": "python", ".toml": "toml", ".md": "markdown", ".sh": "bash", ".json": "json"}


class SourceLinks(SphinxTransform):
    """Turns links to files of the repository into links to their source pages."""

    default_priority = 500

    def apply(self, **_: Any) -> None:
        """Replace the links of one page."""
        for link in list(self.document.findall(addnodes.download_reference)):
            self._lead(link, self.env.relfn2path(link["reftarget"])[1])
        for link in list(self.document.findall(addnodes.pending_xref)):
            if link["refdomain"] != "doc":
                continue
            if Path(link["reftarget"]).is_absolute():  # a notebook, or Markdown outside of docs
                notebook = Path(f"{link['reftarget']}.ipynb")
                self._lead(link, str(notebook) if notebook.exists() else f"{link['reftarget']}.md")
            elif page := DOCUMENT_OF.get(f"docs/{link['reftarget']}.md"):
                link["reftarget"] = page

    def _lead(self, link: nodes.Element, path: str) -> None:
        """Replace ``link`` by one to the page of the file at ``path``."""
        file = Path(path).resolve().relative_to(ROOT).as_posix()
        page, line = DOCUMENT_OF.get(file), ""
        if file.endswith(".ipynb"):
            page = page_of_notebook(file)
        if page is None:
            linked_files(self.env).setdefault(self.env.docname, set()).add(file)
            page, line = page_of(file), line_of(file, link.astext())
        target = self.env.app.builder.get_relative_uri(self.env.docname, page)
        reference = nodes.reference("", "", internal=True, refuri=target + line)
        reference += link.children
        link.replace_self(reference)


@functools.cache
def lines_of(file: str) -> dict[str, int]:
    """Return the number of the line in which each function of a file is defined."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {found[1]: number for number, line in enumerate(lines, 1) if (found := re.match(r"def (\w+)\(", line))}


def line_of(file: str, text: str) -> str:
    """Return the anchor of the function that ``text`` names, empty if it names none."""
    number = lines_of(file).get(text)
    return f"#line-{number}" if number else ""


def page_of(file: str) -> str:
    """Return the page name of a file of the repository."""
    return f"{FOLDER}/{file}"


def linked_files(env: BuildEnvironment) -> dict[str, set[str]]:
    """Return the files that each page links to; Sphinx keeps the mapping between builds."""
    if not hasattr(env, "linked_source_files"):
        env.linked_source_files = {}  # pyright: ignore[reportAttributeAccessIssue]
    return env.linked_source_files  # pyright: ignore[reportAttributeAccessIssue]


def forget_page(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget the links of a page that is read again."""
    linked_files(env).pop(docname, None)


def merge_pages(_app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment) -> None:
    """Take over the links of the pages that another process has read."""
    linked_files(env).update({name: linked_files(other)[name] for name in docnames if name in linked_files(other)})


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield name, contents and template of the page of every linked file."""
    highlight = app.builder.highlighter.highlight_block  # pyright: ignore[reportAttributeAccessIssue]
    for file in sorted(set().union(*linked_files(app.env).values())):
        text = (ROOT / file).read_text(encoding="utf-8")
        language = LANGUAGES.get(Path(file).suffix, "text")
        code = highlight(text, language, linenos="inline", lineanchors="line", location=file)
        title = html.escape(file)
        yield page_of(file), {"title": title, "body": f"<h1>{title}</h1>\n{code}"}, "page.html"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the links and the pages."""
    app.add_transform(SourceLinks)
    app.connect("env-purge-doc", forget_page)
    app.connect("env-merge-info", merge_pages)
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
