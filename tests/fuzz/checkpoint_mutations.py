"""Damage to checkpoints: to the bytes of the zip, to the card, to the weights, and to the structure of the archives.

A mutation takes a random generator and a sound checkpoint, and returns a damaged one with the weights that may be
loaded from it; where the hash of the card is made to agree, only the contents can give the damage away.
"""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

Weights = dict[str, Any]
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 31, 65_536, 2**31, 2**63, 10**400, 0.5, 1e308, -0.0),
    *("", "x", "0", "relu", "standard", "solo", "Endeavor-v0", "\x00", "\ud800", "é" * 50, "a" * 5_000),
    *([], [[]], [1], [8, 8], [65_536] * 3, [1] * 500, ["8"], {}, {"a": 1}, {"": None}),
)
ODD_TEXTS = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1" + "0" * 5_000,
    "1e999",
    "[" * 3_000,
    '"',
    "{",
    "}",
    ",",
    "\x00",
    "\\ud800",
)
EXTREMES = (float("nan"), float("inf"), -float("inf"), 1e38, -1e38, 3e38, 1e35)


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint in memory."""

    zip: bytes
    card: bytes
    weights: Weights | None
    """What may be loaded: these weights and no others; None if nothing may be loaded."""
    any_weights: bool = False
    """Whether other weights may be loaded as well, if they are sound: the damage can name other values."""

    @property
    def data(self) -> dict[str, Any]:
        """The card as an object."""
        return json.loads(self.card)


Mutation = Callable[[random.Random, Checkpoint], Checkpoint]


# --- bytes -----------------------------------------------------------------------------------------------------------
def damaged(rng: random.Random, content: bytes) -> bytes:
    """Return other bytes: cut off, with some replaced, inserted, taken out, doubled or zeroed."""
    data, start = bytearray(content), rng.randrange(len(content))
    length = rng.choice((1, 2, 4, 16, 200))
    kind = rng.randrange(6)
    if kind == 0:
        del data[start:]
    elif kind == 1:
        for _ in range(length):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif kind == 2:
        data[start:start] = rng.randbytes(length)
    elif kind == 3:
        del data[start : start + length]
    elif kind == 4:
        data[start:start] = data[start : start + length]
    else:
        data[start : start + length] = bytes(len(data[start : start + length]))
    return bytes(data)


def bytes_of_the_zip(rng: random.Random, sound: Checkpoint) -> Checkpoint:
    """Damage the zip; the card keeps its hash."""
    content = damaged(rng, sound.zip)
    return replace(sound, zip=content, weights=sound.weights if content == sound.zip else None)


def bytes_of_the_zip_with_its_hash(rng: random.Random, sound: Checkpoint) -> Checkpoint:
    """Damage the zip, often at its directory in the end; the card names the new hash."""
    keep = rng.choice((0, 0, max(0, len(sound.zip) - 400)))
    return hashed(replace(sound, zip=sound.zip[:keep] + damaged(rng, sound.zip[keep:])))


def bytes_of_the_card(rng: random.Random, sound: Checkpoint) -> Checkpoint:
    """Damage the text of the card."""
    if rng.random() < 0.5:
        return judged(replace(sound, card=damaged(rng, sound.card)), sound)
    start = rng.randrange(len(sound.card))
    text = rng.choice(ODD_TEXTS).encode()
    return judged(replace(sound, card=sound.card[:start] + text + sound.card[start + len(text) :]), sound)


# --- card ------------------------------------------------------------------------------------------------------------
def values_of_the_card(rng: random.Random, sound: Checkpoint) -> Checkpoint:
    """Take out, replace, add or double some values of the card."""
    data = sound.data
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = data
        while True:
            key = rng.choice(list(at))
            inner = at[key]
            if not isinstance(inner, dict) or not inner or rng.random() < 0.3:
                break
            at = inner
        kind = rng.randrange(4)
        if kind == 0 and len(at) > 1:
            del at[key]
        elif kind == 1:
            at[rng.choice(("run", "extra", "", key + " ", key.upper()))] = rng.choice(ODD_VALUES)
        elif kind == 2 and isinstance(inner, list):
            at[key] = [*inner, rng.choice(ODD_VALUES)]
        else:
            at[key] = rng.choice(ODD_VALUES)
    return judged(replace(sound, card=json.dumps(data).encode()), sound)


def meaning(card: Any) -> Any:
    """Return what a card says about the checkpoint that it describes, so that changes of it are found.

    The activation is left out if it is a possible one: nothing but the card knows it, so no other could be found wrong.
    """
    parts = {name: card[name] for name in ("format", "environment")}
    parts["network"] = dict(card["network"])
    if parts["network"]["activation"] in ("relu", "tanh"):
        del parts["network"]["activation"]
    parts["variant"] = card.get("variant", "standard")
    parts["layouts"] = {name: card["layouts"][name] for name in ("actions", "features")}
    parts["sha256"] = card["weights"]["sha256"]
    return json.dumps(parts, sort_keys=True)


def judged(changed: Checkpoint, sound: Checkpoint) -> Checkpoint:
    """Return a checkpoint of which nothing may be loaded if its card means something else or nothing."""
    try:
        same = meaning(json.loads(changed.card)) == meaning(sound.data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        same = False
    return changed if same else replace(changed, weights=None)


def hashed(changed: Checkpoint) -> Checkpoint:
    """Return the checkpoint with the hash of its zip in its card."""
    data = changed.data
    data["weights"]["sha256"] = hashlib.sha256(changed.zip).hexdigest()
    return replace(changed, card=json.dumps(data).encode())


# --- weights ---------------------------------------------------------------------------------------------------------
def of_wrong_type(rng: random.Random, tensor: torch.Tensor) -> Any:
    """Return something that is no tensor of float32."""
    types = (torch.float64, torch.float16, torch.int64, torch.bool, torch.complex64, torch.bfloat16)
    others = (None, 1, 0.5, "weights", [], tensor.tolist(), {"a": tensor}, tensor.numpy().tobytes(), tensor.to_sparse())
    return tensor.to(rng.choice(types)) if rng.random() < 0.5 else rng.choice(others)


def of_wrong_shape(rng: random.Random, tensor: torch.Tensor) -> torch.Tensor:
    """Return the tensor in another shape."""
    some = (
        tensor[:-1],
        tensor[None],
        tensor.flatten()[:, None],
        tensor.flatten()[:1],
        tensor.new_zeros(0),
        tensor.sum(),
    )
    return rng.choice(some)


def values_of_the_weights(rng: random.Random, sound: Checkpoint) -> Checkpoint:
    """Change a tensor: its values, its type or its shape; the archive and the hash agree with it."""
    assert sound.weights is not None
    weights = dict(sound.weights)
    name = rng.choice(list(weights))
    tensor = weights[name].clone()
    kind = rng.randrange(6)
    if kind == 0:
        tensor.view(-1)[rng.randrange(tensor.numel())] = rng.choice(EXTREMES)
        allowed = None
    elif kind == 1:
        tensor.view(-1)[rng.randrange(tensor.numel())] = rng.uniform(-3, 3)
        allowed = {**weights, name: tensor}
    elif kind == 2:
        tensor, allowed = of_wrong_type(rng, tensor), None
    elif kind == 3:
        tensor, allowed = of_wrong_shape(rng, tensor), None
    elif kind == 4:
        weights[name + rng.choice((" ", ".x"))] = weights.pop(name)
        return packed(sound, weights, None)
    else:
        weights["extra"] = of_wrong_shape(rng, tensor)
        return packed(sound, weights, sound.weights)
    return packed(sound, {**weights, name: tensor}, allowed)


def packed(sound: Checkpoint, weights: Any, allowed: Weights | None) -> Checkpoint:
    """Return the checkpoint with these weights, of which ``allowed`` may be loaded."""
    stored = io.BytesIO()
    torch.save(weights, stored)
    return replace(with_member(sound, stored.getvalue()), weights=allowed)


def with_member(sound: Checkpoint, content: bytes, **options: Any) -> Checkpoint:
    """Return the checkpoint with other bytes as its weights."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", **options) as file:
        file.writestr("policy.pth", content)
    return hashed(replace(sound, zip=archive.getvalue()))


