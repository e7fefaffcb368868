"""Kernels that walk over many games or positions in one call."""
