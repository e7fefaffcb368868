"""Measurements and long checks.

The commands are ``endeavor bench run`` (everything), ``.core``, ``.merchants``, ``.envs``, ``.memory`` and
``.soak``.
"""
