"""The machine room: compiling kernels, the library of their machine code, calling it from Python, threads, processors.

Nothing here knows the game. A *kernel* is a function in the part of Python that Numba compiles; an *entry* is a kernel
that Python calls, with the types of its arguments declared where it is defined. All entries together are compiled to
one library (``build``), which later processes map into their memory (``library``): they import neither Numba nor
llvmlite. Numba's own compiler is used where kernels are called that are no entries, as by the functions of users.
"""

from __future__ import annotations
