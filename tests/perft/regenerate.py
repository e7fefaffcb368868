"""Count every position again: ``python -m tests.perft.regenerate``; names after it choose some of the files.

The positions are an opening and, for each kind of decision, the first that random games meet late enough to be crowded.
Do so only when a rule or the data of the board was changed on purpose.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.testing import perft, random_game
from tests.kits.able_games import able_game
from tests.perft.files import HERE, Position

DEPTH = 14
ROUNDS = 7


def crowded(start: Position) -> Game:
    """Play a random game that crowds the board."""
    board = start.start().board
    return random_game(start.players, start.seed, variant=start.variant, options=start.options, board=board, redraws=1)


def able(start: Position) -> Game:
    """Play a game in which Exploits are used."""
    return able_game(start.players, start.seed, start.exploits, board=start.start().board, options=start.options)


@dataclass(frozen=True)
class File:
    """What a file of positions is made of."""

    start: Position
    """The opening; the games looked at have its seed and the ones after it."""
    late: dict[str, int]
    """Kinds of decision, and the first round a position is taken from; the last is 6, so that the game goes on."""
    most: int
    """Sequences counted at most."""
    seeds: dict[str, int] = field(default_factory=dict)
    """The first game looked at for what is too rare to look for from the opening's seed on."""
    play: Callable[[Position], Game] = crowded
    """Plays the games that are looked at, from their first decision to their end."""


def base(players: int, seed: int, **seeds: int) -> File:
    """A file of the base game."""
    late = {"salary": 4, "turn": 3, "target": 5, "discard": 4, **dict.fromkeys(seeds, 4)}
    return File(Position("opening", "endeavor_2009", players, seed), late, 400_000, seeds)


def variant(name: str, players: int, seed: int, late: dict[str, int], **options: Any) -> File:
    """A file of a variant."""
    return File(Position("opening", "endeavor_2009", players, seed, name, options), late, 60_000)


def exploits(players: int, seed: int, names: Sequence[str], *kinds: str) -> File:
    """A file of games with these Exploits, with late positions of these kinds."""
    start = Position("opening", "endeavor_2009", players, seed, "exploits", exploits=[*names])
    return File(start, dict.fromkeys(kinds, 5), 60_000, play=able)


FILES = {
    "three_seats": base(3, 1041, round_end_discard=1041),
    "four_seats": base(4, 259, round_end_discard=6753),
    "five_seats": base(5, 816),  # of 20,000 games none discards at the end of a round before the last
    "solo": variant("solo", 1, 5, {"build": 3, "salary": 4, "turn": 3, "target": 3, "discard": 3, "opposition": 3}),
    "solo_harder": variant("solo", 1, 6, {"turn": 4, "opposition": 4}, difficulty="harder", solo_ignore_industry=True),
    "soloplay_2": variant("soloplay_2", 2, 3, {"turn": 3, "target": 4, "neutral": 3}),
    "soloplay_3": variant("soloplay_3", 3, 4, {"turn": 3, "neutral": 3}, variant_removed_spaces_stay=True),
    "neutral_2": variant("neutral_2", 2, 7, {"salary": 4, "turn": 3, "target": 4, "neutral": 3}),
    "exploits": exploits(4, 3, c.EXPLOIT_NAMES, "salary", "turn", "target", "discard", "follow_up"),
    "exploits_three": exploits(3, 5, ("galleons", "marque", "voc"), "turn", "target", "follow_up"),
}


def counted(position: Position, most: int) -> Position:
    """Fill in the counts, down to the last depth with at most ``most`` sequences."""
    game = position.game()
    position.counts = []
    for depth in range(1, DEPTH + 1):
        counts = perft(game, depth)
        if counts[-1] > most or (depth > 1 and counts[-1] == 0):
            break
        position.counts = counts
    return position


def late_position(start: Position, kind: str, first_round: int, play: Callable[[Position], Game]) -> Position:
    """Return the first position of ``kind`` from that round on, in games from the seed of ``start`` on."""
    seed = start.seed
    while True:
        found = replace(start, name=kind, seed=seed, moves=[])
        game = found.start()
        for _, action in play(found).history:
            if game.decision == kind and first_round <= game.round < ROUNDS and len(game.legal_actions()) > 1:
                return found
            found.moves.append(game.describe(action))
            game.apply(action)
        seed += 1


def positions_of(file: File) -> list[Position]:
    """Return the positions of a file."""
    start = file.start
    elsewhere = late_position(replace(start, board="generated_3"), "target", file.late.get("target", 5), file.play)
    return [
        start,
        replace(elsewhere, name="target on another board"),
        *(
            late_position(replace(start, seed=file.seeds.get(kind, start.seed)), kind, first_round, file.play)
            for kind, first_round in file.late.items()
        ),
    ]


def main(names: Sequence[str]) -> None:
    """Write the files of these names, of all if there are none."""
    for name in names or FILES:
        file = FILES[name]
        blocks = [counted(position, file.most).text() for position in positions_of(file)]
        (HERE / f"{name}.txt").write_text("\n".join(blocks), encoding="utf-8")
        print(f"wrote {name}.txt")


if __name__ == "__main__":
    main(sys.argv[1:])
