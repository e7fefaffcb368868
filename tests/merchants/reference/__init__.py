"""A second, slow reading of the rules of Merchants of Europe, which shares nothing with the kernels."""
