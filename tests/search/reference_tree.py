"""The tree search once more, in plain Python with nodes as objects, for the toy game alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rng import next_below, seeded
from tests.toy_game.rules import FACE_1, FACES, PLAY, ROLL, ROUNDS, SEATS


class Settings(NamedTuple):
    """How to search."""

    simulations: int = 40
    limit: int = 200
    exploration: float = 1.5
    reward: Callable[[Sequence[int]], Sequence[float]] = lambda scores: [float(score) for score in scores]
    most_nodes: int = 1 << 30


class Position:
    """A position of the toy game."""

    def __init__(self, game: Game) -> None:
        """Read a game at a decision."""
        state = game.state[0]
        self.hand, self.score = state["hand"].tolist(), state["score"].tolist()
        self.turn, self.turns, self.die_is_due = int(state["turn"][0]), int(state["decision"]), False

    @property
    def over(self) -> bool:
        """Whether all turns are over."""
        return self.turns == ROUNDS * SEATS

    def legal(self) -> list[int]:
        """Return what the seat to move may do."""
        return [ROLL, PLAY] if self.hand[self.turn] else [ROLL]

    def resample(self, seat: int, rng: np.ndarray) -> None:
        """Deal the cards that a seat has not seen anew."""
        for other in range(SEATS):
            if other != seat and self.hand[other]:
                self.hand[other] = 1 + int(next_below(rng, FACES))

    def apply(self, action: int) -> None:
        """Carry out a move, of a seat or of the die."""
        if action == ROLL:
            self.die_is_due = True
            return
        self.score[self.turn] += self.hand[self.turn] if action == PLAY else action - FACE_1 + 1
        if action == PLAY:
            self.hand[self.turn] = 0
        self.turn, self.turns, self.die_is_due = (self.turn + 1) % SEATS, self.turns + 1, False


class Node:
    """What was found about a history of moves."""

    def __init__(self) -> None:
        """Begin without a visit."""
        self.children: dict[int, Node] = {}
        self.visits, self.values = 0, [0.0] * SEATS

    def select(self, position: Position, exploration: float, rng: np.ndarray) -> int:
        """Return the move that PUCT prefers; of equals the one that was added last, and one at random of the new."""
        legal, seat, visits = position.legal(), position.turn, max(self.visits, 1)
        bonus = exploration * math.sqrt(visits) / len(legal)
        tried = [action for action in reversed(self.children) if action in legal]
        new = [action for action in legal if action not in tried]
        scores = {}
        for action in tried:
            met = self.children[action].visits
            scores[action] = self.children[action].values[seat] / met + bonus / (1 + met)
        best = max(tried, key=scores.__getitem__) if tried else None
        if new and (best is None or self.values[seat] / visits + bonus > scores[best]):
            return new[int(next_below(rng, len(new)))]
        assert best is not None
        return best


def throw(rng: np.ndarray) -> int:
    """Return what the die shows, as an action."""
    return FACE_1 + int(next_below(rng, FACES))


def search(game: Game, seed: int, settings: Settings) -> dict[int, tuple[int, float]]:
    """Return visits and mean reward of each move that was tried."""
    rng, root, count, seat = seeded(seed), Node(), 1, game.seat
    for _ in range(settings.simulations):
        position, path, added = Position(game), [root], False
        position.resample(seat, rng)
        while not added and not position.over:
            node, decides = path[-1], not position.die_is_due
            action = node.select(position, settings.exploration, rng) if decides else throw(rng)
            position.apply(action)
            if action not in node.children and count == settings.most_nodes:
                break
            if action not in node.children:
                node.children[action] = Node()
                count += 1
                added = decides
            path.append(node.children[action])
        _play_on(position, settings.limit, rng)
        rewards = settings.reward(position.score)
        for node in path:
            node.visits += 1
            node.values = [value + reward for value, reward in zip(node.values, rewards, strict=True)]
    return {
        action: (child.visits, child.values[seat] / max(child.visits, 1)) for action, child in root.children.items()
    }


def _play_on(position: Position, limit: int, rng: np.ndarray) -> None:
    """Make at most so many random moves, with throws between them."""
    made = 0
    while made < limit and not position.over:
        if position.die_is_due:
            position.apply(throw(rng))
        else:
            legal = position.legal()
            position.apply(legal[int(next_below(rng, len(legal)))])
            made += 1
