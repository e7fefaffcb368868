"""Files of others cost no more than they weigh, and whatever is wrong with them is one error of a known class."""

from __future__ import annotations

import io
import json
import os
import random
import socket
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.agents.checkpoint import read_card
from endeavor_env.basics.arrays import MOST_ARRAYS, read_array, read_arrays
from endeavor_env.basics.files import MOST_DEPTH, MOST_VALUES, parse_json, parse_toml, read_regular, regular_digest
from endeavor_env.bench.submissions import read_about
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS
from endeavor_env.endeavor.records import read_record
from endeavor_env.errors import EndeavorError
from endeavor_env.merchants.board.files import load_board
from endeavor_env.training.dataset import read


def archive_of(compression: int = zipfile.ZIP_DEFLATED, /, **files: bytes) -> bytes:
    """Return a zip with these files."""
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.npy", content)
    return stored.getvalue()


def array_file(array: Any, **changed: Any) -> bytes:
    """Return a ``.npy`` file whose header says something else than its array."""
    stored = io.BytesIO()
    head = {"descr": "<f4", "fortran_order": False, "shape": np.shape(array), **changed}
    np.lib.format.write_array_header_1_0(stored, head)
    return stored.getvalue() + np.asarray(array, "<f4").tobytes()


def test_arrays_are_read_as_numpy_reads_them() -> None:
    given = {
        "rows": np.arange(12, dtype=np.float32).reshape(3, 4),
        "columns": np.asfortranarray(np.arange(12).reshape(3, 4)),
        "none": np.zeros((0, 5), np.int8),
        "one": np.float32(3.5),
    }
    stored = io.BytesIO()
    np.savez_compressed(stored, **given)
    found = read_arrays(stored.getvalue(), 1000)
    for name, array in given.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == np.asarray(array).dtype
        assert found[name].flags.writeable


NO_ARRAYS: list[tuple[Callable[[], bytes], str]] = [
    (lambda: archive_of(a=array_file(np.zeros(10**7))), "its arrays take 40,000,128 bytes, at most 30,000,000"),
    (lambda: archive_of(a=array_file([1.0], shape=(1 << 40,))), "an array takes 4,398,046,511,104 bytes"),
    (lambda: archive_of(a=array_file([1.0], shape=(-1,))), r"of shape \(-1,\)"),
    (lambda: archive_of(a=array_file([1.0], shape=(0,))), "has more bytes than its shape needs"),
    (lambda: archive_of(a=array_file([1.0, 2.0], descr="|O")), "type dtype\\('O'\\)"),
    (lambda: archive_of(a=array_file([], descr="|V0", shape=(1 << 50,))), "does not hold numbers"),
    (lambda: archive_of(a=b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535), "its arrays take|Header info length"),
    (lambda: archive_of(zipfile.ZIP_LZMA, a=array_file([1.0])), "compressed in another way"),
    (lambda: archive_of(**{f"a{number}": b"" for number in range(MOST_ARRAYS + 1)}), "more than 256 arrays"),
    (lambda: archive_of(a=array_file(np.arange(99.0)))[:-150], "damaged"),
    (lambda: b"", "damaged"),
]


