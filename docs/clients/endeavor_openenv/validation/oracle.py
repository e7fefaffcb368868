"""Plays two games at a running server: one that earns all there is, and one by somebody who does not think.

The oracle reads the record of the game out of the state and asks a search for a move; the floor takes the first legal
move. Its exit status is 1 unless what they earn is what openenv.yaml declares.

    python validation/oracle.py http://localhost:8000
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.records import replay
from endeavor_env.openenv import EndeavorAction, EndeavorEnv, EndeavorObservation

MANIFEST = Path(__file__).resolve().parents[1] / "openenv.yaml"
PLAYER = "search:sims=200"
Answer = Callable[[Any, EndeavorObservation], str]


def by_search(env: Any, seen: EndeavorObservation) -> str:
    """Answer with the move of a search."""
    game = replay(env.state().record)
    return f"[{game.describe(AGENT.act(game))}]"


def first_move(env: Any, seen: EndeavorObservation) -> str:
    """Answer with the first legal move."""
    assert isinstance(seen.legal_moves, list)
    return f"[{seen.legal_moves[0]}]"


AGENT = make_agent(PLAYER)


def reward_of(url: str, seed: int, answer: Answer) -> float:
    """Return what the default game pays for these answers."""
    AGENT.reset(seed)
    with EndeavorEnv(base_url=url).sync() as env:
        seen = env.reset(seed=seed).observation
        while not seen.done:
            seen = env.step(EndeavorAction(answer=answer(env, seen))).observation
        return float(seen.reward)


def main() -> int:
    """Print what both earn as one line of JSON."""
    url = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000"
    declared = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))["validation"]
    most, reward = declared["reward"]["range"][1], declared["reward"]
    seed = declared["task_distribution"]["generator_seed"]
    oracle, floor = (reward_of(url, seed, answer) for answer in (by_search, first_move))
    print(json.dumps({"oracle": oracle, "floor": floor}))
    return int(oracle < most - reward["oracle_tolerance"] or most - floor < reward["floor_margin"])


if __name__ == "__main__":
    sys.exit(main())
