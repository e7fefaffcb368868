"""From the sources to the library: two processes of Numba's front end, then two of LLVM, and one file.

Only these modules, and what they start, import Numba and llvmlite.
"""

from __future__ import annotations
