"""The games of a dataset in other forms, a line of JSON for each: records, and trajectories as OpenSpiel plays them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from endeavor_env import Game
from endeavor_env.basics.files import write_text
from endeavor_env.endeavor.config import GameConfig
from endeavor_env.endeavor.rewards import final_rewards, reward_function
from endeavor_env.endeavor.rules.constants import DIFFICULTY_NAMES
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.training.dataset.corpus import games_of
from endeavor_env.training.dataset.reading import Dataset
from endeavor_env.training.dataset.shards import Shard


def replayed(dataset: Dataset, shard: Shard) -> list[tuple[Game, list[str]]]:
    """Return the games of a shard, each at its end, with the agent of each seat."""
    played = []
    for row, actions in games_of(shard):
        kind = dataset.kinds[shard.game_kinds[row]]
        options = dict(kind["options"])
        if kind["variant"] == SOLO:
            options["difficulty"] = DIFFICULTY_NAMES[shard.game_difficulties[row]]
        exploits = "random" if kind["variant"] == "exploits" else None
        config = GameConfig(kind["variant"], int(shard.game_seats[row]), kind["board"], options, exploits)
        game = config.new_game(int(shard.game_seeds[row]))
        for action in actions:
            game.apply(action)
        played.append((game, [dataset.agents[agent] for agent in shard.game_agents[row] if agent >= 0]))
    return played


def record(game: Game, agents: list[str]) -> dict[str, Any]:
    """Return the record of a game, with its agents."""
    return {**game.record(), "agents": agents}


def trajectory(game: Game, agents: list[str]) -> dict[str, Any]:
    """Return a game as OpenSpiel plays it: ``load_game(name, parameters)``, then the actions one after the other.

    The returns are those of the reward of the parameters.
    """
    reward = "margin" if game.variant == SOLO else "win"
    paid = final_rewards(reward_function(reward, game.num_players, game.variant), game.scores(), game.num_players)
    parameters: dict[str, Any] = {**game.options, "setup": json.dumps(game.setup()), "reward": reward}
    if game.variant in (STANDARD, "exploits"):
        parameters["players"] = game.num_players
    if game.exploits:
        parameters["exploits"] = "+".join(game.exploits)
    return {
        "game": "endeavor" if game.variant == STANDARD else f"endeavor_{game.variant}",
        "parameters": parameters,
        "agents": agents,
        "players": [seat for seat, _ in game.history],
        "actions": [action for _, action in game.history],
        "returns": [float(one) for one in paid],
    }


FORMS: dict[str, Callable[[Game, list[str]], dict[str, Any]]] = {"records": record, "trajectories": trajectory}
"""What a line can be, by the name of the folder."""


def write_form(dataset: Dataset, form: str) -> Path:
    """Write every game of a dataset in a form of FORMS, a file for each shard; return the folder, inside the dataset's.

    Files that are there already stay: they are written in one step.
    """
    folder = dataset.path / form
    folder.mkdir(exist_ok=True)
    for number in dataset.shards:
        file = folder / f"shard_{number:05}.jsonl"
        if not file.exists():
            lines = [json.dumps(FORMS[form](*one)) for one in replayed(dataset, dataset.load(number))]
            write_text(file, "\n".join([*lines, ""]))
    return folder
