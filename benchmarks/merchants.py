"""The speed of Merchants of Europe: the rules alone, a loop in Python, batches of games."""

from __future__ import annotations

import random
from itertools import product

import numpy as np

from endeavor_env.benchmarks.batches import SELF_PLAY, BatchSetting, measure
from endeavor_env.benchmarks.report import Section, speeds
from endeavor_env.benchmarks.timing import Effort, in_turns
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.kernels import playouts
from endeavor_env.engine.kernels.players import NOBODY, SEAT_RANDOM
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.merchants.board import load_board
from endeavor_env.merchants.declaration import GYMNASIUM_ID
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.merchants.game_rules import rules_for
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.board_record import board_record

KINDS = tuple(product(c.SIDE_NAMES, (c.MIN_SEATS, c.MAX_SEATS)))
"""The sides of the board, each with three and with four seats."""
GAMES = 1_024
"""Games of a batch."""
MOST_DECISIONS = 1_000_000
"""More than a game has."""


class MerchantsGames:
    """Random games of one kind on a declared board, from the first decision on."""

    def __init__(self, side: str, players: int) -> None:
        """Begin a game, and make scratch arrays."""
        board = load_board(side)
        self.game = GameConfig(rules_for(board), players, side, board_record(board)).new_game(1)
        self.given = self.game.rules.given(self.game.config.board_array, self.game.state)
        self.mask = np.zeros(self.game.mask().size, np.int8)
        self.scratch, self.rng = np.zeros(self.given[2].shape[1], np.int64), np.zeros(1, np.uint64)
        self.seed = 0

    def play_games(self, games: int = 20) -> int:
        """Play games to their end in the compiled loop, with the full mask at every decision; return the decisions."""
        scores, made = np.zeros((games, MAX_SEATS), np.int16), np.zeros(games, np.int32)
        ended, seeds = np.zeros(games, np.int8), np.array([self.seed], np.int64)
        self.seed += 1
        everybody = np.full(MAX_SEATS, SEAT_RANDOM)
        rules, boards, positions = self.given
        playouts.rollout(
            rules, boards, positions, seeds, games, MOST_DECISIONS, self.scratch, self.rng, self.mask, scores, made,
            ended, 0, games, everybody, NOBODY,
        )  # fmt: skip
        return int(made.sum())


# --- sections --------------------------------------------------------------------------------------------------------


def play(effort: Effort) -> list[Section]:
    """Measure random legal play; the kinds of game take turns."""
    works = {f"{side}, {players} seats": MerchantsGames(side, players).play_games for side, players in KINDS}
    heading = "Merchants of Europe: random legal play, full mask at every decision, one core"
    return [Section(heading, speeds(in_turns(works, effort)))]


def play_in_python(effort: Effort) -> list[Section]:
    """Measure a loop in Python: legal actions, a random one of them, the move, which is checked and kept."""
    draw = random.Random(1)

    def play_game() -> int:
        game, made = MerchantsGame.new(seed=draw.getrandbits(30)), 0
        while not game.over:
            legal = game.legal_actions()
            game.apply(legal[int(draw.random() * len(legal))])
            made += 1
        return made

    figures = speeds(in_turns({"short, 4 seats": play_game}, effort))
    return [Section("Merchants of Europe: `MerchantsGame`, a loop in Python, one core", figures)]


def play_batches(effort: Effort) -> list[Section]:
    """Measure the vector environment, in which the caller makes the decisions of all seats."""
    settings = [BatchSetting("make_vec", SELF_PLAY, observation, GAMES, 1) for observation in ("compact", "features")]
    found = measure(settings, effort, GYMNASIUM_ID)
    figures = speeds({setting.label: rates for setting, rates in found.items()})
    return [Section("`gymnasium.make_vec`, Merchants of Europe, self-play", figures)]
