"""Measurements and long checks.

The commands are ``python -m benchmarks.run`` (everything), ``.core``, ``.envs``, ``.memory`` and ``.soak``.
"""
