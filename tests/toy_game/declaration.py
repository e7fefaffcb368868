"""The toy game as the list of games declares it."""

from __future__ import annotations

from endeavor_env.engine.declaration import (
    DeclaredAgentsEnvironment,
    DeclaredEnvironment,
    GameDeclaration,
    OfferedVariant,
)
from endeavor_env.engine.game_rules import GameRules


class ToyDeclaration(GameDeclaration):
    """A game of a die and hidden cards."""

    name, title = "toy", "Dice and cards"
    variants = (OfferedVariant("toy", "Dice and cards", "three seats", 3, 3),)
    environments = (DeclaredEnvironment("Toy-v0"),)
    agents_environment = DeclaredAgentsEnvironment("toys/toy-v0")
    presets = {  # noqa: RUF012 (read only)
        "ppo": {"smoke": {"steps": 64, "num_envs": 2, "n_steps": 32, "batch_size": 32}},
        "td": {"smoke": {"opponents": (("learner", 1.0),), "rival": "random"}},
    }
    own = {"values": f"{__package__}.values:ToyAdapter"}  # noqa: RUF012 (read only)

    @property
    def rules(self) -> GameRules:
        """The game as the engine plays it."""
        from .rules import TOY_GAME

        return TOY_GAME


TOY = ToyDeclaration()
