"""Merchants of Europe: the second game of this package, on the same engine as Endeavor, and nothing else in common."""
