"""The errors of the package. All are ValueErrors; a message says what was asked, why not, and what would be legal.

``shown`` and ``named`` write whatever was given into such a message.
"""

from __future__ import annotations

import math
import pickle
import reprlib
from collections.abc import Sequence
from typing import Any, NoReturn, SupportsIndex

_MOST_CHARACTERS = 120
_MOST_FAULTS = 100  # of a board, in one message


class EndeavorError(ValueError):
    """Base of the errors that this package raises for wrong input."""


class InvalidBoardError(EndeavorError):
    """A board file or dictionary is not a valid board; ``faults`` holds every fault found, one sentence each."""

    def __init__(self, source: str, faults: Sequence[str]) -> None:
        """Make one message of the ``faults`` of the board called ``source``."""
        self.source = source
        self.faults = list(faults)
        listed = "".join(f"\n  {number}. {fault}" for number, fault in enumerate(self.faults[:_MOST_FAULTS], 1))
        if len(self.faults) > _MOST_FAULTS:
            listed += f"\n  and {len(self.faults) - _MOST_FAULTS:,} more"
        super().__init__(f"board {source} has {counted(len(self.faults), 'fault')}:{listed}")

    def __reduce__(self) -> tuple[type[InvalidBoardError], tuple[str, list[str]]]:
        """Pickle source and faults, from which the error is built again, instead of the message."""
        return type(self), (self.source, self.faults)


class InvalidSetupError(EndeavorError):
    """A given set-up does not fit the board or the rules."""


class InvalidOptionError(EndeavorError):
    """An unknown option, variant, player count or constructor value."""


class IllegalActionError(EndeavorError):
    """An action id or move that is not legal now; the game is unchanged."""


class GameOverError(IllegalActionError):
    """A move in a finished game; the game is unchanged."""


class MissingLibraryError(EndeavorError, ImportError):
    """A library that is not installed, which only some things need; the message says how to install it."""


class NoWindowError(EndeavorError):
    """No window can be opened on this machine."""


class RecordError(EndeavorError):
    """A game record that cannot be read or does not replay; nothing was loaded."""


class DatasetError(EndeavorError):
    """A dataset of games that is missing, cut off, edited or made for other layouts; nothing was loaded."""


class CheckpointError(EndeavorError):
    """A checkpoint that is missing, truncated or edited; nothing was loaded."""


class CheckpointMismatchError(CheckpointError):
    """A sound checkpoint made for another action layout, observation layout or environment version."""


class UnpicklableError(EndeavorError, pickle.PicklingError):
    """An object that cannot be pickled or copied, because it holds threads, locks or processes."""


class Unpicklable:
    """Base of classes whose objects belong to one process: pickling or copying one raises UnpicklableError."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Raise the error, which says what to do."""
        raise UnpicklableError(
            f"a {type(self).__name__} cannot be pickled or copied: it holds threads, locks or processes of this "
            "process; make another one where it is needed"
        )


# --- values in messages ----------------------------------------------------------------------------------------------
class _Shortened(reprlib.Repr):
    """Short texts of values of any type and size."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring = 4, 80
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = 12

    def repr_int(self, x: int, level: int) -> str:
        """Return the digits of a number of up to 40 digits; Python writes no number of more than 4,300."""
        if x.bit_length() <= 132:
            return repr(x)
        return f"<a number of about {math.ceil(x.bit_length() * math.log10(2)):,} digits>"

    def repr_bytes(self, x: bytes, level: int) -> str:
        """Return the first bytes."""
        return repr(x if len(x) <= self.maxstring else x[: self.maxstring] + b"...")

    def repr_instance(self, x: Any, level: int) -> str:
        """Return what the type of the value writes for it, or only the name of the type."""
        try:
            return repr(x)
        except Exception:  # whatever a class of the caller's raises must not hide the error with this message
            return f"<{type(x).__name__}>"


_SHORTENED = _Shortened()


def named(text: object) -> str:
    """Return a short printable text as it is; anything else as ``shown`` writes it."""
    plain = str.__str__(text) if isinstance(text, str) else ""
    fits = 0 < len(plain) <= _MOST_CHARACTERS and plain.isprintable() and plain == plain.strip()
    return plain if fits else shown(text)


def counted(count: int, noun: str) -> str:
    """Return a number of things in words, such as "1 merchant" and "2 merchants"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def printable(text: str) -> str:
    """Return a text of any lines with a code in place of each character that a terminal obeys and does not print."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in "\n\t" else ascii(one)[1:-1] for one in text)


def shown(value: object) -> str:
    """Return ``value`` as ``repr`` writes it, on one line, cut short, and whatever its size, type and ``__repr__``."""
    try:
        text = _SHORTENED.repr(value)
    except Exception:  # a class that is called like a built-in type, or nesting without end
        text = f"<{type(value).__name__}>"
    line = " ".join(text[: 4 * _MOST_CHARACTERS].encode("utf-8", "backslashreplace").decode("utf-8").split())
    return line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 3] + "..."
