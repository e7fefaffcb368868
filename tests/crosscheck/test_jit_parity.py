"""Compiled, uncompiled and checked kernels give the same bytes: no index leaves its array, nothing overflows.

Kernels have memory on the stack, which holds anything before they write to it. It is filled with rubbish where nothing
is compiled and where bounds are checked, so that a kernel that reads what it has not written gives other bytes.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from types import BuiltinFunctionType

import pytest

from endeavor_env.kernels.loading.processor import levels as processor_levels
from endeavor_env.kernels.switches import USES_LIBRARY
from tests.crosscheck import many_games
from tests.crosscheck import parity_digests as parity_digests

# bounds checks are compiled into every kernel first, once a version
pytestmark = [pytest.mark.machine_code, pytest.mark.timeout(1200)]
CALLED = (
    "from endeavor_env.endeavor.ensure import ensure_parts\n"
    "from endeavor_env.endeavor.rules.parts import BATCH, CHECKS, EXPLOITS, PLAYERS, RULES, SEARCHES\n"
    "from endeavor_env.engine.kernels.parts import SINGLE, TREE"
)
PARTS = "RULES, EXPLOITS, PLAYERS, SEARCHES, CHECKS, BATCH, SINGLE, TREE"
ROOT = Path(__file__).resolve().parents[2]
ONE_BY_ONE = "endeavor_env/one_by_one"
"""Where pytest keeps the digests of what Numba compiled one by one, by the digest of the sources."""


def in_a_process(games: int, *wanted: str, **settings: str) -> dict[str, str]:
    """Return the digests another process finds, with warnings and overflows as errors."""
    command = [sys.executable, "-W", "error", parity_digests.__file__, str(games), *wanted]
    ran = subprocess.run(command, env=_environment(settings), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-4000:]
    return json.loads(ran.stdout)


def _environment(settings: dict[str, str]) -> dict[str, str]:
    """Return the variables of this process, with the project's root for imports, and others."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **settings}


def test_this_process_calls_the_library() -> None:
    assert USES_LIBRARY
    assert isinstance(parity_digests.entry.step, BuiltinFunctionType)


def test_without_the_jit_every_byte_is_the_same() -> None:
    wanted = ("golden", "faces", "audit")
    found = in_a_process(1, *wanted, NUMBA_DISABLE_JIT="1")
    faces = len(parity_digests.face_digests())
    assert len(found) == 2 * len(parity_digests.KINDS) + 2 + faces + len(list(parity_digests.GOLDEN.glob("*.txt")))
    assert found == parity_digests.digests(1, *wanted)


def test_a_library_with_bounds_checks_and_rubbish_gives_the_same_bytes() -> None:
    settings = {"NUMBA_BOUNDSCHECK": "1", "ENDEAVOR_ENV_POISON_STACK": "1"}
    # What the digests call, in one go, which takes less time than part by part.
    compiling = [sys.executable, "-c", f"{CALLED}\nensure_parts({PARTS})"]
    subprocess.run(compiling, env=_environment(settings), check=True, capture_output=True)
    wanted = ("golden", "faces", "audit")
    assert in_a_process(8, *wanted, **settings) == parity_digests.digests(8, *wanted)


