"""Batches: N games as arrays, played by compiled kernels on several threads. No framework is used here."""
