"""The documentation site: what it names exists, its programs run, and faulty links are found.

That Sphinx builds it without a warning, and that no link of the result is broken, is a check of ``.ci/run``.
"""

from __future__ import annotations

import functools
import importlib
import re
from pathlib import Path

import pytest

from endeavor_env import search, testing
from endeavor_env import web as pages
from endeavor_env.endeavor import observation
from tests.kits.scripts import DOCS, load_script

check_links = load_script("make/check_links.py")
reference_pages = load_script("make/reference_pages.py")
WITH_PROGRAMS = [
    "quick_start.md",
    "faq.md",
    "analysis.md",
    "observation.md",
    "actions.md",
    *sorted(
        name for name in reference_pages.NAMES if name.startswith("environments/") and name != "environments/all.md"
    ),
]


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


@pytest.mark.parametrize("name", WITH_PROGRAMS)
def test_the_programs_of_a_page_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)  # some write files
    programs = re.findall(r"```python\n(.*?)```", text_of(name), re.DOTALL)
    if name == "environments/vector.md":
        programs = programs[-1:]  # those before are parts of calls
    assert programs
    names: dict[str, object] = {}  # a program may go on where the one before ended
    for program in programs:
        exec(compile(program, name, "exec"), names)


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
