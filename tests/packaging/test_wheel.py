"""An installed wheel brings one top-level package, ``endeavor_env``, and works beside a foreign ``agents``."""

from __future__ import annotations

import ast
import base64
import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from endeavor_env.compile.command import compile_everything
from endeavor_env.endeavor.players.network_file import NETWORKS
from endeavor_env.kernels.loading.cache_folder import keep, kept_code, version_hash
from endeavor_env.kernels.loading.library import file_name
from endeavor_env.kernels.loading.processor import all_levels
from endeavor_env.kernels.loading.processor import levels as levels_here
from endeavor_env.kernels.parts import WHOLE
from endeavor_env.kernels.switches import POISON_VARIABLE
from endeavor_env.kernels.table import TABLE_SYMBOL
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.pythons import VERSIONS, fill_site, find_python, needed
from tests.kits.shared_libraries import TAKEN, read_library

ROOT = Path(__file__).resolve().parents[2]
EVERY_FACE = Path(__file__).with_name("every_face.py")
TOP_LEVEL = ("agents", "training", "benchmarks", "cli")
"""The folders of a checkout that are packages inside ``endeavor_env``."""
# the wheel is made with its machine code, for every level
pytestmark = [pytest.mark.machine_code, pytest.mark.timeout(1200)]
PLACEHOLDER = b"in the place of machine code"
ELSEWHERE = ("fastapi", "mcp", "openenv", "pyspiel", "ray", "tensorboardX", "textarena", "tianshou", "verifiers")
"""Libraries that are in environments of their own."""


def build(
    hook: str,
    sources: Path,
    out: Path,
    settings: dict[str, str] | None = None,
    variables: dict[str, str] | None = None,
) -> Path:
    """Call one hook of the build backend, as pip does, in the folder ``sources``; return the file that it made."""
    code = "import sys; sys.path.insert(0, '.'); import wheel_backend\n"
    code += f"print(wheel_backend.{hook}({str(out)!r}, {settings!r}))"
    environment = {**os.environ, **(variables or {})}
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=sources, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return out / ran.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is built, without symbolic links, as some systems have it: builds leave folders behind."""
    copy = tmp_path_factory.mktemp("sources")
    shutil.copytree(
        ROOT / "endeavor_env", copy / "endeavor_env", ignore=shutil.ignore_patterns("__pycache__", *TOP_LEVEL)
    )
    for name in TOP_LEVEL:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "wheel_backend.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the source distribution, with the libraries that the tests use.

    Those for other levels are not made: ``nox -s build`` makes all of them, for minutes.
    """
    compile_everything()
    out, cache, name = (
        tmp_path_factory.mktemp("dist"),
        tmp_path_factory.mktemp("cache"),
        file_name(WHOLE, levels_here()[0]),
    )
    (cache / version_hash()).mkdir(mode=0o755)
    kept = kept_code(name)
    assert kept is not None
    keep(kept, cache / version_hash() / name)
    for name in not_made():
        keep(PLACEHOLDER, cache / version_hash() / name)
    with tarfile.open(build("build_sdist", sources, out)) as archive:
        archive.extractall(out, filter="data")
    (unpacked,) = (path for path in out.iterdir() if path.is_dir())
    return build("build_wheel", unpacked, out, variables={"ENDEAVOR_ENV_CACHE_DIR": str(cache)})


def not_made() -> set[str]:
    """Return the names of the libraries that are not made for the wheel of these tests."""
    return {file_name(WHOLE, level) for level in all_levels() if level != levels_here()[0]}


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages: a foreign ``agents``, then the wheel."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "agents").mkdir()
    (folder / "agents" / "__init__.py").write_text("FOREIGN = True\n")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*install, "--target", str(folder), str(wheel)], check=True)
    return folder


