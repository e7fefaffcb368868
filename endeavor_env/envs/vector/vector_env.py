"""The vector environments: thousands of games in one call, with opponents inside the compiled loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from endeavor_env.endeavor.config import BoardGiven, GameConfig
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.engine.batch.seats import BatchOpponent
from endeavor_env.envs.opponents import RANDOM
from endeavor_env.envs.signatures import shows_options
from endeavor_env.envs.vector.game_lists import kinds_by_board, listed_kinds, solo_kinds
from endeavor_env.envs.vector.vector_games import GymnasiumVectorEnv, VectorGames
from endeavor_env.envs.vector.vector_settings import VECTOR_DEFAULTS, VectorOptions, check_vector_settings


@shows_options(VectorOptions, VECTOR_DEFAULTS)
class EndeavorVectorEnv(VectorGames, GymnasiumVectorEnv):  # type: ignore[misc]  # skrl looks at direct bases alone
    """``num_envs`` games of Endeavor in one environment; ``gymnasium.make_vec("Endeavor-v0", num_envs=...)`` makes it.

    Everything is as in ``Endeavor-v0`` (spaces, rewards, the end of an episode), with a row for each game: a game whose
    seed is s is exactly that of the single environment with seed s, whatever the number of games or threads.

    ## Observations and buffers

    ``{"observation": (num_envs, size), "action_mask": (num_envs, actions)}``, the masks int8 or with
    ``mask_dtype="bool"`` bool. With ``"packed"`` they are (num_envs, words) uint64, bit b of word w for the id 64 w +
    b, for learners that unpack them where they need them. With ``flat=True`` an observation is the vectors alone; masks
    are then in ``info["action_mask"]`` and ``action_masks()`` (always bool), as they are without it. With
    ``observation_key`` the vectors have another key, such as ``"observations"``.

    With ``copy=True`` these are arrays of your own: their memory is used again only once nothing refers to them. With
    ``copy=False`` they are buffers of the environment, which ``torch.from_numpy`` takes without a copy: the
    observations are overwritten by the second call of ``step`` or ``reset`` from now, the masks by the next one. Write
    into neither masks nor observations of the environment.

    **The mask of a game that has ended is all ones**, in observations, infos, ``final_obs`` and ``action_masks()``: no
    action is asked for, so any is allowed, and ignored. A policy that masks its logits gets no row without a finite
    entry, and an action drawn for a game that starts again in the next step needs no special case.

    ## Games of several kinds

    ``games`` lists the kinds of game. It replaces ``players``, ``variant``, ``exploits``, ``options`` and ``board``,
    which are then keys of its entries; a ``GameConfig`` is an entry as well:

    ```python
    games=[{"players": 3}, {"players": 5, "weight": 2}, {"variant": "solo", "options": {"difficulty": "harder"}}]
    ```

    With ``game_choice="row"`` game i always is entry i modulo their number; with ``"draw"`` every new game of a row is
    drawn, by ``weight`` (1 unless given), from that row's own stream. A list of boards works in the same way. If all
    games are standard, masks and observations are those of the standard game; otherwise every row has those of the
    variants, which begin with the standard ones (what follows says little about a standard game, except that it is
    one). Everything that counts seats (rewards, scores, winners, a rotating seat) refers to the row's own table.
    Solitaire games have one seat and no opponents; the reward ``"ladder"`` is for them alone, ``"rank"`` and
    ``"win_zero_sum"`` for all others.

    ## Who the learner is

    ``learner_seat`` is a seat of the smallest table, ``"rotate"`` (another seat each game; drawn if the game is drawn),
    or ``"all"``: *self-play*, in which every action is that of the seat to move, the observation is seen from that
    seat (after the last move from seat 0), the reward of the last move is that seat's, and ``info["seat_rewards"]``
    (num_envs, players) holds every seat's at the end.

    ## Seeding

    ``reset(seed=s)`` gives each game a seed of its own, derived from s by NumPy's ``SeedSequence``: those of seed s + 1
    are others. The first games have the same seeds whatever the number of games. A list has a seed for each game, which
    is used as it is. ``info["seed"]`` names each one's, but not in games with chance or hidden parts, which follow from
    it. A seed draws the set-up, as in ``Game.new``, and starts the stream from which the opponents and all later games
    of that row follow: a single environment that is reset with it plays the same games.

    ## Autoreset

    ``autoreset_mode`` is Gymnasium's: ``NEXT_STEP`` (default: the step after the end starts a new game, whatever the
    action), ``SAME_STEP`` (the new game's first observation comes at once, ``info["final_obs"]`` and
    ``info["final_info"]`` hold the last of the old one), or ``DISABLED`` (reset finished games with the option
    ``reset_mask``, (num_envs,) bool). The attribute ``autoreset_mode`` and ``metadata["autoreset_mode"]`` say which.

    ## Truncation

    A game that is not over after ``max_cycles`` decisions of all its seats, those of the set-up included, is cut short:
    ``truncations`` is True for it, its reward 0 (plus the shaping term of any end), and ``reason`` "max_cycles". A game
    that ends before the learner's first decision gives way to the next of its row.

    ## Info

    Arrays over the games, each with its mask ``_<name>``, present where a single environment's would be (texts only
    where they are not empty): ``action_mask``; at the first decision the learner's ``seat`` and the set-up's ``seed``
    (see Seeding); at the end ``seat``, ``reason`` ("game_over", "illegal_action" or "max_cycles"), ``action`` (the
    illegal one), ``scores`` (int64, one per seat) and ``winners`` (bool, one per seat), with "max_cycles" as if the
    game ended now, in the solitaire game also ``margin``, ``ladder``, ``rung`` and ``panache``. With
    ``learner_seat="all"``, ``seat`` is always there: the one to move, -1 where the game is over by the rules. With
    several kinds of games, ``game`` is, at the start and at the end, the index into ``env.games``; ``scores``,
    ``winners`` and ``seat_rewards`` have as many entries as the largest table, 0 or False beyond the row's own. Texts
    for readers (the message of an illegal action, breakdowns) are only in the infos of single environments.

    ## Opponents

    One for all other seats or a list in playing order after the learner (as long as the largest table needs; smaller
    ones take its first entries): players by name, such as ``"greedy"``, are played inside the compiled loop; a
    function gets (observations, masks) of all games that wait for it at once, and returns one action for each.

    A mapping from opponents to weights is a *mix*: each other seat of each new game draws one, from the row's stream.
    ``env.set_opponents(...)`` takes all of these as well, and sets the opponents of games that start from then on:
    games under way keep theirs. This is how to play against a changing pool of snapshots of the learner:

    ```python
    env.set_opponents({"random": 0.15, "greedy": 0.15, older_policy: 0.35, newer_policy: 0.35})
    ```

    ## Threads, interrupts and copies

    One thread at a time may call the methods of an environment: while one is inside, another gets
    OverlappingCallsError, and nothing is changed.

    After an interrupt (Ctrl-C) in ``step`` or ``reset`` no thread works on the games any more, ``step`` raises
    ResetNeededError, and a reset of all games begins again. An environment can be pickled and copied with
    ``copy.deepcopy`` at any time between calls; the copy goes on identically, with threads of its own. Opponents and
    rewards that are functions are pickled by reference, as Python does.

    ## Arguments

    Those of ``Endeavor-v0``, and:

    - ``games``, ``game_choice``: see above.
    - ``board``: one for all games, or a list: game i is played on board i modulo their number, or draws one.
    - ``threads``: at most this many, None for all cores. Results do not depend on it.
    - ``copy``, ``autoreset_mode``, ``opponents``, ``learner_seat``: see above.
    - ``render_mode``: None, or as in single environments. ``render()`` returns a tuple with a text or picture for each
      game; "human" shows a grid in one window after each reset and step.
    - ``render_games``: how many of the first games are shown, at most 64; None for all.
    """

    games: tuple[GameConfig, ...]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        players: int | None = None,
        variant: str = STANDARD,
        exploits: Sequence[str] | str | None = None,
        options: Mapping[str, Any] | None = None,
        board: BoardGiven | Sequence[BoardGiven] = None,
        games: Sequence[Mapping[str, Any] | GameConfig] | None = None,
        game_choice: str = "row",
        learner_seat: int | str = 0,
        opponents: BatchOpponent | Sequence[BatchOpponent] | Mapping[Any, float] = RANDOM,
        **given: Unpack[VectorOptions],
    ) -> None:
        """Check the options and prepare the games. Raise InvalidOptionError or InvalidBoardError."""
        weights = None
        if games is None:
            chosen = kinds_by_board(players, variant, exploits, options, board)
        else:
            others = {"players": (players, None), "variant": (variant, STANDARD), "exploits": (exploits, None)}
            others |= {"options": (options, None), "board": (board, None)}
            chosen, weights = listed_kinds(games, game_choice, **others)
        super().__init__(
            check_vector_settings(
                num_envs,
                Kinds(chosen, game_choice, weights),
                learner_seat=learner_seat,
                opponents=opponents,
                **given,
            )
        )


@shows_options(VectorOptions, VECTOR_DEFAULTS)
class EndeavorSoloVectorEnv(VectorGames, GymnasiumVectorEnv):  # type: ignore[misc]  # see EndeavorVectorEnv
    """``num_envs`` solitaire games; ``gymnasium.make_vec("EndeavorSolo-v0", num_envs=...)`` makes it.

    Options are those of ``EndeavorSolo-v0``; everything else is as in ``EndeavorVectorEnv``. ``difficulty`` and
    ``board`` may be lists: with ``game_choice="row"`` game i has difficulty i and board i modulo their numbers, with
    ``"draw"`` each new game draws one of each.
    """

    games: tuple[GameConfig, ...]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        difficulty: str | Sequence[str] = "normal",
        opposition_ties: str = "player",
        solo_ignore_industry: bool = False,
        board: BoardGiven | Sequence[BoardGiven] = None,
        game_choice: str = "row",
        **given: Unpack[VectorOptions],
    ) -> None:
        """Check the options and prepare the games. Raise InvalidOptionError or InvalidBoardError."""
        options = {"opposition_ties": opposition_ties, "solo_ignore_industry": solo_ignore_industry}
        super().__init__(
            check_vector_settings(
                num_envs,
                Kinds(solo_kinds(difficulty, board, options, game_choice), game_choice),
                learner_seat=0,
                opponents=RANDOM,
                **given,
            )
        )
