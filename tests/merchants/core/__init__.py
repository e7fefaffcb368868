"""Tests of the kernels of Merchants of Europe."""
