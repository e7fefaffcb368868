"""A release is refused until its tag, the versions, the addresses and the owners are right."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import ModuleType

import pytest

import endeavor_env
from tests.kits.scripts import load_script

ROOT = Path(__file__).resolve().parents[2]
READ = (
    *("pyproject.toml", "CHANGELOG.md", "CITATION.cff", ".github/CODEOWNERS"),
    "endeavor_env/basics/version.py",
)
TAG = f"v{endeavor_env.__version__}"


@pytest.fixture(scope="module")
def release_check() -> ModuleType:
    """The module .ci/release_check.py."""
    return load_script("../.ci/release_check.py")


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """A copy of the files that are read, in which the owner has set what is theirs to set."""
    for name in READ:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    addresses = "\n".join(f'{name} = "https://example.org/{name}"' for name in ("Source", "Documentation", "Changelog"))
    head, _, rest = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.urls]\n")
    rest = rest.partition("\n[")[2]
    (tmp_path / "pyproject.toml").write_text(f"{head}[project.urls]\n{addresses}\n\n[{rest}", encoding="utf-8")
    change(tmp_path / ".github" / "CODEOWNERS", "\n*", "\n* @owner", once=False)
    return tmp_path


def change(file: Path, old: str, new: str, once: bool = True) -> None:
    """Replace a text in a file."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text if new in text and not once else text.replace(old, new, 1), encoding="utf-8")


def test_a_release_with_everything_set_passes(
    release_check: ModuleType, ready: Path, capsys: pytest.CaptureFixture[str]
):
    assert release_check.main([TAG], ready) == 0
    assert capsys.readouterr() == (f"{TAG} may be released\n", "")


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("CHANGELOG.md", f"## {TAG[1:]}", "## 9.9.9", "CHANGELOG.md begins with '9.9.9'"),
        ("CITATION.cff", f"version: {TAG[1:]}", "version: 9.9.9", "CITATION.cff names the version '9.9.9'"),
        ("pyproject.toml", "\nSource =", "\nSauce =", "[project.urls] of pyproject.toml has no Source"),
        ("pyproject.toml", '"https://example.org/Changelog"', '"soon"', "pyproject.toml has no Changelog"),
        (".github/CODEOWNERS", "\n* @", "\n* # @", ".github/CODEOWNERS names nobody"),
    ],
)
def test_a_release_is_refused_by_name(
    release_check: ModuleType, ready: Path, file: str, old: str, new: str, sentence: str
):
    change(ready / file, old, new)
    said = list(release_check.faults(ready, TAG))
    assert len(said) == 1
    assert sentence in said[0]


def test_a_refusal_is_a_sentence_and_a_status(
    release_check: ModuleType, ready: Path, capsys: pytest.CaptureFixture[str]
):
    change(ready / "CITATION.cff", f"version: {TAG[1:]}", "version: 9.9.9")
    assert release_check.main([TAG], ready) == 1
    assert capsys.readouterr() == ("", f"error: CITATION.cff names the version '9.9.9', not '{TAG[1:]}'\n")


def test_a_tag_of_another_version_is_refused(release_check: ModuleType, ready: Path):
    assert list(release_check.faults(ready, "v9.9.9")) == [
        f"the tag is 'v9.9.9', but endeavor_env.__version__ is {TAG[1:]!r}: the tag must be {TAG!r}"
    ]
    assert len(list(release_check.faults(ready, TAG[1:]))) == 1


def test_these_files_are_refused_only_for_what_their_owner_has_not_set(release_check: ModuleType):
    said = list(release_check.faults(ROOT, TAG))
    assert [fault for fault in said if "the owner of the repository" not in fault] == []
