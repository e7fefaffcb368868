"""The environments are registered with Gymnasium and PettingZoo in any order of imports."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KNOWN = (
    "print('Endeavor-v0' in gymnasium.registry, 'EndeavorSolo-v0' in gymnasium.registry,"
    " 'endeavor/endeavor-v0' in pettingzoo.aec_registry, 'endeavor/endeavor-v0' in pettingzoo.parallel_registry)"
)


def run(code: str) -> str:
    """Return what a new process prints."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "imports",
    [
        "import endeavor_env, gymnasium, pettingzoo",
        "import gymnasium, pettingzoo, endeavor_env",
        "import gymnasium, endeavor_env, pettingzoo",
        "import pettingzoo, endeavor_env, gymnasium",
        "import endeavor_env; from gymnasium import spaces; import gymnasium, pettingzoo",
        "import endeavor_env, importlib; importlib.reload(endeavor_env); import gymnasium, pettingzoo",
        "import gymnasium, pettingzoo; gymnasium.make('endeavor_env:Endeavor-v0')",
    ],
)
def test_they_are_known_in_any_order_of_imports(imports: str) -> None:
    assert run(f"{imports}\n{KNOWN}").split() == ["True"] * 4


def test_nothing_is_left_among_the_finders_when_both_are_there() -> None:
    code = "import endeavor_env, gymnasium, pettingzoo, sys\nprint([type(one).__name__ for one in sys.meta_path])"
    assert "_Watcher" not in run(code)


def test_a_library_that_is_not_installed_is_missing_as_before() -> None:
    code = (
        "import endeavor_env, sys\nsys.path[:] = [one for one in sys.path if 'site-packages' not in one]\n"
        "for _ in range(2):\n    try:\n        import pettingzoo\n    except ModuleNotFoundError as error:\n"
        "        print(error.name)\n"
    )
    assert run(code).split() == ["pettingzoo"] * 2
