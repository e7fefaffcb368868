"""Kernels that play many games at once, whatever game it is: they know positions by four fields (``position``)."""
