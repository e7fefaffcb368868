"""Batch: N games as arrays, advanced by compiled kernels on several threads. Knows no framework.

Ownership: all arrays belong to the batch and are changed by its methods; copy what you keep. Any of them may be viewed
by PyTorch without a copy (``torch.from_numpy(batch.masks)``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.batch.crew import SMALL, Crew
from endeavor_env.batch.seats import BatchPolicy, Seats, legal_answers
from endeavor_env.board import Board
from endeavor_env.compilation import ensure_batch_compiled
from endeavor_env.core import constants as c
from endeavor_env.core.actions import num_actions
from endeavor_env.core.batch import rows as kernels
from endeavor_env.core.batch.endings import REWARD_WIN
from endeavor_env.core.policies.greedy import turn_search as greedy
from endeavor_env.core.policies.greedy.weights import WEIGHTS
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import SETUP, STATE
from endeavor_env.observation import layout_for
from endeavor_env.rewards import MARGIN_SCALE

SAMPLE_LEAST = 8 * SMALL
"""So many draws of an action take as long as SMALL turns."""
_NO_FEATURES, _NO_COMPACT = np.zeros((0, 0), np.float32), np.zeros((0, 0), np.int8)


class Pay(NamedTuple):
    """What the end of a game pays."""

    reward: int = REWARD_WIN
    """REWARD_*; with REWARD_GIVEN the caller works it out."""
    illegal_reward: float = -1.0


class Ended(NamedTuple):
    """The games that a turn ended, by row."""

    games: npt.NDArray[np.void]
    """(n,) ENDED, see ``core.batch_rewards``."""
    observations: npt.NDArray[Any] | None
    """(n, size): their last observations, where another game started at once."""


class Batch:
    """N games. Every method that changes games works on the rows it names and on no other.

    Attributes:
        size: N.
        boards: (B,) BOARD.
        kinds: (K,) KIND: what is played; see ``core.batch_games``.
        tables: (N,) TABLE, see ``core.batch_games``: what is played, where the learner sits, who the opponents are.
        states: (N,) STATE.
        masks: (N, actions) int8, 1 = legal for the seat to move; all 0 when a game is over.
        status: (N,) int8: RUNNING, WAITING, OVER or ILLEGAL of ``core.batch``.
        decisions: Decisions made by all seats so far.
        layout: The layout of the observations.
        seats: Who sits down in new games.
    """

    def __init__(
        self,
        size: int,
        *,
        boards: Sequence[Board],
        kinds: npt.NDArray[np.void],
        draws: bool,
        variant: str,
        observation: str,
        pay: Pay = Pay(),  # noqa: B008 (a constant)
        threads: int | None = None,
    ) -> None:
        """Lays out the arrays; ``seats`` says who plays and ``restart`` begins games. The caller checks all arguments.

        Args:
            size: Number of games.
            boards: Those that ``kinds`` name.
            kinds: (K,) KIND.
            draws: Whether each game draws its kind; else kind i is that of rows i, i + K, ...
            variant: A name of VARIANT_NAMES: the one whose masks and observations every row has.
            observation: "features" or "compact".
            pay: What the end of a game pays.
            threads: At most this many; None for all cores.
        """
        self.size = size
        self.boards = np.concatenate([board.array for board in boards])
        self.boards.flags.writeable = False  # as a board's own array: kernels would be compiled again for another kind
        self.kinds = kinds
        self.layout = layout_for(variant, observation)
        self.tables = np.zeros(size, kernels.TABLE)
        self.states = np.zeros(size, STATE)
        self.masks = np.zeros((size, num_actions(variant)), np.int8)
        self.status = np.full(size, kernels.OVER, np.int8)
        self.decisions = 0
        self.pay = pay
        self.seats = Seats(self.tables, self.status)
        self._rows = np.arange(size)
        self._chosen = np.full(size, c.NONE, np.int64)
        self._ended = np.empty(size, kernels.ENDED)
        self._last: npt.NDArray[Any] | None = None
        self._crew = Crew(threads, size)
        self._scratch = [self._thread_scratch() for _ in range(self._crew.threads)]
        self.tables["kind"] = self._rows % kinds.size
        self.tables["draws_kind"] = draws and kinds.size > 1
        for field in ("board", "players", "variant"):
            self.tables[field] = kinds[field][self.tables["kind"]]
        self.tables["given_first"] = self.tables["given_learner"] = c.NONE

    def _thread_scratch(self) -> tuple[Any, ...]:
        masks = np.zeros((greedy.DEPTH, self.masks.shape[1]), np.int8)
        return np.zeros(1, SETUP), WEIGHTS.as_array(), np.zeros(greedy.DEPTH, STATE), masks

    @property
    def threads(self) -> int:
        """At most this many threads work on the games."""
        return self._crew.threads

    # --- starting ----------------------------------------------------------------------------------------------------
    def seed_game(self, row: int, seed: int) -> None:
        """Makes the next game of ``row`` that of ``seed``, below 2**63; those after it depend on the seed, too."""
        self.tables["stream"][row] = seeded(seed)
        self.tables["game_seed"][row] = seed
        self.tables["seeded"][row] = 1

    def seed_stream(self, row: int, seed: int) -> None:
        """Makes the next games of ``row`` depend on ``seed`` alone."""
        self.tables["stream"][row] = seeded(seed)
        self.tables["seeded"][row] = 0

    def restart(self, rows: npt.NDArray[np.int64], setups: npt.NDArray[np.void] | None = None) -> None:
        """Starts new games in ``rows`` and lets the opponents play up to the learner's first decision.

        ``setups``, (1 + n,) SETUP, holds from the second on those of rows whose table says that theirs is given.
        """
        self._play(rows, np.full(rows.size, kernels.BEGIN, np.int64), setups=setups)
        self._serve()

    # --- playing -----------------------------------------------------------------------------------------------------
    def check(self, actions: npt.NDArray[np.int64], legality: bool, autoreset: bool) -> int:
        """Takes the actions of the next turn, (N,) int64; those of games that are over do not matter.

        Args:
            actions: Read, not kept.
            legality: Whether they must be legal; else an illegal id ends its game.
            autoreset: Whether games that are over start anew.

        Returns:
            The first game with a wrong action, NONE if there is none: only then may the turn be taken.
        """
        self._prepare()
        return int(kernels.first_wrong(actions, self.masks, self.status, legality, autoreset, self._chosen))

    def turn(self, same_step: bool = False, out: npt.NDArray[Any] | None = None) -> Ended:
        """Carries out the actions last checked and lets the opponents play up to the learner's next decisions.

        A game whose action is illegal stays as it is, with the status ILLEGAL.

        Args:
            same_step: Whether games that end start anew at once.
            out: (N, size) of the layout's dtype: gets the observations; None: nobody looks at them.

        Returns:
            The games that ended.
        """
        closes = kernels.RESTARTS if same_step else kernels.CLOSES
        if not self.seats.functions:
            return self._play(self._rows, self._chosen, closes=closes, out=out)
        self._play(self._rows, self._chosen)  # functions are asked for all games at once, before any of them ends
        self._serve()
        ended = self._play(self._rows, self._nothing(), closes=closes)
        self._serve()
        if out is not None:
            self.observe(None, out)
        return ended

    def close_rows(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.void]:
        """Returns how the games of ``rows``, which are over, ended, (n,) ENDED."""
        return self._play(rows, self._nothing(rows.size), closes=kernels.CLOSES).games

    def _nothing(self, count: int | None = None) -> npt.NDArray[np.int64]:
        """Returns actions, (n,), None: for all games, that leave games alone."""
        return np.full(self.size if count is None else count, c.NONE, np.int64)

    def _play(
        self,
        rows: npt.NDArray[np.int64],
        actions: npt.NDArray[np.int64],
        *,
        setups: npt.NDArray[np.void] | None = None,
        closes: int = kernels.CLOSES_NOTHING,
        out: npt.NDArray[Any] | None = None,
    ) -> Ended:
        """Calls ``turn_*``, see there, for ``rows`` in threads."""
        everything, closed, decisions = self.seats.all_compiled, [], []
        arrays = (self.boards, self.kinds, self.seats.mix, self.tables, self.states, self.masks, self.status)
        closing = (closes, self.pay.reward, MARGIN_SCALE, self.pay.illegal_reward, self._ended)
        seen, last = self._as_kernels_take(out), self._as_kernels_take(self._last_sights(closes))

        def work(thread: int, low: int, high: int) -> None:
            own, *greedy_arguments = self._scratch[thread]
            shared = (*arrays, rows, actions, own if setups is None else setups, *seen, *closing, *last, low, high)
            made, count = kernels.turn_all(*shared, *greedy_arguments) if everything else kernels.turn_random(*shared)
            decisions.append(int(made))
            if count:
                closed.append((low, low + int(count)))

        self._prepare()
        self._crew.run(work, int(rows.size))
        self.decisions += sum(decisions)
        return self._gather(sorted(closed), closes == kernels.RESTARTS)

    def _prepare(self) -> None:
        """Compiles what is needed."""
        ensure_batch_compiled(self.seats.all_compiled)

    def _as_kernels_take(self, out: npt.NDArray[Any] | None) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Returns the array for features and that for compact observations, of which one or both have no rows."""
        if out is None:
            return _NO_FEATURES, _NO_COMPACT
        return (out, _NO_COMPACT) if out.dtype == np.float32 else (_NO_FEATURES, out)

    def _last_sights(self, closes: int) -> npt.NDArray[Any] | None:
        """Returns where the last observations of games go. Memory is used only for as many as ever ended at once."""
        if closes == kernels.RESTARTS and self._last is None:
            self._last = np.empty((self.size, self.layout.size), self.layout.dtype)
        return self._last if closes == kernels.RESTARTS else None

    def _gather(self, ranges: list[tuple[int, int]], sights: bool) -> Ended:
        """Returns copies of what was noted in ``ranges`` about games that ended."""
        # By way of bytes, because NumPy would join records field by field.
        games = bytearray(b"".join(self._ended[low:high].tobytes() for low, high in ranges))
        last = self._last if sights and ranges else None
        observations = None if last is None else np.concatenate([last[low:high] for low, high in ranges])
        return Ended(np.frombuffer(games, kernels.ENDED), observations)

    def _serve(self) -> None:
        """Lets the caller's functions play until no seat of theirs is to move."""
        while self.seats.functions:
            waiting = np.flatnonzero(self.status == kernels.WAITING)
            if not waiting.size:
                return
            codes = self.tables["policies"][waiting, self.states["seat"][waiting]]
            actions = np.empty(waiting.size, np.int64)
            for code in np.unique(codes).tolist():
                asked = codes == code
                actions[asked] = self._ask(self.seats.function(code), waiting[asked])
            self._play(waiting, actions)

    def _ask(self, policy: BatchPolicy, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Returns the actions of ``policy`` for ``rows``; raises IllegalActionError unless all are legal."""
        masks = self.masks[rows]
        answers = policy(self.observe(rows), masks)
        chosen = legal_answers("opponent", policy, answers, masks, lambda row: f"game {rows[row]}")
        return chosen.astype(np.int64)

    # --- looking -----------------------------------------------------------------------------------------------------
    def observe(
        self, rows: npt.NDArray[np.int64] | None = None, out: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[Any]:
        """Writes and returns the observations of ``rows`` (None: all), (n, size), from the learner's seat.

        A row that waits for a function of the caller's is seen from the seat to move.
        """
        rows = self._rows if rows is None else rows
        target = np.empty((rows.size, self.layout.size), self.layout.dtype) if out is None else out
        self._play(rows, self._nothing(int(rows.size)), out=target)
        return target

    def leads(self, rows: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """Returns by how much the learner leads the best other, as if the games of ``rows`` (None: all) ended now."""
        rows = self._rows if rows is None else rows
        out = np.empty(rows.size, np.int64)

        def work(_thread: int, low: int, high: int) -> None:
            scores = np.zeros(c.MAX_SEATS, np.int64)
            kernels.leads(self.boards, self.tables, self.states, rows, low, high, scores, out)

        self._crew.run(work, int(rows.size))
        return out

    def sample(self, rngs: npt.NDArray[np.uint64], out: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Writes and returns a random legal action for each game, (N,), NONE for a finished one.

        ``rngs`` (N, 1) uint64 are the generators of the choice, as ``core.rng.seeded`` makes them.
        """

        def work(_thread: int, low: int, high: int) -> None:
            kernels.sample_actions(self.masks, rngs, out, low, high)

        self._crew.run(work, self.size, SAMPLE_LEAST)
        return out

    @property
    def bytes_a_game(self) -> int:
        """Memory of one game without its observation: state, mask, and what the batch keeps beside them."""
        beside = self.status.itemsize + self._rows.itemsize + self._chosen.itemsize + self._ended.itemsize
        return STATE.itemsize + kernels.TABLE.itemsize + self.masks.shape[1] + beside

    def close(self) -> None:
        """Ends the threads."""
        self._crew.close()
