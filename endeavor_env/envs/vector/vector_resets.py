"""The options of a vector environment's reset: which games start, with which set-ups, first players and seats."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import check_reset_options, listed, seat_number
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.engine.kernels.rules import NONE
from endeavor_env.errors import InvalidOptionError

OPTIONS = ("reset_mask", "setup", "first_player", "learner_seat")


class Reset(NamedTuple):
    """The games to start, by row, and the options of each."""

    rows: npt.NDArray[np.int64]
    """(n,): indices of games."""
    setups: npt.NDArray[np.void]
    """(n,) set-ups; only those with ``has_setup`` are used."""
    has_setup: npt.NDArray[np.bool_]
    """(n,): whether the set-up of a game is given."""
    first_players: npt.NDArray[np.int8]
    """(n,): seats, NONE where the first player is drawn."""
    learner_seats: npt.NDArray[np.int8]
    """(n,): seats, NONE where the option of the constructor decides."""

    @property
    def drawn(self) -> npt.NDArray[np.bool_]:
        """(n,): whether the whole set-up of a game is drawn from its seed."""
        return ~self.has_setup & (self.first_players == NONE)


def check_reset(options: Any, kinds: Kinds, played: npt.NDArray[np.int16], playing: bool, self_play: bool) -> Reset:
    """Return the games to start and their options.

    Args:
        options: A mapping with any of OPTIONS, or None. All but ``reset_mask`` are one value for all games that start,
            or a list with an entry for each game of the environment, None where nothing is given.
        kinds: The kinds of game.
        played: (num_envs,): the kind of each game.
        playing: Whether games are in play.
        self_play: Whether the learner decides for every seat.

    Raises:
        InvalidOptionError: A value that does not fit.
        InvalidSetupError: A set-up that does not fit its game.
    """
    given = check_reset_options(options, OPTIONS, strict=True)
    rows = _check_reset_mask(given.get("reset_mask"), played.size, playing)
    if kinds.drawn and "setup" in given:
        raise InvalidOptionError("setup is not possible where each game draws its kind: give game_choice='row'")
    if self_play and "learner_seat" in given:
        raise InvalidOptionError("learner_seat is not possible in self-play: the learner decides for every seat")
    reset = Reset(
        rows,
        np.zeros(rows.size, kinds.rules.setup),
        np.zeros(rows.size, bool),
        np.full(rows.size, NONE, np.int8),
        np.full(rows.size, NONE, np.int8),
    )
    row_kinds = [None if kinds.drawn else kinds.games[kind] for kind in played[rows].tolist()] if given else []
    for index, setup in _entries("setup", given, rows, played.size):
        kind = row_kinds[index]
        assert kind is not None  # a set-up was refused where games draw their kind
        reset.setups[index], reset.has_setup[index] = kind.read_setup(setup)[0], True
    for name, seats in (("first_player", reset.first_players), ("learner_seat", reset.learner_seats)):
        for index, seat in _entries(name, given, rows, played.size):
            kind = row_kinds[index]
            seats[index] = seat_number(name, seat, kinds.least if kind is None else kind.players)
    return reset


def _check_reset_mask(mask: Any, num_envs: int, playing: bool) -> npt.NDArray[np.int64]:
    """Return the games that a reset starts: all, or those of the option ``reset_mask``."""
    if mask is None:
        return np.arange(num_envs)
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (num_envs,) or not mask.any():
        raise InvalidOptionError(f"reset_mask must be a ({num_envs},) bool array of NumPy with at least one True")
    if not playing:
        raise InvalidOptionError("reset_mask is not possible now: games are in play only after a reset of all of them")
    return np.flatnonzero(mask)


def _entries(name: str, given: dict[str, Any], rows: npt.NDArray[np.int64], num_envs: int) -> list[tuple[int, Any]]:
    """Return the values of the option ``name``, each with the index of its row in ``rows``."""
    if name not in given:
        return []
    value = given[name]
    several = listed(value)
    if several is not None:
        if len(several) != num_envs:
            raise InvalidOptionError(f"{name} has {len(several)} entries: give one, or a list of {num_envs}")
        values = [several[row] for row in rows.tolist()]
    else:
        values = [value] * rows.size
    return [(index, one) for index, one in enumerate(values) if one is not None]
