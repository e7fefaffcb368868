"""What a game must offer to be observed, explained and drawn; the modules below ``game`` know no more of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.errors import InvalidOptionError, shown


class PositionLike(Protocol):
    """A position on its board."""

    @property
    def board(self) -> Board:
        """The board played on."""
        ...

    @property
    def state(self) -> npt.NDArray[np.void]:
        """(1,) STATE; readers do not write to it."""
        ...


class GameLike(PositionLike, Protocol):
    """A position and the way it was reached, as ``endeavor_env.Game`` has them."""

    @property
    def history(self) -> Sequence[tuple[int, int]]:
        """The moves made, as (seat, action id)."""
        ...

    @property
    def drawn(self) -> npt.NDArray[np.void]:
        """(1,) SETUP: every random outcome of the set-up."""
        ...


def no_game(given: object) -> InvalidOptionError:
    """Return the error for what has no position where a game is needed."""
    return InvalidOptionError(
        f"{shown(given)} is no game: give a Game, or an object with a board and a state as it has"
    )
