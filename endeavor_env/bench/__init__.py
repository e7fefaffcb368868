"""The frozen benchmark: tasks as files of data, who plays in them, and scores that anybody can check.

``endeavor bench run`` plays a task, ``endeavor bench score`` makes a row of it, ``endeavor bench verify`` says whether
it is true. The rules are on the page ``docs/benchmark.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from endeavor_env.basics.lazy import loaded_when_used

if TYPE_CHECKING:
    from endeavor_env.bench.rows import check_row, read_row
    from endeavor_env.bench.version import Task, Version, version_one

__all__ = ["Task", "Version", "check_row", "read_row", "version_one"]

_DEFINED_IN = {
    "Task": "endeavor_env.bench.version",
    "Version": "endeavor_env.bench.version",
    "check_row": "endeavor_env.bench.rows",
    "read_row": "endeavor_env.bench.rows",
    "version_one": "endeavor_env.bench.version",
}
__getattr__ = loaded_when_used(__name__, _DEFINED_IN)
