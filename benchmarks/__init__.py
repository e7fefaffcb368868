"""Measurements and long checks.

The commands are ``python -m benchmarks.run`` (everything), ``.core``, ``.merchants``, ``.envs``, ``.memory`` and
``.soak``.
"""
