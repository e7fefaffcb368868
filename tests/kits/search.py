"""What the tests of search share: games on the way, and rollouts played again move by move with ``Game``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation import observe
from endeavor_env.endeavor.options import check_exploits
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.rng import next_seed, seeded
from tests.kits.compiled import compiled_action

KINDS: list[dict[str, Any]] = [
    {"players": 3},
    {"players": 5, "board": "generated_7"},
    {"variant": "solo", "options": {"difficulty": "harder"}},
    {"variant": "soloplay_2"},
    {"variant": "soloplay_3"},
    {"variant": "neutral_2"},
    {"variant": "exploits"},
    {"players": 3, "exploits": ["venus", "globalisation", "voc"], "options": {"exploit_discs": 30}},
    {"players": 5, "exploits": list(c.EXPLOIT_NAMES), "board": "generated_7"},
]
"""Games of every variant and more than one board, as arguments of ``Game.new``."""
assert {check_exploits(kind.get("exploits"), kind.get("variant", "standard"))[1] for kind in KINDS} == set(
    c.VARIANT_NAMES
)


def lowest(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """A policy made by a user: the legal action of the lowest id."""
    return masks.argmax(axis=1)


def odd(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Another one, which depends on what it sees: the highest id if the observation's sum is odd, else the lowest.

    The observation has to be compact.
    """
    highest = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return np.where(observations.sum(axis=1, dtype=np.int64) % 2 == 1, highest, masks.argmax(axis=1))


def choose(policy: str | Callable[..., Any], game: Game, rng: np.ndarray) -> int:
    """Return what ``policy`` does in ``game``, asked in the way a single game is asked."""
    mask = game.mask().view(np.int8)
    if not isinstance(policy, str):
        return int(policy(observe(game, observation="compact")[None], mask[None])[0])
    if policy == "random":
        return int(entry.choose(mask, rng))
    if policy == "automa":
        return compiled_action("automa", game)
    return compiled_action("greedy", game, rng)


def play_again(
    game: Game, policies: Sequence[str | Callable[..., Any]], seed: int, repeat: int, limit: int
) -> tuple[list[int], int, bool]:
    """Return scores, decisions made and end of a rollout, played with ``Game`` as ``rollout`` says it is played."""
    played, made = game.clone(), 0
    rng = seeded(int(next_seed(seeded(seed))) + repeat)
    while made < limit and not played.over:
        played.apply(choose(policies[played.seat], played, rng))
        made += 1
    return played.scores(), made, played.over
