"""Make the engine for the web: ``python -m endeavor_env.web.build_web``.

It writes a folder that a page or a program of node can use as it is: the rules, the observations and the players as
WebAssembly, the JavaScript module that wraps them, and the data of boards and networks (docs/web.md).
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from endeavor_env.basics.files import write_bytes
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.players.greedy.player import greedy_entry
from endeavor_env.endeavor.players.policy.player import policy_entry
from endeavor_env.endeavor.players.value.player import value_entry
from endeavor_env.endeavor.rules import parts as parts
from endeavor_env.errors import EndeavorError
from endeavor_env.kernels.loading.cache_folder import kept_code
from endeavor_env.kernels.loading.library import BuildError
from endeavor_env.kernels.loading.making import Report, keep_for_later, translate, whole
from endeavor_env.kernels.loading.once import make_once
from endeavor_env.kernels.table import PLAIN, PREFIX
from endeavor_env.web.web_data import write_board, write_data, write_networks

SOURCES = Path(__file__).resolve().parents[2] / "web" / "src"
"""The JavaScript of the module, which only a checkout has."""
OUT = SOURCES.parent / "dist"
KEPT = "web.wasm"
"""The file in the cache folder, which is there as long as no kernel changes."""
CODE = "endeavor.wasm"
RULES_SHOWN = (
    *("random_setup", "new_game", "legal", "legal_ids", "play", "scores"),
    *("observe_features", "observe_compact", "choose", "play_random"),
)
"""The entries of ``endeavor.interface.entry`` that the JavaScript calls."""
PLAYERS_SHOWN: tuple[Any, ...] = (greedy_entry, value_entry, policy_entry)
"""The entries of the players that the JavaScript calls."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 1 if the engine could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m endeavor_env.web.build_web", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--out", type=Path, default=OUT, help="the folder for it (web/dist)")
    parser.add_argument(
        "--board",
        action="append",
        default=[],
        help="a board beside that of 2009: generated_<seed>, or the path of a board file; several times for several",
    )
    given = parser.parse_args(arguments)
    start = time.perf_counter()
    try:
        made = build_web(given.out, given.board)
    except (BuildError, EndeavorError, OSError, RuntimeError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    for file in made:
        print(f"{file} ({file.stat().st_size / 1000:,.1f} kB)")
    print(f"Made in {time.perf_counter() - start:.1f} s.")
    return 0


def build_web(folder: Path, boards: Sequence[str | Path] = ()) -> list[Path]:
    """Write the engine for the web into a folder; return its files.

    Args:
        folder: Made if it is missing; files of the same names are replaced.
        boards: Boards beside that of 2009.

    Raises:
        BuildError: There are no sources here, or compiling failed.
        RuntimeError: The linker is missing, or failed.
        EndeavorError: One of the boards cannot be used.
    """
    sources = sorted(path for path in SOURCES.glob("*") if path.suffix in (".js", ".ts"))
    if not sources:
        raise BuildError(f"the JavaScript of the engine is not in {SOURCES}: build it in a checkout, wheels have none")
    chosen = [Board.resolve(board) for board in (None, *boards)]
    code = wasm_code()
    folder.mkdir(parents=True, exist_ok=True)
    made = [folder / CODE]
    write_bytes(made[0], code)
    for source in sources:
        made.append(Path(shutil.copyfile(source, folder / source.name)))
    return [*made, write_data(folder), *(write_board(folder, board) for board in chosen), *write_networks(folder)]


def wasm_code() -> bytes:
    """Return the module of WebAssembly: what is in the cache folder, else made now and kept there."""
    made: list[bytes] = []
    make_once("the engine for the web", lambda: kept_code(KEPT) is not None, lambda report: made.append(_make(report)))
    code = made[0] if made else kept_code(KEPT)
    if code is None:
        raise BuildError("another process removed the engine for the web from the cache folder: start again")
    return code


def _make(report: Report) -> bytes:
    """Translate the kernels, link them as WebAssembly and keep it."""
    from endeavor_env.web.wasm import linker, make_wasm

    linker()  # now: translating takes a minute
    with tempfile.TemporaryDirectory(prefix="endeavor_env-") as scratch:
        bitcodes, symbols = translate(whole(), Path(scratch), report=report)
        made = Path(scratch) / CODE
        make_wasm(bitcodes, symbols, exported(), made)
        code = made.read_bytes()
        keep_for_later(code, KEPT)
        return code


def exported() -> list[str]:
    """Return the symbols of the functions that the module shows: rules that take words, and players."""
    rules = [f"{PREFIX}endeavor_interface_entry_{name}{PLAIN}" for name in RULES_SHOWN]
    return [*rules, *(entry.symbol for entry in PLAYERS_SHOWN)]


if __name__ == "__main__":
    sys.exit(main())
