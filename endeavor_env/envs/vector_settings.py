"""The options of vector environments and of their resets, checked once: settings, opponents, which games start how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from endeavor_env.basics.hardware import check_memory
from endeavor_env.basics.inputs import (
    MASK_DTYPES,
    PACKED,
    check_reset_options,
    listed,
    plain_text,
    positive_number,
    positive_weight,
    seat_number,
    true_or_false,
)
from endeavor_env.engine.batch.game_batch import Kinds, bytes_of_game
from endeavor_env.engine.kernels.rules import MAX_SEATS, NONE
from endeavor_env.engine.kernels.tables import IS_DRAWN, ROTATES, STAYS
from endeavor_env.engine.seating import BatchOpponent, check_policy
from endeavor_env.envs.gym_env import ROTATE
from endeavor_env.envs.settings import VECTOR_DEFAULTS, VECTOR_ONLY_DEFAULTS, EnvSettings, VectorOptions, check_settings
from endeavor_env.envs.signatures import all_options
from endeavor_env.errors import InvalidOptionError, shown

ALL = "all"
"""The value of ``learner_seat`` for self-play."""
MOST_SHOWN = 64
"""Games that ``render`` shows at once."""


# --- Opponents: one, a list by distance, or a mix to draw from --------------------------------------------------------

MAX_OPPONENTS = 1 << 14


class BatchOpponents(NamedTuple):
    """Checked opponents: the arguments of ``Seats.seat_opponents``."""

    players: list[BatchOpponent]
    weights: list[float] | None


def check_batch_opponents(opponents: Any, kinds: Kinds) -> BatchOpponents:
    """Return the opponents.

    Args:
        opponents: One for all other seats, a list of those at distance 1, 2, ... after the learner, or a mapping from
            opponents to weights, from which each other seat of each game draws one.
        kinds: The games to be played.

    Raises:
        InvalidOptionError: Something that cannot play these games in a batch, a list of another length, an empty
            mapping, or a weight that is not a finite number above 0.
    """
    if isinstance(opponents, Mapping):
        return _check_mix(opponents, kinds)
    seats = kinds.most
    several = listed(opponents)
    others = [opponents] * (MAX_SEATS - 1) if several is None else several
    if several is not None and len(others) != seats - 1:
        raise InvalidOptionError(
            f"opponents has {len(others)} entries: with {seats} players give one, or a list of {seats - 1}"
        )
    return BatchOpponents([_check_opponent(other, kinds) for other in others], None)


def _check_mix(opponents: Mapping[Any, Any], kinds: Kinds) -> BatchOpponents:
    """Return the opponents of a mapping; a single one means the same as without a weight."""
    if not 0 < len(opponents) < MAX_OPPONENTS:
        raise InvalidOptionError(
            f"opponents with {len(opponents)} entries are not possible: give a mapping from 1 to {MAX_OPPONENTS - 1} "
            "opponents to their weights"
        )
    players = [_check_opponent(other, kinds) for other in opponents]
    weights = [
        positive_weight(f"the weight of opponent {shown(other)},", weight) for other, weight in opponents.items()
    ]
    if len(players) == 1:
        return BatchOpponents(players * (MAX_SEATS - 1), None)
    return BatchOpponents(players, weights)


def _check_opponent(other: Any, kinds: Kinds) -> Any:
    """Return an opponent that can play these games in a batch; raise InvalidOptionError for anything else."""
    function = "a function from (observations, masks) of all games that wait for it to one action id for each"
    check_policy("opponent", other, function, kinds.rules, kinds.variants)
    return plain_text(other) or other


# --- Settings ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VectorSettings:
    """The checked options of a vector environment."""

    num_envs: int
    env: EnvSettings
    """The options that single environments have as well."""
    home: int
    """The learner's first seat; NONE if it decides for every seat."""
    rotates: int
    """STAYS, ROTATES or IS_DRAWN: how the learner's seat changes from one game of a row to the next."""
    opponents: BatchOpponents
    autoreset_mode: AutoresetMode
    threads: int | None
    """At most this many; None for all cores."""
    copy: bool
    """True if observations and masks are returned as fresh arrays."""
    render_games: int
    """Number of games that ``render`` shows, the first ones."""

    @property
    def self_play(self) -> bool:
        """Whether the learner decides for every seat."""
        return self.home == NONE


