"""The search for the weights of the greedy player: ``python -m training.tune_greedy``."""
