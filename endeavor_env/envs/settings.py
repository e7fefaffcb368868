"""The options that all environments have: declared once, checked once, and passed on as one object; and the spaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from endeavor_env.basics.inputs import (
    ILLEGAL_ACTIONS,
    MASK_DTYPES,
    MASK_KEY,
    MAX_CYCLES,
    OBSERVATION_KEY,
    OBSERVATIONS,
    PACKED,
    check_observation_key,
    check_render_mode,
    check_seed,
    finite_number,
    one_of,
    positive_number,
    true_or_false,
)
from endeavor_env.engine.batch.batch_rewards import FinalReward
from endeavor_env.engine.batch.game_batch import Kinds
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.masks import BITS, words_of
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.engine.rewards import RewardFunction, Shaping, shaping_option
from endeavor_env.envs.signatures import all_options
from endeavor_env.errors import InvalidOptionError
from endeavor_env.spaces import ActionSpace, MaskedSpace

# --- The observation and action spaces of one seat -------------------------------------------------------------------

_EVERY_BIT = (1 << BITS) - 1


def vector_space(rules: GameRules, variant: str, observation: str) -> gymnasium.spaces.Box:
    """Return a new space of the observation vector without the mask."""
    layout = rules.layout_for(variant, observation)
    return gymnasium.spaces.Box(layout.low, layout.high, dtype=layout.low.dtype.type)


def mask_space(actions: int, mask_dtype: str) -> gymnasium.spaces.Box:
    """Return a new space of the mask of legal actions, of the type "int8", "bool" or PACKED."""
    if mask_dtype == PACKED:
        return gymnasium.spaces.Box(0, _EVERY_BIT, (words_of(actions),), np.uint64)
    return gymnasium.spaces.Box(0, 1, (actions,), np.dtype(mask_dtype).type)


def ended_mask(actions: int) -> npt.NDArray[np.uint64]:
    """Return the packed mask, (words,) uint64, in which all ``actions`` ids are legal, as when a game has ended."""
    ids = np.zeros(words_of(actions) * BITS, np.uint8)
    ids[:actions] = 1
    return np.packbits(ids, bitorder="little").view("<u8").astype(np.uint64)


def seat_spaces(
    rules: GameRules,
    variant: str,
    observation: str,
    *,
    flat: bool = False,
    observation_key: str = OBSERVATION_KEY,
    mask_dtype: str = "int8",
) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
    """Return new observation and action spaces of one seat.

    Args:
        rules: The game.
        variant: A name of its variants.
        observation: "features" or "compact".
        flat: Whether an observation is the vector alone, without the mask.
        observation_key: The key of the vector in an observation with a mask.
        mask_dtype: "int8", "bool" or PACKED, the type of the mask.
    """
    vector, actions = vector_space(rules, variant, observation), rules.num_actions(variant)
    seen: gymnasium.Space[Any] = vector
    if not flat:
        seen = MaskedSpace({observation_key: vector, MASK_KEY: mask_space(actions, mask_dtype)})
    return seen, ActionSpace(actions)


# --- The options that all environments have: declared once, checked once, and passed on as one object, ---------------


class EnvOptions(TypedDict, total=False):
    """The options of every environment, as constructors take them."""

    observation: str
    flat: bool
    observation_key: str
    mask_dtype: str
    max_cycles: int
    reward: str | RewardFunction | None
    shaping: dict[str, float] | Shaping | None
    illegal_action: str
    illegal_reward: float
    seed: int | None
    render_mode: str | None


DEFAULTS = EnvOptions(
    observation="features",
    flat=False,
    observation_key=OBSERVATION_KEY,
    mask_dtype="int8",
    max_cycles=MAX_CYCLES,
    reward=None,
    shaping=None,
    illegal_action="terminate",
    illegal_reward=-1.0,
    seed=None,
    render_mode=None,
)
"""The value of each option that is left out."""

MEANINGS = {
    "observation": '``"features"`` (float32) or ``"compact"`` (int8).',
    "flat": "whether an observation is the vector alone, a ``Box``, for policies that take no ``Dict``. The mask is "
    "then in the infos and ``action_masks()``.",
    "observation_key": 'the key of the vector in observations, ``"observation"``; RLlib\'s modules want '
    '``"observations"``.',
    "mask_dtype": '``"int8"``, which ``Discrete.sample`` wants, or ``"bool"``; ``action_masks()`` is always bool.',
    "max_cycles": "decisions of all seats after which the episode is truncated, 10,000.",
    "reward": "see Rewards; None is ``win``, in the solitaire game ``margin``.",
    "shaping": "see Rewards; None, or a mapping with ``gamma`` and ``weight``.",
    "illegal_action": '``"terminate"``, or ``"raise"`` for an IllegalActionError that changes nothing.',
    "illegal_reward": "what an illegal action pays that ends the episode.",
    "seed": "for the first reset that is given none.",
    "render_mode": 'None, ``"human"`` (a window), ``"rgb_array"`` (``render()`` returns the picture as pixels) or '
    '``"ansi"`` (it returns the board as text, in the solitaire game with what the Opposition did and why).',
}
"""Meaning of each option, as the docstrings and pages of the environments list it."""


class VectorOptions(EnvOptions, total=False):
    """The options of every vector environment, as constructors take them."""

    autoreset_mode: AutoresetMode | str
    threads: int | None
    copy: bool
    render_games: int | None


VECTOR_ONLY_DEFAULTS = {"autoreset_mode": AutoresetMode.NEXT_STEP, "threads": None, "copy": True, "render_games": None}
"""Value of each option that vector environments alone have, if it is left out."""
VECTOR_DEFAULTS = {**DEFAULTS, **VECTOR_ONLY_DEFAULTS}
"""Value of each option of a vector environment that is left out."""


@dataclass(frozen=True)
class EnvSettings:
    """The checked options of an environment of any game."""

    kinds: Kinds
    """The games that are played; a single environment has one kind."""
    observation: str
    """"features" or "compact"."""
    flat: bool
    """True if an observation is the vector alone; the mask is then only in the infos and ``action_masks()``."""
    observation_key: str
    """The key of the vector in observations, beside "action_mask"; without meaning where they are ``flat``."""
    mask_dtype: str
    """"int8" or "bool", the type of the masks in observations and infos; in vector environments also PACKED."""
    max_cycles: int
    """Decisions of all seats after which a game is cut short."""
    reward: FinalReward
    shaping: Shaping | None
    illegal_raises: bool
    """True if an illegal action raises an error; otherwise it ends the episode."""
    illegal_reward: float
    seed: int | None
    """For the first reset that is given none."""
    render_mode: str | None

    @property
    def config(self) -> GameConfig:
        """What a single environment plays."""
        return self.kinds.games[0]

    def spaces_of(self, variant: str) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
        """Return new observation and action spaces of a seat in a game of ``variant``."""
        return seat_spaces(
            self.kinds.rules,
            variant,
            self.observation,
            flat=self.flat,
            observation_key=self.observation_key,
            mask_dtype=self.mask_dtype,
        )


def check_settings(
    kinds: Kinds, *, mask_dtypes: Sequence[str] = MASK_DTYPES, **given: Unpack[EnvOptions]
) -> EnvSettings:
    """Return the options, whose meaning the environments document; raise InvalidOptionError for a wrong one.

    ``mask_dtypes`` are the values that ``mask_dtype`` may have.
    """
    options = all_options(given, DEFAULTS)
    raises = one_of("illegal_action", options["illegal_action"], ILLEGAL_ACTIONS) == "raise"
    illegal_reward = finite_number("illegal_reward", options["illegal_reward"])
    reward = _default_reward(kinds) if options["reward"] is None else options["reward"]
    flat = true_or_false("flat", options["flat"])
    return EnvSettings(
        kinds=kinds,
        observation=one_of("observation", options["observation"], OBSERVATIONS),
        flat=flat,
        observation_key=check_observation_key(options["observation_key"], flat),
        mask_dtype=one_of("mask_dtype", options["mask_dtype"], mask_dtypes),
        max_cycles=_check_max_cycles(options["max_cycles"]),
        reward=FinalReward(reward, kinds.games, -math.inf if raises else illegal_reward),
        shaping=shaping_option(options["shaping"]),
        illegal_raises=raises,
        illegal_reward=illegal_reward,
        seed=check_seed(options["seed"]),
        render_mode=check_render_mode(options["render_mode"]),
    )


def _default_reward(kinds: Kinds) -> str:
    """Return the name of the reward that is paid unless another is asked for.

    Beginners lose every solitaire game, so that "win" would teach them nothing.
    """
    return "margin" if any(game.num_scores > game.players for game in kinds.games) else "win"


def _check_max_cycles(value: Any) -> int:
    """Return the limit of decisions, with which every seat at least comes to its first one."""
    number = positive_number("max_cycles", value)
    if number >= MAX_SEATS:
        return number
    raise InvalidOptionError(
        f"max_cycles={number} is not possible: it counts the decisions of all seats; give {MAX_SEATS} or more"
    )