def check_vector_settings(
    num_envs: Any, kinds: Kinds, *, learner_seat: Any, opponents: Any, **given: Unpack[VectorOptions]
) -> VectorSettings:
    """Return the options, whose meaning the vector environments document.

    Args:
        num_envs: Number of games.
        kinds: The kinds of game.
        learner_seat: A seat of the smallest table, "rotate" or "all".
        opponents: See ``check_batch_opponents``.
        given: The other options; of ``render_games`` the most are ``MOST_SHOWN``.

    Raises:
        InvalidOptionError: A wrong option.
    """
    options = all_options(given, VECTOR_DEFAULTS)
    autoreset_mode, threads, copy, render_games = (options.pop(name) for name in VECTOR_ONLY_DEFAULTS)
    count = positive_number("num_envs", num_envs)
    env = check_settings(kinds, mask_dtypes=(*MASK_DTYPES, PACKED), **options)
    layout = kinds.rules.layout_for(kinds.layout_variant, env.observation)
    seen = layout.size * np.dtype(layout.dtype).itemsize
    actions = kinds.rules.num_actions(kinds.layout_variant)
    beside = 2 * (seen + (0 if env.mask_dtype == PACKED else actions))  # this observation and the next, with masks
    check_memory("num_envs", count, bytes_of_game(kinds.rules, actions) + beside)
    home, rotates = _check_learner_seat(learner_seat, kinds)
    if home == NONE and env.shaping is not None:
        raise InvalidOptionError("shaping needs one learner seat: with learner_seat='all' shape in the learner")
    return VectorSettings(
        num_envs=count,
        env=env,
        home=home,
        rotates=rotates,
        opponents=check_batch_opponents(opponents, kinds),
        autoreset_mode=_check_autoreset_mode(autoreset_mode),
        threads=None if threads is None else positive_number("threads", threads),
        copy=true_or_false("copy", copy),
        render_games=_check_render_games(render_games, count, env.render_mode),
    )


def _check_render_games(value: Any, count: int, render_mode: str | None) -> int:
    """Return how many games are shown; a picture of a game has 3 MB, so more than a screen can show is refused."""
    if value is None and render_mode is None:
        return 0
    games = count if value is None else positive_number("render_games", value)
    most = min(count, MOST_SHOWN)
    if games > most:
        raise InvalidOptionError(
            f"{games} games cannot be shown at once: give render_games=1 to {most}, the first games of the environment"
        )
    return games


def _check_learner_seat(value: Any, kinds: Kinds) -> tuple[int, int]:
    """Return the fields ``home`` and ``rotates``; where games draw their kind, a rotating seat is drawn as well."""
    if isinstance(value, str) and value == ALL:
        return NONE, STAYS
    if isinstance(value, str) and value == ROTATE:
        return 0, IS_DRAWN if kinds.drawn else ROTATES
    return seat_number("learner_seat", value, kinds.least, ROTATE, ALL), STAYS


def _check_autoreset_mode(mode: Any) -> AutoresetMode:
    """Return the mode, given as Gymnasium's enumeration or as its name or value."""
    for known in AutoresetMode:
        if mode is known or (isinstance(mode, str) and mode in (known.name, known.value)):
            return known
    raise InvalidOptionError(
        f"autoreset_mode={shown(mode)} is not possible: give one of {', '.join(known.name for known in AutoresetMode)}"
    )


# --- Resets: which games start, with which set-ups, first players and seats -------------------------------------------

RESET_OPTIONS = ("reset_mask", "setup", "first_player", "learner_seat")


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
        options: A mapping with any of RESET_OPTIONS, or None. All but ``reset_mask`` are one value for all games that
            start, or a list with an entry for each game of the environment, None where nothing is given.
        kinds: The kinds of game.
        played: (num_envs,): the kind of each game.
        playing: Whether games are in play.
        self_play: Whether the learner decides for every seat.

    Raises:
        InvalidOptionError: A value that does not fit.
        InvalidSetupError: A set-up that does not fit its game.
    """
    given = check_reset_options(options, RESET_OPTIONS, strict=True)
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
