"""The site of every release: each tag is built with its own files, and every page leads to all versions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.kits.scripts import DOCS, load_script

versions_site = load_script("make/versions_site.py")
check_links = load_script("make/check_links.py")
PAGE = "# Endeavor\n\nThe pages of {}.\n"
SETTINGS = """
project = "Endeavor"
extensions = ["myst_parser"]
templates_path = ["_templates"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
"""


def git(repository: Path, *words: str) -> None:
    """Run a git command in a repository of a test."""
    author = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(repository), *author, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with two releases, one other tag, and a file that is not committed."""
    root = tmp_path / "repository"
    docs = root / "docs"
    docs.mkdir(parents=True)
    git(root, "init", "-q")
    for name in ("_templates", "_static"):
        shutil.copytree(DOCS / name, docs / name)
    (docs / "conf.py").write_text(SETTINGS, encoding="utf-8")
    for tag in ("v0.9.0", "v0.10.0", "vague"):
        (docs / "index.md").write_text(PAGE.format(tag), encoding="utf-8")
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", tag)
        git(root, "tag", tag)
    (docs / "index.md").write_text(PAGE.format("this checkout"), encoding="utf-8")
    return root


def note(checkout: Path, out: Path, name: str, names: list[str]) -> None:
    """Build a version as one page that says what it was built from."""
    out.mkdir()
    text = (checkout / "docs" / "index.md").read_text(encoding="utf-8")
    (out / "index.html").write_text(f"{name} of {names}: {text}", encoding="utf-8")


def built(repository: Path, tags: list[str], out: Path, development: bool = False, build: Any = note) -> list[str]:
    """Build versions without Sphinx."""
    return versions_site.build_versions(repository, tags, out, development=development, build=build)


def test_sphinx_builds_every_version_and_each_page_leads_to_all(repository: Path, capsys: pytest.CaptureFixture[str]):
    out = repository / "build" / "versions"
    assert versions_site.main(["--development", "--out", str(out)], repository) == 0
    assert capsys.readouterr().out == f"v0.10.0, v0.9.0, development in {out}: open index.html there\n"
    for name, words in (("v0.10.0", "v0.10.0"), ("v0.9.0", "v0.9.0"), ("development", "this checkout")):
        page = (out / name / "index.html").read_text(encoding="utf-8")
        assert f"The pages of {words}." in page
        assert page.count('aria-current="true"') == 1
        assert f'<a href="./../{name}/index.html" aria-current="true">{name}</a>' in page
        assert f"<summary>Version: {name}</summary>" in page
    assert sorted(path.name for path in out.iterdir()) == [
        *("development", "index.html", "v0.10.0", "v0.9.0", "versions.json"),
    ]
    assert check_links.main([str(out)]) == 0


def test_releases_are_ordered_by_their_numbers_and_other_tags_are_left_out(repository: Path):
    assert versions_site.release_tags(repository) == ["v0.10.0", "v0.9.0"]


def test_a_version_that_fails_leaves_the_site_as_it_was(repository: Path, tmp_path: Path):
    out = tmp_path / "out"
    built(repository, ["v0.9.0"], out)

    def fail(checkout: Path, out: Path, name: str, names: list[str]) -> None:
        raise versions_site.SiteError("v0.10.0 was not built")

    with pytest.raises(versions_site.SiteError, match=r"v0\.10\.0 was not built"):
        built(repository, ["v0.10.0"], out, build=fail)
    assert (out / "v0.9.0" / "index.html").is_file()
    assert not (out / "v0.10.0").exists()


@pytest.mark.parametrize("tag", ["v1.0.0", "vague", "0.9.0", "v0.9.0^{}", ""])
def test_what_is_no_release_is_refused(tag: str, repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "out"
    assert versions_site.main(["--out", str(out), "--versions", "v0.9.0", tag], repository) == 2
    assert capsys.readouterr().err == f"error: {tag!r} is no release: there are v0.10.0, v0.9.0\n"
    assert not out.exists()


def test_a_place_with_other_files_is_left_alone(repository: Path, capsys: pytest.CaptureFixture[str]):
    assert versions_site.main(["--out", str(repository / "docs")], repository) == 2
    assert capsys.readouterr().err.endswith(
        "docs holds something else than versions of the site: name another place by --out\n"
    )
    assert (repository / "docs" / "conf.py").is_file()
