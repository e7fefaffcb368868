"""The agents: each plays a seat of a ``Game``."""
