"""The named errors of the package. All are ValueErrors; each message is one sentence: asked, why not, what is legal."""

from __future__ import annotations

from collections.abc import Sequence


class EndeavorError(ValueError):
    """Base of every error this package raises on purpose."""


class InvalidBoardError(EndeavorError):
    """A board file or dictionary is not a valid board; ``faults`` holds every fault found, one sentence each."""

    def __init__(self, source: str, faults: Sequence[str]) -> None:
        """List ``faults`` of the board from ``source`` in one message."""
        self.source = source
        self.faults = list(faults)
        listed = "".join(f"\n  {number}. {fault}" for number, fault in enumerate(self.faults, 1))
        count = f"{len(self.faults)} fault" + ("s" if len(self.faults) != 1 else "")
        super().__init__(f"board {source} has {count}:{listed}")

    def __reduce__(self) -> tuple[type[InvalidBoardError], tuple[str, list[str]]]:
        """Let the error travel between processes: it is rebuilt from source and faults, not from its message."""
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
