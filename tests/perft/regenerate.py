"""Counts every position anew: ``python -m tests.perft.regenerate``.

The positions are an opening and, for each kind of decision, the first that random games meet late enough to be crowded.
Do so only when a rule or the data of the board was changed on purpose.
"""

from __future__ import annotations

from endeavor_env.game import Game
from endeavor_env.testing import perft, random_game

from .files import HERE, Position

DEPTH, MOST = 14, 400_000
LATE = {"salary": 4, "turn": 3, "target": 5, "discard": 4, "round_end_discard": 4}
"""Kinds of decision, and the first round a position is taken from; the last is 6, so that the game goes on."""
FILES = {"three_seats": (3, 1041), "four_seats": (4, 259), "five_seats": (5, 816)}
"""Seats and the seed of the first game looked at."""
ROUND_END = {"three_seats": 1041, "four_seats": 6753}
"""Games that discard at the end of a round before the last: one in 20,000 does, and of five seats none was found."""


def counted(position: Position) -> Position:
    """Fills in the counts, down to the last depth with at most MOST sequences."""
    game = position.game()
    position.counts = []
    for depth in range(1, DEPTH + 1):
        counts = perft(game, depth)
        if counts[-1] > MOST or (depth > 1 and counts[-1] == 0):
            break
        position.counts = counts
    return position


def late_position(players: int, seed: int, kind: str, board: str = "endeavor_2009") -> Position:
    """Returns the first position of ``kind`` in games of ``seed``, ``seed`` + 1, ..."""
    while True:
        whole = random_game(players, seed, board=board, redraws=1)
        game = Game.new(players, seed=seed, board=board)
        moves: list[str] = []
        for _, action in whole.history:
            if game.decision == kind and LATE[kind] <= game.round < 7 and len(game.legal_actions()) > 1:
                return Position(kind, board, players, seed, moves)
            moves.append(game.describe(action))
            game.apply(action)
        seed += 1


def main() -> None:
    """Writes the file of each number of seats."""
    for name, (players, seed) in FILES.items():
        positions = [Position("opening", "endeavor_2009", players, seed)]
        positions.append(late_position(players, seed, "target", "generated_3"))
        positions[-1].name = "target on another board"
        seeds = {kind: ROUND_END.get(name) if kind == "round_end_discard" else seed for kind in LATE}
        positions += [late_position(players, start, kind) for kind, start in seeds.items() if start is not None]
        blocks = [counted(position).text() for position in positions]
        (HERE / f"{name}.txt").write_text("\n".join(blocks), encoding="utf-8")
        print(f"wrote {name}.txt")


if __name__ == "__main__":
    main()
