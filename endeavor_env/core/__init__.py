"""The rules, as kernels on two structured arrays. Imports numpy, numba and itself only."""
