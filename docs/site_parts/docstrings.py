"""Fits docstrings and signatures to the API reference.

Docstrings have the sections of Google's style, ``Args:`` and so on. Those of environments have Markdown headings, as
Farama's do. Their pages under ``docs/environments`` are made of them, so the reference shows the first sentence and a
link. In all others a heading becomes a heading of the reference.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy.typing as npt
from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import GoogleDocstring
from sphinx.util.typing import stringify_annotation

PAGES = {
    "endeavor_env.envs.endeavor.make_endeavor": "endeavor",
    "endeavor_env.envs.endeavor.make_endeavor_solo": "endeavor_solo",
    "endeavor_env.envs.endeavor.make_endeavor_aec": "endeavor_aec",
    "endeavor_env.envs.endeavor.make_endeavor_vector": "vector",
}
"""The environments and their pages under ``docs/environments``."""
HEADING = re.compile(r"## (.+)")
SECTIONED = ("class", "exception", "function", "method", "module")
"""What has docstrings with sections; the line under an attribute is plain text, though it may begin with "word: "."""
UNTYPED = "endeavor_env.analysis.plots."
"""Where types are names of Matplotlib, which is imported only when a figure is drawn."""
GOOGLE: Any = Config(napoleon_use_rtype=False)  # napoleon's own Config, which its annotation does not name
ARRAY_LIKE = stringify_annotation(npt.ArrayLike, "smart")
ELEMENT = r"[^\[\]]+(?:\[[^\[\]]+\])?"
NDARRAY = re.compile(rf"~numpy\.ndarray\[tuple\[~typing\.Any, \.\.\.\], ~numpy\.dtype\[({ELEMENT})\]\]")
"""An array of any shape, as Sphinx writes it."""


def fit_docstring(app: Sphinx, what: str, name: str, documented: Any, options: Any, lines: list[str]) -> None:
    """Change the lines of one docstring in place."""
    if name in PAGES:
        headings = [number for number, line in enumerate(lines) if HEADING.fullmatch(line)]
        lines[headings[0] :] = [f"Everything about it: :doc:`/environments/{PAGES[name]}`."]
    lines[:] = [HEADING.sub(r".. rubric:: \1", line) for line in lines]
    if what in SECTIONED:
        lines[:] = GoogleDocstring(lines, GOOGLE, app, what, name, documented, options).lines()


def fit_signature(
    _app: Sphinx, what: str, name: str, documented: Any, _options: Any, arguments: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Return a signature with the types of arrays as the code writes them, not as NumPy defines them.

    Functions of ``UNTYPED`` are shown without types: theirs are in the text.
    """
    if what == "function" and name.startswith(UNTYPED):
        whole = inspect.signature(documented)
        names = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in whole.parameters.values()]
        return str(whole.replace(parameters=names, return_annotation=inspect.Signature.empty)), None
    return array_words(arguments), array_words(returned)


def array_words(types: str | None) -> str | None:
    """Return ``types`` with short names of the types of arrays."""
    if types is None:
        return None
    return NDARRAY.sub(r"~numpy.typing.NDArray[\1]", types.replace(ARRAY_LIKE, "~numpy.typing.ArrayLike"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the steps."""
    app.connect("autodoc-process-docstring", fit_docstring)
    app.connect("autodoc-process-signature", fit_signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
