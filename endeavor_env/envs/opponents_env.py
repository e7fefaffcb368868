"""OpponentsEnv: the base of Gymnasium environments with one learner, where opponents play the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endeavor_env.basics.inputs import check_reset_options, check_seed, seat_number
from endeavor_env.basics.thread_guard import guarded
from endeavor_env.engine.batch.game_batch import MOST_DRAWN, never_asked
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import NONE
from endeavor_env.envs.learner_env import LearnerEnv
from endeavor_env.envs.opponents import RANDOM, Opponent, check_opponents, opponent_action, reset_opponents
from endeavor_env.envs.settings import EnvSettings
from endeavor_env.envs.table import Observation, Table

ROTATE = "rotate"


class OpponentsEnv(LearnerEnv):
    """A table of any game with one learner among opponents."""

    def __init__(
        self, settings: EnvSettings, table: Table, learner_seat: int | str, opponents: Opponent | Sequence[Opponent]
    ) -> None:
        """Take the options and an empty table, and check who plays.

        Args:
            settings: The options of the environment.
            table: An empty table.
            learner_seat: A seat, or "rotate": the next seat every reset; after a reset with a seed, seed % players.
            opponents: As for ``opponents.check_opponents``.
        """
        super().__init__(settings, table)
        self._rotates = isinstance(learner_seat, str) and learner_seat == ROTATE
        self._home_seat = 0 if self._rotates else seat_number("learner_seat", learner_seat, table.players, ROTATE)
        self._opponents = check_opponents(opponents, settings.config)
        self._all_random = all(isinstance(opponent, str) and opponent == RANDOM for opponent in self._opponents)
        compiled = {opponent for opponent in self._opponents if isinstance(opponent, str)}
        self._codes = {name: table.seat_compiled(name) for name in compiled}
        self._seat = self._home_seat

    @guarded
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game and let the opponents play up to the learner's first decision.

        A game that ends before it gives way to the next one, as a reset without a seed draws it.

        Args:
            seed: The seed of the set-up and the opponents; without one they follow from the last seed given.
            options: ``setup`` or what else the game takes, and ``learner_seat``.

        Raises:
            InvalidOptionError: A seed or option that is not possible; the game in play goes on. Or one with which no
                game comes to a decision of the learner; then another reset is needed.
            InvalidSetupError: A set-up that does not fit; the game in play goes on.
        """
        table, seed = self._table, check_seed(seed)
        given = table.checked(check_reset_options(options, (*table.setup_options, "learner_seat"), strict=True))
        learner_seat = given.pop("learner_seat", None)
        if learner_seat is not None:
            learner_seat = seat_number("learner_seat", learner_seat, table.players)
        for _ in range(MOST_DRAWN):
            seed, opponent_seed = self._start(seed, given)
            self._seat = self._next_seat(seed) if learner_seat is None else learner_seat
            self._rng = seeded(opponent_seed)
            reset_opponents(self._opponents, opponent_seed)
            self._move()
            if not table.over:
                return self._first_decision()
            seed = None
        raise never_asked(self._seat)

    def _next_seat(self, seed: int | None) -> int:
        """Return the learner's seat; a rotating one depends on the seed, so that a seed always gives the same game."""
        if not self._rotates:
            return self._home_seat
        seat = self._home_seat if seed is None else seed % self._table.players
        self._home_seat = (seat + 1) % self._table.players
        return seat

    def _move(self, action: int = NONE) -> None:
        """Make the learner's move, NONE for none, and let the opponents play up to its next decision."""
        table = self._table
        if self._all_random:
            table.play_random_until(self._seat, self._rng, action)
            return
        if action != NONE:
            table.apply(action)
        while not table.over and table.seat != self._seat:
            opponent = self._opponents[(table.seat - self._seat) % table.players - 1]
            if not isinstance(opponent, str):
                table.apply(opponent_action(opponent, table))
            elif opponent == RANDOM:
                table.play_random(self._rng)
            else:
                table.play_compiled(self._codes[opponent], self._rng)
