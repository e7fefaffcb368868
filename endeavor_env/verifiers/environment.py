"""The games that a model plays: alone, among agents, or in every seat."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

import verifiers.v1 as vf

from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.players import agent_named
from endeavor_env.endeavor.text import TextTable
from endeavor_env.engine.game import game_for
from endeavor_env.verifiers.taskset import PLAYED, EndeavorTask


class EndeavorEnvConfig(vf.EnvConfig):
    """The agents of the environment."""

    player: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    """The model; it gets no tools, so no container is needed."""


class EndeavorEnv(vf.Env[EndeavorEnvConfig]):
    """A conversation for each seat of the model, in which the game is the user."""

    async def run(self, task: EndeavorTask, agents: vf.Agents) -> None:
        """Play one game, and note on each trace what it came to for its seat."""
        table = task.new_table()
        others = {seat: agent_named(name) for seat, name in task.data.agents.items()}
        for seat, agent in others.items():
            agent.reset(derived_seed(task.data.played["seed"], seat))
        async with AsyncExitStack() as stack:
            talks = {
                seat: await stack.enter_async_context(agents.player.interaction(task))
                for seat in range(table.game.num_players)
                if seat not in others
            }
            await _play(table, talks, others)
            for seat, talk in talks.items():
                talk.trace.info[PLAYED] = _came_to(table, seat)


async def _play(table: TextTable, talks: Mapping[int, vf.Interaction], agents: Mapping[int, Any]) -> None:
    """Play to the end, or until the model is stopped by a limit of its own."""
    refused = ""
    while not table.over:
        seat = table.game.seat
        if seat in agents:
            action = await asyncio.to_thread(agents[seat].act, game_for(agents[seat], table.game))
            table.game.apply(int(action))
            continue
        segment = await talks[seat].turn(refused or table.prompt())
        if segment.terminated:
            return
        refused = table.answer(segment.last_reply).message


def _came_to(table: TextTable, seat: int) -> dict[str, Any]:
    """Return what a game came to for a seat."""
    rewards = table.rewards()
    return {
        "seat": seat,
        "reward": None if rewards is None else rewards[seat],
        "moves": sum(by == seat for by, _ in table.game.history),
        "refused": table.refused[seat],
        "forfeited": table.forfeited == seat,
        "finished": table.game.over,
        "glory": table.game.scores()[seat],
        "record": table.game.record(),
    }
