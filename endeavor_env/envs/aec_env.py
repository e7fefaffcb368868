"""The PettingZoo environment: all seats are agents, each step is one decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack, cast

from endeavor_env.basics.inputs import INFO_MASKS, one_of
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.game import Game
from endeavor_env.engine.batch.game_kinds import Kinds
from endeavor_env.envs.agents_env import AgentsEnv
from endeavor_env.envs.endeavor_table import EndeavorTable
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, EnvOptions, check_settings
from endeavor_env.envs.signatures import shows_options


@shows_options(EnvOptions, DEFAULTS, MEANINGS)
class EndeavorAECEnv(AgentsEnv):
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

    metadata = {**AgentsEnv.metadata, "name": "endeavor_v0"}  # noqa: RUF012 (PettingZoo declares it so)

    _table: EndeavorTable

    def __init__(
        self,
        *,
        players: int | None = None,
        variant: str = "standard",
        exploits: Sequence[str] | str | None = None,
        options: Mapping[str, Any] | None = None,
        board: Board | str | Path | None = None,
        info_masks: str = "array",
        **given: Unpack[EnvOptions],
    ) -> None:
        """Check the options and prepare an empty table. Raise InvalidOptionError or InvalidBoardError."""
        settings = check_settings(Kinds([GameConfig(variant, players, board, options, exploits)]), **given)
        lists = one_of("info_masks", info_masks, INFO_MASKS) == "list"
        super().__init__(settings, EndeavorTable(settings, self.WAITING), lists=lists)

    def game(self) -> Game:
        """Return an independent copy of the game in play, to search on, describe or record."""
        return cast(Game, super().game())