def run(site: Path, *arguments: str) -> str:
    """Run Python outside the checkout with ``site`` before everything else, and an empty cache; return its output."""
    empty = str(site.parent / "no cache")
    environment = {**os.environ, "PYTHONPATH": str(site), "ENDEAVOR_ENV_CACHE_DIR": empty, "COLUMNS": "200"}
    command = [sys.executable, *arguments]
    ran = subprocess.run(command, cwd=site.parent, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_wheel_is_for_this_kind_of_machine_and_carries_libraries_for_each_level(wheel: Path) -> None:
    assert re.search(r"-py3-none-(?!any)", wheel.name)
    assert wheel.name.endswith(f"-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}.whl")
    with zipfile.ZipFile(wheel) as archive:
        libraries = {name: archive.read(name) for name in archive.namelist() if name.endswith(".library")}
        heavy = [info for info in archive.infolist() if info.filename.endswith((".library", ".npz"))]
        size = sum(info.compress_size for info in heavy)
    assert {name.rpartition("/")[2] for name in libraries} == {file_name(WHOLE, level) for level in all_levels()}
    assert all(content[-32:] == hashlib.sha256(content[:-32]).digest() for content in libraries.values())
    made = {name: content for name, content in libraries.items() if name.rpartition("/")[2] not in not_made()}
    assert len(made) == 1
    for content in made.values() if sys.platform == "linux" else ():
        found = read_library(content)
        assert found.taken <= TAKEN
        assert TABLE_SYMBOL in found.shown
        assert not found.changes_code
    assert 1_000_000 < size < 15_000_000  # networks and libraries
    networks = {info.filename.rpartition("/")[2] for info in heavy if "/endeavor/players/" in info.filename}
    assert networks == {file.name for file in NETWORKS.glob("*.npz")}  # former ones stay in checkouts


@pytest.mark.parametrize("version", VERSIONS)
def test_every_face_plays_in_each_python_without_a_compiler_and_writes_nothing(
    version: str, wheel: Path, tmp_path: Path
) -> None:
    program, site = find_python(version), tmp_path / "site"
    if program is None:
        pytest.skip(f"there is no Python {version}")
    lacking = fill_site(needed("endeavor-env"), version, site)
    if lacking:
        pytest.skip(f"what games need is not to be had for Python {version}: {lacking}")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    for name in not_made():
        (site / "endeavor_env" / "kernels" / "libraries" / name).unlink()
    home = tmp_path / "home"
    home.write_text("This is no folder: nothing can be written in it.")
    (tmp_path / "temporary").mkdir()
    environment = {"HOME": str(home), "TMPDIR": str(tmp_path / "temporary"), "PATH": "", "PYTHONPATH": str(site)}
    if POISON_VARIABLE in os.environ:  # the wheel was built with it, and its library is another one
        environment[POISON_VARIABLE] = os.environ[POISON_VARIABLE]
    command = [program, "-S", "-B", "-W", "error::RuntimeWarning", str(EVERY_FACE)]  # -S: without its own packages
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert (ran.stdout.splitlines()[-1], ran.stderr) == ("no compiler was there", "")
    assert [path for path in (tmp_path / "temporary").rglob("*") if path.is_file()] == []
    assert {path.name for path in tmp_path.iterdir()} == {"site", "home", "temporary"}


def test_without_machine_code_a_wheel_is_for_every_kind_of_machine(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENDEAVOR_ENV_NO_LIBRARIES", "1")
    made = build("build_wheel", sources, tmp_path)
    assert made.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(made) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".library")]


def test_the_compiler_is_asked_for_where_a_wheel_carries_machine_code_alone(
    sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def needed() -> list[str]:
        code = "import sys; sys.path.insert(0, '.'); import wheel_backend\n"
        hooks = ("get_requires_for_build_wheel", "get_requires_for_build_editable")
        code += f"print(*(','.join(getattr(wheel_backend, hook)()) for hook in {hooks!r}), sep=';')"
        ran = subprocess.run([sys.executable, "-c", code], cwd=sources, capture_output=True, text=True, check=True)
        return ran.stdout.splitlines()[-1].split(";")

    wheel, editable = needed()
    assert all(name in wheel for name in ("numba", "llvmlite", "numpy"))
    assert "numba" not in editable
    monkeypatch.setenv("ENDEAVOR_ENV_NO_LIBRARIES", "1")
    assert "numba" not in needed()[0]


def test_the_only_top_level_name_is_that_of_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {name.partition("/")[0] for name in archive.namelist()}
        (info,) = top - {"endeavor_env"}
        assert info.endswith(".dist-info")
        assert archive.read(f"{info}/top_level.txt").split() == [b"endeavor_env"]
        for name, digest, _ in csv.reader(archive.read(f"{info}/RECORD").decode().splitlines()):
            found = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
            assert digest == f"sha256={found}" or name.endswith("RECORD")


def test_the_wheel_has_every_module_and_the_marker_for_type_checkers(wheel: Path) -> None:
    def modules(folder: Path) -> set[str]:
        return {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}

    expected = {f"endeavor_env/{name}" for name in modules(ROOT / "endeavor_env")}
    expected |= {f"endeavor_env/{package}/{name}" for package in TOP_LEVEL for name in modules(ROOT / package)}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name for name in names if name.endswith(".py")} == expected
    assert {"endeavor_env/py.typed", "endeavor_env/endeavor/board/data/endeavor_2009.toml"} <= names
    boards = {path.relative_to(ROOT).as_posix() for path in (ROOT / "endeavor_env").rglob("*.toml")}
    assert {name for name in names if name.endswith(".toml")} == boards


def test_the_wheel_has_the_pages(wheel: Path) -> None:
    def pages(folder: Path) -> set[str]:
        kinds = (".html", ".css", ".js")
        return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix in kinds}

    expected = {f"endeavor_env/{name}" for name in pages(ROOT / "endeavor_env")}
    expected |= {f"endeavor_env/agents/{name}" for name in pages(ROOT / "agents")}
    assert "endeavor_env/agents/play/play.html" in expected
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if name.endswith((".html", ".css", ".js"))} == expected


