"""A page of the site for each notebook, with its outputs.

Notebooks are stored without outputs. ``build/notebooks`` has copies that were run, as docs/reproducing.md says; a copy
is shown only if its cells are those of the stored notebook. Without one the page has the cells alone, and says so.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.logging import getLogger

ROOT = Path(__file__).resolve().parents[2]
STORED, RUN = ROOT / "notebooks", ROOT / "build" / "notebooks"
FOLDER = "rendered"
"""Folder of ``docs`` into which the notebooks are copied while the site is built; git ignores it."""
WITHOUT = (
    "*This page was built without the outputs of its cells; "
    "[run the notebooks first](../reproducing.md#the-documentation-site) to see them.*"
)
MAGIC = re.compile(r"^%.*\n?", re.MULTILINE)
PICTURES = {"image/png": "data:image/png;base64,{}", "image/jpeg": "data:image/jpeg;base64,{}"}


def page_of_notebook(name: str) -> str:
    """Return the page of a notebook, which is named by its file."""
    return f"{FOLDER}/{Path(name).stem}"


def read(path: Path) -> dict[str, Any] | None:
    """Return a notebook, None if there is none that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def sources(notebook: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return kind and text of every cell."""
    return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]


def chosen(name: str, stored: Path = STORED, run: Path = RUN) -> str:
    """Return the notebook to show as text: the copy that was run, if it has the same cells, else the stored one."""
    kept, done = read(stored / name), read(run / name)
    if kept is None:
        raise ValueError(f"{stored / name} is no notebook")
    if done is not None and sources(done) == sources(kept):
        return json.dumps(done)
    getLogger(__name__).info("%s is shown without outputs: %s has no copy of it that was run", name, run)
    return json.dumps(kept)


def copy_notebooks(app: Sphinx, _config: Config) -> None:
    """Copy the notebooks to where Sphinx reads pages; files that stay the same are not touched."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    names = {path.name for path in STORED.glob("*.ipynb")}
    for old in folder.glob("*.ipynb"):
        if old.name not in names:
            old.unlink()
    for name in names:
        text, target = chosen(name), folder / name
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


def markdown_of(notebook: Mapping[str, Any]) -> str:
    """Return a notebook as Markdown, with its outputs."""
    parts: list[str] = []
    outputs = 0
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        elif cell["cell_type"] == "code":
            parts += _fenced("python", MAGIC.sub("", text).strip())
            for output in cell.get("outputs", ()):
                outputs += 1
                parts += _output(output)
    if not outputs:
        parts.insert(1, WITHOUT)
    return "\n\n".join(parts) + "\n"


def _fenced(language: str, text: str) -> list[str]:
    """Return a block of code, with a fence longer than any in it; nothing for an empty text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}\n{text}\n{fence}"] if text else []


def _output(output: Mapping[str, Any]) -> Iterator[str]:
    """Yield one output of a cell as Markdown: as rich as a page can show it."""
    if output["output_type"] == "stream":
        yield from _fenced("text", "".join(output["text"]).rstrip())
        return
    data = {kind: "".join(text) if isinstance(text, list) else text for kind, text in output.get("data", {}).items()}
    for kind, address in PICTURES.items():
        if kind in data and "text/html" not in data:
            picture = address.format(data[kind].replace("\n", ""))
            yield from _fenced("{raw} html", f'<p class="output"><img alt="output of the cell" src="{picture}"></p>')
            return
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            yield from _fenced("{raw} html", f'<div class="output">{data[kind]}</div>')
            return
    if "text/markdown" in data:
        yield data["text/markdown"]
    elif "text/plain" in data:
        yield from _fenced("text", data["text/plain"])
    elif output["output_type"] == "error":
        yield from _fenced("text", html.unescape(f"{output['ename']}: {output['evalue']}"))


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown that it amounts to."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Fill the document of one page."""
        super().parse(markdown_of(json.loads(inputstring)), document)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the pages."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    app.connect("config-inited", copy_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
