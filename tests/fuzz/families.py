"""The families by name, and their inputs in chunks that processes can run."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator

import tests.fuzz

CHUNK = 250
"""Inputs of one seed."""
Run = Callable[[int, int], Counter[str]]


def families() -> dict[str, Run]:
    """Return ``run`` of every module of this package that has one, by name."""
    found = {}
    for module in pkgutil.iter_modules(tests.fuzz.__path__):
        if not module.name.startswith(("_", "test_")):
            run = getattr(importlib.import_module(f"tests.fuzz.{module.name}"), "run", None)
            if run is not None:
                found[module.name] = run
    return found


def run_chunk(family: str, seed: int, count: int) -> Counter[str]:
    """Run ``count`` inputs of ``seed``; faults are AssertionErrors."""
    return families()[family](seed, count)


def chunks(names: list[str], inputs: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """Yield (family, seed, inputs) of each chunk; every family gets the same share of the ``inputs``."""
    share = -(-inputs // len(names))
    for number in range(-(-share // CHUNK)):
        for name in names:
            yield name, seed + number, min(CHUNK, share - number * CHUNK)
