"""The game as an RLlib multi-agent environment: whoever is to move is the only one that gets an observation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from endeavor_env.agents.base import Agent
from endeavor_env.basics.inputs import derived_seed
from endeavor_env.endeavor.players import agent_named
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.engine.rewards import Shaping
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.endeavor import make_endeavor_aec
from endeavor_env.training.rllib.folder import LEARNER, RLlibSettings

OBSERVATIONS, MASK = "observations", "action_mask"
"""The keys of an observation, as the masked modules of RLlib call them."""
_SEEDS = 1 << 53

_Values = dict[str, Any]
"""Agent -> value, for the agents that have one now."""


class EndeavorMultiAgentEnv(MultiAgentEnv):
    """Games of all table sizes of a run; each new game draws its table, and who plays in its seats.

    An agent's reward is what it got since its last decision. Seats of other players are not among the agents: their
    moves are made inside ``step``. The first player's seat is drawn with the set-up, so seats need no rotation.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Make the tables of a run; ``config["settings"]`` is its ``RLlibSettings``."""
        self._runner: int = getattr(config, "worker_index", 0)  # which RLlib's ``EnvContext`` has
        super().__init__()
        settings: RLlibSettings = config["settings"]
        self._tables = [_table(settings, players, difficulty) for players, difficulty in settings.tables()]
        self._names = [name for name, _ in settings.opponents]
        self._shares = np.array([share for _, share in settings.opponents]) / sum(dict(settings.opponents).values())
        self._players = {name: agent_named(name) for name in self._names if name != LEARNER}
        self._table = self._tables[0]
        self._others: dict[str, Agent] = {}
        largest = max(self._tables, key=lambda table: table.max_num_agents)
        self.possible_agents = list(largest.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = {agent: _observation_space(largest, agent) for agent in self.possible_agents}
        self.action_spaces = {agent: largest.action_space(agent) for agent in self.possible_agents}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[_Values, _Values]:
        """Start a game; return the observation of the learning agent that is to move first, and no infos.

        RLlib seeds game i of runner r with the seed of the algorithm + r + i, so that neighbours get the same: each
        runner makes others of them.
        """
        super().reset(seed=None if seed is None else derived_seed(seed, self._runner))
        draw = self.np_random
        self._table = self._tables[int(draw.integers(len(self._tables)))]
        self._table.reset(seed=int(draw.integers(_SEEDS)))
        self._others = self._draw_others(draw)
        self.agents = [agent for agent in self._table.possible_agents if agent not in self._others]
        self._let_others_play()
        if not self._running():  # the others may end a game before a learner is ever asked
            return self.reset()
        return {self._table.agent_selection: self._seen()}, {}

    def _draw_others(self, draw: np.random.Generator) -> dict[str, Agent]:
        """Return who plays for the seats that no learner has; one seat, drawn as well, always has a learner."""
        seats = self._table.possible_agents
        chosen = [self._names[index] for index in draw.choice(len(self._names), len(seats), p=self._shares)]
        chosen[int(draw.integers(len(seats)))] = LEARNER
        for player in self._players.values():
            player.reset(int(draw.integers(_SEEDS)))
        return {agent: self._players[name] for agent, name in zip(seats, chosen, strict=True) if name != LEARNER}

    def step(self, action_dict: dict[str, Any]) -> tuple[_Values, _Values, _Values, _Values, _Values]:
        """Make the move of the only agent in ``action_dict`` and play on to the next decision of a learning agent.

        Returns:
            Observations, rewards, terminated, truncated and infos: of the agent to move next, or of all learning
            agents when the game has ended, masks of 1 then. Each info has then ``scores``, the final Glory of every
            seat, and ``reason``: "game_over", "illegal_action" (the scores are 0) or "max_cycles".
        """
        table = self._table
        table.step(int(action_dict[table.agent_selection]))
        self._let_others_play()
        if not self._running():
            return self._finish()
        agent = table.agent_selection
        _, reward, _, _, _ = table.last(observe=False)
        over = {"__all__": False}
        return {agent: self._seen()}, {agent: float(reward)}, over, dict(over), {}

    def _let_others_play(self) -> None:
        """Make moves until a learning agent is to move or the game is over."""
        while self._running() and self._table.agent_selection in self._others:
            self._table.step(self._others[self._table.agent_selection].act(self._table.game()))

    def _running(self) -> bool:
        """Return whether the game goes on; an episode ends for all agents together."""
        agent = self._table.agent_selection
        return not (self._table.terminations[agent] or self._table.truncations[agent])

    def _seen(self) -> _Values:
        """Return the observation of the agent to move."""
        observation = self._table.observe(self._table.agent_selection)
        return {OBSERVATIONS: observation["observation"], MASK: observation["action_mask"]}

    def _finish(self) -> tuple[_Values, _Values, _Values, _Values, _Values]:
        """Return what ``step`` returns at the end of a game, and let all agents leave the table."""
        observations: _Values = {}
        rewards: _Values = {}
        infos: _Values = {}
        terminated = truncated = False
        result = self._table.result() or {}
        scores = np.array(result.get("scores", [0] * len(self._table.possible_agents)), np.int64)
        while self._table.agents:
            agent = self._table.agent_selection
            _, reward, terminated, truncated, _ = self._table.last(observe=False)
            if agent not in self._others:
                observations[agent], rewards[agent] = self._seen(), float(reward)
                infos[agent] = {"scores": scores, "reason": result["reason"]}
            self._table.step(None)
        return observations, rewards, {"__all__": terminated}, {"__all__": truncated}, infos


def _table(settings: RLlibSettings, players: int, difficulty: str | None) -> GameAECEnv:
    """Return a table of a run; ``difficulty`` only in the solitaire game."""
    return make_endeavor_aec(
        players=players,
        variant=settings.variant,
        options={"difficulty": difficulty} if settings.variant == SOLO else None,
        reward=settings.reward,
        shaping=Shaping(settings.gamma, settings.shaping_weight) if settings.shaping_weight > 0 else None,
    )


def _observation_space(table: GameAECEnv, agent: str) -> spaces.Dict:
    """Return the observation space of ``agent`` under RLlib's keys."""
    space = table.observation_space(agent)
    assert isinstance(space, spaces.Dict)
    return spaces.Dict({OBSERVATIONS: space["observation"], MASK: space["action_mask"]})
