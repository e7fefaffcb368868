"""Having machine code: made when a game needs it, by ``python -m endeavor_env.compile``, or for a wheel."""
