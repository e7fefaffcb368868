"""Files of PyTorch that are small and would take for ever, or more memory than they weigh, are refused at once."""

from __future__ import annotations

import io
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from endeavor_env.agents.weights import MOST_FILES, MOST_PICKLE, read_member, saved_in
from endeavor_env.errors import CheckpointError

DOUBLED = 200
"""Levels of lists or tuples, each of which holds the one below twice."""


def file_of(content: bytes, **more: bytes) -> bytes:
    """Return a file of ``torch.save`` with this pickle."""
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as archive:
        for name, one in {"data.pkl": content, "byteorder": b"little", "data/0": bytes(8), **more}.items():
            archive.writestr(f"archive/{name}", one)
    return stored.getvalue()


def tensor(count: bytes, size: bytes = b"K\x02\x85") -> bytes:
    """Return the operations that make a tensor of the values of file 0, whose number is made by ``count``."""
    storage = b"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu" + count + b"tQ"
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K\x00" + size + b"K\x01\x85\x89)tR"


def doubled(first: bytes, double: bytes) -> bytes:
    """Return operations that double what is on the stack again and again."""
    return first + double * DOUBLED


TUPLES = doubled(b")", b"q\x00h\x00\x86")
LISTS = b"]" + b"".join(b"q\x00]q\x01(h\x00h\x00e" for _ in range(DOUBLED))
ENTRY = b"\x80\x02}X\x01\x00\x00\x00a"
"""The operations that begin a dictionary with the key "a"."""
HOSTILE: list[tuple[bytes, str]] = [
    (ENTRY + tensor(LISTS) + b"s.", "stands in it twice"),
    (ENTRY + tensor(TUPLES) + b"s.", "stands in it twice"),
    (ENTRY + tensor(doubled(b")", b"2\x86")) + b"s.", "50|KeyError"),  # 2 is the operation that doubles the top
    (b"\x80\x02}" + TUPLES + b"K\x01s.", "stands in it twice"),
    (b"\x80\x02}K\x01\x85K\x01s.", "neither a text nor a whole number"),
    (b"\x80\x02}" + b")" + b"\x85" * 500_000 + b"K\x01s.", "neither a text nor a whole number"),
    (ENTRY + b")" + b"\x85" * 500_000 + b"s.", "nested too deeply"),
    (ENTRY + b"]" * 100_000 + b"a" * 99_999 + b"s.", "nested too deeply"),
    (ENTRY + tensor(b"K\x02", b"(" + b"K\x01" * 90_000 + b"t") + b"s.", "does not fit its 2 values"),
    (ENTRY + tensor(b"K\x03") + b"s.", "2 values are stored where 3 are named"),
    (ENTRY + tensor(b"\x88") + b"s.", "no values of a known type"),
    (ENTRY + b"cos\nsystem\nX\x01\x00\x00\x00a\x85Rs.", "it names os.system"),
    (b"\x80\x02}" + b"0" * MOST_PICKLE, "at most 1,048,576"),
    (b"\x80\x04\x95" + b"\xff" * 8, "149|KeyError"),  # an operation of later protocols
    (pickle.dumps({"a": np.zeros(2)}, 2), "it names numpy"),
    (b"", "pickle|EOF|data"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "words"), HOSTILE)
def test_pickles_that_take_for_ever_are_refused(content: bytes, words: str, tmp_path: Path) -> None:
    stored = file_of(content)
    with pytest.raises(ValueError, match=words):
        saved_in(stored)
    path = tmp_path / "policy.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("policy.pth", stored)
    with pytest.raises(CheckpointError, match=f"holds no readable policy.pth: .*({words})"):
        read_member(path, "policy.pth", 1 << 22)


def test_many_tensors_of_the_same_values_take_their_memory_once() -> None:
    weights = torch.arange(1 << 16, dtype=torch.float32)
    stored = io.BytesIO()
    torch.save({number: weights[number:] for number in range(1000)}, stored)
    found = saved_in(stored.getvalue())
    first = found[0].data_ptr()
    assert [one.data_ptr() - first for one in found.values()] == [4 * number for number in range(1000)]
    assert all(found[number].equal(weights[number:]) for number in (0, 1, 999))


def test_a_zip_of_countless_files_is_refused() -> None:
    content = file_of(b"", **{str(number): b"" for number in range(MOST_FILES)})
    with pytest.raises(ValueError, match="more than 16,384 files"):
        saved_in(content)


def test_the_state_of_an_optimizer_is_read_as_it_was_written() -> None:
    layers = torch.nn.Linear(3, 2)
    optimizer = torch.optim.Adam(layers.parameters())
    layers(torch.ones(3)).sum().backward()
    optimizer.step()
    counts = torch.arange(5), torch.arange(5, dtype=torch.uint8), torch.ones(2, dtype=torch.float64)
    stored = io.BytesIO()
    torch.save({"optimizer": optimizer.state_dict(), "counts": list(counts), "steps": 1 << 40, "past": []}, stored)
    found, expected = saved_in(stored.getvalue()), torch.load(io.BytesIO(stored.getvalue()), weights_only=True)
    assert found["optimizer"]["param_groups"] == expected["optimizer"]["param_groups"]
    for number, state in expected["optimizer"]["state"].items():
        assert all(found["optimizer"]["state"][number][name].equal(one) for name, one in state.items())
    assert all(one.equal(other) for one, other in zip(found["counts"], counts, strict=True))
    assert (found["steps"], found["past"]) == (1 << 40, [])


@pytest.mark.parametrize("damage", [lambda content: content[:-200], lambda content: b""])
def test_cut_off_states_are_refused(damage: Callable[[bytes], bytes]) -> None:
    stored = io.BytesIO()
    torch.save({"a": torch.zeros(100)}, stored)
    with pytest.raises(ValueError, match="not a zip file"):
        saved_in(damage(stored.getvalue()))
