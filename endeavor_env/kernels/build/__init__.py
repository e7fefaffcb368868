"""From the sources to the pieces of a library: two processes of Numba's front end, and of LLVM.

Only these modules, and what they start, import Numba and llvmlite.
"""

from __future__ import annotations
