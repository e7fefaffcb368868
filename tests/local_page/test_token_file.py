from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from endeavor_env.agents.local_page import token_file
from endeavor_env.agents.local_page.serving import listening
from endeavor_env.agents.local_page.token_file import ANY_PORT, Access, read_access, write_access
from endeavor_env.errors import InvalidOptionError

KEPT = Access("a" * 22, 4711)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "play.token"


def test_a_kept_token_is_found_again_and_only_the_user_may_read_it(file: Path) -> None:
    write_access(file, KEPT)
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_access(file) == KEPT
    write_access(file, KEPT._replace(port=4712))
    assert read_access(file).port == 4712
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_wide_open_mask_of_the_process_does_not_open_the_file(file: Path) -> None:
    before = os.umask(0)
    try:
        write_access(file, KEPT)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o600


def test_without_a_file_the_token_is_new_each_time(file: Path) -> None:
    first, second = read_access(file), read_access(file)
    assert first.token != second.token
    assert len(first.token) >= 22
    assert first.port == ANY_PORT
    assert not file.exists()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_token_that_others_could_have_read_or_written_is_refused(mode: int, file: Path) -> None:
    write_access(file, KEPT)
    file.chmod(mode)
    with pytest.raises(InvalidOptionError, match=rf"open to other users \(mode {mode:04o}.*: delete it"):
        read_access(file)
    assert file.stat().st_mode & 0o777 == mode


def test_the_token_of_another_user_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_access(file, KEPT)
    own = os.getuid()
    monkeypatch.setattr(token_file.os, "getuid", lambda: own + 1)
    with pytest.raises(InvalidOptionError, match="belongs to another user: delete it"):
        read_access(file)


def test_a_link_or_a_pipe_is_no_token(file: Path) -> None:
    elsewhere = file.with_name("elsewhere")
    write_access(elsewhere, KEPT)
    file.symlink_to(elsewhere)
    with pytest.raises(InvalidOptionError, match="cannot be read"):
        read_access(file)
    file.unlink()
    os.mkfifo(file, 0o600)
    with pytest.raises(InvalidOptionError, match="is no plain file"):
        read_access(file)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'"' + b"a" * 22 + b'"',
        b'{"token": "short", "port": 1}',
        b'{"token": "<script>aaaaaaaaaaaaaa", "port": 1}',
        b'{"token": "aaaaaaaaaaaaaaaaaaaaaa"}',
        b'{"token": "aaaaaaaaaaaaaaaaaaaaaa", "port": true}',
        b'{"token": "aaaaaaaaaaaaaaaaaaaaaa", "port": 70000}',
        b'{"token": "aaaaaaaaaaaaaaaaaaaaaa", "port": 1e999}',
        b"[" * 900,
        b" " * 2000 + b'{"token": "aaaaaaaaaaaaaaaaaaaaaa", "port": 1}',
    ],
)
def test_a_file_without_a_token_is_refused_and_stays(content: bytes, file: Path) -> None:
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(InvalidOptionError, match="holds no token: delete it"):
        read_access(file)
    assert file.read_bytes() == content


def test_a_token_that_cannot_be_kept_is_one_sentence(file: Path) -> None:
    file.mkdir()
    with pytest.raises(InvalidOptionError, match="the token of the page cannot be kept in"):
        write_access(file, KEPT)
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_the_last_port_is_taken_again_unless_another_program_has_it() -> None:
    with listening(0) as first:
        port = first.getsockname()[1]
        with listening(0, port) as second:
            assert second.getsockname()[1] not in (0, port)
    with listening(0, port) as again:
        assert again.getsockname()[1] == port
    with listening(0) as free, socket.socket() as probe:
        assert probe.connect_ex(free.getsockname()) == 0
