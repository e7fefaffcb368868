"""The rules of Merchants of Europe as kernels."""