# --- archives --------------------------------------------------------------------------------------------------------
def member(sound: Checkpoint) -> bytes:
    """Return the file with the weights."""
    with zipfile.ZipFile(io.BytesIO(sound.zip)) as archive:
        return archive.read("policy.pth")


def rewritten(content: bytes, change: Callable[[str, bytes], list[tuple[str, bytes]]], **options: Any) -> bytes:
    """Return an archive with what ``change`` makes of each file."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(target, "w", **options) as new:
        for name in old.namelist():
            for renamed, changed in change(name, old.read(name)):
                if renamed not in new.namelist():  # zipfile warns of two files of one name
                    new.writestr(renamed, changed)
    return target.getvalue()


def bytes_of_a_file_within(rng: random.Random, sound: Checkpoint) -> Checkpoint:
    """Damage a file in the archive of the weights, mostly the pickle; all checksums agree with it."""
    wanted = rng.choice(("data.pkl", "data.pkl", "data.pkl", "data/0", "data/1", "byteorder"))

    def change(name: str, content: bytes) -> list[tuple[str, bytes]]:
        return [(name, damaged(rng, content) if name.endswith(f"/{wanted}") else content)]

    return replace(with_member(sound, rewritten(member(sound), change)), any_weights=True)


def structure_of_the_archives(rng: random.Random, sound: Checkpoint) -> Checkpoint:
    """Leave out, rename, compress or blow up files, or put something else in place of the weights."""
    content, kind = member(sound), rng.randrange(7)
    wanted = rng.choice(("data.pkl", "data/0", "data/3", "byteorder", "version"))
    compressed = {"compression": rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))}
    zeros = bytes(rng.choice((1, 4_000, 3_000_000)))
    if kind == 0:
        content = rewritten(content, lambda name, data: [] if name.endswith(wanted) else [(name, data)])
    elif kind == 1:
        content = rewritten(content, lambda name, data: [(name + "x" if name.endswith(wanted) else name, data)])
    elif kind == 2:
        content = rewritten(content, lambda name, data: [(name, data), (f"other/{name}", data)])
    elif kind == 3:
        content = rewritten(
            content, lambda name, data: [(name, zeros if name.endswith(wanted) else data)], **compressed
        )
    elif kind == 4:
        return replace(with_member(sound, content, **compressed), any_weights=False)
    elif kind == 5:
        content = rng.choice(
            (b"", b"PK", zeros, pickle.dumps({"a": np.zeros(3)}), json.dumps({"a": 1}).encode(), sound.zip)
        )
    else:
        position = rng.randrange(len(content) - 60, len(content))
        content = content[:position] + rng.randbytes(4) + content[position + 4 :]
    return with_member(sound, content)


MUTATIONS: tuple[Mutation, ...] = (
    bytes_of_the_zip,
    bytes_of_the_zip_with_its_hash,
    bytes_of_the_card,
    values_of_the_card,
    values_of_the_weights,
    bytes_of_a_file_within,
    structure_of_the_archives,
)
