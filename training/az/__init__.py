"""AlphaZero for one to five seats on the compiled search: ``python -m endeavor_env.training.az``."""
