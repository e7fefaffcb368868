"""From the sources to the library: Numba's front end in several processes, one optimisation, one emission, one file.

Only these modules, and what they start, import Numba and llvmlite.
"""

from __future__ import annotations
