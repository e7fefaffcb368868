"""The environments of Endeavor, as their ids make them.

PettingZoo and the batches of games are imported when they are needed: a single environment is there sooner.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from endeavor_env.basics.inputs import check_names, listed, one_of, positive_weight
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import BoardGiven, Game, GameConfig
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.batch.game_batch import GAME_CHOICES
from endeavor_env.engine.seating import BatchOpponent
from endeavor_env.envs.display import METADATA
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.opponents import RANDOM, Opponent
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, VECTOR_DEFAULTS, EnvOptions, VectorOptions
from endeavor_env.envs.signatures import shows_options
from endeavor_env.errors import InvalidOptionError, shown

if TYPE_CHECKING:
    from endeavor_env.envs.aec_env import GameAECEnv
    from endeavor_env.envs.vector_env import GameVectorEnv

# --- Single games ----------------------------------------------------------------------------------------------------


@shows_options("Endeavor-v0", EnvOptions, DEFAULTS, MEANINGS, METADATA)
def make_endeavor(
    *,
    players: int | None = None,
    variant: str = "standard",
    exploits: Sequence[str] | str | None = None,
    options: Mapping[str, Any] | None = None,
    board: Board | str | Path | None = None,
    learner_seat: int | str = 0,
    opponents: Opponent | Sequence[Opponent] = RANDOM,
    **given: Unpack[EnvOptions],
) -> GameEnv[Game]:
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

    An argument that is not possible raises InvalidOptionError, a board that has faults InvalidBoardError.

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
    if isinstance(variant, str) and variant == SOLO:
        raise InvalidOptionError(
            f"variant {variant!r} is not possible here: it has no opponents' seats; make EndeavorSolo-v0, which "
            "plays it, or give standard, soloplay_2, soloplay_3 or neutral_2"
        )
    config = GameConfig(variant, players, board, options, exploits)
    return GameEnv(config, learner_seat=learner_seat, opponents=opponents, **given)


@shows_options("EndeavorSolo-v0", EnvOptions, DEFAULTS, MEANINGS, METADATA)
def make_endeavor_solo(
    *,
    difficulty: str = "normal",
    opposition_ties: str = "player",
    solo_ignore_industry: bool = False,
    board: Board | str | Path | None = None,
    **given: Unpack[EnvOptions],
) -> GameEnv[Game]:
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

    An argument that is not possible raises InvalidOptionError, a board that has faults InvalidBoardError.

    - ``difficulty``: ``"normal"``, ``"easier"`` (the Opposition's blue tokens do nothing) or ``"harder"`` (those it
      wins by Sail count as well).
    - ``opposition_ties``: ``"player"``, or ``"first"`` to take the first option wherever the rules leave one.
    - ``solo_ignore_industry``: whether any level of the building grid may be built.
    - ``board``: None for the board of 2009, a ``Board``, or the path of a board file.
    - the options of ``EnvOptions``.

    ## Version History

    - v0: first version.
    """
    options = {
        "difficulty": difficulty,
        "opposition_ties": opposition_ties,
        "solo_ignore_industry": solo_ignore_industry,
    }
    return GameEnv(GameConfig(SOLO, board=board, options=options), **given)


