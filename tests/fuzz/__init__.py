"""Inputs by the thousand: no foreign exception, and nothing wrong accepted in silence."""
