"""The game of the kernels in the words of the reference, a stand-in until there are kernels."""

from __future__ import annotations

from tests.merchants.reference.game import ReferenceGame


class KernelGame(ReferenceGame):
    """A second game of the reference."""
