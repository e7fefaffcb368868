"""Players of Endeavor: the protocol, the built-in agents, and an arena that plays them against each other."""
