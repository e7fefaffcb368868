"""Temporal-difference learning of value networks by self-play: ``endeavor train td``."""
