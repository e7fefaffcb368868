"""One game in words, what is played as one value, records of games, and Endeavor as the rails take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from endeavor_env.basics.lazy import loaded_when_used

if TYPE_CHECKING:
    from endeavor_env.game.config import GameConfig
    from endeavor_env.game.game import Game

__all__ = ["Game", "GameConfig"]
__getattr__ = loaded_when_used(__name__, {"Game": "endeavor_env.game.game", "GameConfig": "endeavor_env.game.config"})
