"""The greedy player: the move after which its own position is worth most, by weighted features of what it may see."""
