"""VectorSettings: the options that all vector environments have, checked once and passed on as one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import gymnasium.vector
import numpy as np
from gymnasium.vector import AutoresetMode

from endeavor_env.basics.inputs import MASK_DTYPES, PACKED, positive_number, seat_number, true_or_false
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.batch.game_batch import bytes_of_game
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.engine.batch.memory_limit import check_memory
from endeavor_env.engine.kernels.tables import IS_DRAWN, ROTATES, STAYS
from endeavor_env.envs.opponents_env import ROTATE
from endeavor_env.envs.settings import DEFAULTS, EnvOptions, EnvSettings, check_settings
from endeavor_env.envs.signatures import all_options
from endeavor_env.envs.vector.vector_opponents import BatchOpponents, check_batch_opponents
from endeavor_env.errors import InvalidOptionError, shown

ALL = "all"
"""The value of ``learner_seat`` for self-play."""
MOST_SHOWN = 64
"""Games that ``render`` shows at once."""


class VectorOptions(EnvOptions, total=False):
    """The options of every vector environment, as constructors take them."""

    autoreset_mode: gymnasium.vector.AutoresetMode | str
    threads: int | None
    copy: bool
    render_games: int | None


OWN_DEFAULTS = {"autoreset_mode": AutoresetMode.NEXT_STEP, "threads": None, "copy": True, "render_games": None}
VECTOR_DEFAULTS = {**DEFAULTS, **OWN_DEFAULTS}
"""The value of each option that is left out."""


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
    """Whether observations and masks are returned as fresh arrays."""
    render_games: int
    """How many of the first games ``render`` shows."""

    @property
    def self_play(self) -> bool:
        """Whether the learner decides for every seat."""
        return self.home == c.NONE


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
    autoreset_mode, threads, copy, render_games = (options.pop(name) for name in OWN_DEFAULTS)
    count = positive_number("num_envs", num_envs)
    env = check_settings(kinds, mask_dtypes=(*MASK_DTYPES, PACKED), **options)
    layout = kinds.rules.layout_for(kinds.layout_variant, env.observation)
    seen = layout.size * np.dtype(layout.dtype).itemsize
    actions = kinds.rules.num_actions(kinds.layout_variant)
    beside = 2 * (seen + (0 if env.mask_dtype == PACKED else actions))  # this observation and the next, with masks
    check_memory("num_envs", count, bytes_of_game(kinds.rules, actions) + beside)
    home, rotates = _check_learner_seat(learner_seat, kinds)
    if home == c.NONE and env.shaping is not None:
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
        return c.NONE, STAYS
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
