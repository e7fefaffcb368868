"""Which values the settings of a training run may have."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, TypeVar

from agents.network_spec import ACTIVATION_NAMES, MAX_LAYERS, MAX_PARAMETERS, MAX_WIDTH, NetworkSpec
from endeavor_env.core import constants as c
from endeavor_env.core.actions import num_actions
from endeavor_env.core.policies.value.network import MAX_FIRST, MAX_SECOND
from endeavor_env.errors import InvalidOptionError
from endeavor_env.observation import layout_for
from endeavor_env.rewards import REWARDS, SOLO_REWARDS
from endeavor_env.setups import SOLO, STANDARD

PRESET_NAMES = ("smoke", "quick", "long", "refine", "refine-smoke")
VARIANTS = (STANDARD, SOLO)
SEED_LIMIT = 1 << 32
"""Seeds of runs are below this, because Stable-Baselines3 hands them to NumPy's old generator."""
MOST_STEPS = 10**12 - 1
"""Most decisions of a run; the names of checkpoints have twelve digits."""
MOST_ROWS = 1 << 20
"""Most decisions between two updates, ``num_envs`` times ``rollout``; they take 6 GiB."""
TABLE_SIZES = (3, 4, 5)
OUTCOME = "outcome"
"""The reward with which rollouts are played inside the kernels, see ``core.policies.value.outcome``."""

T = TypeVar("T")


class Rule(NamedTuple):
    """What a setting may be."""

    allowed: Callable[[Any], bool]
    """Returns whether a value is possible."""
    words: str
    """The possible values in words."""


def whole(low: int, high: int) -> Rule:
    """Return the rule of a whole number in [low, high]."""
    return Rule(lambda value: type(value) is int and low <= value <= high, f"a whole number, {low} to {high}")


def number(low: float, high: float, *, above: bool = False) -> Rule:
    """Return the rule of a number in [low, high], or in (low, high] if it must be ``above`` low."""

    def allowed(value: Any) -> bool:
        return type(value) in (int, float) and low <= value <= high and not (above and value == low)

    return Rule(allowed, f"a number {'above' if above else 'of at least'} {low:g} and at most {high:g}")


def one_of(names: Collection[str]) -> Rule:
    """Return the rule of one of some words."""
    return Rule(lambda value: isinstance(value, str) and value in names, " or ".join(names))


def several(rule: Rule, least: int, most: int) -> Rule:
    """Return the rule of a list of ``least`` to ``most`` values, of which each follows ``rule``."""

    def allowed(value: Any) -> bool:
        return isinstance(value, tuple) and least <= len(value) <= most and all(map(rule.allowed, value))

    return Rule(allowed, f"a list of {least} to {most} values, each {rule.words}")


def _is_opponent(value: Any) -> bool:
    """Return whether a value is a name with a weight."""
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and WEIGHT.allowed(value[1])


EMPTY = Rule(lambda value: value == (), "an empty list")
WEIGHT = number(0, 1e6)
OPPONENT = Rule(_is_opponent, f"a name with {WEIGHT.words}")
LAYERS = several(whole(1, MAX_WIDTH), 1, MAX_LAYERS)

