"""Measurements and long checks.

The commands are ``endeavor bench speed``, ``core``, ``envs``, ``merchants``, ``memory``, ``workers`` and ``soak``.
"""
