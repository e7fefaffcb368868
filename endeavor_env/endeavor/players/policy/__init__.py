"""The policy player: a network that gives every action a preference, read once for each decision."""
