"""Drawings of a game. ``ansi`` is plain text; ``solo`` and ``neutral`` add to it what only some variants have."""
