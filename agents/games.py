"""The games that commands, checkpoints and trainers know: by a text that says what is played, and by variant.

The variants of all games have different names, so that a variant alone says which game is meant.
"""

from __future__ import annotations

import hashlib
from typing import Any

from endeavor_env.core import constants as c
from endeavor_env.core.actions import layout_hash
from endeavor_env.envs.registration import GYMNASIUM_ID, GYMNASIUM_MERCHANTS_ID, GYMNASIUM_SOLO_ID
from endeavor_env.errors import InvalidOptionError
from endeavor_env.game.config import GameConfig
from endeavor_env.merchants.config import MerchantsConfig
from endeavor_env.merchants.core.actions import BLOCKS
from endeavor_env.merchants.core.constants import SIDE_NAMES
from endeavor_env.rails.game_rules import AnyConfig
from endeavor_env.terms.setups import SOLO

MERCHANTS = "merchants"
"""What a text begins with that says what is played of Merchants of Europe."""
MERCHANTS_VARIANTS = SIDE_NAMES
KNOWN_VARIANTS = (*c.VARIANT_NAMES, *MERCHANTS_VARIANTS)
"""The variants of all games."""


def is_merchants(text: str | None) -> bool:
    """Return whether the text of ``--game`` is of Merchants of Europe."""
    return text is not None and text.partition(":")[0] == MERCHANTS


def read_game(text: str, players: int | None = None) -> GameConfig | MerchantsConfig:
    """Return what a text says is played: "merchants:variant=expert,trade=bank", or that of a ``GameConfig``.

    Args:
        text: The text.
        players: Number of seats, which a text that names none leaves open.

    Raises:
        InvalidOptionError: It cannot be read, or names another number of seats.
        InvalidBoardError: A board that cannot be used.
    """
    names = [part.partition("=")[0] for part in text.partition(":")[2].split(",")]
    whole = text
    if players is not None and "players" not in names:
        whole = f"{text}{',' if ':' in text else ':'}players={players}"
    config = MerchantsConfig.parse(whole) if is_merchants(text) else GameConfig.parse(whole)
    if players not in (None, config.players):
        raise InvalidOptionError(f"players={players} does not fit {text}, which has {config.players}")
    return config


def config_of(variant: str, players: int | None = None) -> AnyConfig:
    """Return what is played of a variant on its usual board with its usual options."""
    return MerchantsConfig(players, variant) if variant in MERCHANTS_VARIANTS else GameConfig(variant, players)


def environment_of(variant: str) -> str:
    """Return the Gymnasium id of the environment for ``variant``."""
    if variant in MERCHANTS_VARIANTS:
        return GYMNASIUM_MERCHANTS_ID
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
    if variant not in MERCHANTS_VARIANTS:
        return layout_hash(variant)
    text = ";".join(f"{block.name}:{block.counts}:{block.size}" for block in BLOCKS)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
