"""Rollouts: every position played to its end, by compiled players without leaving the kernels, or by functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MAX_CYCLES, OBSERVATIONS, listed, one_of, positive_number
from endeavor_env.engine.batch.batch_rewards import rewards_of
from endeavor_env.engine.batch.memory_limit import check_memory
from endeavor_env.engine.batch.seats import BatchPolicy, check_policy
from endeavor_env.engine.batch.threads import run_shared
from endeavor_env.engine.game_rules import WORD, GameRules
from endeavor_env.engine.kernels import playouts as kernels
from endeavor_env.engine.kernels.players import SEAT_CALLABLE, SEAT_RANDOM
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.engine.rewards import RewardFunction
from endeavor_env.engine.search.any_positions import AnyPositions, thread_count
from endeavor_env.engine.search.lockstep import play_in_lockstep
from endeavor_env.engine.search.seeds import Rng, row_seeds
from endeavor_env.engine.seating import Roster
from endeavor_env.errors import InvalidOptionError, shown

Policy = str | BatchPolicy
"""A name of a compiled player of the game, or a function from (observations, masks) to an action id for each row."""
BYTES_OF_RESULT = MAX_SEATS * 2 + 4 + 1
"""Memory of a rollout's result: scores, decisions, and whether the game is over."""
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
    positions: AnyPositions,
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
            this thread alone, with up to ``engine.search.lockstep.CHUNK`` rollouts at once.
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
    if not isinstance(positions, AnyPositions):
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
            play_in_lockstep(positions, shared[3:], codes, roster, functions, observation, workers, out)
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
    positions: AnyPositions,
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
    policy: Any, positions: AnyPositions, roster: Roster
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
