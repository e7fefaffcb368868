"""Rollouts: every position played to its end, by compiled players without leaving the kernels, or by functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MAX_CYCLES, check_seeds, positive_number, whole_number
from endeavor_env.batch.batch_rewards import rewards_of
from endeavor_env.batch.memory_limit import check_memory
from endeavor_env.batch.seat_policies import BatchPolicy, can_play
from endeavor_env.batch.thread_pool import run_shared
from endeavor_env.compile.ensure import ensure_search_compiled
from endeavor_env.core import constants as c
from endeavor_env.core.actions import num_actions
from endeavor_env.core.state import new_state
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.game.endeavor_rules import ENDEAVOR
from endeavor_env.observation import layout_for
from endeavor_env.players import check_plays
from endeavor_env.players.player_list import unknown_name
from endeavor_env.players.seating import Roster
from endeavor_env.rails.game_rules import rows_of
from endeavor_env.rails.kernels import playouts as kernels
from endeavor_env.rails.kernels.players import SEAT_CALLABLE, SEAT_RANDOM
from endeavor_env.rails.kernels.rng import seeded
from endeavor_env.search.lockstep import play_in_lockstep
from endeavor_env.search.positions import Positions, thread_count
from endeavor_env.terms.rewards import SOLO, RewardFunction

Policy = str | BatchPolicy
"""A name of ``endeavor_env.players``, or a function from (observations, masks) to an action id for each row."""
Rng = int | np.integer[Any] | Sequence[int] | npt.NDArray[Any]
"""A seed, a generator of ``sampling.generator``, or a seed for each row."""

BYTES_OF_RESULT = c.MAX_SEATS * 2 + 4 + 1
"""Memory of a rollout's result: scores, decisions, and whether the game is over."""
LEAST_RANDOM, LEAST_OTHERS = 8, 1
"""Fewer rollouts than this for each thread are not worth handing to another one."""


@dataclass(frozen=True, eq=False)
class Rollouts:
    """The results of ``rollout`` for N positions and R repeats."""

    scores: npt.NDArray[np.int16]
    """(N, R, seats) Glory where each rollout ended; in ``solo`` column 1 is the Opposition's."""
    decisions: npt.NDArray[np.int32]
    """(N, R) decisions made by all seats together."""
    over: npt.NDArray[np.bool_]
    """(N, R) whether the game is over; if not, ``limit`` stopped it, and the scores are as if it had ended there."""
    players: int
    """Number of seats."""
    variant: str
    """Name of the variant."""

    def returns(self, reward: str | RewardFunction = "win") -> npt.NDArray[np.float64]:
        """Return the rewards of the seats, (N, R, seats), for the scores; ``reward`` is as for the environments.

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
    """Play every position ``repeats`` times to the end of its game, or up to ``limit`` decisions.

    The positions stay as they are. A rollout that reaches the limit has the scores of the position as it stands.

    Each rollout has its own generator: repeat r of a row with seed s plays with
    ``seeded(next_seed(seeded(s)) + r)`` of ``rails.kernels.rng``, whatever the threads and the other rows. Memory
    beyond the results does not grow with ``repeats``.

    Args:
        positions: N positions.
        policy: One for all seats, or a list with one for each seat. Compiled players, such as "greedy", play inside the
            kernels. A function is called as in the vector environments: with the observations of the seats to
            move, (n, size), and their masks, (n, actions) int8, and returns (n,) legal action ids. It is called from
            this thread alone, with up to ``search.lockstep.CHUNK`` rollouts at once.
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
    roster = Roster()
    codes, functions = _read_policies(policy, positions, roster)
    number = positive_number("repeats", repeats)
    most = MAX_CYCLES if limit is None else positive_number("limit", limit)
    check_memory("repeats", number, len(positions) * BYTES_OF_RESULT)
    seeds = _row_seeds(rng, len(positions))
    layout_for(positions.variant, observation)  # refuses an unknown kind now, whoever plays
    workers = positions.threads if threads is None else thread_count(threads)
    jobs = len(positions) * number
    scores, made = np.empty((jobs, c.MAX_SEATS), np.int16), np.empty(jobs, np.int32)
    ended = np.empty(jobs, np.int8)
    shared = (*ENDEAVOR.given(positions.board.array, positions.states), seeds, number, most)
    if functions:
        play_in_lockstep(positions, shared[3:], codes, roster, functions, observation, workers, (scores, made, ended))
    else:
        _play_compiled(shared, (scores, made, ended), codes, roster, positions.variant, workers)
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
    shared: tuple[Any, ...],
    out: tuple[Any, ...],
    codes: npt.NDArray[np.int64],
    roster: Roster,
    variant: str,
    threads: int,
) -> None:
    """Play all rollouts inside the kernels, each thread with scratch memory of its own."""
    actions, jobs = num_actions(variant), len(out[0])
    all_random = bool((codes == SEAT_RANDOM).all())

    def work(low: int, high: int) -> None:
        scratch = (rows_of(new_state())[0], np.zeros(1, np.uint64), np.empty(actions, np.int8))
        players = roster.seated(codes.tolist(), actions)
        arguments: list[Any] = [*shared, *scratch, *out, low, high, codes, players]
        kernels.rollout(*arguments)

    ensure_search_compiled()
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
    given: list[Any] = list(policy) if isinstance(policy, list | tuple) else [policy] * players
    if len(given) != players:
        raise InvalidOptionError(f"policy has {len(given)} entries: give one for all seats, or a list of {players}")
    codes: list[int] = []
    functions: list[BatchPolicy] = []
    for one in given:
        if not can_play(one):
            raise unknown_name("policy", one, "a function from (observations, masks) to one action id for each row")
        check_plays(one, positions.variant)
        if isinstance(one, str):
            codes.append(roster.code_of(one))
            continue
        if not any(one is known for known in functions):
            functions.append(one)
        codes.append(SEAT_CALLABLE + next(place for place, known in enumerate(functions) if known is one))
    return np.array(codes, np.int64), functions


def _row_seeds(rng: Any, count: int) -> npt.NDArray[np.int64]:
    """Return a seed >= 0 for each row, (count,) int64; advance ``rng`` if it is a generator.

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
    """Return the seeds of a list or array, (count,) int64; raise InvalidOptionError for anything else."""
    listed = rng.ndim > 0 if isinstance(rng, np.ndarray) else isinstance(rng, Sequence)
    if not listed or isinstance(rng, str | bytes | bytearray | memoryview):
        raise InvalidOptionError(
            f"rng={shown(rng)} is not possible: give a non-negative whole number, a generator of sampling.generator, "
            f"or {count} seeds, one a row"
        )
    try:
        seeds, _ = check_seeds(rng, count)
    except InvalidOptionError as error:
        raise InvalidOptionError(f"rng is not possible: {error}") from None
    if None in seeds:
        raise InvalidOptionError(f"rng={shown(rng)} is not possible: each of the {count} rows needs a seed")
    return np.array(seeds, np.int64)