@shows_options("endeavor_v0", EnvOptions, DEFAULTS, MEANINGS)
def make_endeavor_aec(
    *,
    players: int | None = None,
    variant: str = "standard",
    exploits: Sequence[str] | str | None = None,
    options: Mapping[str, Any] | None = None,
    board: Board | str | Path | None = None,
    info_masks: str = "array",
    **given: Unpack[EnvOptions],
) -> GameAECEnv[Game]:
    """Endeavor for 3 to 5 agents, in its variants for 1 to 3, one decision at a time.

    ## Description

    The board game Endeavor (2009) in seven rounds of building, growth, salaries and actions. One step is one decision
    of one agent; the same agent may decide several times in a row. After the set-up there is no chance and nothing is
    hidden. The three wrappers that PettingZoo usually puts around an environment are not needed: calls in the wrong
    order, actions outside the space and illegal actions are handled here.

    ## Action Space

    ``Discrete(NUM_ACTIONS)``, in a variant ``Discrete(NUM_VARIANT_ACTIONS)``, the same for every agent: contiguous
    blocks of ids, one for each kind of move, the first of them the same everywhere. Which ids are legal is in
    ``observation["action_mask"]``; ``game().describe(action)`` puts an id into words.

    ## Observation Space

    ``Dict`` of ``"observation"``, a ``Box`` described slice by slice by ``endeavor.observation.layout_for``, and
    ``"action_mask"``, an int8 ``Box`` of 0 and 1 with an entry for each action id, 1 = legal. The observation is seen
    from the agent's own seat, the others following in playing order. ``observe`` answers for every agent at any time.
    ``state()`` is the observation of seat 0, whoever moves. With ``flat`` an observation is the first entry alone.

    The mask is in ``infos`` as well, with ``info_masks="list"`` as a list. While the game runs it is all 0 for an agent
    that is not to move (all 1 in ``parallel_env``, where such an agent acts and is ignored). **When the episode is over
    it is all 1 for everybody**: no action is asked for, any is ignored, and a masked distribution over it stays finite.

    ## Rewards

    0 until the game is over; then every agent gets the named reward: ``win`` (1 for the winner, shared on a tie),
    ``win_zero_sum``, ``rank``, ``margin``, or a function from the list of final scores to one float for each seat.
    Named rewards lie between -1 and 1: with the default ``illegal_reward`` no forfeit pays more than playing on. With
    ``shaping`` an agent also gets a potential-based term between any two of its own decisions. The rewards of
    ``solo`` are ``win``, ``margin``, ``ladder``, or a function from the scores of player and Opposition to a list of
    one float. Without a name it is ``win``, in ``solo`` ``margin``.

    ## Starting State

    Tokens dealt at random to all spaces and a random first player, both from ``reset(seed=...)``: the set-up of
    ``Game.new(seed=...)``. The choices that the set-up of a variant leaves are the first decisions. Reset options:
    ``setup`` (every random outcome, as in a game record) or ``first_player``. Other keys are ignored.

    ## Episode End

    All agents terminate together, after the seventh round or, with ``illegal_action="terminate"``, when one of them
    chooses an illegal action: it gets ``illegal_reward``, the others 0. All are truncated together, with reward 0,
    after ``max_cycles`` decisions, far more than any real game needs.

    ## Infos

    ``{"action_mask": mask}`` for every agent, from the reset to the end, so that infos can be stacked. ``result()``
    says how an episode ended: the reason, scores and winners, in ``solo`` also the place on the ladder.

    ## Arguments

    An argument that is not possible raises InvalidOptionError, a board that has faults InvalidBoardError.

    - ``players``: 3 to 5, 4 if left out; a variant has one number, which may be left out.
    - ``variant``: ``"standard"``, ``"solo"`` (the only agent is ``player_0``), ``"soloplay_2"``, ``"soloplay_3"`` or
      ``"neutral_2"``.
    - ``exploits``: names of the Exploits in play, or ``"random"`` for three that each game draws; None for none.
    - ``options``: options of the variant by name, as for ``Game.new``; None for none.
    - ``board``: None for the board of 2009, a ``Board``, or the path of a board file.
    - ``info_masks``: ``"array"``, or ``"list"`` for masks in ``infos`` that are lists of Python, as AgileRL wants them.
    - the options of ``EnvOptions``.

    ## Version History

    - v0: first version.
    """
    from endeavor_env.envs.aec_env import GameAECEnv

    return GameAECEnv(GameConfig(variant, players, board, options, exploits), info_masks=info_masks, **given)


# --- Many games ------------------------------------------------------------------------------------------------------


