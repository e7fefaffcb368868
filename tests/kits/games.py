"""Complete random games of every variant and option, played through the facade."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.envs.sampling import generator, sample_action
from tests.kits.compiled import compiled_action

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "solo": ("solo", {}),
    "solo, first": ("solo", {"opposition_ties": "first"}),
    "solo, easier": ("solo", {"difficulty": "easier"}),
    "solo, harder": ("solo", {"difficulty": "harder"}),
    "solo, industry ignored": ("solo", {"solo_ignore_industry": True}),
    "solo, all options": (
        "solo",
        {"opposition_ties": "first", "difficulty": "harder", "solo_ignore_industry": True},
    ),
    "soloplay_2": ("soloplay_2", {}),
    "soloplay_2, spaces stay": ("soloplay_2", {"variant_removed_spaces_stay": True}),
    "soloplay_3": ("soloplay_3", {}),
    "soloplay_3, spaces stay": ("soloplay_3", {"variant_removed_spaces_stay": True}),
    "neutral_2": ("neutral_2", {}),
    "exploits": ("exploits", {}),
    "exploits, first three": ("exploits", {}),
    "exploits, last three": ("exploits", {"exploit_discs": 30}),
    "exploits, all": ("exploits", {"value1_bonus": True}),
    "exploits, all options": ("exploits", {"exploit_discs": 30, "value1_bonus": True}),
}
"""Variant and options by name."""
TILES: dict[str, list[str]] = {
    "exploits, first three": ["saltpetre", "pirates", "imperialism"],
    "exploits, last three": ["haiti", "galleons", "south_sea"],
    "exploits, all": list(c.EXPLOIT_NAMES),
}
"""The Exploits in play, by name; the seed draws three for the other games that have Exploits."""
SOLO_GAMES = [name for name, (variant, _) in GAMES.items() if variant == "solo"]
SEEDS = [0, 7, 10]
"""Of games that together show all the Opposition can do, useless placements and tied piles included."""
GAMES_AND_SEEDS = [(name, seed) for name in SOLO_GAMES for seed in SEEDS]
PLAYERS = {"solo": 1, "soloplay_2": 2, "soloplay_3": 3, "neutral_2": 2, "exploits": 4}


def new_game(name: str, seed: int, board: str = "endeavor_2009") -> Game:
    """A game of GAMES at its first decision."""
    variant, options = GAMES[name]
    return Game.new(variant=variant, seed=seed, options=options, board=board, exploits=TILES.get(name))


def play(game: Game, seed: int, decisions: int = 1000) -> Game:
    """Play random legal moves to the end of the game, or for so many decisions; passing is put off.

    Random moves open no regions, without which Exploits do nothing: there most moves are automa's or use an Exploit.
    """
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        moves = game.legal_moves()
        if not moves:
            break
        if game.exploits and rng.random() < 0.85:
            abilities = [move for move in moves if move.startswith(c.EXPLOIT_NAMES)]
            game.play(str(rng.choice(abilities)) if abilities else game.describe(compiled_action("automa", game)))
            continue
        later = [move for move in moves if move not in ("pass", "done")] if rng.random() < 0.8 else []
        game.play((later or moves)[int(rng.integers(len(later or moves)))])
    return game


@functools.cache
def finished_record(name: str, seed: int, board: str = "endeavor_2009") -> dict[str, Any]:
    """The record of a finished game of GAMES. Copy it before a change."""
    game = play(new_game(name, seed, board), seed)
    assert game.over
    return game.record()


def finished(name: str, seed: int, board: str = "endeavor_2009") -> Game:
    """A finished game of GAMES, its own copy."""
    return replay(finished_record(name, seed, board))


def running(name: str, seed: int, decisions: int) -> Game:
    """A game of GAMES after so many decisions."""
    return play(new_game(name, seed), seed, decisions)


def random_walk(seed: int = 0, **kind: Any) -> Iterator[Game]:
    """Yield one random game again and again, at each of its decisions and at its end."""
    game, rng = Game.new(seed=seed, **kind), generator(seed)
    while True:
        yield game
        if game.over:
            return
        game.apply(sample_action(game.mask(), rng))


def on_the_way(decisions: int, seed: int = 0, **kind: Any) -> Game:
    """Return a random game after so many decisions, or at its end."""
    game = Game.new(seed=seed, **kind)
    for made, game in enumerate(random_walk(seed, **kind)):  # noqa: B007
        if made == decisions:
            break
    return game
