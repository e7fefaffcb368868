"""EnvSettings: the options that all environments have, checked once and passed on as one object."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium

from endeavor_env.batch.batch_rewards import FinalReward
from endeavor_env.batch.game_kinds import Kinds
from endeavor_env.core.constants import MAX_SEATS
from endeavor_env.envs.spaces import seat_spaces
from endeavor_env.errors import InvalidOptionError
from endeavor_env.game_config import GameConfig
from endeavor_env.inputs import (
    ILLEGAL_ACTIONS,
    MASK_DTYPES,
    OBSERVATIONS,
    check_observation_key,
    check_render_mode,
    check_seed,
    finite_number,
    one_of,
    positive_number,
    true_or_false,
)
from endeavor_env.rewards import SOLO, RewardFunction, Shaping, shaping_option


@dataclass(frozen=True)
class EnvSettings:
    """The checked options of an environment; what is played is a ``GameConfig``."""

    kinds: Kinds
    """The games that are played; a single environment has one kind."""
    observation: str
    """"features" or "compact"."""
    flat: bool
    """Whether an observation is the vector alone; the mask is then only in the infos and ``action_masks()``."""
    observation_key: str
    """The key of the vector in observations, beside "action_mask"; without meaning where they are ``flat``."""
    mask_dtype: str
    """"int8" or "bool", the type of the masks in observations and infos; in vector environments also PACKED."""
    max_cycles: int
    """Decisions of all seats after which a game is cut short."""
    reward: FinalReward
    shaping: Shaping | None
    illegal_raises: bool
    """Whether an illegal action raises an error; otherwise it ends the episode."""
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
            variant,
            self.observation,
            flat=self.flat,
            observation_key=self.observation_key,
            mask_dtype=self.mask_dtype,
        )


def check_settings(
    kinds: Kinds,
    *,
    observation: Any,
    flat: Any,
    observation_key: Any,
    mask_dtype: Any,
    max_cycles: Any,
    reward: str | RewardFunction | None,
    shaping: Mapping[str, Any] | Shaping | None,
    illegal_action: Any,
    illegal_reward: Any,
    seed: Any,
    render_mode: Any,
    mask_dtypes: Sequence[str] = MASK_DTYPES,
) -> EnvSettings:
    """Return the options, whose meaning the environments document; raise InvalidOptionError for a wrong one.

    ``mask_dtypes`` are the values that ``mask_dtype`` may have.
    """
    raises = one_of("illegal_action", illegal_action, ILLEGAL_ACTIONS) == "raise"
    illegal_reward = finite_number("illegal_reward", illegal_reward)
    reward = _default_reward(kinds) if reward is None else reward
    flat = true_or_false("flat", flat)
    return EnvSettings(
        kinds=kinds,
        observation=one_of("observation", observation, OBSERVATIONS),
        flat=flat,
        observation_key=check_observation_key(observation_key, flat),
        mask_dtype=one_of("mask_dtype", mask_dtype, mask_dtypes),
        max_cycles=_check_max_cycles(max_cycles),
        reward=FinalReward(reward, kinds.games, -math.inf if raises else illegal_reward),
        shaping=shaping_option(shaping),
        illegal_raises=raises,
        illegal_reward=illegal_reward,
        seed=check_seed(seed),
        render_mode=check_render_mode(render_mode),
    )


def _default_reward(kinds: Kinds) -> str:
    """Return the name of the reward that is paid unless another is asked for.

    Beginners lose every solitaire game, so that "win" would teach them nothing.
    """
    return "margin" if any(game.variant == SOLO for game in kinds.games) else "win"


def _check_max_cycles(value: Any) -> int:
    """Return the limit of decisions, with which every seat at least comes to its first one."""
    number = positive_number("max_cycles", value)
    if number >= MAX_SEATS:
        return number
    raise InvalidOptionError(
        f"max_cycles={number} is not possible: it counts the decisions of all seats; give {MAX_SEATS} or more"
    )
