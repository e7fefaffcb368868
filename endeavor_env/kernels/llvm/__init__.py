"""What is emitted for the functions that stand for instructions; imported only where something is compiled."""

from __future__ import annotations
