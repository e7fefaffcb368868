"""Instructions that are emitted for functions of kernels; imported only where something is compiled."""

from __future__ import annotations
