"""Agents by name, as the command lines take them."""

from __future__ import annotations

import math

from agents.base import Agent
from agents.players.automa import AutomaAgent
from agents.players.greedy import WEIGHTS, GreedyAgent, Weights
from agents.players.random_agent import RandomAgent
from endeavor_env.errors import InvalidOptionError

NAMES = ("random", "greedy", "greedy:<weight>=<number>,...", "automa", "checkpoint:<path>")


def make_agent(name: str) -> Agent:
    """Returns a fresh agent.

    Args:
        name: "random"; "greedy", with other weights as in "greedy:disc=0.5,growth=1"; "automa"; "checkpoint:<path>",
            a trained policy, which needs the extra ``train``.

    Raises:
        InvalidOptionError: No such agent, or settings it does not have.
        CheckpointError: The checkpoint is missing, truncated, edited, or made for other layouts.
    """
    kind, colon, settings = name.partition(":") if isinstance(name, str) else ("", "", "")
    if name == "random":
        return RandomAgent()
    if name == "greedy":
        return GreedyAgent()
    if name == "automa":
        return AutomaAgent()
    if kind == "greedy" and colon:
        return GreedyAgent(_weights(name, settings), name)
    if kind == "checkpoint" and settings:
        return _learned(settings)
    raise InvalidOptionError(f"agent {name!r} is unknown: possible are {', '.join(NAMES)}")


def _weights(name: str, settings: str) -> Weights:
    """Returns the weights of ``settings``, "weight=number,..."."""
    given = {}
    for setting in settings.split(","):
        weight, _, text = setting.partition("=")
        if weight not in Weights._fields:
            raise InvalidOptionError(f"agent {name!r} has no weight {weight!r}: they are {', '.join(Weights._fields)}")
        given[weight] = _number(name, weight, text)
    return WEIGHTS._replace(**given)


def _number(name: str, weight: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidOptionError(f"agent {name!r} sets {weight} to {text!r}: it must be a finite number")
    return value


def _learned(path: str) -> Agent:
    """Returns the agent of a checkpoint; PyTorch is imported only now."""
    try:
        from agents.players.learned import LearnedAgent
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"agent 'checkpoint:{path}' needs {error.name}: install it with pip install 'endeavor-env[train]'"
        ) from error
    return LearnedAgent(path)
