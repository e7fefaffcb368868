"""Observations as kernels: what the arrays a network reads are filled with."""
