"""The games that commands, checkpoints and trainers know: by a text that says what is played, and by variant.

The variants of all games have different names, so that a variant alone says which game is meant.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import layout_hash
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.game import RailsConfig
from endeavor_env.engine.game_rules import AnyConfig
from endeavor_env.engine.playable import Playable
from endeavor_env.envs.registration import GYMNASIUM_ID, GYMNASIUM_SOLO_ID
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.playable import MERCHANTS

OTHER_GAMES: tuple[Playable, ...] = (MERCHANTS,)
"""The games besides Endeavor: one more is one row more."""
OTHER_NAMES = " or ".join(game.name for game in OTHER_GAMES)
"""What the text of ``--game`` may begin with, for people."""
_BY_NAME = {game.name: game for game in OTHER_GAMES}
_BY_VARIANT = {variant.name: game for game in OTHER_GAMES for variant in game.variants}
OTHER_VARIANTS = tuple(_BY_VARIANT)
KNOWN_VARIANTS = (*c.VARIANT_NAMES, *OTHER_VARIANTS)
"""The variants of all games."""


def is_endeavor(config: AnyConfig) -> TypeGuard[GameConfig]:
    """Return whether Endeavor is played."""
    return isinstance(config, GameConfig)


def playable_in(text: str | None) -> Playable | None:
    """Return the game that the text of ``--game`` names before its colon; None for Endeavor."""
    return None if text is None else _BY_NAME.get(text.partition(":")[0])


def playable_of(variant: str) -> Playable | None:
    """Return the game that has a variant; None for Endeavor."""
    return _BY_VARIANT.get(variant)


def names_in_game(game: str) -> list[str]:
    """Return what the text of ``--game`` gives a value, by name."""
    return [part.partition("=")[0] for part in game.partition(":")[2].split(",")]


def read_game(text: str, players: int | None = None) -> GameConfig | RailsConfig:
    """Return what a text says is played: "merchants:variant=expert,trade=bank", or that of a ``GameConfig``.

    Args:
        text: The text.
        players: Number of seats, which a text that names none leaves open.

    Raises:
        InvalidOptionError: It cannot be read, or names another number of seats.
        InvalidBoardError: A board that cannot be used.
    """
    open_seats, other = players is not None and "players" not in names_in_game(text), playable_in(text)
    if other is not None:
        config: GameConfig | RailsConfig = other.parse(text, {"players": str(players)} if open_seats else {})
    else:
        config = GameConfig.parse(f"{text}{',' if ':' in text else ':'}players={players}" if open_seats else text)
    if players not in (None, config.players):
        raise InvalidOptionError(f"players={players} does not fit {text}, which has {config.players}")
    return config


def config_of(variant: str, players: int | None = None) -> AnyConfig:
    """Return what is played of a variant on its usual board with its usual options."""
    other = playable_of(variant)
    return GameConfig(variant, players) if other is None else other.configure(variant, players, None, {})


def table_sizes_of(config: AnyConfig) -> tuple[int, ...]:
    """Return the numbers of seats that the variant of a game takes."""
    least, most = config.rules.variants[config.variant]
    return tuple(range(least, most + 1))


def environment_of(variant: str) -> str:
    """Return the Gymnasium id of the environment for ``variant``; raise InvalidOptionError if there is none."""
    other = playable_of(variant)
    if other is not None:
        if other.environment is None:
            raise InvalidOptionError(f"variant {variant!r} has no environment")
        return other.environment
    return GYMNASIUM_SOLO_ID if variant == SOLO else GYMNASIUM_ID


def layout_of(variant: str, observation: str) -> Any:
    """Return the layout of an observation of a variant, "features" or "compact"; it has a ``hash``."""
    return config_of(variant).rules.layout_for(variant, observation)


def layouts_of(variant: str) -> dict[str, str]:
    """Return the hashes of the action and observation layouts of ``variant`` in this version."""
    return {"actions": actions_hash(variant), "features": layout_of(variant, "features").hash}


def sizes_of(variant: str) -> tuple[int, int]:
    """Return the length of the "features" observation of a variant, and its number of action ids."""
    rules = config_of(variant).rules
    return rules.layout_for(variant, "features").size, rules.num_actions(variant)


def actions_hash(variant: str) -> str:
    """Return the hash of a variant's action ids."""
    other = playable_of(variant)
    return layout_hash(variant) if other is None else other.actions_hash(variant)
