"""The Gymnasium environment: one learner, the other seats played by opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack, cast

import gymnasium

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.envs.endeavor_table import EndeavorTable
from endeavor_env.envs.opponents import RANDOM, Opponent
from endeavor_env.envs.opponents_env import OpponentsEnv
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, EnvOptions, check_settings
from endeavor_env.envs.signatures import shows_options
from endeavor_env.envs.table import Observation
from endeavor_env.errors import InvalidOptionError


@shows_options(EnvOptions, DEFAULTS, MEANINGS)
class EndeavorEnv(OpponentsEnv, gymnasium.Env[Observation, int]):  # skrl looks at direct bases alone
    """Endeavor for one learner against 1 to 4 opponents, one decision of the learner per step.

    ## Description

    The board game Endeavor (2009) in seven rounds of building, growth, salaries and actions. One step is one decision
    of the learner; then the opponents play until the learner is to move again or the game is over. After the set-up
    there is no chance but the opponents' own, and nothing is hidden. The variants for two and three players with
    neutral discs are played as well; the solitaire game is ``EndeavorSolo-v0``. ``gymnasium.make`` puts no wrappers
    around it: calls in the wrong order and wrong actions are handled here.

    ## Action Space

    ``Discrete(NUM_ACTIONS)``, in a variant ``Discrete(NUM_VARIANT_ACTIONS)``: contiguous blocks of ids, one for each
    kind of move, the first of them the same everywhere. Which ids are legal is in ``observation["action_mask"]``, in
    ``info["action_mask"]`` and, as bools, in ``action_masks()``; ``game().describe(action)`` puts an id into words.

    ## Observation Space

    ``Dict`` of ``"observation"``, a ``Box`` described slice by slice by ``endeavor.observation.layout_for``, and
    ``"action_mask"``, an int8 ``Box`` of 0 and 1 with an entry for each action id, 1 = legal. The observation is seen
    from the learner's seat, the others following in playing order, so it does not matter which seat that is. With
    ``flat`` an observation is the first entry alone. **When the episode is over the mask is all 1**: no action is asked
    for, and a masked distribution over it stays finite.

    ## Rewards

    0 until the game is over; then the named reward of the learner's seat: ``win`` (1 for the winner, shared on a tie),
    ``win_zero_sum``, ``rank``, ``margin``, or a function from the list of final scores to one float for each
    seat. Named rewards lie between -1 and 1: with the default ``illegal_reward`` no forfeit pays more than playing on.
    With ``shaping`` every step adds a potential-based term, gamma * phi(next) - phi(now).

    ## Starting State

    Tokens dealt at random to all spaces and a random first player, both from ``reset(seed=...)``: the set-up of
    ``Game.new(seed=...)``. In ``soloplay_2`` and ``soloplay_3`` the players then remove tokens in turn, which are
    decisions. The opponents have played up to the learner's first decision. ``info`` of a reset names the learner's
    ``seat`` and the ``seed`` of the set-up. Reset options: ``setup`` (every random outcome, as in a game
    record) or ``first_player``, and ``learner_seat`` for this game only.

    ## Episode End

    Terminated after the seventh round, with ``scores``, (players,) int64, and ``winners``, (players,) bool, or, with
    ``illegal_action="terminate"``, when the learner chooses an illegal action: the reward is ``illegal_reward`` and
    ``info`` says what was wrong. Truncated, with reward 0 and the scores as they stand, after ``max_cycles`` decisions
    of all seats, far more than any real game needs. ``info["reason"]`` says which: "game_over", "illegal_action" or
    "max_cycles".

    ## Arguments

    - ``players``: 3 to 5, 4 if left out; a variant has one number, which may be left out.
    - ``variant``: ``"standard"``, ``"soloplay_2"``, ``"soloplay_3"`` or ``"neutral_2"``.
    - ``exploits``: names of the Exploits in play, or ``"random"`` for three that each game draws; None for none.
    - ``options``: options of the variant by name, as for ``Game.new``; None for none.
    - ``board``: None for the board of 2009, a ``Board``, or the path of a board file.
    - ``learner_seat``: a seat, or ``"rotate"``: the next seat every reset; after a reset with a seed, seed % players.
    - ``opponents``: one for all other seats or a list of them in playing order after the learner: ``"random"``,
      ``"greedy"``, ``"automa"`` or ``"value"`` (all names: ``endeavor_env.endeavor.players.names()``), an object with
      ``act(game)`` (and ``reset(seed)``, if it has one), or a function to an action id. Objects get a copy of the game,
      functions a dictionary of the observation and the mask of the seat to move, in fresh arrays, also with ``flat``.
    - the options of ``EnvOptions``.

    ## Version History

    - v0: first version.
    """

    _table: EndeavorTable

    def __init__(
        self,
        *,
        players: int | None = None,
        variant: str = "standard",
        exploits: Sequence[str] | str | None = None,
        options: Mapping[str, Any] | None = None,
        board: Board | str | Path | None = None,
        learner_seat: int | str = 0,
        opponents: Opponent | Sequence[Opponent] = RANDOM,
        **given: Unpack[EnvOptions],
    ) -> None:
        """Check the options and prepare an empty table. Raise InvalidOptionError or InvalidBoardError."""
        if isinstance(variant, str) and variant == SOLO:
            raise InvalidOptionError(
                f"variant {variant!r} is not possible here: it has no opponents' seats; make EndeavorSolo-v0, which "
                "plays it, or give standard, soloplay_2, soloplay_3 or neutral_2"
            )
        settings = check_settings(Kinds([GameConfig(variant, players, board, options, exploits)]), **given)
        super().__init__(settings, EndeavorTable(settings), learner_seat, opponents)

    def game(self) -> Game:
        """Return an independent copy of the game in play, to search on, describe or record."""
        return cast(Game, super().game())
