"""Rollouts: every position played to its end, by compiled players without leaving the kernels, or by functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.hardware import check_memory
from endeavor_env.basics.inputs import MAX_CYCLES, OBSERVATIONS, listed, one_of, positive_number
from endeavor_env.engine.batch.batch_rewards import rewards_of
from endeavor_env.engine.batch.threads import run_shared
from endeavor_env.engine.game_rules import WORD, GameRules
from endeavor_env.engine.kernels import playouts as kernels
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.players import SEAT_CALLABLE, SEAT_RANDOM
from endeavor_env.engine.kernels.rules import CHANCE_MOVE, MAX_SEATS, NONE
from endeavor_env.engine.rewards import RewardFunction
from endeavor_env.engine.search.positions import Positions, Rng, row_seeds, thread_count
from endeavor_env.engine.seating import BatchPolicy, Roster, check_policy, is_function, legal_answers
from endeavor_env.errors import InvalidOptionError, shown

Policy = str | BatchPolicy
"""A name of a compiled player of the game, or a function from (observations, masks) to an action id for each row."""
BYTES_OF_RESULT = MAX_SEATS * 2 + 4 + 1
"""Memory of a rollout's result: scores, decisions, and whether the game is over."""
CHUNK = 4096
"""Rollouts at once: enough to keep a network busy, few enough to need only a few MB."""
LEAST_RANDOM, LEAST_OTHERS = 8, 1
"""Fewer rollouts than this for each thread are not worth handing to another one."""


@dataclass(frozen=True, eq=False)
class Rollouts:
    """The results of ``rollout`` for N positions and R repeats."""

    scores: npt.NDArray[np.int16]
    """(N, R, seats) scores where each rollout ended; an opponent without a seat has one more column."""
    decisions: npt.NDArray[np.int32]
    """(N, R) decisions made by all seats together."""
    over: npt.NDArray[np.bool_]
    """(N, R) whether the game is over; if not, ``limit`` stopped it, and the scores are as if it had ended there."""
    players: int
    """Number of seats."""
    variant: str
    """Name of the variant."""
    rules: GameRules
    """The game."""

    def returns(self, reward: str | RewardFunction = "win") -> npt.NDArray[np.float64]:
        """Return the rewards of the seats, (N, R, seats), for the scores; ``reward`` is as for the environments.

        Raises:
            InvalidOptionError: Neither the name of a reward nor such a function.
        """
        count, repeats, sides = self.scores.shape
        flat = self.scores.reshape(count * repeats, sides).astype(np.int64)
        rewards = rewards_of(flat, reward, self.players, self.variant, self.rules)
        return rewards.reshape(count, repeats, self.players)


def rollout(
    positions: Positions,
    policy: Policy | Sequence[Policy],
    rng: Rng,
    *,
    repeats: int = 1,
    limit: int | None = None,
    observation: str = "features",
    threads: int | None = None,
) -> Rollouts:
    """Play every position ``repeats`` times to the end of its game, or up to ``limit`` decisions.

    The positions stay as they are. A rollout that reaches the limit has the scores of the position as it stands.

    Each rollout has its own generator: repeat r of a row with seed s plays with
    ``seeded(next_seed(seeded(s)) + r)`` of ``engine.kernels.rng``, whatever the threads and the other rows. Memory
    beyond the results does not grow with ``repeats``.

    Args:
        positions: N positions of any game; chance is drawn, from the generator of the rollout.
        policy: One for all seats, or a list with one for each seat. Compiled players, such as "greedy", play inside the
            kernels. A function is called as in the vector environments: with the observations of the seats to
            move, (n, size), and their masks, (n, actions) int8, and returns (n,) legal action ids. It is called from
            this thread alone, with up to ``CHUNK`` rollouts at once.
        rng: A seed >= 0, from which rows 0, 1, ... get their seeds in turn; or a generator of ``sampling.generator``,
            from which they get them in the same way, and which is advanced, so that the next call draws others; or N
            seeds, one for each row: then results do not even depend on the order of the rows.
        repeats: Rollouts of each position.
        limit: Most decisions of a rollout, of all seats together; None for ``inputs.MAX_CYCLES``, many times as many as
            a game takes.
        observation: "features" or "compact", the input of functions.
        threads: At most this many; None for ``positions.threads``.

    Raises:
        InvalidOptionError: Any other argument.
        IllegalActionError: A function chose an illegal action.
    """
    if not isinstance(positions, Positions):
        raise InvalidOptionError(
            f"positions={shown(positions)} is not possible: give Positions, as of Positions.of(game)"
        )
    roster = Roster(positions.rules.players)
    codes, functions = _read_policies(policy, positions, roster)
    number = positive_number("repeats", repeats)
    most = MAX_CYCLES if limit is None else positive_number("limit", limit)
    check_memory("repeats", number, len(positions) * BYTES_OF_RESULT)
    seeds = row_seeds(rng, len(positions))
    one_of("observation", observation, OBSERVATIONS)  # now, whoever plays
    workers = positions.threads if threads is None else thread_count(threads)
    jobs = len(positions) * number
    scores, made = np.empty((jobs, MAX_SEATS), np.int16), np.empty(jobs, np.int32)
    ended = np.empty(jobs, np.int8)
    shared = (*positions.games, seeds, number, most)
    out = scores, made, ended
    with positions._guard.entered("rollout"):
        if functions:
            lockstep = _Lockstep(positions, codes, roster, functions, observation)
            lockstep.play_all(positions, shared[3:], workers, out)
        else:
            _play_compiled(shared, out, codes, roster, positions, workers)
    sides = positions.num_scores
    shape = (len(positions), number)
    return Rollouts(
        scores[:, :sides].reshape(*shape, sides),
        made.reshape(shape),
        ended.view(np.bool_).reshape(shape),
        positions.players,
        positions.variant,
        positions.rules,
    )


