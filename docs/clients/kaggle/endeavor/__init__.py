"""Endeavor (2009), four players: the rules are the package endeavor-env, this folder is what Kaggle shows and asks."""
