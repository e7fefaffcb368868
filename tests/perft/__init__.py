"""Perft: numbers of decision sequences by length, from fixed positions."""
