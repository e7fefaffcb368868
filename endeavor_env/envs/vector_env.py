"""The vector environments: thousands of games a call, opponents inside the compiled loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gymnasium.vector import AutoresetMode

from endeavor_env.board import Board
from endeavor_env.envs.opponents import RANDOM
from endeavor_env.envs.vector_games import VectorGames
from endeavor_env.envs.vector_options import BatchOpponent
from endeavor_env.errors import InvalidOptionError
from endeavor_env.rewards import RewardFunction, Shaping
from endeavor_env.setups import SOLO

BoardGiven = Board | str | Path | None
"""None stands for the board of 2009."""


class EndeavorVectorEnv(VectorGames):
    """``num_envs`` games of Endeavor in one environment; ``gymnasium.make_vec("Endeavor-v0", num_envs=...)`` makes it.

    Everything is as in ``Endeavor-v0`` (spaces, rewards, seeding, the end of an episode), one row a game: game i with
    seed s goes exactly as the single environment with seed s, whatever the number of games or threads.

    ## Observations and buffers

    ``{"observation": (num_envs, size), "action_mask": (num_envs, actions) int8}``. With ``copy=True`` these are fresh
    arrays. With ``copy=False`` they are the environment's own and go to ``torch.from_numpy`` without a copy: the
    observations are overwritten by the second call of ``step`` or ``reset`` from now, the masks by the next one.

    ## Who the learner is

    ``learner_seat`` is a seat, ``"rotate"`` (another seat each game), or ``"all"``: *self-play*, in which every action
    is that of the seat to move, the observation is seen from that seat (after the last move from seat 0), the reward
    of the last move is that seat's, and ``info["seat_rewards"]`` (num_envs, players) holds every seat's at the end.

    ## Seeding

    ``reset(seed=s)`` gives game i the seed s + i, a list each game its own. A seed is that of the set-up, as for
    ``Game.new``, and starts the stream from which the opponents and all later games of that row follow.

    ## Autoreset

    ``autoreset_mode`` is Gymnasium's: ``NEXT_STEP`` (default: the step after the end starts a new game, whatever the
    action), ``SAME_STEP`` (the new game's first observation comes at once, ``info["final_obs"]`` and
    ``info["final_info"]`` hold the old one's last), or ``DISABLED`` (reset finished games with the option
    ``reset_mask``, (num_envs,) bool).

    ## Info

    Arrays over the games, each with its mask ``_<name>``, present where a single environment's would be:
    ``action_mask``; at the first decision ``seed`` of the set-up and ``seat`` of the learner; at the end ``seat``,
    ``reason`` ("game_over" or "illegal_action"), ``action`` (the illegal one), ``scores`` (int64 a seat) and
    ``winners`` (bool a seat), in the solitaire game also ``margin``, ``ladder``, ``rung`` and ``panache``. With
    ``learner_seat="all"``, ``seat`` is always there: the one to move, -1 at the end. What only a reader wants (the
    message of an illegal action, breakdowns) the single environments tell.

    ## Opponents

    One for all other seats or a list in playing order after the learner: ``"random"``, ``"greedy"`` and ``"automa"``
    are played inside the compiled loop; a function gets all games that wait for it at once, (observations, masks), and
    returns one action for each.

    ## Arguments

    Those of ``Endeavor-v0``, and:

    - ``board``: one for all games, or a list: game i is played on board i modulo their number.
    - ``threads``: at most this many, None for all cores. Results do not depend on it.
    - ``copy``, ``autoreset_mode``, ``opponents``, ``learner_seat``: see above.
    - ``render_mode``: None.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        players: int | None = None,
        variant: str = "standard",
        options: Mapping[str, Any] | None = None,
        board: BoardGiven | Sequence[BoardGiven] = None,
        learner_seat: int | str = 0,
        opponents: BatchOpponent | Sequence[BatchOpponent] = RANDOM,
        observation: str = "features",
        reward: str | RewardFunction = "win",
        shaping: dict[str, float] | Shaping | None = None,
        illegal_action: str = "terminate",
        illegal_reward: float = -1.0,
        seed: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """Checks the options and lays out the games. Raises InvalidOptionError or InvalidBoardError."""
        if isinstance(variant, str) and variant == SOLO:
            raise InvalidOptionError(
                f"variant {variant!r} is not possible here: it has no opponents' seats; make EndeavorSolo-v0, which "
                "plays it, or give standard, soloplay_2, soloplay_3 or neutral_2"
            )
        super().__init__(
            num_envs,
            players=players,
            variant=variant,
            options=options,
            board=board,
            learner_seat=learner_seat,
            opponents=opponents,
            observation=observation,
            reward=reward,
            shaping=shaping,
            illegal_action=illegal_action,
            illegal_reward=illegal_reward,
            seed=seed,
            autoreset_mode=autoreset_mode,
            threads=threads,
            copy=copy,
            render_mode=render_mode,
        )


class EndeavorSoloVectorEnv(VectorGames):
    """``num_envs`` solitaire games; ``gymnasium.make_vec("EndeavorSolo-v0", num_envs=...)`` makes it.

    Options are those of ``EndeavorSolo-v0``; everything else is as in ``EndeavorVectorEnv``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        difficulty: str = "normal",
        opposition_ties: str = "player",
        solo_ignore_industry: bool = False,
        board: BoardGiven | Sequence[BoardGiven] = None,
        observation: str = "features",
        reward: str | RewardFunction = "win",
        shaping: dict[str, float] | Shaping | None = None,
        illegal_action: str = "terminate",
        illegal_reward: float = -1.0,
        seed: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """Checks the options and lays out the games. Raises InvalidOptionError or InvalidBoardError."""
        options = {
            "difficulty": difficulty,
            "opposition_ties": opposition_ties,
            "solo_ignore_industry": solo_ignore_industry,
        }
        super().__init__(
            num_envs,
            players=None,
            variant=SOLO,
            options=options,
            board=board,
            learner_seat=0,
            opponents=RANDOM,
            observation=observation,
            reward=reward,
            shaping=shaping,
            illegal_action=illegal_action,
            illegal_reward=illegal_reward,
            seed=seed,
            autoreset_mode=autoreset_mode,
            threads=threads,
            copy=copy,
            render_mode=render_mode,
        )
