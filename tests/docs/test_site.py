"""The documentation site: every page has its place, what it names exists, its programs run, and faulty links are found.

That Sphinx builds it without a warning, and that no link of the result is broken, is a check of ``.ci/run``.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

import endeavor_env
from endeavor_env import search, testing
from endeavor_env import web as pages
from endeavor_env.endeavor import observation
from tests.kits.scripts import DOCS, load_script

check_links = load_script("make/check_links.py")
docstrings = load_script("site_parts/docstrings.py")
layer_diagram = load_script("site_parts/layer_diagram.py")
notebook_pages = load_script("site_parts/notebook_pages.py")
reference_pages = load_script("make/reference_pages.py")
NOTEBOOKS = DOCS.parent / "notebooks"
TREE = re.compile(r"```\{toctree\}\n(.*?)```", re.DOTALL)
INCLUDED = {"search": "searching"}  # search.html is Sphinx's own; docs/searching.md includes docs/search.md
WITH_PROGRAMS = [
    "quick_start.md",
    "faq.md",
    *sorted(
        name for name in reference_pages.NAMES if name.startswith("environments/") and name != "environments/all.md"
    ),
]


def page_names() -> set[str]:
    """Return the names of all pages, without their endings."""
    files = [path.relative_to(DOCS) for path in DOCS.rglob("*") if path.suffix in (".md", ".rst")]
    names = {file.with_suffix("").as_posix() for file in files if file.parts[0] not in ("make", "site_parts")}
    names |= {name.removesuffix(".md") for name in reference_pages.NAMES}
    return names | {notebook_pages.page_of_notebook(path.name) for path in NOTEBOOKS.glob("*.ipynb")}


def entries_of(page: Path) -> list[str]:
    """Return the pages that the contents lists of a page name, as paths below ``docs``."""
    lines = "\n".join(TREE.findall(page.read_text(encoding="utf-8"))).splitlines()
    entries = [line for line in map(str.strip, lines) if line and not line.startswith(":")]
    targets = [found[1] if (found := re.search(r"<(.+)>", entry)) else entry for entry in entries]
    return [(page.parent / target).relative_to(DOCS).as_posix() for target in targets]


@functools.cache
def text_of(name: str) -> str:
    """Return the text of a page below ``docs``, made from the code if it is one that is made."""
    made = made_pages()
    return made[name] if name in made else (DOCS / name).read_text(encoding="utf-8")


@functools.cache
def made_pages() -> dict[str, str]:
    """Return the pages that are made from the code."""
    return reference_pages.pages()


def documented_names() -> set[str]:
    """Return the full names that the API pages ask autodoc for."""
    names: set[str] = set()
    for page in DOCS.glob("api/*.rst"):
        module = ""
        for kind, given in re.findall(r"^\.\. (\w+):: (\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            if kind in ("currentmodule", "automodule"):
                module = given
                names |= {given}
            elif kind.startswith("auto"):
                names |= {given if "." in given else f"{module}.{given}"}
    return names


def test_every_page_is_in_exactly_one_table_of_contents():
    listed = Counter(entry for page in DOCS.rglob("*.md") for entry in entries_of(page))
    assert set(listed) == page_names() - {"index", *INCLUDED}
    assert max(listed.values()) == 1


def test_every_name_of_the_api_pages_exists_and_has_a_docstring():
    names = documented_names()
    assert len(names) > 80
    for name in names:
        if name.endswith(("endeavor_env.sb3", "VecEnv")):
            pytest.importorskip("stable_baselines3")
        if ".minari" in name:
            pytest.importorskip("minari")
        owner, _, last = name.rpartition(".")
        try:
            found = importlib.import_module(name)
        except ModuleNotFoundError:
            found = getattr(importlib.import_module(owner), last)
        assert found.__doc__, name


@pytest.mark.parametrize("package", [observation, pages, search, testing], ids=lambda package: package.__name__)
def test_the_reference_has_every_public_function_and_class(package):
    public = {name for name in package.__all__ if callable(getattr(package, name)) and name != "Policy"}
    assert {f"{package.__name__}.{name}" for name in public} <= documented_names()


def test_the_reference_has_the_public_names_of_the_package():
    words = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("api/*.rst"))
    assert [name for name in endeavor_env.__all__ if not re.search(rf"\b{name}\b", words)] == ["__version__"]


@pytest.mark.parametrize("name", WITH_PROGRAMS)
def test_the_programs_of_a_page_run(name: str):
    programs = re.findall(r"```python\n(.*?)```", text_of(name), re.DOTALL)
    if name == "environments/vector.md":
        programs = programs[-1:]  # those before are parts of calls
    assert programs
    for program in programs:
        exec(compile(program, name, "exec"), {})


def test_the_sentences_of_the_quick_start_about_the_first_decision_are_true():
    text = (DOCS / "quick_start.md").read_text(encoding="utf-8")
    game = endeavor_env.Game.new(players=4, seed=7)
    assert f"# {game.round} {game.phase} {game.seat}: whose decision" in text
    assert f"# {game.legal_moves()}" in text


def test_every_clause_has_one_place_that_links_can_name():
    clauses = [clause for part in reference_pages.rules_page._sections() for clause, _, _ in part["clauses"]]
    page = text_of("rules.md")
    assert re.findall(r'^\| <a id="([^"]+)" href="#\1">\1</a> \|', page, re.MULTILINE) == clauses
    assert len(set(clauses)) == len(clauses)


def test_the_layers_of_the_architecture_are_one_chain_from_the_command_to_the_core():
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    labels, next_of = layer_diagram.read_graph(re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL)[0].splitlines())
    order = layer_diagram.chain(next_of)
    assert (order[0], order[-1]) == ("cli", "basics")
    assert set(labels) < set(order)


@pytest.mark.parametrize(
    "lines", [["a --> b", "a --> c"], ["a --> b", "c --> b"], ["a --> b --> a"], ["a --> b", "c --> d"]]
)
def test_boxes_that_are_no_single_chain_are_refused(lines: list[str]):
    _, next_of = layer_diagram.read_graph(lines)
    assert layer_diagram.chain(next_of) is None


def test_lines_that_are_neither_boxes_nor_arrows_are_refused():
    with pytest.raises(ValueError, match="'a ~~~ b' is neither"):
        layer_diagram.read_graph(["graph TD", "a ~~~ b"])


def test_the_types_of_arrays_are_written_as_in_the_code():
    array = "~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.bool]]"
    assert docstrings.array_words(f"(mask: {array}) ") == "(mask: ~numpy.typing.NDArray[~numpy.bool]) "
    assert docstrings.array_words(docstrings.ARRAY_LIKE) == "~numpy.typing.ArrayLike"
    assert docstrings.array_words(None) is None


def test_an_environment_in_the_reference_leads_to_its_page():
    lines = ["A sentence.", "", "## Description", "", "Much more."]
    name = next(iter(docstrings.PAGES))
    docstrings.fit_docstring(None, "attribute", name, None, None, lines)
    assert lines == ["A sentence.", "", "Everything about it: :doc:`/environments/endeavor`."]


def test_the_site_makes_its_pages_and_those_of_no_other_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(DOCS / "make"))
    monkeypatch.syspath_prepend(str(DOCS))
    script, written = load_script("site_parts/made_pages.py"), []
    monkeypatch.setattr(script.reference_pages, "write", lambda: written.append("made"))
    for folder in (tmp_path, DOCS):
        script.make_pages(SimpleNamespace(srcdir=folder), None)
    assert written == ["made"]


GOOD = {
    "index.html": '<h1 id="top">Top</h1><a href="#top">up</a><a href="sub/page.html#R4.3">a clause</a>'
    '<link rel="stylesheet" href="style.css"><img src="data:image/png;base64,AA=="><a href="mailto:a@b.org">mail</a>',
    "sub/page.html": '<a id="R4.3" href="#R4.3">R4.3</a><a href="../index.html">back</a><a href="https://a.org/b">out</a>',
    "style.css": "p { background: url(data:image/png;base64,AA==) }",
}
FAULTY = {
    "a missing page": ("index.html", '<a href="none.html">x</a>', "links to none.html, which is not there"),
    "a missing place": ("index.html", '<a href="sub/page.html#x">x</a>', "sub/page.html has no place of that name"),
    "a missing place of its own": ("index.html", '<a href="#x">x</a>', "index.html has no place of that name"),
    "a file outside": ("index.html", '<a href="../index.html">x</a>', "which is not there"),
    "a script from elsewhere": ("index.html", '<script src="https://cdn.org/x.js"></script>', "from another machine"),
    "a picture from elsewhere": ("index.html", '<img src="//cdn.org/x.png">', "from another machine"),
    "a missing picture": ("index.html", '<img src="x.png">', "links to x.png, which is not there"),
    "a font from elsewhere": ("style.css", 'url("https://cdn.org/x.woff2")', "from another machine"),
    "an imported style": ("style.css", '@import "//cdn.org/x.css"', "from another machine"),
    "a bad scheme": ("index.html", '<a href="htps://a.org">x</a>', "not well formed"),
    "a bad host": ("index.html", '<a href="https://nowhere/x y">x</a>', "not well formed"),
    "a bad address": ("index.html", '<a href="https://[a.org/">x</a>', "not well formed"),
}  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A small site without faults."""
    for name, text in GOOD.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_site_without_faults_passes(site: Path, capsys: pytest.CaptureFixture[str]):
    assert check_links.main([str(site)]) == 0
    assert capsys.readouterr().out == "6 links on 2 pages, 0 faults\n"


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_link_is_named(fault: str, site: Path, capsys: pytest.CaptureFixture[str]):
    name, text, message = FAULTY[fault]
    (site / name).write_text(GOOD[name] + text, encoding="utf-8")
    assert check_links.main([str(site)]) == 1
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.startswith(name)
    assert printed.out.endswith("1 faults\n")


def test_a_folder_without_pages_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert check_links.main([str(tmp_path)]) == 2
    assert "has no pages: build the site first" in capsys.readouterr().err
