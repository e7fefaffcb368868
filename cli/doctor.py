"""``endeavor doctor``: whether everything is there, and what to do if it is not.

The installation may be broken: the package is imported only to see if it works.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import webbrowser
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.table import Table

from endeavor_env.agents.extras import EXTRAS, is_installed
from endeavor_env.agents.results_file import JsonFile, beside_results, check_results, write_results
from endeavor_env.agents.terminal import print_line, print_table
from endeavor_env.basics.exit_status import MISTAKE
from endeavor_env.errors import printable

CANNOT_PLAY = 1
PACKAGE = "endeavor-env"
LEAST_PYTHON = (3, 11)
LEAST_FREE = 200_000_000
"""Bytes: what is compiled takes a million, and games, pictures and datasets come on top."""
COMPILERS = ("llvmlite", "numba")
"""Packages that make machine code, not needed where there is some."""
EVERYTHING = "everything, in one library"
_BOUND = re.compile(r"(>=|<=|==|!=|<|>)\s*(\d+(?:\.\d+)*)")


class Finding(NamedTuple):
    """One thing that was looked at."""

    what: str
    value: str
    fault: str = ""
    """Fault in a sentence; empty for none."""
    remedy: str = ""
    """Remedy or improvement in a sentence; empty for none."""
    stops: bool = False
    """True if no game can be played because of it."""


def findings() -> list[Finding]:
    """Return everything that was looked at, in the order in which people read it."""
    fault = _import_fault()
    remedy = f"pip install --force-reinstall {PACKAGE}" if fault else ""
    package = Finding("package", _package_version(), fault, remedy, bool(fault))
    compiled = [] if fault else list(_compiled())
    plays = any(one.what == "compiled" and one.value == EVERYTHING for one in compiled)
    return [_python(), *_dependencies(plays), package, *_extras(), *compiled, *_surroundings()]


def advice(found: list[Finding]) -> str:
    """Return the one thing to do next: what stops games first, then what is wrong, then what would be better."""
    ordered = sorted(found, key=lambda one: (not one.stops, not one.fault))
    stopping = [one for one in ordered if one.remedy and (one.stops or one.fault)]
    if stopping:
        return f"{stopping[0].what}: {stopping[0].fault}; {stopping[0].remedy}"
    better = [one.remedy for one in ordered if one.remedy and one.what == "compiled"]
    return better[0] if better else "everything is there: endeavor demo shows what it can do"


# --- what is installed -----------------------------------------------------------------------------------------------
def _python() -> Finding:
    """Return the version of Python."""
    value = f"{platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count() or 1} cores"
    if sys.version_info >= LEAST_PYTHON:
        return Finding("Python", value)
    least = ".".join(map(str, LEAST_PYTHON))
    return Finding("Python", value, f"older than {least}", f"install Python {least} or newer", True)


def _requirements() -> list[tuple[str, str]]:
    """Return names and bounds of what every installation needs, as the installed package says."""
    try:
        lines = requires(PACKAGE) or []
    except PackageNotFoundError:
        return []
    wanted = [line for line in lines if ";" not in line]
    return [(re.split(r"[<>=!~\[ ]", line)[0], line) for line in wanted]


def _dependencies(plays: bool) -> Iterator[Finding]:
    """Yield each library that games need, with its version beside its bounds.

    Args:
        plays: Whether there is machine code of every kernel, so that games do without what compiles them.
    """
    for name, line in _requirements():
        bounds = line.removeprefix(name)
        try:
            have = version(name)
        except PackageNotFoundError:
            yield _missing(name, line, plays)
            continue
        fault = "" if fits(have, bounds) else f"version {have} is outside of {bounds}"
        yield Finding(name, f"{have} ({bounds})", fault, f"pip install '{line}'" if fault else "")


def _missing(name: str, line: str, plays: bool) -> Finding:
    """Return what a library that is not installed means: a compiler is needed where there is no machine code alone."""
    if name not in COMPILERS:
        return Finding(name, "-", "not installed", f"pip install '{line}'", True)
    if plays:
        return Finding(name, f"not installed, and not needed: games use the library; pip install '{line}' adds it")
    fault = "not installed, and there is no library with everything for this processor"
    return Finding(name, "-", fault, f"pip install '{line}'", True)


def fits(have: str, bounds: str) -> bool:
    """Return whether a version is within bounds such as "<3,>=2.0"; a bound of another kind is taken as kept."""
    number = _numbers(have)
    for sign, bound in _BOUND.findall(bounds):
        limit = _numbers(bound)
        width = max(len(number), len(limit))
        a, b = (one + (0,) * (width - len(one)) for one in (number, limit))
        kept = {">=": a >= b, "<=": a <= b, "==": a == b, "!=": a != b, "<": a < b, ">": a > b}[sign]
        if not kept:
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers with which a version begins."""
    match = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def _import_fault() -> str:
    """Return why the package cannot be imported; "" if it can."""
    try:
        import_module("endeavor_env")
        import_module("endeavor_env.kernels.loading.library")
    except Exception as error:  # whatever a broken library raises
        return f"cannot be imported: {type(error).__name__}: {str(error)[:160]}"
    return ""


