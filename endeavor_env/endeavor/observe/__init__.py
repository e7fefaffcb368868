"""Observations: the layouts of the vectors that agents and networks read, and the kernels that write them."""
