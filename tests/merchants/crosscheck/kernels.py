"""The game of the kernels in the words of the reference."""

from __future__ import annotations

from functools import cache

import numpy as np

from endeavor_env.engine.game import Game, GameConfig
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import CHANCE as CHANCE_SEAT
from endeavor_env.engine.kernels.rules import NONE
from endeavor_env.engine.record_fields import to_json
from endeavor_env.merchants.board import Board, parse_board
from endeavor_env.merchants.game_rules import rules_for
from endeavor_env.merchants.rules.board_record import board_record
from tests.merchants.reference.agenda import CHANCE
from tests.merchants.reference.game import TRADES
from tests.merchants.reference.ids import texts
from tests.merchants.reference.map import Map

TRUNCATED = 2
"""What the kernels note about a game that the limit of rolls has ended."""


@cache
def parsed(board: Map) -> Board:
    """Return a board as the kernels take it."""
    return parse_board(board.data)


@cache
def words(board: Map, mover: int, players: int) -> tuple[dict[int, str], dict[str, int]]:
    """Return the texts by ids and the ids by texts in the turn of a mover."""
    named = texts(board, mover, players)
    return named, {text: action for action, text in named.items()}


class KernelGame:
    """One game of the kernels, read and played by the ids of K11.1."""

    def __init__(self, board: Map, players: int, start: str, trade: str, max_rolls: int) -> None:
        """Begin a game at the draw of the first player."""
        self.map, self.players = board, players
        options = [int(start == "free"), TRADES.index(trade), max_rolls]
        data = parsed(board)
        rules = rules_for(data)
        config = GameConfig(rules, players, data.side, board_record(data), options)
        self.game = Game.begin(config, 0, {**to_json(np.zeros(1, rules.setup)), "first": NONE})

    @property
    def seat(self) -> int | str | None:
        """The seat to move, "chance", or None when the game is over."""
        seat = self.game.seat
        return CHANCE if seat == CHANCE_SEAT else None if seat < 0 else seat

    def legal(self) -> list[str]:
        """Return the legal moves or the outcomes of chance, in the order of their ids."""
        named = words(self.map, max(self.game.seat, 0), self.players)[0]
        return [named[action] for action in self.game.legal_actions()]

    def play(self, text: str) -> None:
        """Make a move, or settle what chance draws."""
        self.game.apply(words(self.map, max(self.game.seat, 0), self.players)[1][text], draws=False)

    @property
    def truncated(self) -> bool:
        """Whether the limit of rolls ended the game."""
        return int(self.game.state["ending"][0]) == TRUNCATED

    def scores(self) -> list[int]:
        """Return the scores."""
        return self.game.scores()

    def winners(self) -> list[int]:
        """Return who has won, nobody before the end."""
        return self.game.winners() if self.game.over else []

    def drawn(self, seed: int) -> str:
        """Return an outcome that chance draws here with a seed; nothing is changed."""
        twin, before = self.game.clone(), len(self.game.history)
        twin.chance = seeded(seed)
        twin.draw()
        return words(self.map, 0, self.players)[0][twin.history[before][1]]
