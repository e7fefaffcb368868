"""Positions, values and players that the tests of the agents share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from endeavor_env import Board, Game
from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.players.automa import AutomaAgent
from endeavor_env.agents.players.compiled import WEIGHTS, GreedyAgent, RandomAgent, Weights
from endeavor_env.endeavor.exploits.galleons import FOLLOW_GIVE
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.players.greedy import player as greedy_value
from endeavor_env.endeavor.players.greedy.weights import NAMES
from endeavor_env.endeavor.rules.actions import PASS_AT

GLORY_ONLY = Weights.from_array([0.0] * len(NAMES))
"""Weights that leave nothing but the seat's own Glory as if the game ended now."""


TABLES = (
    *(("standard", players) for players in (3, 4, 5)),
    *(("solo", 1), ("soloplay_2", 2), ("soloplay_3", 3), ("neutral_2", 2)),
    *(("exploits", players) for players in (3, 4, 5)),  # three at random, drawn with the seed
)
"""Every variant with every number of players."""


def made_by(make: Callable[[str], AgentOf[Any]]) -> Callable[[object, Sequence[str]], list[AgentOf[Any]]]:
    """Return what may stand for ``agents_for``: it calls ``make`` with each name, whatever is played."""
    return lambda _, names: [make(name) for name in names]


def position(
    decisions: int, *, players: int = 4, seed: int = 0, board: Board | None = None, variant: str = "standard"
) -> Game:
    """Return a game after so many random decisions, or before its last if it has fewer."""
    game = Game.new(players=players, variant=variant, seed=seed, board=board)
    agent = RandomAgent()
    agent.reset(seed + 1)
    for _ in range(decisions):
        before = game.clone()
        game.apply(agent.act(game))
        if game.over:
            return before
    return game


def last_turn(*, harbor: int, own: str = "colonial_house", seed: int = 0) -> Game:
    """Return a last round in which only one seat has not passed: three empty-handed seats on an empty board.

    The seat to move has ``harbor`` discs, the building ``own`` unoccupied, and no blue token.
    """
    game = Game.new(players=3, seed=seed)
    while game.decision != "turn":
        game.apply(game.legal_actions()[0])
    state = game.state
    state["round_number"] = 7
    state["passed"][0, :3] = 1
    state["passed"][0, game.seat] = 0
    state["supply"][0, game.seat] += state["harbor"][0, game.seat] - harbor
    state["harbor"][0, game.seat] = harbor
    state["buildings"][0, game.seat] = 0
    state["buildings"][0, game.seat, game.board.buildings.index(own)] = 1
    entry.recount(game.board.array, state)
    return game


def value(game: Game, seat: int, weights: Weights = WEIGHTS) -> float:
    """Return what ``seat`` makes of the position."""
    return float(greedy_value.position_value(game.board.array[0], game.state[0], seat, weights.as_array()))


def turn_value(game: Game, action: int, weights: Weights = WEIGHTS) -> float:
    """Return the value of the best end of the turn that begins with ``action``, searched with whole games.

    This is what the greedy agent maximises, in plain words: try everything until the own action is over.
    """
    seat = game.seat
    if game.describe(action) == "pass":
        return value(game, seat, weights)
    after = game.clone()
    after.apply(action)
    if not _goes_on(after, seat):
        return value(after, seat, weights)
    return max(turn_value(after, target, weights) for target in after.legal_actions())


def _goes_on(game: Game, seat: int) -> bool:
    """Return whether the action of ``seat`` is not over: swaps of E8 are not looked into, there are too many."""
    if game.decision == "follow_up":
        return game.seat == seat and int(game.state["follow_up"][0]) != FOLLOW_GIVE
    return game.decision == "target"


def digest() -> str:
    """Return the automa's choices, and the greedy agent's with exact values, in positions of several kinds."""
    lines = []
    for variant, players in TABLES:
        for decisions in (0, 30, 60):
            game = position(decisions, players=players, seed=decisions, variant=variant)
            lines.append(f"{variant} {game.decision} {AutomaAgent().act(game)}")
    tables = ((0, 3, 5), (20, 4, 6), (45, 5, 7), (70, 3, 8), (110, 4, 9))
    for decisions, players, seed in (*tables, (20, 1, 5), (45, 1, 6)):
        variant = "standard" if players > 1 else "solo"
        game = position(decisions, players=players, seed=seed, variant=variant)
        agent = GreedyAgent()
        agent.reset(seed)
        chosen = agent.act(game)
        lines.append(f"{game.decision} {chosen} {[value(game, seat).hex() for seat in range(players)]}")
    return "\n".join(lines)


class Recorder:
    """Plays the first legal move; notes the seeds it is given, and the set-up and seat of every game it begins."""

    def __init__(self, name: str = "recorder") -> None:
        self.name = name
        self.seeds: list[int] = []
        self.games: list[tuple[int | None, int]] = []
        self._fresh = False

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)
        self._fresh = True

    def act(self, game: Game) -> int:
        # The warm-up of a match asks every agent for one decision of a game that is not played.
        if self._fresh and len(self.seeds) > 1:
            self.games.append((game.seed, game.seat))
        self._fresh = False
        return game.legal_actions()[0]


class Idler:
    """Passes as soon as it may, and else takes the first legal move; or always plays ``action``."""

    def __init__(self, name: str = "idler", action: int | None = None) -> None:
        self.name = name
        self.action = action

    def reset(self, seed: int) -> None:
        pass

    def act(self, game: Game) -> int:
        if self.action is not None:
            return self.action
        legal = game.legal_actions()
        return PASS_AT if PASS_AT in legal else legal[0]


def barren_board() -> Board:
    """Return a board on which buildings have neither icons nor Glory, so that idle seats end equal."""
    data = Board.default().to_dict()
    for building in data["buildings"]:
        building["icons"] = dict.fromkeys(building["icons"], 0)
        building["glory"] = 0
    return Board.from_dict(data)


if __name__ == "__main__":
    print(digest())
