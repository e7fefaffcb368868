"""Files that come with the package: the board of 2009, and the tiles of the Exploits."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parent
"""The folder of these files; ``importlib.resources`` would find it, too, but takes several milliseconds to import."""
