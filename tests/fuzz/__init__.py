"""Inputs by the thousand: no foreign exception, and nothing wrong accepted in silence.

Each family is a module with ``run(seed, count)``, which tries ``count`` inputs that follow from ``seed`` and returns
how often each outcome occurred. ``python -m tests.fuzz --inputs 100000`` runs them all.
"""
