"""Temporal-difference learning of value networks by self-play: ``python -m training.td``."""
