"""The command ``endeavor``: everything that this package does, under one name."""

from __future__ import annotations
