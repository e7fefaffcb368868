"""Rollouts: every position played to its end by policies, compiled ones without leaving the kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.final_rewards import rewards_of
from endeavor_env.batch.seats import COMPILED, BatchPolicy
from endeavor_env.compilation import ensure_search_compiled
from endeavor_env.core import constants as c
from endeavor_env.core.actions import num_actions
from endeavor_env.core.batch import positions as kernels
from endeavor_env.core.batch.rows import SEAT_CALLABLE, SEAT_GREEDY, SEAT_RANDOM
from endeavor_env.core.policies.greedy import position_value as greedy_value
from endeavor_env.core.policies.greedy import turn_search as greedy
from endeavor_env.core.policies.greedy.weights import WEIGHTS
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import STATE
from endeavor_env.errors import InvalidOptionError
from endeavor_env.observation import layout_for
from endeavor_env.rewards import SOLO, RewardFunction
from endeavor_env.search.lockstep import play_in_step
from endeavor_env.search.positions import Positions
from endeavor_env.search.threads import in_threads, read_threads
from endeavor_env.setups import check_seed
from endeavor_env.whole_numbers import whole_number

Policy = str | BatchPolicy
"""``"random"``, ``"greedy"``, ``"automa"``, or a function from (observations, masks) to one action id a row."""
Rng = int | np.integer[Any] | Sequence[int] | npt.NDArray[Any]
"""A seed, a generator of ``sampling.generator``, or a seed for each row."""

NO_LIMIT = 1 << 62
LEAST_RANDOM, LEAST_OTHERS = 8, 1
"""Fewer rollouts than this for each thread are not worth handing to another one."""


@dataclass(frozen=True, eq=False)
class Rollouts:
    """What ``rollout`` came to, for N positions and R repeats."""

    scores: npt.NDArray[np.int16]
    """(N, R, seats) Glory where each rollout ended; in ``solo`` 1 is the Opposition's."""
    decisions: npt.NDArray[np.int32]
    """(N, R) decisions made by all seats together."""
    over: npt.NDArray[np.bool_]
    """(N, R) whether the game ended; otherwise the limit did, and the scores are as if it had ended there."""
    players: int
    """Number of seats."""
    variant: str
    """Name of the variant."""

    def returns(self, reward: str | RewardFunction = "win") -> npt.NDArray[np.float64]:
        """Returns the rewards of the seats, (N, R, seats), for the scores; ``reward`` is as for the environments.

        Raises:
            InvalidOptionError: Neither the name of a reward nor such a function.
        """
        count, repeats, sides = self.scores.shape
        flat = self.scores.reshape(count * repeats, sides).astype(np.int64)
        rewards = rewards_of(flat, reward, self.players, self.variant)
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
    """Plays every position ``repeats`` times to the end of its game. The positions stay as they are.

    Each rollout has its own generator: repeat r of a row with seed s plays with
    ``seeded(next_seed(seeded(s)) + r)`` of ``core.rng``, whatever the threads and the other rows. Memory beyond the
    results does not grow with ``repeats``.

    Args:
        positions: N positions.
        policy: One for all seats, or a list with one for each seat. "random", "greedy" and "automa" play inside the
            kernels. A function is called as those of the vector environments: with the observations of the seats to
            move, (n, size), and their masks, (n, actions) int8, and returns (n,) legal action ids. It is called from
            this thread alone, with up to ``search_lockstep.CHUNK`` rollouts at once.
        rng: A seed >= 0, from which row 0, 1, ... get their seeds in turn; or a generator of ``sampling.generator``,
            which gives them likewise and is advanced, so that the next call plays on; or N seeds, one a row: then
            results do not even depend on the order of the rows.
        repeats: Rollouts of each position.
        limit: Decisions in each rollout at most, of all seats together; None plays to the end.
        observation: What functions see, "features" or "compact".
        threads: At most this many; None stands for those of the positions.

    Raises:
        InvalidOptionError: An argument that is none of these.
        IllegalActionError: A function chose an illegal action.
    """
    codes, functions = _read_policies(policy, positions.players)
    seeds = _row_seeds(rng, len(positions))
    number, most = _positive("repeats", repeats), NO_LIMIT if limit is None else _positive("limit", limit)
    layout_for(positions.variant, observation)  # refuses an unknown kind now, whoever plays
    workers = positions.threads if threads is None else read_threads(threads)
    jobs = len(positions) * number
    scores, made = np.empty((jobs, c.MAX_SEATS), np.int16), np.empty(jobs, np.int32)
    ended = np.empty(jobs, np.int8)
    shared = (positions.board.array, positions.states, seeds, number, most)
    if functions:
        play_in_step(positions, shared[2:], codes, functions, observation, workers, (scores, made, ended))
    else:
        _play_compiled(shared, (scores, made, ended), codes, positions.variant, workers)
    sides = positions.players + (positions.variant == SOLO)
    shape = (len(positions), number)
    return Rollouts(
        scores[:, :sides].reshape(*shape, sides),
        made.reshape(shape),
        ended.view(np.bool_).reshape(shape),
        positions.players,
        positions.variant,
    )


