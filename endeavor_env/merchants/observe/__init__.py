"""Observations: their layouts, and the kernels that fill them."""
