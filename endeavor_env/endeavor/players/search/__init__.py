"""Players that search: over the own turn and the rest of the round, and in a tree of turns."""
