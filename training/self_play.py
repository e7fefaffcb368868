"""SelfPlayVecEnv: many games side by side as one SB3 ``VecEnv``, one learner seat in each.

The other seats are played inside ``step``: registered agents one by one, copies of the learner in batches over all
games that wait for the same copy, because a network call costs far more than the rules.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from agents.network import PolicyNetwork
from endeavor_env import Board, Game
from endeavor_env.core import entry, observe
from endeavor_env.core.actions import num_actions
from endeavor_env.observation import box_bounds, layout_for
from endeavor_env.rewards import Shaping, final_rewards, reward_function
from training.opponents import OpponentMix


class Table:
    """One game of the batch: who sits where, and the learner's running totals."""

    def __init__(self, game: Game, learner: int, others: Sequence[str | PolicyNetwork]) -> None:
        """Seats ``others`` in the seats after the learner's, in playing order."""
        self.game = game
        self.learner = learner
        self.others = {(learner + 1 + place) % game.num_players: who for place, who in enumerate(others)}
        self.potential = 0.0
        self.total_reward = 0.0
        self.length = 0

    def waits_for(self) -> str | PolicyNetwork | None:
        """Returns who is to move, None for the learner or when the game is over."""
        return self.others.get(self.game.seat)


class SelfPlayVecEnv(VecEnv):
    """``num_envs`` games with features observations (no mask inside) and ``action_masks``; a finished game restarts.

    ``infos`` of a finished game hold "terminal_observation", "episode" ({"r", "l", "t"}) and "game" ({"players",
    "win" (the share of the first place), "score", "margin" (Glory before the best other)}). In the solitaire game the
    Opposition is the other, and each game draws one of the difficulties.
    """

    def __init__(
        self,
        num_envs: int,
        mix: OpponentMix | None,
        *,
        variant: str = "standard",
        players: Sequence[int] = (4,),
        difficulties: Sequence[str] = ("normal",),
        reward: str = "margin",
        shaping: Shaping | None = None,
        seed: int = 0,
        board: Board | None = None,
    ) -> None:
        """Makes the games; nothing is played before ``reset``. Only the solitaire game goes without a ``mix``."""
        self._size, self._num_actions = layout_for(variant, "features").size, num_actions(variant)
        box = spaces.Box(*box_bounds("features", variant), dtype=np.float32)
        super().__init__(num_envs, box, spaces.Discrete(self._num_actions))
        self._mix = mix
        self._variant = variant
        self._players = list(players)
        self._difficulties = list(difficulties)
        self._rewards = {count: reward_function(reward, count, variant) for count in players}
        self._shaping = shaping
        self._board = Board.resolve(board)
        self._rng = np.random.default_rng(seed)
        self._start = time.time()
        self._tables: list[Table] = []
        self._actions: npt.NDArray[np.int64] = np.zeros(num_envs, np.int64)
        self._masks = np.zeros((num_envs, self._num_actions), np.int8)
        self._others_observations = np.zeros((num_envs, self._size), np.float32)
        self._others_masks = np.zeros((num_envs, self._num_actions), np.int8)

    def _new_table(self) -> Table:
        players = int(self._rng.choice(self._players))
        options = {"difficulty": str(self._rng.choice(self._difficulties))} if self._variant == "solo" else None
        seed = int(self._rng.integers(2**53))
        game = Game.new(players, self._variant, seed, board=self._board, options=options)
        others = [self._mix.draw(self._rng) for _ in range(players - 1)] if self._mix is not None else []
        return Table(game, int(self._rng.integers(players)), others)

    def reset(self) -> npt.NDArray[np.float32]:
        """Starts every game anew and returns the learner's first observations, (num_envs, size) float32."""
        self._tables = [self._new_table() for _ in range(self.num_envs)]
        self._play_others(self._tables)
        return self._observe()

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the learner's actions, (num_envs,), legal in their games."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[Any, Any, Any, Any]:
        """Plays every game on to the learner's next decision or its end, and restarts the finished ones."""
        for table, action in zip(self._tables, self._actions.tolist(), strict=True):
            entry.step(table.game.board.array, table.game.state, action)
            table.length += 1
        self._play_others(self._tables)
        rewards = np.zeros(self.num_envs, np.float32)
        dones = np.zeros(self.num_envs, bool)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for index, table in enumerate(self._tables):
            rewards[index] = self._reward_of(table)
            dones[index] = table.game.over
        finished = np.flatnonzero(dones).tolist()
        for index in finished:
            infos[index] = self._closing_info(self._tables[index])
            self._tables[index] = self._new_table()
        self._play_others([self._tables[index] for index in finished])
        return self._observe(), rewards, dones, infos

    def _reward_of(self, table: Table) -> float:
        """Returns the learner's reward since its last decision: the shaping term, and the game's reward at its end."""
        game, reward = table.game, 0.0
        if game.over:
            reward = final_rewards(self._rewards[game.num_players], game.scores(), game.num_players)[table.learner]
        if self._shaping is not None:
            after = 0.0 if game.over else self._shaping.potential(game.scores(), table.learner)
            reward += self._shaping.gamma * after - table.potential
            table.potential = after
        table.total_reward += reward
        return reward

    def _closing_info(self, table: Table) -> dict[str, Any]:
        scores = table.game.scores()
        best_other = max(score for seat, score in enumerate(scores) if seat != table.learner)  # or the Opposition's
        winners = table.game.winners()
        last = np.empty(self._size, np.float32)
        observe.observe_features(table.game.board.array, table.game.state, table.learner, last)
        return {
            "terminal_observation": last,
            "episode": {"r": table.total_reward, "l": table.length, "t": round(time.time() - self._start, 3)},
            "game": {
                "players": table.game.num_players,
                "win": 1.0 / len(winners) if table.learner in winners else 0.0,
                "score": scores[table.learner],
                "margin": scores[table.learner] - best_other,
            },
        }

    def _play_others(self, tables: Iterable[Table]) -> None:
        """Lets the other seats of ``tables`` play until the learner is to move or the game is over."""
        active, mix = list(tables), self._mix
        while active and mix is not None:
            waiting: dict[PolicyNetwork, list[Table]] = {}
            for table in active:
                while isinstance(who := table.waits_for(), str):
                    entry.step(table.game.board.array, table.game.state, mix.act(who, table.game))
                if who is not None:
                    waiting.setdefault(who, []).append(table)
            for network, group in waiting.items():
                self._play_batch(mix, network, group)
            active = [table for group in waiting.values() for table in group]

    def _play_batch(self, mix: OpponentMix, network: PolicyNetwork, group: Sequence[Table]) -> None:
        """Makes one decision of ``network`` in every game of ``group``."""
        rows = len(group)
        for row, table in enumerate(group):
            boards, states = table.game.board.array, table.game.state
            observe.observe_features(boards, states, table.game.seat, self._others_observations[row])
            entry.legal(boards, states, self._others_masks[row])
        chosen = mix.snapshots.act(network, self._others_observations[:rows], self._others_masks[:rows])
        for table, action in zip(group, chosen.tolist(), strict=True):
            entry.step(table.game.board.array, table.game.state, action)

    def _observe(self) -> npt.NDArray[np.float32]:
        """Returns fresh observations and refreshes the masks."""
        observations = np.empty((self.num_envs, self._size), np.float32)
        for index, table in enumerate(self._tables):
            boards, states = table.game.board.array, table.game.state
            observe.observe_features(boards, states, table.learner, observations[index])
            entry.legal(boards, states, self._masks[index])
        return observations

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns a fresh (num_envs, actions of the variant) bool array, True = legal."""
        return self._masks != 0

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Serves ``action_masks``, the one method MaskablePPO calls on the single environments."""
        if method_name != "action_masks":
            raise AttributeError(
                f"SelfPlayVecEnv has no method {method_name!r} of single environments: only action_masks"
            )
        masks = self.action_masks()
        return [masks[index] for index in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Tells whether the games offer ``attr_name``."""
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns ``render_mode``, which is None for every game."""
        if attr_name != "render_mode":
            raise AttributeError(f"SelfPlayVecEnv has no attribute {attr_name!r} of single environments")
        return [None for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuses: the games have no attribute to set."""
        raise AttributeError(f"SelfPlayVecEnv has no attribute {attr_name!r} to set")

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Tells for each game that nothing wraps it."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Forgets the games."""
        self._tables = []
