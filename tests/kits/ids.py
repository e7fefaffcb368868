"""Names of test cases that are the same in every process, so that pytest's processes agree which tests there are."""

from __future__ import annotations

import re


def readable(value: object) -> str:
    """Return ``value`` as text without the addresses of functions and objects in it."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))
