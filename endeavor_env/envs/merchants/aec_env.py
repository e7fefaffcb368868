"""The PettingZoo environment of Merchants of Europe: all seats are agents, each step is one decision."""

from __future__ import annotations

from typing import Unpack, cast

from endeavor_env.envs.agents_env import AgentsEnv
from endeavor_env.envs.rails_envs import RailsAECEnv
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, EnvOptions
from endeavor_env.envs.signatures import shows_options
from endeavor_env.merchants.config import TRADES, BoardGiven, MerchantsConfig
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.merchants.rules.constants import USUAL_ROLLS


@shows_options(EnvOptions, DEFAULTS, MEANINGS)
class MerchantsAECEnv(RailsAECEnv):
    """Merchants of Europe for 3 or 4 agents, one decision at a time.

    ## Description

    See ``Merchants-v0``. One step is one decision of one agent; the same agent may decide several times in a row, and
    an offer of the mover asks the others in turn. What chance decides is drawn from the game's seed between two
    decisions.

    ## Spaces, rewards, infos

    As in ``endeavor_v0``: a ``Dict`` of observation and mask for each agent, which show what it may see (K14);
    ``state()`` is what seat 0 sees. Rewards are those of ``Merchants-v0``, for every agent at the end.

    ## Arguments

    - ``players``: 3 or 4; 4 if left out.
    - ``board``: ``"short"`` or ``"expert"`` for the declared board of that side, a ``merchants.board.Board``, or the
      path of a board file; None for ``"short"``.
    - ``start``: ``"fixed"`` or ``"free"``: posts and routes of the beginning as the board has them, or placed as the
      first decisions; None for the first that the side has (the expert side has ``"free"`` alone).
    - ``trade``: ``"offers"``, ``"bank"`` (with the reserve alone) or ``"none"``.
    - ``max_rolls``: rolls after which the game ends with the turn, 300.
    - ``info_masks``: ``"array"``, or ``"list"`` for masks in ``infos`` that are lists of Python.
    - the options of ``EnvOptions``.

    ## Version History

    - v0: first version.
    """

    metadata = {**AgentsEnv.metadata, "name": "merchants_v0"}  # noqa: RUF012 (PettingZoo declares it so)

    def __init__(
        self,
        *,
        players: int | None = None,
        board: BoardGiven = None,
        start: str | None = None,
        trade: str = TRADES[0],
        max_rolls: int = USUAL_ROLLS,
        info_masks: str = "array",
        **given: Unpack[EnvOptions],
    ) -> None:
        """Check the options and prepare an empty table. Raise InvalidOptionError or InvalidBoardError."""
        super().__init__(MerchantsConfig(players, board, start, trade, max_rolls), info_masks=info_masks, **given)

    def game(self) -> MerchantsGame:
        """Return an independent copy of the game in play, to search on, describe or record."""
        return cast(MerchantsGame, super().game())
