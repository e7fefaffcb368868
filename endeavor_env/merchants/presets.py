"""What presets of trainers have for Merchants of Europe, as ``Playable.presets`` takes them."""

from __future__ import annotations

from typing import Any

_POLICY: dict[str, Any] = {
    "opponents": (("greedy", 0.7), ("random", 0.3)),
    "n_steps": 64,
    "game_options": "max_rolls=100",  # a game with random players would go on three times as long, without a good more
}
_SIDE_BY_SIDE = {"num_envs": 32, "batch_size": 512}
_VALUE: dict[str, Any] = {
    "opponents": (("learner", 0.6), ("greedy", 0.4)),
    "td_lambda": 0.7,
    "first_width": 64,
    "epsilon": 0.04,
    "average": 0.3,
}
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "ppo": {
        "smoke": _POLICY,
        "quick": {**_POLICY, **_SIDE_BY_SIDE, "steps": 196_608},
        "long": {**_POLICY, **_SIDE_BY_SIDE, "steps": 4_000_000},
    },
    "td": {
        "quick": {**_VALUE, "iterations": 60, "games": 400, "warm_up_games": 40_000, "evaluation_games": 400},
        "laptop": {**_VALUE, "iterations": 400, "games": 500, "warm_up_games": 60_000, "evaluation_games": 400},
        "full": {**_VALUE, "iterations": 2000, "games": 500, "warm_up_games": 200_000, "buffer_size": 2_000_000},
    },
}
