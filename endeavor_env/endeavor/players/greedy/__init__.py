"""The greedy player: a search over its own turn, and a weighted estimate of positions."""
