"""What ``endeavor_env.training.td`` asks of Merchants of Europe."""
