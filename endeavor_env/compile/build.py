"""Make the libraries that a wheel carries: ``python -m endeavor_env.compile.build``.

They hold the machine code of every kernel, one library for each level of instructions that processors have, of this
kind of machine or of others (``--platform``). The command ``python -m endeavor_env.compile`` makes the one for this
processor, in the cache folder.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from endeavor_env.endeavor.rules import parts as parts  # which declares them
from endeavor_env.kernels.loading.library import PACKAGED, SUFFIX
from endeavor_env.kernels.loading.making import BuildError, make_levels
from endeavor_env.kernels.loading.systems import SYSTEMS, System, this_system
from endeavor_env.merchants.rules.parts import MERCHANTS as MERCHANTS  # which is a library of its own

EVERY = "all"
"""The platform that stands for every one."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 1 if the libraries could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m endeavor_env.compile.build", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--out", type=Path, default=PACKAGED, help="the folder for the libraries (the package's own)")
    parser.add_argument(
        "--platform",
        action="append",
        choices=[*SYSTEMS, EVERY],
        help="a kind of machine that they are for, several times for several (this one)",
    )
    parser.add_argument("--tags", action="store_true", help="only print the tags of their wheels, a line for each")
    given = parser.parse_args(arguments)
    systems, start = systems_named(given.platform or ()), time.perf_counter()
    if given.tags:
        print(*(system.tags for system in systems), sep="\n")
        return 0
    try:
        made = build_libraries(given.out, systems)
    except (BuildError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    for file in made:
        print(f"{file} ({file.stat().st_size / 1000:,.0f} kB)")
    print(f"Made in {time.perf_counter() - start:.1f} s.")
    return 0


def systems_named(names: Sequence[str]) -> list[System]:
    """Return kinds of machine by their names; this one for no name."""
    if EVERY in names:
        return list(SYSTEMS.values())
    return [SYSTEMS[name] for name in dict.fromkeys(names)] or [this_system()]


def build_libraries(folder: Path, systems: Sequence[System]) -> list[Path]:
    """Make the libraries of kinds of machine in a folder, in the place of others; return their files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = make_levels(folder, systems)
    for other in folder.glob(f"*{SUFFIX}"):
        if other not in made:
            other.unlink()
    return made


if __name__ == "__main__":
    sys.exit(main())
