"""The policy of docs/versions.md: a deprecated name warns once, says what to use, and goes when it was to go."""

from __future__ import annotations

import importlib
import re
import sys
import types
import warnings
from pathlib import Path

import pytest

import endeavor_env
from endeavor_env.basics import deprecation
from endeavor_env.basics.deprecation import (
    DEPRECATIONS,
    MOVED_MODULES,
    Deprecation,
    moved_names,
    overdue,
    release,
    warn_deprecated,
)
from endeavor_env.board import Board

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "versions.md").read_text(encoding="utf-8")
OLD_NAME = "old_module.OldBoard"
SENTENCE = "old_module.OldBoard is deprecated since 0.3.0 and goes in 0.5.0: use endeavor_env.board.Board"


@pytest.fixture
def old_module(monkeypatch: pytest.MonkeyPatch) -> str:
    """A module with one name that has moved; the table has its entry, and nothing has warned yet."""
    monkeypatch.setitem(DEPRECATIONS, OLD_NAME, Deprecation("0.3.0", "0.5.0", "endeavor_env.board.Board"))
    monkeypatch.setattr(deprecation, "_WARNED", set())
    module = types.ModuleType("old_module")
    module.__dict__["__getattr__"] = moved_names("old_module", {"OldBoard": "endeavor_env.board:Board"})
    monkeypatch.setitem(sys.modules, "old_module", module)
    return "old_module"


def test_nothing_is_left_that_was_to_be_gone_by_this_version():
    assert overdue(endeavor_env.__version__) == []


@pytest.mark.parametrize(("version", "left"), [("0.4.9", []), ("0.5.0", [OLD_NAME]), ("1.0.0", [OLD_NAME])])
@pytest.mark.usefixtures("old_module")
def test_a_name_is_overdue_from_the_release_in_which_it_was_to_go(version: str, left: list[str]):
    assert [name for name in overdue(version) if name == OLD_NAME] == left


@pytest.mark.usefixtures("old_module")
def test_a_moved_name_gives_the_new_one_and_warns_once():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        from old_module import OldBoard  # pyright: ignore[reportMissingImports]

        again = sys.modules["old_module"].OldBoard
    assert OldBoard is again is Board
    assert [(warning.category, str(warning.message)) for warning in caught] == [(DeprecationWarning, SENTENCE)]
    assert caught[0].filename == __file__  # the line to change, not ours


@pytest.mark.usefixtures("old_module")
def test_a_deprecated_option_warns_once_and_blames_the_line_that_uses_it():
    def make() -> None:
        warn_deprecated(OLD_NAME)

    with pytest.warns(DeprecationWarning, match=re.escape(SENTENCE)) as caught:
        [make() for _ in range(2)]
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.usefixtures("old_module")
def test_where_warnings_are_errors_every_use_is_one():
    for _ in range(2):
        with pytest.raises(DeprecationWarning, match=re.escape(SENTENCE)):
            warn_deprecated(OLD_NAME)


def test_a_name_that_the_module_never_had_is_refused_as_always(old_module: str):
    with pytest.raises(AttributeError, match="module 'old_module' has no attribute 'Nothing'"):
        _ = sys.modules[old_module].Nothing
    assert not hasattr(sys.modules[old_module], "Nothing")


def test_a_name_without_an_entry_cannot_be_deprecated():
    with pytest.raises(KeyError, match="no_entry"):
        warn_deprecated("no_entry")


@pytest.mark.parametrize(
    ("since", "removed_in"), [("0.3.0", "0.5.0"), ("0.3.2", "0.6.1"), ("0.9.0", "1.0.0"), ("1.4.0", "2.0.0")]
)
def test_two_minor_releases_or_a_major_one_are_time_enough(since: str, removed_in: str):
    assert Deprecation(since, removed_in, "something").removed_in == removed_in


@pytest.mark.parametrize(("since", "removed_in"), [("0.3.0", "0.4.0"), ("0.3.0", "0.3.1"), ("1.0.0", "0.9.0")])
def test_less_time_than_the_policy_promises_is_refused(since: str, removed_in: str):
    with pytest.raises(ValueError, match=f"deprecated in {since} and removed in {removed_in}"):
        Deprecation(since, removed_in, "something")


def test_an_entry_says_what_to_use():
    with pytest.raises(ValueError, match="says what to use"):
        Deprecation("0.3.0", "0.5.0", "")


@pytest.mark.parametrize(
    ("version", "numbers"), [("0.3.1", (0, 3, 1)), ("1.0.0rc2", (1, 0, 0)), ("0.4.0.dev1", (0, 4, 0))]
)
def test_a_version_is_read_as_the_release_it_leads_to(version: str, numbers: tuple[int, ...]):
    assert release(version) == numbers


@pytest.mark.parametrize("version", ["", "1", "1.2", "v1.2.3", "1.2.3x", "1.2.3.4"])
def test_what_is_no_version_is_refused(version: str):
    with pytest.raises(ValueError, match=f"'{version}' is no version"):
        release(version)


@pytest.mark.parametrize("former", MOVED_MODULES)
def test_a_module_that_has_moved_is_found_by_its_former_name_with_a_warning(
    former: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(deprecation, "_WARNED", set())
    monkeypatch.delitem(sys.modules, former, raising=False)
    with pytest.warns(DeprecationWarning, match=f"^{former} is deprecated .*: use {MOVED_MODULES[former]}$") as caught:
        exec(f"import {former}", {})
    assert sys.modules.pop(former) is importlib.import_module(MOVED_MODULES[former])
    assert [warning.filename for warning in caught] == ["<string>"]  # the line to change, not ours


def test_a_module_that_never_was_is_refused_as_always():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'endeavor_env\.nothing'"):
        importlib.import_module("endeavor_env.nothing")


def test_the_page_lists_what_is_deprecated():
    rows = re.findall(r"^\| `?([^`|]+?)`? \| ([\d.]+) \| ([\d.]+) \| (.+) \|$", PAGE, re.MULTILINE)
    entries = [(name, entry.since, entry.removed_in, entry.use) for name, entry in DEPRECATIONS.items()]
    assert rows == entries
