"""A program, run in a process of its own: ``endeavor`` where no extra is installed, nor the libraries it is given."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from importlib.abc import MetaPathFinder
from typing import Any

BLOCKED = (
    "PIL", "choix", "h5py", "matplotlib", "mcp", "minari", "pandas", "pygame", "ray", "sb3_contrib",
    "stable_baselines3", "starlette", "tensorboard", "torch", "tqdm", "uvicorn",
)  # fmt: skip


class Missing(MetaPathFinder):
    """Finds that none of these libraries is installed."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        """Raise what Python raises for a module that is not there."""
        if fullname.partition(".")[0] in (*BLOCKED, *sys.argv[1:]):
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def run(arguments: list[str]) -> tuple[int, str, str]:
    """Return the exit status of a command line, and what it prints."""
    from endeavor_env.cli.app import app

    out, err = io.StringIO(), io.StringIO()
    status = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            app(arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
    return status, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    sys.meta_path.insert(0, Missing())
    print(json.dumps([run(arguments) for arguments in json.loads(sys.stdin.read())]))
