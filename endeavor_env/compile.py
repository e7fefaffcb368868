"""Compile every kernel now: ``python -m endeavor_env.compile``, for instance while a container image is built."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from endeavor_env.compilation import compile_parts
from endeavor_env.compile_once import LOCK
from endeavor_env.core._cache_folder import MARKER, VARIABLE, read_folders, save_folder
from endeavor_env.core._jit import JIT_DISABLED
from endeavor_env.core._kernel_cache import SUFFIX, remove_damaged, unsaved
from endeavor_env.players import compile_players

OWN_FILES = re.compile(rf"{re.escape(LOCK)}|{re.escape(MARKER)}.*|.*{re.escape(SUFFIX)}(\.\w+\.partial)?")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if everything is compiled and saved, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m endeavor_env.compile",
        description="Compile every kernel of the package and keep the machine code, so that no program has to wait. "
        "Damaged files are compiled again. One version takes about 100 MB.",
        epilog=f"The folder is in {VARIABLE} if that is set, else in the user's cache folder.",
    )
    parser.add_argument("--clear", action="store_true", help="first remove the machine code of other versions")
    clear = parser.parse_args(arguments).clear
    if JIT_DISABLED:
        print("NUMBA_DISABLE_JIT is set: there is nothing to compile.")
        return 0
    if clear:
        print(f"Folders of other versions removed: {remove_other_versions()}.")
    start = time.perf_counter()
    damaged = remove_damaged()
    if damaged:
        print(f"Damaged files removed: {damaged}.")
    compiled = compile_everything()
    if unsaved:
        print("Everything is compiled, but not all of it could be saved.", file=sys.stderr)
        return 1
    if compiled:
        print(f"Compiled in {time.perf_counter() - start:.1f} s: {', '.join(compiled)}.")
    used = [str(folder) for folder in read_folders() if any(folder.glob(f"*{SUFFIX}"))]
    print(f"Everything is ready in {' and '.join(used)}")
    return 0


def compile_everything() -> list[str]:
    """Compile every kernel of the package; return the names of the parts that were missing."""
    return [*compile_parts(), *compile_players()]


def remove_other_versions() -> int:
    """Remove the folders beside the current one that hold nothing but machine code; return how many there were."""
    current = save_folder()
    found = [path for path in current.parent.iterdir() if path != current and _is_cache(path)] if current else []
    for folder in found:
        shutil.rmtree(folder, ignore_errors=True)
    return len(found)


def _is_cache(folder: Path) -> bool:
    """Return whether a folder was made by this package: by its name and by the names of its files."""
    if folder.is_symlink() or not folder.is_dir() or not re.fullmatch(r"[0-9a-f]{16}", folder.name):
        return False
    return all(OWN_FILES.fullmatch(path.name) for path in folder.iterdir())


if __name__ == "__main__":
    sys.exit(main())