@shows_options("Endeavor-v0", VectorOptions, VECTOR_DEFAULTS)
def make_endeavor_vector(
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
) -> GameVectorEnv[GameConfig]:
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

    An argument that is not possible raises InvalidOptionError, a board that has faults InvalidBoardError.

    Those of ``Endeavor-v0``, and:

    - ``games``, ``game_choice``: see above.
    - ``board``: one for all games, or a list: game i is played on board i modulo their number, or draws one.
    - ``threads``: at most this many, None for all cores. Results do not depend on it.
    - ``copy``, ``autoreset_mode``, ``opponents``, ``learner_seat``: see above.
    - ``render_mode``: None, or as in single environments. ``render()`` returns a tuple with a text or picture for each
      game; "human" shows a grid in one window after each reset and step.
    - ``render_games``: how many of the first games are shown, at most 64; None for all.
    """
    from endeavor_env.envs.vector_env import GameVectorEnv

    weights = None
    if games is None:
        chosen = kinds_by_board(players, variant, exploits, options, board)
    else:
        others = {"players": (players, None), "variant": (variant, STANDARD), "exploits": (exploits, None)}
        others |= {"options": (options, None), "board": (board, None)}
        chosen, weights = listed_kinds(games, game_choice, **others)
    return GameVectorEnv(
        num_envs,
        config=chosen,
        game_choice=game_choice,
        weights=weights,
        learner_seat=learner_seat,
        opponents=opponents,
        **given,
    )


@shows_options("EndeavorSolo-v0", VectorOptions, VECTOR_DEFAULTS)
def make_endeavor_solo_vector(
    num_envs: int = 1,
    *,
    difficulty: str | Sequence[str] = "normal",
    opposition_ties: str = "player",
    solo_ignore_industry: bool = False,
    board: BoardGiven | Sequence[BoardGiven] = None,
    game_choice: str = "row",
    **given: Unpack[VectorOptions],
) -> GameVectorEnv[GameConfig]:
    """``num_envs`` solitaire games; ``gymnasium.make_vec("EndeavorSolo-v0", num_envs=...)`` makes it.

    Options are those of ``EndeavorSolo-v0``; everything else is as in ``make_endeavor_vector``. ``difficulty`` and
    ``board`` may be lists: with ``game_choice="row"`` game i has difficulty i and board i modulo their numbers, with
    ``"draw"`` each new game draws one of each.

    Raises InvalidOptionError or InvalidBoardError.
    """
    from endeavor_env.envs.vector_env import GameVectorEnv

    options = {"opposition_ties": opposition_ties, "solo_ignore_industry": solo_ignore_industry}
    kinds = solo_kinds(difficulty, board, options, game_choice)
    return GameVectorEnv(num_envs, config=kinds, game_choice=game_choice, **given)


# --- The games of a vector environment, from its options ``games``, ``board`` and ``difficulty``, which may be lists --

_KEYS = ("players", "variant", "options", "board", "weight", "exploits")


def kinds_by_board(players: Any, variant: Any, exploits: Any, options: Any, board: Any) -> list[GameConfig]:
    """Return the kinds of game of an environment whose games differ only in their boards."""
    if isinstance(variant, str) and variant == SOLO:
        raise InvalidOptionError(
            f"variant {variant!r} is not possible here: it has no opponents' seats; make EndeavorSolo-v0, which "
            "plays it, mix it with others by the option games, or give standard, soloplay_2, soloplay_3 or neutral_2"
        )
    boards = _one_or_several("board", board)
    return [GameConfig(variant, players, one, options, exploits) for one in boards]


def solo_kinds(difficulty: Any, board: Any, options: Mapping[str, Any], choice: Any) -> list[GameConfig]:
    """Return the solitaire games of one or several difficulties and boards.

    With the choice "row", kind i has the difficulty i and the board i modulo their numbers; otherwise there is a kind
    for each pair.
    """
    difficulties, boards = _one_or_several("difficulty", difficulty), _one_or_several("board", board)
    if one_of("game_choice", choice, GAME_CHOICES) == "row":
        length = math.lcm(len(difficulties), len(boards))
        pairs = [(difficulties[row % len(difficulties)], boards[row % len(boards)]) for row in range(length)]
    else:
        pairs = [(one, other) for one in difficulties for other in boards]
    return [GameConfig(SOLO, board=other, options={"difficulty": one, **options}) for one, other in pairs]


def listed_kinds(games: Any, choice: Any, **others: Any) -> tuple[list[GameConfig], list[float]]:
    """Return the kinds of game in the option ``games``, and their weights.

    Args:
        games: A list, each entry a ``GameConfig``, or a mapping with any of the keys players, variant, exploits,
            options, board and weight.
        choice: The option ``game_choice``; weights need "draw".
        others: The options that ``games`` replaces, as name=(value, value when it is not given).

    Raises:
        InvalidOptionError: Another type, an empty list, an unknown key, a wrong weight, one of the other options given
            as well, or an error of ``GameConfig``.
    """
    for name, (value, default) in others.items():
        if value is not default and value != default:
            raise InvalidOptionError(
                f"{name}={shown(value)} is not possible beside games: its entries say players, "
                "variant, exploits, options and board"
            )
    several = listed(games)
    if not several:
        raise InvalidOptionError(
            f"games={shown(games)} is not possible: give a list of at least one mapping, a kind of game each"
        )
    entries = [_check_entry(game, choice) for game in several]
    return [game for game, _ in entries], [weight for _, weight in entries]


def _check_entry(game: Any, choice: Any) -> tuple[GameConfig, float]:
    """Return one entry of ``games`` as a kind of game with its weight."""
    if isinstance(game, GameConfig):
        return game, 1.0
    if not isinstance(game, Mapping):
        raise InvalidOptionError(f"games has an entry {shown(game)}: give a mapping with any of {', '.join(_KEYS)}")
    check_names("an entry of games", game, _KEYS)
    weight = positive_weight("weight of a game", game.get("weight", 1.0))
    if "weight" in game and one_of("game_choice", choice, GAME_CHOICES) == "row":
        raise InvalidOptionError("the weight of a game is not possible with game_choice='row': it is for 'draw'")
    return GameConfig(**{key: value for key, value in game.items() if key != "weight"}), weight


def _one_or_several(name: str, value: Any) -> list[Any]:
    """Return the entries of a list, or a single value as a list of one; raise InvalidOptionError for an empty list."""
    values = listed(value)
    if values is None:
        return [value]
    if not values:
        raise InvalidOptionError(f"{name}=[] is not possible: give at least one {name}")
    return values
