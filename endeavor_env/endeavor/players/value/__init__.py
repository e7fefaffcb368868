"""The value player: a search over its own turn whose positions a small neural network values."""
