"""Writes the golden games anew: ``python -m tests.golden.regenerate``.

Do so only when a rule or the data of the board was changed on purpose, and read the difference before keeping it. The
games are chosen so that together they meet every kind of move and decision, and all that ``events`` calls rare.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from endeavor_env.game import Game
from endeavor_env.testing import golden_text, random_game

HERE = Path(__file__).resolve().parent


def greedy_game(players: int, seed: int) -> Game:
    """Plays the move that leaves the seat most Glory and icons; it passes and stops only if nothing else is legal."""
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


def crowded(players: int, seed: int, redraws: int) -> tuple[str, Callable[[], Game]]:
    """A game of random moves with redraws, see ``endeavor_env.testing.random_game``."""
    return f"random moves, redraws {redraws}", lambda: random_game(players, seed, redraws=redraws)


GAMES: dict[str, tuple[str, Callable[[], Game]]] = {
    "three_seats_uniform": ("uniform random moves", lambda: random_game(3, 11)),
    "three_seats_crowded": crowded(3, 1041, 1),
    "three_seats_high": crowded(3, 165, -3),
    "three_seats_generated_board": (
        "random moves, redraws 2",
        lambda: random_game(3, 12, board="generated_7", redraws=2),
    ),
    "four_seats_crowded": crowded(4, 259, 2),
    "four_seats_high": crowded(4, 426, -2),
    "four_seats_greedy": ("greedy moves", lambda: greedy_game(4, 21)),
    "five_seats_crowded": crowded(5, 816, 1),
    "five_seats_high": crowded(5, 227, -1),
    "five_seats_tall": crowded(5, 232, -1),
    "five_seats_greedy": ("greedy moves", lambda: greedy_game(5, 22)),
}


def main() -> None:
    """Writes every game beside this file."""
    for name, (played_by, play) in GAMES.items():
        path = HERE / f"{name}.txt"
        path.write_text(golden_text(play(), played_by), encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
