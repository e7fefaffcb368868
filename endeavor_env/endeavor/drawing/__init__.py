"""Drawings of a game: ``view`` reads a position once into one plain description, ``ansi`` draws it as plain text."""
