"""Cloning: a policy network that learns to make the choices of a stronger player (``endeavor train clone``)."""