RULES: dict[str, Rule] = {
    "preset": one_of(PRESET_NAMES),
    "steps": whole(1, MOST_STEPS),
    "seed": whole(0, SEED_LIMIT - 1),
    "variant": one_of(VARIANTS),
    "shaping_weight": number(0, 1e3),
    "num_envs": whole(1, MOST_ROWS),
    "rollout": whole(1, MOST_ROWS),
    "batch_size": whole(2, MOST_ROWS),
    "epochs": whole(1, 1_000),
    "learning_rate": number(0, 1, above=True),
    "gamma": number(0, 1, above=True),
    "gae_lambda": number(0, 1),
    "entropy": number(0, 1e3),
    "trunk": LAYERS,
    "head": LAYERS,
    "activation": one_of(ACTIVATION_NAMES),
    "begin_with": Rule(lambda value: isinstance(value, str), "the name of a player, a path, or an empty text"),
    "sharpen": number(0, 100, above=True),
    "decay": number(1, 1e9),
    "checkpoint_every": whole(1, MOST_STEPS),
    "snapshot_every": whole(1, MOST_STEPS),
    "snapshots": whole(1, 100),
    "threads": whole(1, 1_024),
    "precision": one_of(("highest", "high", "medium")),
}
"""The rules of the settings that all variants share."""
RULES_OF: dict[str, dict[str, Rule]] = {
    STANDARD: {
        "players": several(Rule(lambda value: type(value) is int and value in TABLE_SIZES, "3, 4 or 5"), 1, 16),
        "difficulties": EMPTY,
        "opponents": several(OPPONENT, 1, 100),
        "reward": one_of(tuple(REWARDS)),
        "evaluation_games": Rule(
            lambda value: type(value) is int and 0 < value <= MOST_STEPS and value % math.lcm(*TABLE_SIZES) == 0,
            f"a positive multiple of {math.lcm(*TABLE_SIZES)}",
        ),
    },
    SOLO: {
        "players": Rule(lambda value: value == (1,), "a list of the number 1"),
        "difficulties": several(one_of(c.DIFFICULTY_NAMES), 1, 16),
        "opponents": EMPTY,
        "reward": one_of(tuple(SOLO_REWARDS)),
        "evaluation_games": whole(2, MOST_STEPS),
    },
}
"""The rules of the other settings, by variant."""
KERNEL_RULES: dict[str, Rule] = {
    "shaping_weight": Rule(lambda value: value == 0, f"0, since the reward {OUTCOME} is not shaped"),
    "trunk": several(whole(1, MAX_FIRST), 1, 1),
    "head": several(whole(1, MAX_SECOND), 1, 1),
    "activation": one_of(("relu",)),
}
"""The rules of runs whose rollouts are played inside the kernels."""


def spec_of(variant: str, trunk: tuple[int, ...], head: tuple[int, ...], activation: str) -> NetworkSpec:
    """Return the shape of a policy network for ``variant``."""
    return NetworkSpec(layout_for(variant, "features").size, trunk, head, num_actions(variant), activation)


def check_settings(values: Mapping[str, Any]) -> None:
    """Raise InvalidOptionError unless each of all ``values`` of a run of MaskablePPO is possible with the others."""
    check_rules(values, RULES)
    in_kernels = values["reward"] == OUTCOME
    rules = RULES_OF[values["variant"]]
    check_rules(values, {name: rule for name, rule in rules.items() if name != "reward" or not in_kernels})
    check_rules(values, KERNEL_RULES if in_kernels else {})
    rows = values["num_envs"] * values["rollout"]
    if rows > MOST_ROWS:
        raise InvalidOptionError(f"num_envs times rollout is {rows:,}: it must be at most {MOST_ROWS:,}")
    check_rules(values, {"batch_size": whole(2, rows)})
    check_network(values)


def check_network(values: Mapping[str, Any]) -> None:
    """Raise InvalidOptionError if the network that settings describe is too large."""
    parameters = spec_of(*(values[name] for name in ("variant", "trunk", "head", "activation"))).parameters
    if parameters > MAX_PARAMETERS:
        raise InvalidOptionError(
            f"trunk and head make a network of {parameters:,} parameters: at most {MAX_PARAMETERS:,} are possible"
        )


def check_rules(values: Mapping[str, Any], rules: Mapping[str, Rule]) -> None:
    """Raise InvalidOptionError unless each setting that has a rule follows it."""
    for name, rule in rules.items():
        _check(name, values[name], rule)


def _check(name: str, value: Any, rule: Rule) -> None:
    """Raise InvalidOptionError unless the value of a setting follows its rule."""
    if rule.allowed(value):
        return
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of more digits than Python prints, or a list in a list in a list
        text = f"a {type(value).__name__}"
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    raise InvalidOptionError(f"the setting {name}={shown} is not possible: give {rule.words}")
