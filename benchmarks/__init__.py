"""Measurements and long checks: ``python -m benchmarks.core``, ``benchmarks.envs`` and ``benchmarks.soak``."""
