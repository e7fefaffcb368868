"""The version of the package, which stands here alone."""

from __future__ import annotations

VERSION = "0.1.0"
ENVIRONMENT = "Endeavor-v0"
"""The name of the environment with Gymnasium; its number grows when equal seeds and moves lead to another game."""
