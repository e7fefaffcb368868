"""Names of ``engine.game`` under which they were known."""

from endeavor_env.engine.game import Game as BaseGame
from endeavor_env.engine.game import agent_title, game_for, only_reads, sees_everything
from endeavor_env.engine.kernels.rules import CHANCE_NAME

__all__ = ["CHANCE_NAME", "BaseGame", "agent_title", "game_for", "only_reads", "sees_everything"]