def _play_compiled(
    shared: tuple[Any, ...], out: tuple[Any, ...], codes: npt.NDArray[np.int8], variant: str, threads: int
) -> None:
    """Plays all rollouts inside the kernels; each thread has scratch memory of its own."""
    actions, jobs = num_actions(variant), len(out[0])
    all_random = bool((codes == SEAT_RANDOM).all())
    weights = WEIGHTS.as_array() if SEAT_GREEDY in codes else np.zeros(greedy_value.NUM_WEIGHTS)

    def work(low: int, high: int) -> None:
        scratch = (np.zeros(1, STATE), np.zeros(1, np.uint64), np.empty(actions, np.int8))
        arguments: tuple[Any, ...] = (*shared, *scratch, *out, low, high)
        if not all_random:
            for_greedy = (weights, np.zeros(greedy.DEPTH, STATE), np.empty((greedy.DEPTH, actions), np.int8))
            arguments = (*arguments, codes, *for_greedy)
        play(*arguments)

    play = kernels.rollout_random if all_random else kernels.rollout_all
    ensure_search_compiled(not all_random)
    in_threads(work, jobs, threads, LEAST_RANDOM if all_random else LEAST_OTHERS)


def _positive(name: str, value: object) -> int:
    number = whole_number(value)
    if number is None or number < 1:
        raise InvalidOptionError(f"{name}={value!r} is not possible: give a positive whole number")
    return number


def _read_policies(policy: Any, players: int) -> tuple[npt.NDArray[np.int8], list[BatchPolicy]]:
    """Returns the SEAT_* code of each seat, (players,) int8, and the functions among them.

    Raises:
        InvalidOptionError: Something that cannot play, or a list of another length.
    """
    given: list[Any] = list(policy) if isinstance(policy, list | tuple) else [policy] * players
    if len(given) != players:
        raise InvalidOptionError(f"policy has {len(given)} entries: give one for all seats, or a list of {players}")
    codes: list[int] = []
    functions: list[Callable[..., Any]] = []
    for one in given:
        if isinstance(one, str) and one in COMPILED:
            codes.append(COMPILED[one])
        elif callable(one) and not isinstance(one, type):
            if not any(one is known for known in functions):
                functions.append(one)
            codes.append(SEAT_CALLABLE + next(place for place, known in enumerate(functions) if known is one))
        else:
            raise InvalidOptionError(
                f"policy {one!r} cannot play: give {', '.join(map(repr, COMPILED))}, or a function from (observations, "
                "masks) to one action id for each row"
            )
    return np.array(codes, np.int8), functions


def _row_seeds(rng: Any, count: int) -> npt.NDArray[np.int64]:
    """Returns a seed for each row, (count,) int64, from 0 up; advances ``rng`` if it is a generator.

    Raises:
        InvalidOptionError: Neither a seed, nor a generator, nor ``count`` seeds.
    """
    single = whole_number(rng)
    if isinstance(rng, np.ndarray) and rng.dtype == np.uint64 and rng.shape == (1,):
        source = rng
    elif single is not None and single >= 0:
        source = seeded(single)
    else:
        return _given_seeds(rng, count)
    seeds = np.empty(count, np.int64)
    kernels.draw_seeds(source, seeds)
    return seeds


def _given_seeds(rng: Any, count: int) -> npt.NDArray[np.int64]:
    """Is ``_row_seeds`` for a list or array of seeds."""
    if not isinstance(rng, Sequence | np.ndarray) or isinstance(rng, str | bytes):
        raise InvalidOptionError(
            f"rng={rng!r} is not possible: give a non-negative whole number, a generator of sampling.generator, "
            f"or {count} seeds, one a row"
        )
    seeds = [check_seed(seed) for seed in rng]
    if len(seeds) != count or any(seed is None or seed >= 1 << 63 for seed in seeds):
        raise InvalidOptionError(f"rng has {len(seeds)} entries: give {count} seeds below 2**63, one a row")
    return np.array(seeds, np.int64)
