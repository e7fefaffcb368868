"""An episode of four agents of this package through kaggle-environments, and its page.

``python docs/clients/kaggle_episode.py greedy value search:ms=50 random --seed 7 --page episode.html``
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kaggle_folder import installed, put_game

AGENTS = ("random", "greedy", "value", "search:sims=4")
Agent = Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, int]]


def agent_of(name: str, seed: int | None = None) -> Agent:
    """Return an agent of this package as kaggle-environments asks agents."""
    import pyspiel

    from endeavor_env.open_spiel import bot

    player = bot(name, seed)

    def act(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> dict[str, int]:
        saved = observation.get("serializedGameAndState")
        if not saved:  # the first step asks everybody before there is a game
            return {"submission": -1}
        _, state = pyspiel.deserialize_game_and_state(saved)
        return {"submission": player.step(state)}

    return act


def episode(names: Sequence[str], seed: int = 0) -> Any:
    """Return the environment in which agents have played an episode."""
    put_game(installed())
    import kaggle_environments

    env = kaggle_environments.make("open_spiel_endeavor", {"seed": seed}, info={"TeamNames": list(names)})
    env.run([agent_of(name, seed) for name in names])
    return env


def main() -> int:
    """Play and print one line of JSON; return 1 if an agent failed."""
    parser = argparse.ArgumentParser(description="An episode of four agents through kaggle-environments.")
    parser.add_argument("agents", nargs="*", default=AGENTS, help="four names, as endeavor arena has them")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--page", type=Path, help="write what kaggle-environments renders")
    given = parser.parse_args()
    env = episode(given.agents, given.seed)
    if given.page:
        given.page.write_text(env.render(mode="html"), encoding="utf-8")
    statuses = [state.status for state in env.state]
    told = {"client": "kaggle", "agents": list(given.agents), "moves": len(env.info["actionHistory"])}
    print(json.dumps({**told, "rewards": [state.reward for state in env.state], "statuses": statuses}))
    return int(set(statuses) != {"DONE"})


if __name__ == "__main__":
    sys.exit(main())
