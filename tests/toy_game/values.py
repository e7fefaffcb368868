"""What ``endeavor train td`` asks of the toy game: its players are plain Python, its networks see what a seat sees."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.statistics import win_shares
from endeavor_env.endeavor.learning.self_play import MOMENT
from endeavor_env.engine.game import Game, GameConfig
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.engine.kernels.self_play import FIXTURE, RECORDS_NOTHING, RECORDS_POSITIONS, RECORDS_VALUES
from endeavor_env.engine.network_file import NetworkKind, network_outputs, value_shapes
from endeavor_env.training.td import games
from endeavor_env.training.td.games import LEARNER_CODE, PlayedGames, PlayerMix, Population, SeatedPlayer
from endeavor_env.training.td.settings import TDSettings

from .rules import SEATS, SIZE, TOY_GAME

KIND = NetworkKind(
    "toy-value/1", "value network of dice and cards", lambda _: {"inputs": "0" * 16}, value_shapes, ("toy",)
)
ROW = np.dtype((np.void, SIZE * 4))


class ToyBoard(NamedTuple):
    """The only board."""

    id: str = "table"


class ToyPopulation(Population):
    """The players of a run: the network, and random ones."""

    def heuristics(self) -> PlayerMix:
        """Return the random players of the warm-up."""
        return PlayerMix({LEARNER_CODE: SeatedPlayer("random", None, RECORDS_POSITIONS)}, {LEARNER_CODE: 1.0})

    def against_rival(self, network: NetworkArrays) -> PlayerMix:
        """Return the network and a random player."""
        return PlayerMix({LEARNER_CODE: _seated(network), LEARNER_CODE + 1: SeatedPlayer("random")}, {})

    def players(self, network: NetworkArrays, temperature: float) -> PlayerMix:
        """Return the network in every seat."""
        return self.shared({LEARNER_CODE: _seated(network)}, lambda _: ())


def _seated(network: Any) -> SeatedPlayer:
    return SeatedPlayer("value", network, RECORDS_VALUES)


def _worth(game: Game, action: int, seat: int, network: NetworkArrays) -> float:
    """Return what the network expects for a seat right after a move, before chance decides anything."""
    after = game.clone()
    after.apply(action, draws=False)
    return float(network_outputs(network, after.observe(seat)[None])[0, 0])


class ToyAdapter:
    """Dice and cards as a run learns it."""

    row_bytes, parts, board_type = ROW.itemsize, (), ToyBoard
    population = ToyPopulation
    networks = KIND
    fixtures = staticmethod(functools.partial(games.fixtures_of, dtype=FIXTURE))
    board_hash = "0" * 16

    def __init__(self, board: ToyBoard) -> None:
        """Take the board, on which there is nothing."""

    @staticmethod
    def read_board(name: str, variants: Sequence[str]) -> ToyBoard:
        """Return the only board."""
        return ToyBoard()

    def num_inputs(self, variant: str) -> int:
        """Return the number of inputs of a network."""
        return SIZE

    def play(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> PlayedGames:
        """Play games to their ends."""
        rows: list[bytes] = []
        moments: list[tuple[float, float, int, int, int, int]] = []
        scores, outcomes, made = np.zeros((fixtures.size, MAX_SEATS), np.int64), np.zeros((fixtures.size, MAX_SEATS)), 0
        for number, fixture in enumerate(fixtures):
            game, rng = (
                GameConfig(TOY_GAME).new_game(int(fixture["seed"])),
                np.random.default_rng(int(fixture["seed"])),
            )
            while not game.over:
                seat, legal = game.seat, game.legal_actions()
                one: Any = seated[int(fixture["policies"][seat])]
                values = [0.0 if one.memory is None else _worth(game, action, seat, one.memory) for action in legal]
                place = int(rng.integers(len(legal))) if one.memory is None else int(np.argmax(values))
                game.apply(legal[place])
                made += 1
                if one.records != RECORDS_NOTHING:
                    rows.append(game.observe(seat).tobytes())
                    value = np.nan if one.memory is None else values[place]
                    moments.append((value, 0.0, number, seat, 0, 0))
            scores[number, :SEATS] = game.scores()
            outcomes[number, :SEATS] = win_shares(scores[number : number + 1, :SEATS])[0]
        return PlayedGames(np.frombuffer(b"".join(rows), ROW), np.array(moments, MOMENT), scores, outcomes, made)

    def observe(self, rows: npt.NDArray[np.uint8], seats: npt.NDArray[np.int64], out: npt.NDArray[np.float32]) -> None:
        """Write what networks see."""
        out[:] = rows.view(np.float32)

    def beginning(self, settings: TDSettings) -> NetworkArrays:
        """Return the network that a run begins with."""
        return KIND.read(settings.begin_with).arrays
