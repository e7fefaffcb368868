"""Drawings of a game: ``ansi`` is plain text."""