@pytest.mark.parametrize(("content", "words"), NO_ARRAYS)
def test_arrays_that_cost_more_than_they_weigh_are_refused(content: Callable[[], bytes], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_arrays(content(), 30_000_000)


def test_damaged_arrays_raise_value_errors_alone() -> None:
    rng, stored = random.Random(5), io.BytesIO()
    np.savez_compressed(stored, a=np.arange(500, dtype=np.float32), b=np.zeros((3, 0), np.int8))
    plain = array_file(np.arange(10.0))
    refused = 0
    for _ in range(3000):
        for good, read_again in (
            (stored.getvalue(), read_arrays),
            (plain, lambda one, most: read_array(io.BytesIO(one), most)),
        ):
            damaged = bytearray(good)
            for _ in range(rng.choice([1, 2, 5])):
                damaged[rng.randrange(min(len(damaged), 2000))] = rng.randrange(256)
            try:
                read_again(bytes(damaged), 10**5)
            except ValueError:
                refused += 1
    assert refused > 3000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "nested too deeply"),
        ("[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1), "nested too deeply"),
        ('{"a":' * (MOST_DEPTH + 1) + "1" + "}" * (MOST_DEPTH + 1), "nested too deeply"),
        ("9" * 5000, "4300 digits"),
        ("[1e999]", "the number 1e999 is too large"),
        ("[NaN]", "NaN is no number"),
        ("[-Infinity]", "-Infinity is no number"),
        ("\ufeff{}", "BOM"),
        (b"\xff", "can't decode"),
        ('["\\ud800"]', "half of a character"),
        ('{"a": 1, "a": 2}', "the key 'a' comes twice"),
        ("[" + "[]," * MOST_VALUES + "1]", f"more than {MOST_VALUES:,} values"),
        ("{" + ",".join(f'"k{number}": 1' for number in range(300_000)) + ', "k1": 1}', "the key 'k1' comes twice"),
    ],
)  # fmt: skip
def test_json_that_costs_more_than_it_weighs_is_refused(text: str | bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_json(text)


def test_nesting_as_deep_as_is_allowed_is_read() -> None:
    assert parse_json("[" * MOST_DEPTH + "]" * MOST_DEPTH)
    assert parse_json("1") == 1


@pytest.mark.parametrize(
    "content",
    [
        b".".join([b"a"] * 500_000) + b" = 1",
        b"[" + b" . ".join([b'"a\\"."'] * 500_000) + b"]",
        b"x = {y" + b".'='" * 100_000 + b" = 1}",
        b"x = " + b"[" * (MOST_DEPTH + 1) + b"]" * (MOST_DEPTH + 1),
    ],
)
def test_toml_that_is_nested_too_deeply_is_refused_at_once(content: bytes) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_toml(content)


def test_texts_with_many_dots_and_quotes_are_no_nested_keys() -> None:
    assert (
        parse_toml(b'x = "' + b"... e.g. a mile, i.e. far. " * 1000 + b'"\ny = [' + b"1.5," * 1000 + b"]")["y"][999]
        == 1.5
    )


# --- what is no regular file -----------------------------------------------------------------------------------------
def pipe(path: Path) -> str:
    os.mkfifo(path)
    return "it is a pipe"


def listening(path: Path) -> str:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))
    return "it is a socket"


def folder(path: Path) -> str:
    path.mkdir()
    return "it is a folder"


def endless(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "it is a device"


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "record": ("a.json", read_record),
    "card": ("a.json", read_card),
    "network card": ("a.json", VALUE_NETWORKS.read),
    "dataset": ("dataset.json", lambda path: read(path.parent)),
    "board": ("a.toml", Board.load),
    "Merchants board": ("a.toml", load_board),
    "about": ("a.toml", lambda path: read_about(path, "greedy")),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("make", [pipe, listening, folder, endless])
@pytest.mark.parametrize("reader", READERS)
def test_names_of_pipes_sockets_folders_and_devices_are_refused(
    reader: str, make: Callable[[Path], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, read_it = READERS[reader]
    said = make(Path(name))
    with pytest.raises(EndeavorError, match=f"{name}.* cannot be read: {said}|the file cannot be read: {said}"):
        read_it(tmp_path / name)
    with pytest.raises(ValueError, match=said):
        regular_digest(name)


def test_a_larger_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large"
    file.touch()
    os.truncate(file, 1 << 40)
    for read_it in (lambda: read_regular(file, 1000), lambda: regular_digest(file)):
        with pytest.raises(ValueError, match="has 1,099,511,627,776 bytes: at most"):
            read_it()


def test_an_about_that_is_a_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "about.json"
    file.write_text(json.dumps({"training": "much"}))
    with pytest.raises(EndeavorError, match="needs a training track"):
        read_about(file, "greedy")
