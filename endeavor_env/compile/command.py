"""The command ``python -m endeavor_env.compile``, for instance while a container image or a wheel is built."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.endeavor.rules.parts import RULES as RULES  # which declares itself and others
from endeavor_env.kernels.loading import cache_folder
from endeavor_env.kernels.loading.cache_folder import VARIABLE, save_folder, version_hash
from endeavor_env.kernels.loading.library import SUFFIX, BuildError, has_whole, is_apart, library_files
from endeavor_env.kernels.loading.making import make_levels, make_whole
from endeavor_env.kernels.loading.once import LOCK, ensure_parts, make_once
from endeavor_env.kernels.parts import parts
from endeavor_env.kernels.switches import USES_LIBRARY
from endeavor_env.merchants.rules.parts import MERCHANTS as MERCHANTS  # which declares itself

OWN_FILES = re.compile(rf"{re.escape(LOCK)}|.*({re.escape(SUFFIX)}|\.wasm)(\.\w+\.partial)?")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if everything is compiled and saved, 130 if it was stopped by Ctrl-C, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m endeavor_env.compile",
        description="Compile the kernels of the package to one library, so that no program has to wait. Damaged files "
        "are compiled again. One version takes about 7 MB.",
        epilog=f"The folder is in {VARIABLE} if that is set, else in the user's cache folder.",
    )
    parser.add_argument("--clear", action="store_true", help="first remove the machine code of other versions")
    parser.add_argument(
        "--for-wheel",
        action="store_true",
        help="make libraries for each level of instructions that processors of this kind have, in the package itself",
    )
    given = parser.parse_args(arguments)
    if not USES_LIBRARY:
        print("The environment says that no library is used (docs/reproducing.md): there is nothing to compile.")
        return 0
    if given.clear:
        print(f"Folders of other versions removed: {remove_other_versions()}.")
    start = time.perf_counter()
    try:
        if given.for_wheel:
            files = make_packaged(cache_folder.PACKAGED)
        else:
            if compile_everything():
                print(f"Compiled in {time.perf_counter() - start:.1f} s.")
            files = library_files()
    except (BuildError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped; the same command begins anew what was not ready.", file=sys.stderr)
        return INTERRUPTED
    if not files:
        print("Everything was compiled, but it could not be saved.", file=sys.stderr)
        return 1
    print(f"Everything is ready in {files[0]}")
    return 0


def compile_everything() -> bool:
    """Make one library with every kernel of the package, and those of other packages; return whether any was made."""
    if not USES_LIBRARY:
        return False
    made = make_once("everything", has_whole, make_whole)
    return ensure_parts(*filter(is_apart, parts.values())) or made


def make_packaged(folder: Path) -> list[Path]:
    """Make the libraries that a wheel carries in a folder, in the place of others; return their files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = make_levels(folder)
    for other in set(folder.glob(f"*{SUFFIX}")).difference(made):
        other.unlink()
    return made


def remove_other_versions() -> int:
    """Remove the folders beside the current one that hold nothing but machine code; return how many there were."""
    current = save_folder()
    found = [path for path in current.parent.iterdir() if path != current and _is_cache(path)] if current else []
    for folder in found:
        shutil.rmtree(folder, ignore_errors=True)
    return len(found)


def _is_cache(folder: Path) -> bool:
    """Return whether a folder was made by this package: by its name and by the names of its files."""
    named = re.fullmatch(r"[0-9a-f]{16}", folder.name) and folder.name != version_hash()
    if folder.is_symlink() or not folder.is_dir() or not named:
        return False
    return all(OWN_FILES.fullmatch(path.name) for path in folder.iterdir())
