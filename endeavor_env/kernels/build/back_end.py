"""One process of the back end.

``python -m endeavor_env.kernels.build.back_end OUT LEVEL TRIPLE KEY PIECE SYMBOLS BITCODES...``
"""

from __future__ import annotations

import sys
from pathlib import Path

from endeavor_env.kernels.build.module import Target, emit, link


def main(out: str, level: str, triple: str, key: str, piece: str, symbols: str, *bitcodes: str) -> None:
    """Link what the front end translated, optimise it, and write an object file for a level of instructions."""
    whole = link(
        [Path(bitcode).read_bytes() for bitcode in bitcodes], symbols.split(","), key, int(piece) if piece else None
    )
    Path(out).write_bytes(emit(whole, Target(triple, "" if level == "generic" else level)))


if __name__ == "__main__":
    main(*sys.argv[1:])