def _package_version() -> str:
    """Return the version of the package and where it is."""
    module = sys.modules.get("endeavor_env")
    known = getattr(module, "__version__", None)
    if known is None:
        try:
            known = version(PACKAGE)
        except PackageNotFoundError:
            known = "not installed"
    where = getattr(module, "__file__", None)
    return f"{known} in {Path(where).parent}" if where else known


def _extras() -> Iterator[Finding]:
    """Yield each extra: what of it is installed."""
    for extra, libraries in EXTRAS.items():
        lacking = [library for library in libraries if not is_installed(library)]
        command = f"pip install '{PACKAGE}[{extra}]'"
        value = "installed" if not lacking else f"without {', '.join(lacking)}: {command}"
        yield Finding(f"extra {extra}", value)


# --- compiled code ---------------------------------------------------------------------------------------------------
def _compiled() -> Iterator[Finding]:
    """Yield where compiled code is kept, what there is of it, and the space that is left."""
    cache: Any = import_module("endeavor_env.kernels.loading.cache_folder")
    library: Any = import_module("endeavor_env.kernels.loading.library")
    whole: str = import_module("endeavor_env.endeavor.rules.parts").WHOLE
    if not import_module("endeavor_env.kernels.switches").USES_LIBRARY:
        slow = "unset NUMBA_DISABLE_JIT, NUMBA_BOUNDSCHECK and ENDEAVOR_ENV_JIT: games are slow with them"
        yield Finding("compiled", "-", "no library of machine code is used", slow)
        return
    files: list[Path] = library.library_files()
    names = [name for file in files for name in file.name.partition("-")[0].split(library.JOINT)]
    folder: Path | None = files[0].parent if whole in names else cache.save_folder()
    if folder is None:
        remedy = f"set {cache.VARIABLE} to a folder that you can write"
        yield Finding("compiled code", "-", "no folder can be written: each process compiles again", remedy)
        return
    size = sum(file.stat().st_size for file in files)
    where = ", ".join(map(str, dict.fromkeys(file.parent for file in files))) or str(folder)
    yield Finding("compiled code", f"{where}: {size / 1e6:,.1f} MB")
    if whole in names:
        yield Finding("compiled", EVERYTHING)
    else:
        remedy = "endeavor compile compiles everything now, so that no first game has to wait for it"
        yield Finding("compiled", ", ".join(names) or "nothing yet", "", remedy)
    free = shutil.disk_usage(folder).free
    low = free < LEAST_FREE
    remedy = f"free some, or set {cache.VARIABLE} to a folder elsewhere"
    yield Finding("free space", f"{free / 1e9:,.1f} GB", "little" if low else "", remedy if low else "")


# --- around it -------------------------------------------------------------------------------------------------------
def _surroundings() -> Iterator[Finding]:
    """Yield what there is to show games on."""
    size = shutil.get_terminal_size()
    shown = f"{size.columns} x {size.lines}, {sys.stdout.encoding}"
    kind = shown if sys.stdout.isatty() else "none: stdout is no terminal"
    plain = ", no colours" if "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb" else ""
    yield Finding("terminal", kind + plain)
    try:
        webbrowser.get()
        browser = "found"
    except webbrowser.Error:
        browser = "none found: open the addresses that endeavor play prints by hand"
    yield Finding("browser", browser)


# --- the command -----------------------------------------------------------------------------------------------------

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def findings_table(found: list[Finding]) -> Table:
    """Return a row for each thing that was looked at."""
    table = Table()
    table.add_column("", no_wrap=True)
    table.add_column("found", overflow="fold")
    table.add_column("fault", overflow="fold")
    for one in found:
        table.add_row(one.what, one.value, one.fault)
    return table


@app.command()
def main(
    json_file: JsonFile = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --json if it exists.")] = False,
) -> None:
    """Show versions, extras, compiled code and space, and say what to do next; status 1 if no game can be played."""
    try:
        with beside_results(json_file):
            check_results(json_file, force)
            found = findings()
            can_play, next_step = not any(one.stops for one in found), advice(found)
            rows = [one._asdict() for one in found]
            write_results(json_file, {"can_play": can_play, "advice": next_step, "findings": rows})
            print_table(findings_table(found))
            print_line(next_step)
    except (ValueError, OSError, ImportError) as error:  # nothing that shows errors better can be relied on here
        print(f"error: {printable(str(error))}", file=sys.stderr)
        raise typer.Exit(MISTAKE) from error
    if not can_play:
        raise typer.Exit(CANNOT_PLAY)


if __name__ == "__main__":
    app()
