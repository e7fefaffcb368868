"""RailsVectorEnv: many games of any rules at once, with Gymnasium's interface for vector environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from endeavor_env.basics.inputs import InvalidRenderModeError, listed
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.engine.batch.seats import BatchOpponent
from endeavor_env.engine.game import RailsConfig
from endeavor_env.envs.opponents import RANDOM
from endeavor_env.envs.signatures import shows_options
from endeavor_env.envs.vector.vector_games import GymnasiumVectorEnv, VectorGames
from endeavor_env.envs.vector.vector_settings import VECTOR_DEFAULTS, VectorOptions, check_vector_settings
from endeavor_env.errors import InvalidOptionError, shown


@shows_options(VectorOptions, VECTOR_DEFAULTS)
class RailsVectorEnv(VectorGames, GymnasiumVectorEnv):  # type: ignore[misc]  # as EndeavorVectorEnv
    """``num_envs`` games on the engine, played by compiled kernels; what chance decides is drawn inside of them.

    Everything is as in ``EndeavorVectorEnv``, but ``render_mode``, which must be None.

    Arguments:
        num_envs: Number of games.
        config: What is played, or a list: with ``game_choice="row"`` row i plays kind i modulo their number, with
            ``"draw"`` each new game draws one. All are of the same game.
        game_choice: See ``config``.
        learner_seat: A seat, ``"rotate"``, or ``"all"`` for self-play.
        opponents: One for all other seats, a list by distance, or a mapping to weights: ``"random"`` or another
            compiled player of the game, or a function from observations and masks to actions.

    - the options of ``VectorOptions``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        config: RailsConfig | Sequence[RailsConfig],
        game_choice: str = "row",
        learner_seat: int | str = 0,
        opponents: BatchOpponent | Sequence[BatchOpponent] | Mapping[Any, float] = RANDOM,
        **given: Unpack[VectorOptions],
    ) -> None:
        """Check the options and prepare the games. Raise InvalidOptionError."""
        kinds = Kinds(_configs(config), game_choice)
        settings = check_vector_settings(num_envs, kinds, learner_seat=learner_seat, opponents=opponents, **given)
        if settings.env.render_mode is not None:
            raise InvalidRenderModeError(
                f"render_mode {settings.env.render_mode!r} is not possible: many games of {kinds.rules.faces.title} "
                "are not shown together; make a single environment"
            )
        super().__init__(settings)


def _configs(config: Any) -> list[RailsConfig]:
    """Return one or several kinds of game as a list; raise InvalidOptionError for anything else."""
    several = [config] if isinstance(config, RailsConfig) else listed(config)
    if not several or not all(isinstance(one, RailsConfig) for one in several):
        raise InvalidOptionError(f"config={shown(config)} is not possible: give a RailsConfig, or a list of them")
    return several