def _play_compiled(
    shared: tuple[Any, ...],
    out: tuple[Any, ...],
    codes: npt.NDArray[np.int64],
    roster: Roster,
    positions: Positions,
    threads: int,
) -> None:
    """Play all rollouts inside the kernels, each thread with scratch memory of its own."""
    actions, jobs = positions.rules.num_actions(positions.variant), len(out[0])
    words = positions.rules.position.itemsize // WORD.itemsize
    all_random = bool((codes == SEAT_RANDOM).all())

    def work(low: int, high: int) -> None:
        scratch = (np.empty(words, WORD), np.zeros(1, np.uint64), np.empty(actions, np.int8))
        players = roster.seated(codes.tolist(), actions)
        arguments: list[Any] = [*shared, *scratch, *out, low, high, codes, players]
        kernels.rollout(*arguments)

    run_shared(work, jobs, threads, LEAST_RANDOM if all_random else LEAST_OTHERS)


def _read_policies(
    policy: Any, positions: Positions, roster: Roster
) -> tuple[npt.NDArray[np.int64], list[BatchPolicy]]:
    """Return the SEAT_* code of each seat, (players,) int64, and the functions among the policies.

    The compiled players among them are added to ``roster``.

    Raises:
        InvalidOptionError: Something that cannot play, or a list of another length.
    """
    players = positions.players
    several = listed(policy)
    given: list[Any] = [policy] * players if several is None else several
    if len(given) != players:
        raise InvalidOptionError(f"policy has {len(given)} entries: give one for all seats, or a list of {players}")
    codes: list[int] = []
    functions: list[BatchPolicy] = []
    for one in given:
        function = "a function from (observations, masks) to one action id for each row"
        check_policy("policy", one, function, positions.rules, (positions.variant,))
        if isinstance(one, str):
            codes.append(roster.code_of(one))
            continue
        if not any(one is known for known in functions):
            functions.append(one)
        codes.append(SEAT_CALLABLE + next(place for place, known in enumerate(functions) if known is one))
    return np.array(codes, np.int64), functions


# --- With functions of the caller: all games of a chunk make one decision, then all make the next ---------------------


class _Lockstep:
    """The players of rollouts that are made side by side: functions are asked for all games at once."""

    def __init__(
        self,
        positions: Positions,
        codes: npt.NDArray[np.int64],
        roster: Roster,
        functions: Sequence[BatchPolicy],
        observation: str,
    ) -> None:
        """Take the SEAT_* code of each seat, and the compiled players and the functions of the codes."""
        self._codes, self._functions, self._observation = codes, functions, observation
        self._has_chance = positions.rules.entries[CHANCE_MOVE] is not None
        self._players = roster.seated(codes.tolist(), positions.rules.num_actions(positions.variant))

    def play_all(
        self, positions: Positions, rollouts: tuple[npt.NDArray[np.int64], int, int], threads: int, out: tuple[Any, ...]
    ) -> None:
        """Play all rollouts, chunk by chunk.

        Args:
            positions: Their starts.
            rollouts: Seeds of the rows, repeats and limit.
            threads: At most this many.
            out: Gets scores, decisions made and ends, in the arrays that the kernel ``rollout`` writes.
        """
        seeds, repeats, limit = rollouts
        scores, made, ended = out
        scores[:] = 0
        for first in range(0, made.size, CHUNK):
            jobs = np.arange(first, min(first + CHUNK, made.size))
            games, rngs = positions[jobs // repeats], np.empty((jobs.size, 1), np.uint64)
            games.threads = threads
            kernels.seed_rollouts(rngs, seeds, repeats, first)
            made[jobs] = self._play(games, rngs, limit)
            found = games.scores()
            scores[jobs, : found.shape[1]], ended[jobs] = found, games.over()

    def _play(self, games: Positions, rngs: npt.NDArray[np.uint64], limit: int) -> npt.NDArray[np.int32]:
        """Play games on until all are over or have made ``limit`` decisions; return how many each has made, (n,)."""
        made = np.zeros(len(games), np.int32)
        self._draw(games, rngs)
        while True:
            rows = np.flatnonzero(~games.over() & (made < limit))
            if not rows.size:
                return made
            masks = games.masks()
            actions = np.full(len(games), NONE, np.int64)
            codes = self._codes[games.seats()[rows]]
            for code in np.unique(codes).tolist():
                chosen = rows[codes == code]
                if is_function(code):
                    function, seen = self._functions[code - SEAT_CALLABLE], games[chosen].observe(self._observation)
                    answers = function(seen, masks[chosen])  # its own copy: it may write into it
                    place = "row {} of what it was shown".format
                    actions[chosen] = legal_answers("policy", function, answers, masks[chosen], place)
                else:
                    actions[chosen] = [self._compiled_action(games, code, row, masks, rngs) for row in chosen.tolist()]
            games.step(actions)
            self._draw(games, rngs)
            made[rows] += 1

    def _draw(self, games: Positions, rngs: npt.NDArray[np.uint64]) -> None:
        """Draw what chance decides before the next decisions."""
        if self._has_chance:
            kernels.draw_chance(*games.games, rngs, 0, len(games))

    def _compiled_action(
        self, games: Positions, code: int, row: int, masks: npt.NDArray[np.int8], rngs: npt.NDArray[np.uint64]
    ) -> int:
        """Return the action of a compiled player, the same as the rollout kernel's."""
        if code == SEAT_RANDOM:
            return int(single.choose(masks[row], rngs[row]))
        _, boards, positions = games.games
        return int(single.choose_compiled(code, self._players, boards, positions[row : row + 1], masks[row], rngs[row]))
