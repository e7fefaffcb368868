"""Search of any game: positions as arrays, rollouts, and trees with chance."""
