"""Players of Endeavor: the protocol, the built-in agents, and the matches that they play."""
