"""What the variants add to the base game, each in its own package."""
