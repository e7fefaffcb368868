"""The replay buffer of a run: the newest decisions and ends of turns, sampled at random and observed when sampled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game_rules import ENDEAVOR
from endeavor_env.endeavor.learning.searched_games import MOST_OPTIONS
from endeavor_env.endeavor.learning.self_play import write_all_inputs
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels import playouts
from endeavor_env.training.az.games import Searched, value_targets
from endeavor_env.training.runs.ring import Ring


class Shapes(NamedTuple):
    """The sizes of the networks' inputs and outputs."""

    features: int
    inputs: int
    """Features and estimates."""
    actions: int
    values: int


class DecisionBatch(NamedTuple):
    """Decisions as the policy sees them, with their target probabilities."""

    features: npt.NDArray[np.float32]
    """(n, features)."""
    masks: npt.NDArray[np.int8]
    """(n, actions): the legal actions."""
    actions: npt.NDArray[np.int64]
    """(n, MOST_OPTIONS)."""
    shares: npt.NDArray[np.float32]
    """(n, MOST_OPTIONS), zeros for those that are none."""
    outcomes: npt.NDArray[np.float32]
    """(n,): outcome of the game for the seat."""


class ValueBatch(NamedTuple):
    """Ends of turns as the value network sees them, with their target values."""

    inputs: npt.NDArray[np.float32]
    """(n, inputs)."""
    targets: npt.NDArray[np.float32]
    """(n, values): the seat whose turn has ended first, then the others in turn order."""
    seated: npt.NDArray[np.float32]
    """(n, values): 1 for a seat of the game, 0 for none."""


class ReplayBuffer:
    """Ring buffers of decisions and of ends of turns."""

    def __init__(self, capacity: int, board: Board, shapes: Shapes) -> None:
        """Make empty rings for ``capacity`` rows each."""
        state = (np.uint8, (STATE.itemsize,))
        options = (MOST_OPTIONS,)
        self._board, self._shapes = board, shapes
        self.decisions = Ring(
            capacity, state=state, actions=(np.int16, options), shares=(np.float32, options), outcome=(np.float32, ())
        )
        self.ends = Ring(capacity, state=state, seat=(np.int64, ()), targets=(np.float32, (c.MAX_SEATS,)))

    def add(self, played: Sequence[Searched], mixture: float) -> tuple[int, int]:
        """Add what was found in games; return the number of decisions and of ends of turns."""
        self.decisions.begin()
        self.ends.begin()
        for part in played:
            found = part.decisions
            self.decisions.add(
                state=_bytes_of(part.states),
                actions=found["actions"],
                shares=found["shares"],
                outcome=part.outcomes[found["fixture"], found["seat"]].astype(np.float32),
            )
            self.ends.add(
                state=_bytes_of(part.end_states), seat=part.ends["seat"], targets=value_targets(part, mixture)
            )
        return sum(part.decisions.size for part in played), sum(part.ends.size for part in played)

    def draw_decisions(self, count: int, rng: np.random.Generator) -> DecisionBatch:
        """Return a batch of random decisions."""
        rows = self.decisions.draw(count, rng)
        states = _states_of(self.decisions.take("state", rows))
        features = np.zeros((count, self._shapes.features), np.float32)
        masks = np.zeros((count, self._shapes.actions), np.int8)
        seats, board = states["seat"].astype(np.int64), self._board.array
        playouts.write_features(*ENDEAVOR.given(board, states), seats, features, 0, count)
        playouts.write_masks(*ENDEAVOR.given(board, states), masks, 0, count)
        actions, shares = self.decisions.take("actions", rows), self.decisions.take("shares", rows)
        outcomes = self.decisions.take("outcome", rows)
        return DecisionBatch(features, masks, actions.astype(np.int64), shares, outcomes)

    def draw_ends(self, count: int, rng: np.random.Generator) -> ValueBatch:
        """Return a batch of random ends of turns."""
        rows = self.ends.draw(count, rng)
        states, seats = _states_of(self.ends.take("state", rows)), self.ends.take("seat", rows)
        inputs = np.zeros((count, self._shapes.inputs), np.float32)
        write_all_inputs(self._board.array, states, seats, inputs, 0, count)
        places, players = np.arange(self._shapes.values), states["num_seats"].astype(np.int64)[:, None]
        order = (seats[:, None] + places) % players
        targets = np.take_along_axis(self.ends.take("targets", rows), order, axis=1)
        return ValueBatch(inputs, targets, (places < players).astype(np.float32))

    def save(self, decisions: Path, ends: Path, mark: int) -> None:
        """Write all rows to two files, with a ``mark`` that ``load`` asks for."""
        self.decisions.save(decisions, mark)
        self.ends.save(ends, mark)

    def load(self, decisions: Path, ends: Path, mark: int) -> bool:
        """Take over the rows of ``save``; return whether that was possible."""
        return self.decisions.load(decisions, mark) and self.ends.load(ends, mark)


def _bytes_of(states: npt.NDArray[np.void]) -> npt.NDArray[np.uint8]:
    """Return positions as rows of bytes."""
    return states.view(np.uint8).reshape(states.size, STATE.itemsize)


def _states_of(rows: npt.NDArray[Any]) -> npt.NDArray[np.void]:
    """Return the positions of ``_bytes_of``."""
    return rows.view(STATE).reshape(-1)
