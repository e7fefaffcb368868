"""Measurements and long checks.

The commands are ``endeavor bench speed`` (everything), ``.core``, ``.merchants``, ``.envs``, ``.memory`` and
``.soak``.
"""
