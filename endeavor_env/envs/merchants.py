"""The environments of Merchants of Europe, as their ids make them.

PettingZoo and the batches of games are imported when they are needed: a single environment is there sooner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from endeavor_env.engine.seating import BatchOpponent
from endeavor_env.envs.display import METADATA
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.opponents import RANDOM, Opponent
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, VECTOR_DEFAULTS, EnvOptions, VectorOptions
from endeavor_env.envs.signatures import shows_options
from endeavor_env.merchants.game import TRADES, BoardGiven, MerchantsConfig, MerchantsGame
from endeavor_env.merchants.rules.constants import USUAL_ROLLS

if TYPE_CHECKING:
    from endeavor_env.envs.aec_env import GameAECEnv
    from endeavor_env.envs.vector_env import GameVectorEnv


@shows_options("Merchants-v0", EnvOptions, DEFAULTS, MEANINGS, METADATA)
def make_merchants(
    *,
    players: int | None = None,
    board: BoardGiven = None,
    start: str | None = None,
    trade: str = TRADES[0],
    max_rolls: int = USUAL_ROLLS,
    learner_seat: int | str = 0,
    opponents: Opponent | Sequence[Opponent] = RANDOM,
    **given: Unpack[EnvOptions],
) -> GameEnv[MerchantsGame]:
    """Merchants of Europe for one learner against 2 or 3 opponents, one decision of the learner per step.

    ## Description

    The second game of the collected rulebooks: dice and hidden hands, trade between players, merchants who walk and
    found posts, caravans that deliver goods along everybody's routes. One step is one decision of the learner; then the
    others play, and chance draws, until the learner is to decide again, which is also when somebody offers it a trade.
    Dice, stolen cards, development cards and tokens are drawn from the game's seed; no step is asked for them.

    ## Action Space

    ``Discrete(NUM_ACTIONS)`` of ``merchants.rules.actions``: a block of ids for each kind of move, and behind them the
    outcomes of chance, which are never legal for a seat. Which ids are legal is in ``observation["action_mask"]``, in
    ``info["action_mask"]`` and, as bools, in ``action_masks()``; ``game().describe(action)`` puts an id into words.

    ## Observation Space

    ``Dict`` of ``"observation"``, a ``Box`` whose slices ``merchants.observe`` names, and ``"action_mask"``, 1 =
    legal. It shows what the learner's seat may see (K14): of other hands the number of cards. With ``flat`` an
    observation is the first entry alone. **When the episode is over the mask is all 1.**

    ## Rewards

    0 until the game is over; then the named reward of the learner's seat, by the goods delivered: ``win`` (1 for the
    winner, shared on a tie), ``win_zero_sum``, ``rank``, ``margin`` (a lead of 5 goods is 1), or a function from the
    list of final scores to one float for each seat. With ``shaping`` every step adds a potential-based term.

    ## Starting State

    The first player is drawn, from ``reset(seed=...)`` as all that follows. ``info`` has no ``seed``: hidden hands and
    the dice to come follow from it. ``game()`` is a full copy in which the dice fall otherwise. Reset options:
    ``setup`` (``{"first": seat}``), and ``learner_seat`` for this game only. An episode always has a first decision:
    with small ``max_rolls`` or ``max_cycles`` a game can end before the learner is asked, and then the next one is
    drawn, as a reset without a seed draws it.

    ## Episode End

    Terminated when a seat has delivered all its goods, or with the turn in which the limit of rolls is reached;
    ``game().truncated`` tells which. Or, with ``illegal_action="terminate"``, when the learner chooses an illegal
    action. Truncated, with reward 0, after ``max_cycles`` decisions of all seats.

    ## Arguments

    An argument that is not possible raises InvalidOptionError, a board that has faults InvalidBoardError.

    - ``players``: 3 or 4; 4 if left out.
    - ``board``: ``"short"`` or ``"expert"`` for the declared board of that side, a ``merchants.board.Board``, or the
      path of a board file; None for ``"short"``.
    - ``start``: ``"fixed"`` or ``"free"``: posts and routes of the beginning as the board has them, or placed as the
      first decisions; None for the first that the side has (the expert side has ``"free"`` alone).
    - ``trade``: ``"offers"``, ``"bank"`` (with the reserve alone) or ``"none"``.
    - ``max_rolls``: rolls after which the game ends with the turn, 300.
    - ``learner_seat``: a seat, or ``"rotate"``: the next seat every reset; after a reset with a seed, seed % players.
    - ``opponents``: one for all other seats or a list of them in playing order after the learner: ``"random"``,
      ``"greedy"``, ``"planner"``, an object with ``act(game)`` (and ``reset(seed)``, if it has one), or a function to
      an action id. An object gets a copy of the game as its seat knows it, with hidden hands and the draws to come
      drawn anew (one with ``sees_everything = True`` gets all), a function a dictionary of the observation and the
      mask of the seat to move, also with ``flat``.
    - the options of ``EnvOptions``.

    ## Version History

    - v0: first version.
    """
    config = MerchantsConfig(players, board, start, trade, max_rolls)
    return GameEnv(config, learner_seat=learner_seat, opponents=opponents, **given)


@shows_options("merchants_v0", EnvOptions, DEFAULTS, MEANINGS)
def make_merchants_aec(
    *,
    players: int | None = None,
    board: BoardGiven = None,
    start: str | None = None,
    trade: str = TRADES[0],
    max_rolls: int = USUAL_ROLLS,
    info_masks: str = "array",
    **given: Unpack[EnvOptions],
) -> GameAECEnv[MerchantsGame]:
    """Merchants of Europe for 3 or 4 agents, one decision at a time.

    ## Description

    See ``Merchants-v0``. One step is one decision of one agent; the same agent may decide several times in a row, and
    an offer of the mover asks the others in turn. What chance decides is drawn from the game's seed between two
    decisions.

    ## Spaces, rewards, infos

    As in ``endeavor_v0``: a ``Dict`` of observation and mask for each agent, which show what it may see (K14);
    ``state()`` is what seat 0 sees. Rewards are those of ``Merchants-v0``, for every agent at the end.

    ## Arguments

    An argument that is not possible raises InvalidOptionError, a board that has faults InvalidBoardError.

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
    from endeavor_env.envs.aec_env import GameAECEnv

    return GameAECEnv(MerchantsConfig(players, board, start, trade, max_rolls), info_masks=info_masks, **given)


@shows_options("Merchants-v0", VectorOptions, VECTOR_DEFAULTS)
def make_merchants_vector(
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
) -> GameVectorEnv[MerchantsConfig]:
    """``num_envs`` games of Merchants of Europe; ``gymnasium.make_vec("Merchants-v0", num_envs=...)`` makes it.

    Options are those of ``Merchants-v0``; everything else is as in ``GameVectorEnv``.

    Raises InvalidOptionError or InvalidBoardError.
    """
    from endeavor_env.envs.vector_env import GameVectorEnv

    config = MerchantsConfig(players, board, start, trade, max_rolls)
    return GameVectorEnv(num_envs, config=config, learner_seat=learner_seat, opponents=opponents, **given)