def test_compiled_by_numba_one_by_one_every_byte_is_the_same(cache: pytest.Cache, tmp_path: Path) -> None:
    """Without players, the audit and LLVM's optimisations, for which Numba would take minutes more.

    What was found is kept in place of such machine code, which refers to memory of its process and cannot be.
    """
    sources = digest_of_sources()
    found = cache.get(ONE_BY_ONE, {}).get(sources)
    if found is None:
        unoptimised = {"NUMBA_OPT": "0", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
        variables = {"ENDEAVOR_ENV_JIT": "1", "ENDEAVOR_ENV_CACHE_DIR": str(tmp_path), **unoptimised}
        found = in_a_process(2, "quick", **variables)
    assert len(found) == 3 * len(parity_digests.KINDS) + 4
    assert found == parity_digests.digests(2)
    cache.set(ONE_BY_ONE, {sources: found})


def digest_of_sources() -> str:
    """Return a digest of all that the digests of another process follow from: sources, and who compiles them."""
    versions = [importlib.metadata.version(name) for name in ("numba", "llvmlite", "numpy")]
    digest = hashlib.sha256(repr((versions, sys.version, platform.machine(), processor_levels())).encode())
    for folder in ("endeavor_env", "tests/crosscheck", "tests/kits"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml"):
                digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


@pytest.mark.parametrize("settings", [{"NUMBA_DISABLE_JIT": "1"}, {"ENDEAVOR_ENV_POISON_STACK": "1"}])
def test_rubbish_on_the_stack_is_read_by_who_reads_what_it_has_not_written(
    settings: dict[str, str], tmp_path: Path
) -> None:
    probe = (
        "from endeavor_env.kernels.kernels import kernel\nfrom endeavor_env.kernels.intrinsics import words_on_stack\n"
        "new_words = words_on_stack(4)\n"
        "@kernel\ndef last(size):\n    words = new_words(size)\n    words[0] = 1\n    return words[size - 1]\n"
        "print(hex(last(2) & 0xFFFF), last(1))\n"
    )
    assert _output_of_probe(probe, tmp_path, **settings) == "0xa5a5 1\n"


def test_bounds_checks_do_find_an_index_out_of_range(tmp_path: Path) -> None:
    probe = (
        "import numpy as np\nfrom endeavor_env.kernels.kernels import kernel\n"
        "@kernel\ndef at(values, index):\n    return values[index]\nat(np.zeros(3), 3)\n"
    )
    assert "IndexError: index is out of bounds" in _output_of_probe(probe, tmp_path, NUMBA_BOUNDSCHECK="1")


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for libraries of the toy, of which each is made once for the tests that need it."""
    return tmp_path_factory.mktemp("toys")


def test_bounds_checks_of_a_library_do_find_an_index_out_of_range(toys: Path) -> None:
    probe = "import numpy as np\nfrom tests.kits.toy_part import number_at\nprint(number_at(np.arange(9)[:3], 3))\n"
    assert _output_of_probe(probe, toys) == "3\n"
    checked = _output_of_probe(probe, toys, NUMBA_BOUNDSCHECK="1")
    assert "KernelError: number_at() failed; with ENDEAVOR_ENV_JIT=1 its error is shown" in checked
    told = _output_of_probe(probe, toys, NUMBA_BOUNDSCHECK="1", ENDEAVOR_ENV_JIT="1")
    assert "IndexError: index is out of bounds" in told


def test_bounds_checks_of_a_library_raise_an_error_where_only_machine_code_calls(toys: Path) -> None:
    probe = (
        "import numpy as np\nfrom endeavor_env import Board\nfrom endeavor_env.endeavor.rules.state import STATE\n"
        "from tests.kits.toy_part import call_toy\nboards, states = Board.default().array, np.zeros(1, STATE)\n"
        "numbers = np.zeros(8, np.float32)\nfor size in (3, 2):\n"
        "    print('wrote', call_toy(boards, states, 1, 2, 3, numbers[:size]), flush=True)\n"
    )
    assert _output_of_probe(probe, toys) == "wrote 7\nwrote 7\n"
    told = _output_of_probe(probe, toys, NUMBA_BOUNDSCHECK="1").splitlines()
    assert (told[0], told[-1]) == ("wrote 7", "RuntimeError: a code entry failed")  # and the process lives on


def _output_of_probe(source: str, folder: Path, **settings: str) -> str:
    """Return what a program prints in a process of its own, on both streams, but for what is said of compiling."""
    (folder / "probe.py").write_text(source, encoding="utf-8")
    env = _environment({"ENDEAVOR_ENV_CACHE_DIR": str(folder), **settings})
    command = [sys.executable, str(folder / "probe.py")]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    lines = (ran.stdout + ran.stderr).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("endeavor_env: "))


def test_digests_of_many_games_depend_on_every_game_and_are_repeatable(capsys: pytest.CaptureFixture[str]) -> None:
    many_games.main(["--games", "5"])
    once = capsys.readouterr().out.splitlines()
    many_games.main(["--games", "5"])
    assert capsys.readouterr().out.splitlines() == once
    assert len({line.split()[0] for line in once}) == len(parity_digests.KINDS)
    assert many_games.digest_of("4 seats", 5)[0] == next(line.split()[0] for line in once if line.endswith(": 4 seats"))
    assert many_games.digest_of("4 seats", 6)[0] != many_games.digest_of("4 seats", 5)[0]
