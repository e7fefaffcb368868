"""What the tests of the Stable-Baselines3 adapter share."""

from __future__ import annotations

from typing import Any

from endeavor_env.sb3 import EndeavorVecEnv

MIXED: dict[str, Any] = {
    "games": [{"players": 3}, {"players": 4}, {"players": 5}],
    "game_choice": "draw",
    "learner_seat": "rotate",
}
"""Tables of every size, the learner in every seat."""


def solo(num_envs: int, **options: Any) -> EndeavorVecEnv:
    """Return solitaire games."""
    return EndeavorVecEnv("EndeavorSolo-v0", num_envs, **options)
