"""The rules core: NumPy arrays and kernels that Numba compiles, nothing else."""

from __future__ import annotations

from endeavor_env.endeavor.rules import parts as parts
