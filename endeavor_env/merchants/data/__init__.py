"""The two declared boards, as text files: ``merchants_short.toml`` and ``merchants_expert.toml``."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent
"""The folder of these files."""
