"""The Gymnasium environment: one learner, the other seats played by opponents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.board import Board
from endeavor_env.core.actions import NUM_ACTIONS
from endeavor_env.core.rng import seeded
from endeavor_env.envs.opponents import RANDOM, Opponent, choose, read_opponents, reset_opponents
from endeavor_env.envs.options import (
    ILLEGAL_ACTIONS,
    OBSERVATIONS,
    ResetNeededError,
    checked_render_mode,
    finite,
    one_of,
    reset_options,
    seat_number,
)
from endeavor_env.envs.table import MAX_GAME_SEED, Observation, Table
from endeavor_env.errors import GameOverError
from endeavor_env.game import Game
from endeavor_env.render import ansi
from endeavor_env.rewards import RewardFunction, Shaping, final_rewards, reward_function, shaping_option
from endeavor_env.setups import check_seed
from endeavor_env.whole_numbers import whole_number

ROTATE = "rotate"


class EndeavorEnv(gymnasium.Env[Observation, int]):
    """Endeavor for one learner against 2 to 4 opponents, one decision of the learner a step.

    ## Description

    The board game Endeavor (2009) in seven rounds of building, growth, salaries and actions. One step is one decision
    of the learner; then the opponents play until the learner is to move again or the game is over. After the set-up
    there is no chance but the opponents' own, and nothing is hidden.

    ## Action Space

    ``Discrete(NUM_ACTIONS)``: contiguous blocks of ids, one a kind of move. Which ids are legal is in
    ``observation["action_mask"]``, in ``info["action_mask"]`` and, as bools, in ``action_masks()``;
    ``game().describe(action)`` puts an id into words.

    ## Observation Space

    ``Dict`` of ``"observation"``, a ``Box`` described slice by slice by ``endeavor_env.observation``, and
    ``"action_mask"``, ``Box(0, 1, (NUM_ACTIONS,), int8)``, 1 = legal. The observation is seen from the learner's seat,
    the others following in playing order, so it does not matter which seat that is. When the episode is over the mask
    is all zeros.

    ## Rewards

    0 until the game is over; then the named reward of the learner's seat: ``win`` (1 for the winner, shared on a tie),
    ``win_zero_sum``, ``rank``, ``margin``, or a function from the list of final scores to one float a seat. With
    ``shaping`` every step adds a potential-based term, gamma * phi(next) - phi(now).

    ## Starting State

    Tokens dealt at random to all spaces and a random first player, from ``reset(seed=...)``: the set-up of
    ``Game.new(seed=...)``. The opponents have played up to the learner's first decision. ``info`` of a reset names the
    learner's ``seat`` and the ``seed`` of the set-up. Reset options: ``setup`` (every random outcome, as in a game
    record) or ``first_player``, and ``learner_seat`` for this game only.

    ## Episode End

    Terminated after the seventh round, with ``scores`` and ``winners`` (seats) in ``info``, or, with
    ``illegal_action="terminate"``, when the learner chooses an illegal action: the reward is ``illegal_reward`` and
    ``info`` says what was wrong. ``info["reason"]`` tells which. Nothing truncates.

    ## Arguments

    - ``players``: 3 to 5.
    - ``variant``: ``"standard"``.
    - ``board``: None for the board of 2009, a ``Board``, or the path of a board file.
    - ``learner_seat``: a seat, or ``"rotate"``: the next seat every reset; after a reset with a seed, seed % players.
    - ``opponents``: one for all other seats or a list of them in playing order after the learner: ``"random"``, an
      object with ``act(game)`` (and ``reset(seed)``, if it has one), or a function from the observation of the seat to
      move to an action id.
    - ``observation``: ``"features"`` (float32) or ``"compact"`` (int8).
    - ``reward``, ``shaping``: see Rewards; ``shaping`` is None or a mapping with ``gamma`` and ``weight``.
    - ``illegal_action``: ``"terminate"``, or ``"raise"`` for an IllegalActionError that changes nothing.
    - ``illegal_reward``: -1.
    - ``seed``: for the first reset that is given none.
    - ``render_mode``: None, ``"human"`` (prints the board after every step) or ``"ansi"`` (``render()`` returns it).

    ## Version History

    - v0: first version.
    """

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium declares it so)

    def __init__(
        self,
        *,
        players: int = 4,
        variant: str = "standard",
        board: Board | str | Path | None = None,
        learner_seat: int | str = 0,
        opponents: Opponent | Sequence[Opponent] = RANDOM,
        observation: str = "features",
        reward: str | RewardFunction = "win",
        shaping: dict[str, float] | Shaping | None = None,
        illegal_action: str = "terminate",
        illegal_reward: float = -1.0,
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Checks the options and lays out an empty table. Raises InvalidOptionError or InvalidBoardError."""
        self._table = Table(board, players, variant, one_of("observation", observation, OBSERVATIONS))
        self._rotates = isinstance(learner_seat, str) and learner_seat == ROTATE
        self._home_seat = 0 if self._rotates else seat_number("learner_seat", learner_seat, self._table.players, ROTATE)
        self._opponents = read_opponents(opponents, self._table.players)
        self._all_random = all(isinstance(opponent, str) for opponent in self._opponents)
        self._reward = reward_function(reward, self._table.players)
        self._shaping = shaping_option(shaping)
        self._illegal_raises = one_of("illegal_action", illegal_action, ILLEGAL_ACTIONS) == "raise"
        self._illegal_reward = finite("illegal_reward", illegal_reward)
        self._first_seed = check_seed(seed)
        self.render_mode = checked_render_mode(render_mode)
        self.observation_space, self.action_space = self._table.spaces()
        self._seat = self._home_seat
        self._shown = 0
        self._potential = 0.0
        self._rng = seeded(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game and lets the opponents play up to the learner's first decision.

        Args:
            seed: The seed of the set-up and the opponents; without one the next of ``np_random`` is drawn.
            options: ``setup`` or ``first_player``, and ``learner_seat``.

        Raises:
            InvalidOptionError: A seed or option that is not possible; the game in play goes on.
            InvalidSetupError: A set-up that does not fit; the game in play goes on.
        """
        table, players = self._table, self._table.players
        seed = check_seed(seed)
        given = reset_options(options, ("setup", "first_player", "learner_seat"), strict=True)
        if "first_player" in given:
            given["first_player"] = seat_number("first_player", given["first_player"], players)
        learner_seat = given.pop("learner_seat", None)
        if learner_seat is not None:
            learner_seat = seat_number("learner_seat", learner_seat, players)
        if seed is None and self._np_random is None:
            seed = self._first_seed
        super().reset(seed=seed)
        game_seed, opponent_seed = self.np_random.integers(MAX_GAME_SEED, size=2).tolist()
        game_seed = game_seed if seed is None else seed
        table.start(game_seed, **given)
        self._seat = self._next_seat(seed) if learner_seat is None else learner_seat
        self._rng = seeded(opponent_seed)
        reset_opponents(self._opponents, opponent_seed)
        self._shown = 0
        self._let_opponents_play()
        if self._shaping is not None:
            self._potential = self._shaping.potential(table.scores(), self._seat)
        observation = table.observe(self._seat)
        if self.render_mode == "human":
            self.render()
        info = {"action_mask": observation["action_mask"], "seat": self._seat, "seed": table.game.seed}
        return observation, info

    def _next_seat(self, seed: int | None) -> int:
        """Returns the learner's seat; a rotating one depends on the seed, so that a seed always gives the same game."""
        if not self._rotates:
            return self._home_seat
        seat = self._home_seat if seed is None else seed % self._table.players
        self._home_seat = (seat + 1) % self._table.players
        return seat

    def _let_opponents_play(self) -> None:
        """Plays on until the learner is to move or the game is over."""
        table = self._table
        if self._all_random:
            table.play_random_until(self._seat, self._rng)
            return
        while not table.over and table.seat != self._seat:
            opponent = self._opponents[(table.seat - self._seat) % table.players - 1]
            if isinstance(opponent, str):
                table.play_random(self._rng)
            else:
                table.apply(choose(opponent, table))

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Makes the learner's move and lets the opponents play up to its next decision.

        Args:
            action: An action id: a whole number of Python or NumPy, 0-d arrays included.

        Returns:
            Observation, reward, terminated, truncated (always False) and info, all fresh objects.

        Raises:
            ResetNeededError: Before the first reset.
            GameOverError: The episode has ended.
            IllegalActionError: Not an action id, or an illegal one with ``illegal_action="raise"``: nothing is changed.
                Or an opponent chose an illegal action: then only a reset helps.
        """
        table = self._table
        if table.seat != self._seat:
            self._refuse_step()
        number = action if type(action) is int else whole_number(action)
        if number is None or not 0 <= number < table.mask.size:
            raise table.refuse(action)
        if not table.mask[number]:
            return self._step_illegal(number)
        table.apply(number)
        self._let_opponents_play()
        reward = 0.0
        if self._shaping is not None:
            potential = 0.0 if table.over else self._shaping.potential(table.scores(), self._seat)
            reward = self._shaping.gamma * potential - self._potential
            self._potential = potential
        observation = table.observe(self._seat)
        info: dict[str, Any] = {"action_mask": observation["action_mask"]}
        if table.over:
            scores = table.scores()
            reward += final_rewards(self._reward, scores)[self._seat]
            winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
            info.update(reason="game_over", seat=self._seat, scores=scores, winners=winners)
        if self.render_mode == "human":
            self.render()
        return observation, reward, table.over, False, info

    def _refuse_step(self) -> None:
        """Says why no step is possible."""
        if not self._table.started:
            raise ResetNeededError("step()")
        if self._table.over:
            raise GameOverError("step() is not possible: the episode is over, call reset()")
        raise ResetNeededError("step() after an opponent's illegal action")

    def _step_illegal(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Ends the episode at the learner's cost, or raises."""
        error = self._table.refuse(action)
        if self._illegal_raises:
            raise error
        self._table.stop()
        observation = self._table.observe(self._seat)
        info = {
            "action_mask": observation["action_mask"],
            "reason": "illegal_action",
            "seat": self._seat,
            "action": action,
            "message": str(error),
        }
        return observation, self._illegal_reward - self._potential, True, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns a fresh (NUM_ACTIONS,) bool array of the learner's legal actions, as sb3-contrib asks for it.

        It is all False when the episode is over, or was cut short by an opponent's illegal action.
        """
        if not self._table.started:
            raise ResetNeededError("action_masks()")
        return self._table.mask.astype(np.bool_) if self._table.seat == self._seat else np.zeros(NUM_ACTIONS, np.bool_)

    def game(self) -> Game:
        """Returns an independent copy of the game in play, to search on, describe or record."""
        return self._table.game.clone()

    def render(self) -> str | None:  # type: ignore[override]
        """Prints the board (``human``) or returns it as text (``ansi``), with the moves made since the last time."""
        if not self._table.started:
            raise ResetNeededError("render()")
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render_mode: give render_mode='ansi' or 'human'.")
            return None
        game = self._table.game
        text = ansi.render_position(game.board, game.state, game.history[self._shown :] or game.history[-1:])
        self._shown = len(game.history)
        if self.render_mode == "human":
            print(text, end="\n\n")
            return None
        return text

    def close(self) -> None:
        """Does nothing: there is nothing to release. It may be called any number of times."""
