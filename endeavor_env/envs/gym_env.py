"""The Gymnasium environment: one learner, the other seats played by opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import gymnasium

from endeavor_env.basics.inputs import check_reset_options, check_seed, seat_number
from endeavor_env.batch.game_kinds import Kinds
from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.envs.gym_opponents import RANDOM, Opponent, check_opponents, opponent_action, reset_opponents
from endeavor_env.envs.learner_env import LearnerEnv
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, EnvOptions, check_settings
from endeavor_env.envs.signatures import shows_options
from endeavor_env.envs.table import Observation
from endeavor_env.errors import InvalidOptionError
from endeavor_env.game.config import GameConfig
from endeavor_env.rails.kernels.rng import seeded
from endeavor_env.terms.setups import SOLO

ROTATE = "rotate"


@shows_options(EnvOptions, DEFAULTS, MEANINGS)
class EndeavorEnv(LearnerEnv, gymnasium.Env[Observation, int]):  # skrl looks at direct bases alone
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

    ``Dict`` of ``"observation"``, a ``Box`` described slice by slice by ``endeavor_env.observation.layout_for``, and
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
    of all seats, which no ordinary game comes near. ``info["reason"]`` says which: "game_over", "illegal_action" or
    "max_cycles".

    ## Arguments

    - ``players``: 3 to 5, 4 if left out; a variant has one number, which may be left out.
    - ``variant``: ``"standard"``, ``"soloplay_2"``, ``"soloplay_3"`` or ``"neutral_2"``.
    - ``exploits``: names of the Exploits in play, or ``"random"`` for three that each game draws; None for none.
    - ``options``: options of the variant by name, as for ``Game.new``; None for none.
    - ``board``: None for the board of 2009, a ``Board``, or the path of a board file.
    - ``learner_seat``: a seat, or ``"rotate"``: the next seat every reset; after a reset with a seed, seed % players.
    - ``opponents``: one for all other seats or a list of them in playing order after the learner: ``"random"``,
      ``"greedy"``, ``"automa"`` or ``"value"`` (all names: ``endeavor_env.players.names()``), an object with
      ``act(game)`` (and ``reset(seed)``, if it has one), or a function from the
      observation of the seat to move to an action id. Objects get a copy of the game, functions fresh arrays.
    - the options of ``EnvOptions``.

    ## Version History

    - v0: first version.
    """

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
        super().__init__(
            check_settings(
                Kinds([GameConfig(variant, players, board, options, exploits)]),
                **given,
            )
        )
        self._rotates = isinstance(learner_seat, str) and learner_seat == ROTATE
        self._home_seat = 0 if self._rotates else seat_number("learner_seat", learner_seat, self._table.players, ROTATE)
        self._opponents = check_opponents(opponents, self._table.players, self._table.variant)
        self._all_random = all(isinstance(opponent, str) and opponent == RANDOM for opponent in self._opponents)
        compiled = {opponent for opponent in self._opponents if isinstance(opponent, str)}
        self._codes = {name: self._table.seat_compiled(name) for name in compiled}
        self._seat = self._home_seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game and let the opponents play up to the learner's first decision.

        Args:
            seed: The seed of the set-up and the opponents; without one they follow from the last seed given.
            options: ``setup`` or ``first_player``, and ``learner_seat``.

        Raises:
            InvalidOptionError: A seed or option that is not possible; the game in play goes on.
            InvalidSetupError: A set-up that does not fit; the game in play goes on.
        """
        players = self._table.players
        seed = check_seed(seed)
        given = check_reset_options(options, ("setup", "first_player", "learner_seat"), strict=True)
        if "first_player" in given:
            given["first_player"] = seat_number("first_player", given["first_player"], players)
        learner_seat = given.pop("learner_seat", None)
        if learner_seat is not None:
            learner_seat = seat_number("learner_seat", learner_seat, players)
        seed, opponent_seed = self._start(seed, given)
        self._seat = self._next_seat(seed) if learner_seat is None else learner_seat
        self._rng = seeded(opponent_seed)
        reset_opponents(self._opponents, opponent_seed)
        self._move()
        return self._first_decision()

    def _next_seat(self, seed: int | None) -> int:
        """Return the learner's seat; a rotating one depends on the seed, so that a seed always gives the same game."""
        if not self._rotates:
            return self._home_seat
        seat = self._home_seat if seed is None else seed % self._table.players
        self._home_seat = (seat + 1) % self._table.players
        return seat

    def _move(self, action: int = c.NONE) -> None:
        """Make the learner's move, NONE for none, and let the opponents play up to its next decision."""
        table = self._table
        if self._all_random:
            table.play_random_until(self._seat, self._rng, action)
            return
        if action != c.NONE:
            table.apply(action)
        while not table.over and table.seat != self._seat:
            opponent = self._opponents[(table.seat - self._seat) % table.players - 1]
            if not isinstance(opponent, str):
                table.apply(opponent_action(opponent, table))
            elif opponent == RANDOM:
                table.play_random(self._rng)
            else:
                table.play_compiled(self._codes[opponent], self._rng)
