"""The parameters of the games in OpenSpiel, and what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from endeavor_env.basics.files import parse_json
from endeavor_env.basics.inputs import check_seed, derived_seed, one_of, whole_number
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.options import EXPLOITS, OPTIONS, RANDOM
from endeavor_env.endeavor.rewards import SOLO, reward_function
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.rewards import RewardFunction
from endeavor_env.errors import InvalidOptionError, shown

NAMES = {"endeavor" if variant == c.VARIANT_NAMES[0] else f"endeavor_{variant}": variant for variant in c.VARIANT_NAMES}
"""The variant of each name of a game."""
OBSERVATIONS = ("features", "compact")
MOST_SETUPS = 1_000_000
_DEFAULT_PLAYERS = 4


def parameters(variant: str) -> dict[str, Any]:
    """Return the parameters of a variant with their defaults, as pyspiel takes them."""
    fewest, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)]
    players = {"players": _DEFAULT_PLAYERS} if fewest < most else {}
    exploits = {"exploits": RANDOM} if variant == EXPLOITS else {}
    options = {option.name: option.values[0] for option in OPTIONS if variant in option.variants}
    return {
        **players,
        **exploits,
        **options,
        "seed": 0,
        "setups": 0,
        "setup": "",
        "board": "",
        "reward": "margin" if variant == SOLO else "win",
        "observation": OBSERVATIONS[0],
    }


@dataclass(frozen=True)
class GameParameters:
    """The meaning of the parameters of a game."""

    config: GameConfig
    seed: int
    setups: int
    """Number of numbered set-ups, which follow from the seed, that a chance node draws from; 0 for the one of the seed
    itself, without a chance node."""
    setup: dict[str, Any] | None
    reward_name: str
    reward: RewardFunction
    observation: str

    @classmethod
    def of(cls, variant: str, given: Mapping[str, Any]) -> GameParameters:
        """Return the settings of the parameters that were given.

        Raises:
            InvalidOptionError: A value that is not possible.
        """
        values = {**parameters(variant), **given}
        exploits = values.get("exploits")
        options = {option.name: values[option.name] for option in OPTIONS if variant in option.variants}
        config = GameConfig(
            variant,
            values.get("players"),
            values["board"] or None,
            options,
            exploits if exploits in (None, RANDOM) else exploits.split("+"),
        )
        setups = whole_number(values["setups"])
        if setups is None or not 0 <= setups <= MOST_SETUPS:
            raise InvalidOptionError(f"setups={shown(values['setups'])} is not possible: give 0 to {MOST_SETUPS}")
        if setups and values["setup"]:
            raise InvalidOptionError("setups and setup are not possible together: the one draws what the other gives")
        return cls(
            config=config,
            seed=check_seed(int(values["seed"])) or 0,
            setups=setups,
            setup=_read_setup(values["setup"]),
            reward_name=str(values["reward"]),
            reward=reward_function(values["reward"], config.players, variant),
            observation=one_of("observation", values["observation"], OBSERVATIONS),
        )

    def new_game(self, number: int | None = None) -> Game:
        """Return a game at its first decision, with the set-up of ``seed``, or the one of a number below ``setups``."""
        if self.setup is not None:
            return Game.new(config=self.config, setup=self.setup)
        return Game.new(config=self.config, seed=self.seed if number is None else derived_seed(self.seed, number))


def _read_setup(text: str) -> dict[str, Any] | None:
    """Return the set-up that is written as JSON; None for an empty text."""
    if not text:
        return None
    try:
        found = parse_json(text)
    except ValueError as error:
        raise InvalidOptionError(f"setup={shown(text)} is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidOptionError(f"setup={shown(text)} is not possible: give the JSON object of Game.setup()")
    return found
