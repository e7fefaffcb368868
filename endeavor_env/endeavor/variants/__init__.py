"""The additions of the variants to the base game, each in its own package."""