def test_no_module_names_a_package_that_is_only_in_the_checkout(site: Path) -> None:
    command = re.compile(rf"-m ({'|'.join(TOP_LEVEL)})\b")
    for path in (site / "endeavor_env").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        imported: list[str] = []
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                imported += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                imported.append(node.module or "")
        assert not {name.partition(".")[0] for name in imported} & set(TOP_LEVEL), path
        assert not command.findall(text), path


def test_every_module_is_imported_from_the_wheel_and_the_foreign_package_is_left_alone(site: Path) -> None:
    program = (
        "import importlib, pkgutil, sys, endeavor_env\n"
        "for module in pkgutil.walk_packages(endeavor_env.__path__, 'endeavor_env.'):\n"
        "    try:\n"
        "        importlib.import_module(module.name)\n"
        "    except ModuleNotFoundError as error:\n"
        f"        if error.name is None or error.name.partition('.')[0] not in {ELSEWHERE!r}:\n"
        "            raise\n"
        f"assert not [name for name in sys.modules if name.partition('.')[0] in {TOP_LEVEL!r}]\n"
        "import agents\n"
        "print(agents.FOREIGN, endeavor_env.__file__)\n"
    )
    foreign, _, file = run(site, "-c", program).strip().partition(" ")
    assert foreign == "True"
    assert Path(file).is_relative_to(site)


def test_a_checkpoint_plays_a_match_by_the_command_of_the_wheel(site: Path, tmp_path: Path) -> None:
    trained = f"checkpoint:{untrained_checkpoint(tmp_path, 'standard')}"
    shown = run(site, "-m", "endeavor_env.agents.arena", trained, "random", "random", "--games", "3")
    assert "3 games on endeavor_2009" in shown


@pytest.mark.parametrize("module", ["agents.solo_match", "training.ppo", "benchmarks.soak"])
def test_the_commands_of_the_wheel_explain_themselves(site: Path, module: str) -> None:
    shown = run(site, "-m", f"endeavor_env.{module}", "--help")
    assert "Usage: " in shown or f"usage: python -m endeavor_env.{module}" in shown


def test_the_command_of_the_wheel_plays_and_draws_a_game(site: Path, tmp_path: Path) -> None:
    command = site / "bin" / "endeavor"
    assert "picture" in run(site, str(command), "--help")
    file = tmp_path / "game.svg"
    run(site, str(command), "picture", "-o", str(file), "--seats", "random", "random", "random")
    assert file.read_text(encoding="utf-8").startswith("<svg")


ENTRY_POINTS = """\
[console_scripts]
endeavor = endeavor_env.cli.__main__:main

[endeavor_env.games]
endeavor = endeavor_env.endeavor.declaration:ENDEAVOR
merchants = endeavor_env.merchants.declaration:MERCHANTS
"""


def entry_points(wheel: Path) -> str:
    """Return the text of the entry points of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        return archive.read(name).decode()


def test_the_command_is_the_same_module_in_a_wheel_and_in_a_checkout(
    wheel: Path, sources: Path, tmp_path: Path
) -> None:
    assert entry_points(wheel) == ENTRY_POINTS
    assert entry_points(build("build_editable", sources, tmp_path)) == entry_points(wheel)


def test_an_editable_install_has_the_names_of_the_wheel_where_there_are_no_links(sources: Path, tmp_path: Path) -> None:
    assert not any((sources / "endeavor_env" / name).exists() for name in TOP_LEVEL)
    with zipfile.ZipFile(build("build_editable", sources, tmp_path)) as archive:
        archive.extractall(tmp_path)
    program = (
        "import glob, importlib, sys, sysconfig\n"
        "sys.path += ['.', sysconfig.get_path('purelib')]  # without the editable install that the tests run in\n"
        "importlib.import_module(glob.glob('__editable__*_finder.py')[0][:-3]).install()\n"
        f"from endeavor_env import {', '.join(TOP_LEVEL)}\n"
        f"print({', '.join(f'{name}.__file__' for name in TOP_LEVEL)})\n"
    )
    command = [sys.executable, "-I", "-S", "-c", program]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == [str(sources / name / "__init__.py") for name in TOP_LEVEL]


def test_the_links_of_a_checkout_lead_to_the_folders_beside_the_package() -> None:
    for name in TOP_LEVEL:
        link = ROOT / "endeavor_env" / name
        assert link.is_symlink()
        assert link.resolve() == ROOT / name


def test_an_editable_install_needs_none_of_the_packages(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pip builds it in an environment of its own, which has setuptools alone."""
    for name in ("numpy", "numba", "llvmlite", "pydantic", "gymnasium"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError('no {name} here')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert build("build_editable", sources, tmp_path).is_file()
