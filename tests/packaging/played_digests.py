"""Digests of games, observations and players by the faces of the package alone, for Pythons of other systems.

``python tests/packaging/played_digests.py GAMES`` prints them as JSON, with the library that was used.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from endeavor_env import Game
from endeavor_env.envs.endeavor import make_endeavor_vector
from tests.crosscheck import face_digests

KINDS: dict[str, dict[str, Any]] = {
    "three": {"players": 3},
    "five": {"players": 5},
    "exploits": {"players": 4, "exploits": "random"},
    "soloplay": {"variant": "soloplay_2"},
    "neutral": {"variant": "neutral_2"},
    "solo": {"variant": "solo"},
}
STEPS = 200
"""Of the batches with opponents."""


def game_digest(kind: str, seed: int) -> str:
    """Return the digest of every position and every list of legal actions of a random game."""
    game, seen, numbers = Game.new(seed=seed, **KINDS[kind]), hashlib.sha256(), Random(seed)
    while not game.over:
        legal = game.legal_actions()
        seen.update(game.state.tobytes() + bytes(str(list(legal)), "ascii"))
        game.apply(numbers.choice(legal))
    seen.update(game.state.tobytes() + json.dumps(game.record()).encode())
    return seen.hexdigest()


def batch_digest(opponents: str) -> str:
    """Return the digest of what a batch shows, with opponents that are in the machine code."""
    env, seen = make_endeavor_vector(num_envs=8, opponents=opponents), hashlib.sha256()
    observations, _ = env.reset(seed=4)
    for step in range(STEPS):
        shown: Any = observations
        masks = env.action_masks()
        chosen = [row.nonzero()[0][step % int(row.sum())] for row in masks]
        observations, rewards, *ended, _ = env.step(np.array(chosen))
        for part in (masks, *shown.values(), rewards, *ended):
            seen.update(part.tobytes())
    return seen.hexdigest()


def played_digests(games: int) -> dict[str, str]:
    """Return the digests of so many games of each kind, and of every face."""
    found = {f"{kind}, seed {seed}": game_digest(kind, seed) for kind in KINDS for seed in range(games)}
    found.update({f"a batch, {name}": batch_digest(name) for name in ("random", "greedy", "value", "policy")})
    numbers = Random(9)
    face_digests.next_below = lambda _, limit: numbers.randrange(limit)  # the kernel of this name is no entry
    return {**found, **face_digests.face_digests()}


if __name__ == "__main__":
    digests = played_digests(int(sys.argv[1]))
    from endeavor_env.kernels.loading.library import library_files

    about = {"library": library_files()[0].name, "compiler": [name for name in ("numba",) if name in sys.modules]}
    print(json.dumps({**about, "digests": digests}))
