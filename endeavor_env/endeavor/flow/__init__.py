"""The order of play: the only package that knows the base game and every variant, and chooses between them."""
