"""What a library needs of the Python that loads it: a table of addresses, which it reads by these names' places.

So a library refers to nothing outside itself, and is the same for every version of Python and NumPy.
"""

from __future__ import annotations

FUNCTIONS = (
    "PyLong_AsLongLong",
    "PyLong_FromLongLong",
    "PyFloat_AsDouble",
    "PyFloat_FromDouble",
    "PyBool_FromLong",
    "PyErr_Occurred",
    "PyErr_SetString",
    "PyList_New",
    "PyList_SetItem",
    "PyTuple_New",
    "PyTuple_SetItem",
    "PyTuple_GetItem",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "Py_IncRef",
)
"""Functions of Python's stable interface for C."""
OBJECTS = ("ndarray", "TypeError", "RuntimeError", "None")
"""Python objects, which live as long as the process."""
NEW_ARRAY = "PyArray_New"
"""NumPy's function that makes an array."""
TYPES = ("int32", "uint32", "int64", "uint64")
"""Types of entries of arrays whose numbers NumPy has from the C compiler of the system: the table holds the numbers."""
FIND = "find_missing"
"""A function of the package, which maps or makes the part with an entry that another library calls."""
NAMES = (*FUNCTIONS, *OBJECTS, NEW_ARRAY, *TYPES, FIND)
PREFIX = "endeavor_"
"""The beginning of the symbols of a library."""
TABLE_SYMBOL = "endeavor_table"
"""The symbol of the table."""
SLOT = "_slot"
"""The end of the symbol of the address of an entry in another library, 0 until it is called."""
PLAIN = "_plain"
"""The end of the symbol of an entry that takes its arguments as words, and writes its results over the first ones."""
DONE, LOST = 0, -1
"""Results of an entry called with words: its kernel ended, or raised an error."""
FAILED = -(1 << 63)
"""The result of a code entry for machine code that calls it: its kernel failed, or it could not be made."""
