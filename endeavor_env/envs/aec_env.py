"""The PettingZoo environments of any game: all seats are agents, each step is one decision."""

from __future__ import annotations

import copy
import itertools
import sys
from _thread import get_ident
from typing import Any, TypeVar, Unpack, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env import AECIterable

from endeavor_env.basics.inputs import INFO_MASKS, check_reset_options, check_seed, one_of, whole_number
from endeavor_env.basics.thread_guard import NOBODY, SOMEBODY, ThreadGuard, guarded
from endeavor_env.engine.batch.game_batch import Kinds
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.rewards import Shaping, warn_of_missing_masks
from endeavor_env.envs.display import METADATA, metadata_for
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, EnvOptions, check_settings, vector_space
from endeavor_env.envs.signatures import shows_options
from endeavor_env.envs.table import MAX_GAME_SEED, G, Observation, ResetNeededError, Table, TableEnv
from endeavor_env.errors import GameOverError, InvalidOptionError, shown

T = TypeVar("T")


class SetByReset:
    """An attribute that only ``reset`` sets; before that, looking at it raises ResetNeededError.

    What ``reset`` stores in the instance takes its place. A ``__getattr__`` would make every other attribute of the
    class slower, too: Python then looks at it before the attribute.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name of the attribute."""
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Return the descriptor itself to a class; raise ResetNeededError to an instance."""
        if instance is None:
            return self
        raise ResetNeededError(self._name)


class _AgentsInTurn(AECIterable[str, Observation, "int | None"]):
    """What ``agent_iter`` returns: PettingZoo's iterable, with a generator, which Python asks quicker."""

    def __iter__(self) -> Any:
        """Yield the agent to move as long as there are any."""
        env = self.env
        for _ in itertools.repeat(None, int(min(self.max_iter, sys.maxsize))):
            if not env.agents:
                return
            yield env.agent_selection


