"""Measurements and long checks: ``python -m benchmarks.run``, ``.core``, ``.envs``, ``.memory`` and ``.soak``."""
