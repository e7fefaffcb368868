"""The errors of the package. All are ValueErrors; a message says what was asked, why not, and what would be legal."""

from __future__ import annotations

from collections.abc import Sequence


class EndeavorError(ValueError):
    """Base of the errors that this package raises for wrong input."""


class InvalidBoardError(EndeavorError):
    """A board file or dictionary is not a valid board; ``faults`` holds every fault found, one sentence each."""

    def __init__(self, source: str, faults: Sequence[str]) -> None:
        """Make one message of the ``faults`` of the board called ``source``."""
        self.source = source
        self.faults = list(faults)
        listed = "".join(f"\n  {number}. {fault}" for number, fault in enumerate(self.faults, 1))
        count = f"{len(self.faults)} fault" + ("s" if len(self.faults) != 1 else "")
        super().__init__(f"board {source} has {count}:{listed}")

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


class RecordError(EndeavorError):
    """A game record that cannot be read or does not replay; nothing was loaded."""


class CheckpointError(EndeavorError):
    """A checkpoint that is missing, truncated or edited; nothing was loaded."""


class CheckpointMismatchError(CheckpointError):
    """A sound checkpoint made for another action layout, observation layout or environment version."""
