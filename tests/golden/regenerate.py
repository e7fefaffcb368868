"""Write the golden games: ``python -m tests.golden.regenerate``; names after it choose some of the files.

Do so only when a rule or the data of the board was changed on purpose, and read the difference before keeping it. The
games are chosen so that together they meet every kind of move and decision, and all that ``events``, ``events_solo``
and ``events_neutral`` call rare, and see every Exploit score.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import copy_states
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.testing import MAX_DECISIONS, golden_text, random_game
from tests.kits.able_games import able_game

HERE = Path(__file__).resolve().parent


def greedy_game(players: int, seed: int) -> Game:
    """Play the move that leaves the seat most Glory and icons; it passes and stops only if nothing else is legal."""
    game = Game.new(players, seed=seed)
    while not game.over:
        seat = game.seat

        def value(action: int, seat: int = seat) -> tuple[bool, float, int]:
            after = game.clone()
            after.apply(action)
            stops = game.describe(action) in ("pass", "done")
            return not stops, after.scores()[seat] + 0.4 * float(after.state["status"][0, seat].sum()), -action

        game.apply(max(game.legal_actions(), key=value))
    return game


def searched_game(seed: int, tries: int, **options: Any) -> Game:
    """Play a solitaire game; each move is the best, on average, of so many games played on from it at random."""
    game = Game.new(variant="solo", seed=seed, options=options)
    boards, rng = game.board.array, seeded(seed)
    totals = np.empty(c.MAX_SEATS, np.int16)

    def lead(action: int) -> int:
        won = 0
        for _ in range(tries):
            states = copy_states(game.state)
            entry.step(boards, states, action)
            entry.play_random(boards, states, rng, c.NONE, MAX_DECISIONS)
            entry.total(boards, states, totals)
            won += int(totals[0]) - int(totals[c.OPPOSITION])
        return won

    while not game.over:
        game.apply(max(game.legal_actions(), key=lead))
    return game


def crowded(seed: int, redraws: int, players: int | None = None, **game: Any) -> tuple[str, Callable[[], Game]]:
    """A game of random moves with redraws, see ``endeavor_env.testing.random_game``."""
    return f"random moves, redraws {redraws}", lambda: random_game(players, seed, redraws=redraws, **game)


def solo(seed: int, redraws: int, board: str | None = None, **options: Any) -> tuple[str, Callable[[], Game]]:
    """A solitaire game of random moves with redraws."""
    return crowded(seed, redraws, variant="solo", options=options, board=board)


def searched(seed: int, tries: int, **options: Any) -> tuple[str, Callable[[], Game]]:
    """A solitaire game that is mostly won."""
    return f"the best of {tries} random games for each move", lambda: searched_game(seed, tries, **options)


def able(players: int, seed: int, exploits: Sequence[str] = c.EXPLOIT_NAMES) -> tuple[str, Callable[[], Game]]:
    """A game of greedy moves and of random abilities of these Exploits."""
    return "greedy moves and random abilities", lambda: able_game(players, seed, exploits)


EIGHT = ("haiti", "imperialism", "jesuits", "marque", "railroad", "spanish_main", "venus", "voc")
FEWER = {"exploit_discs": 30, "value1_bonus": True}
STAY = {"variant_removed_spaces_stay": True}
GAMES: dict[str, tuple[str, Callable[[], Game]]] = {
    "three_seats_uniform": ("uniform random moves", lambda: random_game(3, 11)),
    "three_seats_crowded": crowded(1041, 1, 3),
    "three_seats_high": crowded(165, -3, 3),
    "three_seats_generated_board": crowded(12, 2, 3, board="generated_7"),
    "four_seats_crowded": crowded(259, 2, 4),
    "four_seats_high": crowded(426, -2, 4),
    "four_seats_greedy": ("greedy moves", lambda: greedy_game(4, 21)),
    "five_seats_crowded": crowded(816, 1, 5),
    "five_seats_high": crowded(227, -1, 5),
    "five_seats_tall": crowded(232, -1, 5),
    "five_seats_greedy": ("greedy moves", lambda: greedy_game(5, 22)),
    "solo_uniform": ("uniform random moves", lambda: random_game(variant="solo", seed=3)),
    "solo_high": solo(2, -3),
    "solo_generated_board": solo(4, 2, "generated_7"),
    "solo_searched": searched(9, 60),
    "solo_ties_first": solo(107, -1, opposition_ties="first"),
    "solo_industry_ignored": solo(15, -3, solo_ignore_industry=True),
    "solo_easier": solo(5, 1, difficulty="easier"),
    "solo_easier_searched": searched(10, 20, difficulty="easier", solo_ignore_industry=True),
    "solo_harder_abroad": solo(26, -1, difficulty="harder"),
    "solo_harder_attacks": solo(10, -3, difficulty="harder"),
    "solo_harder_chains": solo(134, -3, difficulty="harder"),
    "solo_harder_draws": solo(50, -3, difficulty="harder"),
    "soloplay_2_uniform": ("uniform random moves", lambda: random_game(variant="soloplay_2", seed=7)),
    "soloplay_2_beside": ("uniform random moves", lambda: random_game(variant="soloplay_2", seed=2)),
    "soloplay_2_spaces_stay": crowded(0, 1, variant="soloplay_2", options=STAY),
    "soloplay_3_high": crowded(0, -3, variant="soloplay_3"),
    "soloplay_3_beside": crowded(0, 1, variant="soloplay_3"),
    "soloplay_3_spaces_stay": crowded(4, -3, variant="soloplay_3", options=STAY),
    "neutral_2_crowded": crowded(12, 2, variant="neutral_2"),
    "neutral_2_high": crowded(8, -3, variant="neutral_2"),
    "neutral_2_elsewhere": crowded(0, -1, variant="neutral_2"),
    "exploits_five_seats_1": able(5, 857),
    "exploits_five_seats_2": able(5, 5027),
    "exploits_four_seats_1": able(4, 2551),
    "exploits_four_seats_2": able(4, 3835),
    "exploits_four_seats_3": able(4, 3901),
    "exploits_three_seats_1": able(3, 1335),
    "exploits_three_seats_2": able(3, 1827),
    "exploits_eight": able(4, 5932, EIGHT),
    "exploits_three_drawn": crowded(4, 2, 4, exploits="random", board="generated_7", options=FEWER),
}


def main(names: Sequence[str]) -> None:
    """Write the games of these names beside this file, all if there are none."""
    for name in names or GAMES:
        played_by, play = GAMES[name]
        path = HERE / f"{name}.txt"
        path.write_text(golden_text(play(), played_by), encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
