"""The Gymnasium environment of the solitaire game: one learner against the Opposition, which the rules play."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Unpack, cast

import gymnasium

from endeavor_env.basics.inputs import check_reset_options, check_seed
from endeavor_env.basics.thread_guard import guarded
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.envs.endeavor_table import EndeavorTable
from endeavor_env.envs.learner_env import LearnerEnv
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, EnvOptions, check_settings
from endeavor_env.envs.signatures import shows_options
from endeavor_env.envs.table import Observation


@shows_options(EnvOptions, DEFAULTS, MEANINGS)
class EndeavorSoloEnv(LearnerEnv, gymnasium.Env[Observation, int]):  # skrl looks at direct bases alone
    """Endeavor for one learner against the Opposition, one decision of the learner per step.

    ## Description

    The solitaire game of Endeavor (2009): seven rounds of building, growth, salaries and actions against four colours
    that share a mat and follow a list of priorities. One step is one decision; the Opposition then does what the rules
    say, up to the next decision or the end of the game. With ``opposition_ties="player"`` the learner also decides what
    the rules leave open for the Opposition. After the set-up there is no chance, and nothing is hidden.

    ## Action Space

    ``Discrete(NUM_VARIANT_ACTIONS)``: contiguous blocks of ids, one for each kind of move, the first of them those of
    the base game. A choice for the Opposition has the id of the same move of the player. Which ids are legal is in
    ``observation["action_mask"]``, in ``info["action_mask"]`` and, as bools, in ``action_masks()``;
    ``game().describe(action)`` puts an id into words.

    ## Observation Space

    ``Dict`` of ``"observation"``, a ``Box`` described slice by slice by ``endeavor.observation.layout_for``, and
    ``"action_mask"``, ``Box(0, 1, (NUM_VARIANT_ACTIONS,), int8)``, 1 = legal. The observation includes the variant,
    the present task of the Opposition, and the colour for which a choice is asked. With ``flat`` an observation is
    the first entry alone. **When the episode is over the mask is all 1**: no action is asked for, and a masked
    distribution over it stays finite.

    ## Rewards

    0 until the game is over; then the named reward: ``margin`` (the lead over the Opposition, 1 for 100 Glory, at least
    -1 and at most 1), ``win`` (1 for a victory of any kind, which equal scores are, 0 for a defeat), ``ladder`` (the
    rung of the result, from 0 for a defeat evenly up to 1 for a total victory), or a function from ``[player's score,
    Opposition's score]`` to a list of one float. The default is ``margin``, because beginners lose every game, and the
    other two then have nothing to learn from. No named reward is below the default ``illegal_reward``, so that no
    forfeit pays more than playing on. With ``shaping`` every step adds a potential-based term, gamma * phi(next) -
    phi(now).

    ## Starting State

    Everything is drawn at random, from ``reset(seed=...)``: the set-up of ``Game.new(variant="solo", seed=...)``. The
    first decisions may be choices of the set-up. ``info`` of a reset names the ``seed``. Reset option: ``setup``
    (every random outcome, as in a game record).

    ## Episode End

    Terminated after the seventh round. ``info`` then holds ``scores``, (2,) int64, the player's and the Opposition's,
    ``margin``, ``winners``, (1,) bool, ``ladder`` (the name of the result), ``rung`` (0 for a defeat to 5),
    ``panache``, and the Glory by source of both, ``breakdown`` and ``opposition_breakdown``. Or, with
    ``illegal_action="terminate"``, when the learner chooses an illegal action: the reward is ``illegal_reward`` and
    ``info`` says what was wrong. Truncated, with reward 0 and the scores as they stand, after ``max_cycles`` decisions,
    far more than any real game needs. ``info["reason"]`` says which: "game_over", "illegal_action" or "max_cycles".

    ## Arguments

    - ``difficulty``: ``"normal"``, ``"easier"`` (the Opposition's blue tokens do nothing) or ``"harder"`` (those it
      wins by Sail count as well).
    - ``opposition_ties``: ``"player"``, or ``"first"`` to take the first option wherever the rules leave one.
    - ``solo_ignore_industry``: whether any level of the building grid may be built.
    - ``board``: None for the board of 2009, a ``Board``, or the path of a board file.
    - the options of ``EnvOptions``.

    ## Version History

    - v0: first version.
    """

    _table: EndeavorTable

    def __init__(
        self,
        *,
        difficulty: str = "normal",
        opposition_ties: str = "player",
        solo_ignore_industry: bool = False,
        board: Board | str | Path | None = None,
        **given: Unpack[EnvOptions],
    ) -> None:
        """Check the options and prepare an empty table. Raise InvalidOptionError or InvalidBoardError."""
        options = {
            "difficulty": difficulty,
            "opposition_ties": opposition_ties,
            "solo_ignore_industry": solo_ignore_industry,
        }
        settings = check_settings(Kinds([GameConfig(SOLO, board=board, options=options)]), **given)
        super().__init__(settings, EndeavorTable(settings))

    def game(self) -> Game:
        """Return an independent copy of the game in play, to search on, describe or record."""
        return cast(Game, super().game())

    @guarded
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game at its first decision.

        Args:
            seed: The seed of the set-up; without one it follows from the last seed given.
            options: ``setup``.

        Raises:
            InvalidOptionError: A seed or option that is not possible; the game in play goes on.
            InvalidSetupError: A set-up that does not fit; the game in play goes on.
        """
        seed = check_seed(seed)
        self._start(seed, check_reset_options(options, ("setup",), strict=True))
        return self._first_decision()