@shows_options("GameAECEnv", EnvOptions, DEFAULTS, MEANINGS)
class GameAECEnv(TableEnv[G], AECEnv[str, Observation, "int | None"]):
    """A game of a config in which all seats are agents, one decision at a time.

    Spaces, rewards, infos and the end of an episode are those of ``endeavor_v0`` (``endeavor.make_endeavor_aec``); an
    observation shows what its agent may see. ``state()`` is the observation of seat 0. What chance decides during a
    game is drawn from the game's seed, and no agent is asked for it.

    Arguments:
        config: What is played.
        info_masks: ``"array"``, or ``"list"`` for masks in ``infos`` that are lists of Python.

    - the options of ``EnvOptions``.
    """

    metadata = {**METADATA, "is_parallelizable": False}  # noqa: RUF012 (PettingZoo declares it as an instance variable)

    agents: list[str] = cast(Any, SetByReset())
    agent_selection: str = cast(Any, SetByReset())
    rewards: dict[str, float] = cast(Any, SetByReset())
    terminations: dict[str, bool] = cast(Any, SetByReset())
    truncations: dict[str, bool] = cast(Any, SetByReset())
    _cumulative_rewards: dict[str, float] = cast(Any, SetByReset())

    def __init__(self, config: GameConfig, *, info_masks: str = "array", **given: Unpack[EnvOptions]) -> None:
        """Check the options and prepare an empty table. Raise InvalidOptionError."""
        super().__init__()
        self._settings = settings = check_settings(Kinds([config]), **given)
        self._lists = one_of("info_masks", info_masks, INFO_MASKS) == "list"
        self._table = Table(settings)
        named = {**self.metadata, "name": f"{config.rules}_v0"}
        self.metadata = metadata_for(config.rules.presenter, named)
        self._shaping = settings.shaping
        self.render_mode = settings.render_mode
        self._seeds: int | np.random.Generator | None = None  # the last seed given, or the generator it has started
        self.possible_agents = [f"player_{seat}" for seat in range(self._table.players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._result: dict[str, Any] | None = None
        self._info: dict[str, Any] | None = None  # of the selected agent, if it was asked for since the last step
        self._infos: dict[str, dict[str, Any]] = {}  # of others
        self._guard = ThreadGuard()
        self._before: tuple[Any, ...] | None = None  # what the step in progress has replaced
        spaces = {agent: settings.spaces_of(config.variant) for agent in self.possible_agents}
        self.observation_spaces = {agent: pair[0] for agent, pair in spaces.items()}
        self.action_spaces = {agent: pair[1] for agent, pair in spaces.items()}
        self.state_space = vector_space(config.rules, config.variant, settings.observation)

    def let_waiting_act(self) -> None:
        """Allow every action to agents that are not to move, for interfaces that ask them as well and ignore them."""
        self._table.let_waiting_act()

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the observation space of ``agent``, always the same object."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the action space of ``agent``, always the same object."""
        return self.action_spaces[self._known(agent)]

    def _known(self, agent: str) -> str:
        """Return ``agent``; raise InvalidOptionError for a name that is none of the agents."""
        if isinstance(agent, str) and agent in self._seat_of:
            return agent
        raise InvalidOptionError(f"agent {shown(agent)} is not at the table: the agents are {', '.join(self._seat_of)}")

    @guarded
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game at its first decision.

        Args:
            seed: The seed of the set-up; None draws one from the generator that the last seed started.
            options: ``setup``, or what else the game takes; other keys are ignored.

        Raises:
            InvalidOptionError: A seed or option value that is not possible; the game in play goes on.
            InvalidSetupError: A set-up that does not fit; the game in play goes on.
        """
        table, seed = self._table, check_seed(seed)
        given = table.checked(check_reset_options(options, table.setup_options, strict=False))
        if seed is None and self._seeds is None:
            seed = self._settings.seed
        seeds: int | np.random.Generator = self._own_seeds() if seed is None else seed
        drawn = seeds if isinstance(seeds, int) else int(seeds.integers(MAX_GAME_SEED))
        game = table.new_game(drawn, **given)
        self._seeds = seeds
        table.start(game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._result, self._info, self._infos = None, None, {}
        self.agent_selection = self.agents[table.seat]
        self._potentials: dict[int, float] = {}
        if self._shaping is not None:
            self._shape(table.seat, self._shaping)
        table.sound = True
        if self.render_mode == "human":
            self.render()

    def _own_seeds(self) -> np.random.Generator:
        """Return a copy of the generator of seeds, which a set-up that does not fit leaves as it was."""
        if isinstance(self._seeds, np.random.Generator):
            return copy.deepcopy(self._seeds)
        return np_random(self._seeds)[0]

    # --- stepping ----------------------------------------------------------------------------------------------------
    def step(self, action: Any) -> None:
        """Make the move of ``agent_selection``; in a finished game the action is None and the agent leaves.

        A step that raises an error, or is interrupted by Ctrl-C, has not happened.

        Args:
            action: An action id: a whole number of Python or NumPy, 0-d arrays included.

        Raises:
            ResetNeededError: Before the first reset.
            GameOverError: The game is over and ``action`` is not None, or every agent has left.
            IllegalActionError: Not an action id, or an illegal one with ``illegal_action="raise"``.
            InvalidOptionError: The reward function returned something else than one finite number for each seat.
        """
        guard, me, outer = self._guard, get_ident(), self._guard.caller
        if outer != NOBODY and outer != me:
            raise guard.refusal("step")
        guard.caller, guard.running = me, "step"
        try:
            table = self._table
            if not table.sound:
                self._require_game("step()")
            if table.over:
                self._leave(action)
                return
            number = action if type(action) is int else whole_number(action)
            if number is None or not 0 <= number < table.num_actions:
                raise table.refuse(action)
            legal = table.allowed[number]
            if not legal and self._settings.illegal_raises:
                raise table.refuse(number)
            self._before = None
            table.begin_step()
            self._info, self._infos = None, {}
            if self._shaping is not None:  # otherwise all rewards are still 0
                self._remember()
                self._cumulative_rewards = {**self._cumulative_rewards, self.agent_selection: 0.0}
                self.rewards = dict.fromkeys(self.agents, 0.0)
            if not legal:
                self._forfeit(number)
            else:
                table.apply(number)
                if table.over:
                    self._end_game()
                else:
                    self.agent_selection = self.possible_agents[table.seat]
                    if self._shaping is not None:
                        self._shape(table.seat, self._shaping)
            table.sound = True
            if self.render_mode == "human":
                self.render()
        except BaseException:
            self._undo_step()
            raise
        finally:
            guard.caller = outer

    def _remember(self) -> None:
        """Keep what the step in progress is about to replace, so that it can be undone."""
        self._before = (self.rewards, self._cumulative_rewards, self._potentials)

    def _end_game(self) -> None:
        """Pay the agents of a game that is over, by the rules or by ``max_cycles``, and end it for all."""
        table = self._table
        result = table.result()
        rewards = [0.0] * table.players
        if not table.truncated:
            rewards = self._settings.reward.of_game(result["scores"], table.players)
        result["winners"] = [self.possible_agents[seat] for seat in result["winners"]]
        self._finish(rewards, result)

    def _forfeit(self, action: int) -> None:
        """End the episode with ``illegal_reward`` for the agent that chose an illegal action."""
        warn_of_missing_masks()
        table, agent = self._table, self.agent_selection
        message = str(table.refuse(action))
        table.stop()
        rewards = [self._settings.illegal_reward if other == agent else 0.0 for other in self.possible_agents]
        self._finish(rewards, {"reason": "illegal_action", "agent": agent, "action": action, "message": message})

    def _finish(self, rewards: list[float], result: dict[str, Any]) -> None:
        """Set the rewards of all agents and the result, and end the episode for them."""
        truncated = self._table.truncated
        if self._before is None:
            self._remember()
        self.rewards = {  # the potential of a finished game is 0
            agent: rewards[seat] - self._potentials.get(seat, 0.0) for seat, agent in enumerate(self.agents)
        }
        self._cumulative_rewards = {
            agent: self._cumulative_rewards[agent] + self.rewards[agent] for agent in self.agents
        }
        self._result = result
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.agent_selection = self.agents[0]  # agents leave in the order of their seats

    def _shape(self, seat: int, shaping: Shaping) -> None:
        """Add the shaping term since its last decision to the reward of ``seat``, which is to decide."""
        potential = self._table.potential(shaping, seat)
        before = self._potentials.get(seat)
        self._potentials = {**self._potentials, seat: potential}
        if before is not None:
            agent = self.possible_agents[seat]
            self.rewards[agent] = shaping.gamma * potential - before
            self._cumulative_rewards[agent] += self.rewards[agent]

    def _undo_step(self) -> None:
        """Go back to the decision at which a step began that did not end; do nothing if there is none."""
        table = self._table
        if not table.interrupted:
            return
        if self._before is not None:
            self.rewards, self._cumulative_rewards, self._potentials = self._before
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._result, self._info, self._infos = None, None, {}
        table.undo_step()
        self.agent_selection = self.possible_agents[table.seat]
        table.sound = True

    def _leave(self, action: Any) -> None:
        """Remove the selected agent from a finished game."""
        if not self.agents:
            raise GameOverError("step() is not possible: the game is over and every agent has left, call reset()")
        if action is not None:
            agent = self.agent_selection
            raise GameOverError(
                f"action {shown(action)} is not possible: the game is over, {agent} can only step(None)"
            )
        left = [agent for agent in self.agents if agent != self.agent_selection]
        following, rewards = left[0] if left else self.agent_selection, dict.fromkeys(left, 0.0)
        terminations, truncations = _entries_of(left, self.terminations), _entries_of(left, self.truncations)
        cumulative = _entries_of(left, self._cumulative_rewards)
        # No call stands between these assignments, so that Ctrl-C comes before all of them or after.
        self.agents, self.agent_selection, self._info = left, following, None
        self.terminations, self.truncations = terminations, truncations
        self.rewards, self._cumulative_rewards = rewards, cumulative

    def agent_iter(self, max_iter: int = 2**63) -> _AgentsInTurn:
        """Return an iterable of the agents to move, at most ``max_iter``; each must step before the next is asked."""
        return _AgentsInTurn(self, max_iter)

    # --- looking -----------------------------------------------------------------------------------------------------
    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last decision, terminated, truncated and info of the selected agent.

        Observation and info have the mask in common, unless masks in infos are lists.
        """
        guard, outer = self._guard, self._guard.caller
        if outer != NOBODY and outer != get_ident():
            raise guard.refusal("last")
        guard.caller, guard.running = outer or SOMEBODY, "last"
        try:
            table = self._table
            if not table.sound:
                self._require_game("last()")
            agent = self.agent_selection
            info, observation = self._info, None
            if observe and info is None:
                observation, mask = table.look(self._seat_of[agent])
                info = self._info = {"action_mask": mask.tolist() if self._lists else mask}
            else:
                info = self._info_of(agent)
                if observe and self._lists:
                    observation, _ = table.look(self._seat_of[agent])
                elif observe:
                    observation = table.observation(self._seat_of[agent], info["action_mask"])
            return observation, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], info
        finally:
            guard.caller = outer

    @property
    @guarded
    def infos(self) -> dict[str, dict[str, Any]]:  # type: ignore[override]  # made when it is asked for
        """The info of each agent at the table, the same objects until the next step."""
        if not self._table.sound:
            self._require_game("infos")
        return {agent: self._info_of(agent) for agent in self.agents}

    def _info_of(self, agent: str) -> dict[str, Any]:
        """Return the info of ``agent``."""
        selected = agent == self.agent_selection
        info = self._info if selected else self._infos.get(agent)
        if info is None:
            mask = self._table.mask_of(self._seat_of[agent])
            info = {"action_mask": mask.tolist() if self._lists else mask}
            if selected:
                self._info = info
            else:
                self._infos[agent] = info
        return info

    @guarded
    def result(self) -> dict[str, Any] | None:
        """Return how the episode ended, in a fresh dictionary; None while the game runs.

        ``reason`` is "game_over", "max_cycles" or "illegal_action". After the first two there are ``scores``, as the
        game stands, and ``winners``, names of agents; in ``solo`` the scores are the player's and the Opposition's, and
        ``margin``, ``ladder``, ``rung``, ``panache``, ``breakdown`` and ``opposition_breakdown`` are those of
        ``EndeavorSolo-v0``. After the last there are ``agent``, ``action`` and ``message``: who did what wrong.
        """
        self._require_game("result()")
        return copy.deepcopy(self._result)

    @guarded
    def observe(self, agent: str) -> Observation:
        """Return the observation of any agent, in fresh arrays; the mask says whether it is to move."""
        self._require_game("observe()")
        seat = self._seat_of[self._known(agent)]
        return self._table.look(seat)[0]

    @guarded
    def state(self) -> npt.NDArray[Any]:
        """Return the observation of seat 0 without the mask, whichever seat is to move, in a fresh array."""
        self._require_game("state()")
        return self._table.vector(0)

    @guarded
    def render(self) -> Any:
        """Show the board in a window, or return it as text or pixels (``display``)."""
        self._require_game("render()")
        return self._table.show(self.render_mode)


def _entries_of(agents: list[str], values: dict[str, T]) -> dict[str, T]:
    """Return the entries of some ``agents``."""
    return {agent: values[agent] for agent in agents}


# --- The parallel interface ------------------------------------------------------------------------------------------

Wrapper = turn_based_aec_to_parallel_wrapper[str, Observation, "int | None"]
_Parallel: Any = ParallelEnv[str, Observation, "int | None"]  # whose types contradict those of the wrapper


class GameParallelEnv(Wrapper, _Parallel):  # skrl looks at direct bases alone
    """PettingZoo's parallel interface: all agents act at once, and only the action of the agent to move counts.

    It is PettingZoo's wrapper, which one thread at a time may reset and step.
    """

    def __init__(self, env: GameAECEnv[Any]) -> None:
        """Wrap an environment, in which any action of the agents that are not to move will do now."""
        env.let_waiting_act()
        super().__init__(env)
        self._guard = ThreadGuard()

    @guarded
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Start a game; arguments and errors are those of ``GameAECEnv.reset``."""
        return super().reset(seed, options)

    @guarded
    def step(self, actions: dict[str, int | None]) -> tuple[Any, Any, Any, Any, Any]:
        """Make the move of the agent to move; the actions of the others are ignored."""
        answer: Any = super().step(actions)
        return answer
