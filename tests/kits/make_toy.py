"""A process that makes the toy part once, as the package does its own parts.

It takes the path of a file: whoever compiles waits until the file is there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from endeavor_env.kernels.loading import making
from endeavor_env.kernels.loading.once import ensure_parts
from endeavor_env.kernels.parts import Part
from tests.kits import toy_part

make_parts = making.make_parts


def make_when_told(wanted: Sequence[Part], report: making.Report) -> AbstractContextManager[Path]:
    """Make the part when the file is there."""
    while not Path(sys.argv[1]).exists():
        time.sleep(0.01)
    return make_parts(wanted, report)


if __name__ == "__main__":
    making.make_parts = make_when_told
    made = ensure_parts(toy_part.TOY)
    assert toy_part.add(20, 22) == 42
    print("compiled" if made else "loaded")
