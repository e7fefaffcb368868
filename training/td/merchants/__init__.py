"""What ``training.td`` asks of Merchants of Europe."""
