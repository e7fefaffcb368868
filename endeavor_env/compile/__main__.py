"""Compile everything now: ``python -m endeavor_env.compile``."""

from __future__ import annotations

import sys

from endeavor_env.compile.command import main

if __name__ == "__main__":
    sys.exit(main())
