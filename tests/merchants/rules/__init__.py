"""A test for every clause of Merchants of Europe, in games that the reference and the kernels play side by side."""
