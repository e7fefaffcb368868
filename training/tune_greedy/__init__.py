"""The search for the weights of the greedy player: ``endeavor train tune-greedy``."""
