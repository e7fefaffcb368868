"""AlphaZero for one to five seats on the compiled search: ``endeavor train az``."""
