"""The vector environment of Merchants of Europe: many games in one call, with chance inside the compiled loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from endeavor_env.batch.seat_policies import BatchOpponent
from endeavor_env.envs.opponents import RANDOM
from endeavor_env.envs.signatures import shows_options
from endeavor_env.envs.vector.rails_vector_env import RailsVectorEnv
from endeavor_env.envs.vector.vector_games import GymnasiumVectorEnv
from endeavor_env.envs.vector.vector_settings import VECTOR_DEFAULTS, VectorOptions
from endeavor_env.merchants.config import TRADES, BoardGiven, MerchantsConfig
from endeavor_env.merchants.rules.constants import USUAL_ROLLS


@shows_options(VectorOptions, VECTOR_DEFAULTS)
class MerchantsVectorEnv(RailsVectorEnv, GymnasiumVectorEnv):  # type: ignore[misc]  # skrl looks at direct bases alone
    """``num_envs`` games of Merchants of Europe; ``gymnasium.make_vec("Merchants-v0", num_envs=...)`` makes it.

    Options are those of ``Merchants-v0``; everything else is as in ``RailsVectorEnv``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        players: int | None = None,
        board: BoardGiven = None,
        start: str | None = None,
        trade: str = TRADES[0],
        max_rolls: int = USUAL_ROLLS,
        learner_seat: int | str = 0,
        opponents: BatchOpponent | Sequence[BatchOpponent] | Mapping[Any, float] = RANDOM,
        **given: Unpack[VectorOptions],
    ) -> None:
        """Check the options and prepare the games. Raise InvalidOptionError or InvalidBoardError."""
        config = MerchantsConfig(players, board, start, trade, max_rolls)
        super().__init__(num_envs, config=config, learner_seat=learner_seat, opponents=opponents, **given)
