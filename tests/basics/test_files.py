"""Files are written in one step, and none is replaced unless that is asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from endeavor_env.basics.files import check_new, check_none_exists, write_bytes
from endeavor_env.errors import InvalidOptionError


def test_a_file_that_exists_is_refused_unless_it_may_be_replaced(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    check_new(file, force=False)
    assert not file.exists()
    file.write_text("of before")
    with pytest.raises(InvalidOptionError, match=r"result\.json exists: give --force to replace it"):
        check_new(file, force=False)
    check_new(file, force=True)
    assert file.read_text() == "of before"


def test_a_link_to_a_file_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("of before")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(InvalidOptionError, match="link exists"):
        check_new(tmp_path / "link", force=False)


def test_a_device_may_always_be_written_to_and_a_folder_never() -> None:
    check_new(Path(os.devnull), force=False)
    for force in (False, True):
        with pytest.raises(InvalidOptionError, match="it is a folder"):
            check_new(Path("/"), force)


def test_files_of_the_same_names_in_a_folder_are_refused(tmp_path: Path) -> None:
    check_none_exists(tmp_path / "missing", ("*",), force=False)
    (tmp_path / "notes.txt").write_text("of before")
    check_none_exists(tmp_path, ("ratings.*", "*/setup_*.json"), force=False)
    (tmp_path / "field").mkdir()
    (tmp_path / "field" / "setup_1.json").write_text("of before")
    with pytest.raises(InvalidOptionError, match=r"setup_1\.json exists: give --force"):
        check_none_exists(tmp_path, ("ratings.*", "*/setup_*.json"), force=False)
    check_none_exists(tmp_path, ("*/setup_*.json",), force=True)


def test_bytes_are_written_in_one_step(tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    for content in (b"first", b"second"):
        write_bytes(file, content)
        assert file.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["picture.png"]
