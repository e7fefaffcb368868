"""One word for each check: ``nox -s lint`` runs one, ``nox -s lint types tests`` some, ``nox -s all`` every one.

The checks run where nox is installed, which is the environment that CONTRIBUTING.md sets up: nothing is installed, and
no network is needed. Only ``oldest``, ``newest``, ``numba`` and ``build`` make environments, below ``.nox``.
``.ci/run`` runs the same commands from nothing.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "format", "architecture", "types"]
nox.options.error_on_missing_interpreters = True

SITE, COPIES = "build/site", "build/notebooks"
"""Output folder of the documentation, and folder of the notebook copies whose outputs it shows."""
CHECKS: dict[str, tuple[str, ...]] = {
    "lint": ("ruff check .",),
    "format": ("ruff format --check .",),
    "architecture": ("lint-imports",),
    "types": ("pyright",),
    "pages": ("python docs/make --check",),
    "kernels": ("python -m endeavor_env.compile",),
    "soak": ("python -m endeavor_env.benchmarks.soak --games 300",),
    "benchmarks": ("python -m endeavor_env.benchmarks.run --smoke",),
    "training": (
        "python -m endeavor_env.training.td --preset smoke --no-progress --out {scratch}/td",
        "python -m endeavor_env.training.ppo --preset smoke --no-progress --out {scratch}/run",
    ),
    "notebooks": (f"env NB_FAST=1 pytest -n 2 --nbmake --overwrite --nbmake-timeout=300 -q {COPIES}",),
    "docs": (f"sphinx-build -j auto -W --keep-going -n -q -b html docs {SITE}",),
    "links": (f"python docs/make/check_links.py {SITE}",),
    "machine": ("pytest -m machine_code",),
    "tests": ("pytest",),
}
"""The commands of every check, in the order of ``all``; ``{scratch}`` is an empty folder that goes afterwards."""

QUIET = {"OMP_NUM_THREADS": "1", "MPLBACKEND": "Agg", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
"""Environment variables of every check."""
OLDEST_EXTRAS = "arena,data,play,render"
"""The extras whose lowest versions constraints-oldest.txt holds."""
TEST_TOOLS = (
    *("httpx", "hypothesis", "pytest", "pytest-benchmark", "pytest-timeout", "pytest-xdist", "selenium"),
    "setuptools",
)
"""Packages that these tests need beside the package, pinned in constraints.txt."""
SOME_TESTS = (
    *("tests/cli/test_commands.py", "tests/cli/test_program.py", "tests/cli/test_screen.py"),
    *("tests/basics", "tests/board", "tests/compile", "tests/envs", "tests/game", "tests/golden", "tests/perft"),
    *("tests/rules", "tests/terms"),
)
"""The tests of ``oldest`` and ``newest``: what stands on Gymnasium, PettingZoo, Numba, NumPy and the command line."""
COMPILED_TESTS = (
    *("tests/compile", "tests/envs", "tests/game", "tests/golden", "tests/kernels", "tests/perft", "tests/rules"),
    "tests/terms",
)
"""The tests of ``numba``: what is compiled."""
NEED_TRAINING = tuple(
    f"tests/envs/test_{name}.py"
    for name in (
        *(
            "beginners_learn",
            "checkers",
            "gym_opponents",
            "missing_masks",
            "option_types",
            "rendering",
            "sb3_any_game",
            "sb3_learning",
        ),
        *("sb3_vec_env", "vector_copies"),
        *("vector_interrupts", "vector_masks", "vector_opponents", "vector_refusals"),
    )
)
"""Files of these tests that the extra train is needed for, which these sessions leave out: it is large."""
NEEDS_TRAINING = "tests/cli/test_commands.py::test_compiled_players_meet"
"""A test of another file, of which that is true."""

MOST_BYTES = 15_000_000
"""Of a wheel, with the libraries and the networks."""


def run_check(session: nox.Session, name: str) -> None:
    """Run the commands of one check, and then what the caller added behind ``--``."""
    scratch = tempfile.mkdtemp()
    if name == "notebooks":
        shutil.rmtree(COPIES, ignore_errors=True)
        shutil.copytree("notebooks", COPIES)
    try:
        for command in CHECKS[name]:
            words = command.replace("{scratch}", Path(scratch).as_posix()).split()
            settings = dict(QUIET)
            if words[0] == "env":  # there is no such program on Windows
                variable, _, value = words[1].partition("=")
                settings[variable], words = value, words[2:]
            session.run(*words, *session.posargs, env=settings, external=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def add_check(name: str) -> None:
    """Make a session of one check."""
    said = "; ".join(CHECKS[name])

    def check(session: nox.Session) -> None:
        run_check(session, name)

    check.__doc__ = said
    nox.session(name=name)(check)


for _name in CHECKS:
    add_check(_name)


@nox.session(name="all")
def every_check(session: nox.Session) -> None:
    """Every check, one after the other; a failing one does not stop those after it."""
    if session.posargs:
        session.error("'all' takes no further words: give them to one check, as in nox -s tests -- -k board")
    for name in CHECKS:
        session.notify(name)


@nox.session(venv_backend="virtualenv")
def oldest(session: nox.Session) -> None:
    """The lowest versions that pyproject.toml allows: the command, the environments, the rules."""
    session.install("-c", "constraints-oldest.txt", "-e", f".[{OLDEST_EXTRAS}]")
    session.install("-c", "constraints-oldest.txt", *pinned(TEST_TOOLS))
    session.run("pip", "check")
    run_some_tests(session, SOME_TESTS)


@nox.session(venv_backend="virtualenv")
def newest(session: nox.Session) -> None:
    """The newest versions that pyproject.toml allows: the command, the environments, the rules."""
    session.install("--upgrade", "-e", f".[{OLDEST_EXTRAS}]", *TEST_TOOLS)
    session.run("pip", "check")
    run_some_tests(session, SOME_TESTS)


@nox.session(venv_backend="virtualenv")
def numba(session: nox.Session) -> None:
    """The newest Numba, pre-releases too, which pyproject.toml may not allow yet: everything that is compiled."""
    session.install("-e", f".[{OLDEST_EXTRAS}]", *TEST_TOOLS)
    session.install("--upgrade", "--pre", "numba", "llvmlite")
    session.run("python", "-m", "pip", "list")
    run_some_tests(session, COMPILED_TESTS)


@nox.session(venv_backend="virtualenv")
def build(session: nox.Session) -> None:
    """The source distribution, and the wheel for the system that this runs on, in ``dist``."""
    session.install(*pinned(("build", "setuptools", "llvmlite", "numba", "numpy", "platformdirs")))
    shutil.rmtree("dist", ignore_errors=True)
    shutil.rmtree("build/lib", ignore_errors=True)
    session.run("python", "-m", "build", "--no-isolation", "--outdir", "dist", "--sdist", "--wheel")
    for wheel in Path("dist").glob("*.whl"):
        if wheel.stat().st_size > MOST_BYTES:
            session.error(f"{wheel} has {wheel.stat().st_size / 1e6:.1f} MB, more than {MOST_BYTES / 1e6:.0f} MB")


def run_some_tests(session: nox.Session, folders: tuple[str, ...]) -> None:
    """Run tests, or what stands behind ``--``, where Numba is another: the kernels stay in the session's folder."""
    kernels = Path(session.virtualenv.location) / "kernels"
    kernels.mkdir(mode=0o700, exist_ok=True)
    left_out = [f"--ignore={file}" for file in NEED_TRAINING]
    words = session.posargs or ["-m", "not slow", *left_out, f"--deselect={NEEDS_TRAINING}", *folders]
    settings = {**QUIET, "ENDEAVOR_ENV_CACHE_DIR": os.fspath(kernels.resolve())}
    session.run("python", "-m", "pytest", *words, env=settings)


def pinned(names: tuple[str, ...]) -> list[str]:
    """Return each name with the version that constraints.txt has of it."""
    lines = Path("constraints.txt").read_text(encoding="utf-8").splitlines()
    versions = {line.partition("==")[0].lower(): line for line in lines if "==" in line and not line.startswith("#")}
    return [versions[name] for name in names]
