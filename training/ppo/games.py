"""The games of a run, and the opponents in them: frozen copies of the learner, and compiled players."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from endeavor_env.agents.games import environment_of
from endeavor_env.agents.network import PolicyModule
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.agents.players.policy import logits_of_sb3
from endeavor_env.endeavor.players import RANDOM, agent_named, check_plays, is_player, names, player_of
from endeavor_env.endeavor.players.policy.player import policy_entry, policy_memory
from endeavor_env.endeavor.rewards import MARGIN_SCALE, margin_scale
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.players import FIRST_ENTRY, SEAT_RANDOM, Players
from endeavor_env.engine.kernels.tables import MIX
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.rewards import RewardFunction, Shaping, lead_of
from endeavor_env.engine.seating import BatchOpponent, cumulative_shares, join_players
from endeavor_env.errors import InvalidOptionError
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.training.ppo.settings import PPOSettings

# --- Opponents outside of the kernels ---------------------------------------------------------------------------------

SNAPSHOT = "snapshot"
NEWEST = 0.5
"""Share of the newest copy; the others divide the rest equally."""


class SampledPolicy:
    """A network as an opponent in a batch of games; it samples moves from its probabilities."""

    def __init__(self, network: PolicyModule, generator: torch.Generator) -> None:
        """Wrap a network, which is not copied; ``generator`` gives the samples."""
        self.network = network
        self._generator = generator

    def __call__(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """Return a legal action for each row, (n,), given observations (n, size) and masks (n, actions)."""
        return self.network.act(observations, masks, temperature=1.0, generator=self._generator)


class Snapshots:
    """The last few frozen copies of the learner; before the first copy, an untrained network in its place.

    Attributes:
        policies: The copies, oldest first.
        taken: How many copies were ever added.
    """

    def __init__(self, spec: NetworkSpec, keep: int, generator: torch.Generator) -> None:
        """Make a pool of at most ``keep`` copies, which get their samples from ``generator``."""
        self._spec = spec
        self._keep = keep
        self._generator = generator
        self.taken = 0
        self.policies = [SampledPolicy(PolicyModule(spec), generator)]

    def add(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Add a copy of an SB3 policy's state; drop the oldest copy if the pool is full."""
        network = PolicyModule(self._spec)
        network.load_sb3(weights)
        older = self.policies if self.taken else []
        self.policies = [*older, SampledPolicy(network, self._generator)][-self._keep :]
        self.taken += 1

    def shares(self) -> dict[SampledPolicy, float]:
        """Return the copies with their shares, which add up to 1."""
        *older, newest = self.policies
        if not older:
            return {newest: 1.0}
        return {newest: NEWEST, **dict.fromkeys(older, (1 - NEWEST) / len(older))}


class OpponentPool:
    """The opponents of a run: in every new game, each seat but the learner's draws one of them."""

    def __init__(
        self,
        weights: Sequence[tuple[str, float]],
        snapshots: Snapshots,
        generator: torch.Generator,
        rules: GameRules | None = None,
    ) -> None:
        """Make a pool.

        Args:
            weights: (name, weight) with "snapshot", "random", "greedy", "automa" or "checkpoint:<path>"; weights are
                relative.
            snapshots: The copies of the learner.
            generator: Gives the samples of checkpoints.
            rules: The game on the engine whose compiled players these are; None for Endeavor.

        Raises:
            InvalidOptionError: No opponents, a weight below 0, or a name that cannot play here.
            CheckpointError: A checkpoint that is missing, damaged, or made for other layouts.
        """
        if not any(weight > 0 for _, weight in weights) or any(weight < 0 for _, weight in weights):
            raise InvalidOptionError(
                f"opponents {weights!r} are not possible: give names with weights of at least 0, one of them above 0"
            )
        self._players = [
            (None if name == SNAPSHOT else _player(name, generator, rules), weight)
            for name, weight in weights
            if weight > 0
        ]
        self.snapshots = snapshots

    @property
    def copies(self) -> int:
        """Number of copies of the learner."""
        return len(self.snapshots.policies)

    def opponents(self) -> dict[BatchOpponent, float]:
        """Return the opponents with their weights, in the form that the vector environments take."""
        weights: dict[Any, float] = {}
        for player, weight in self._players:
            shares = {player: 1.0} if player is not None else self.snapshots.shares()
            for one, share in shares.items():
                weights[one] = weights.get(one, 0.0) + weight * share
        return weights

    def add_copy(self, weights: Mapping[str, torch.Tensor], env: EndeavorVecEnv) -> None:
        """Add a copy of the learner to the opponents; it plays in the games of ``env`` that start after this call."""
        self.snapshots.add(weights)
        env.vector_env.set_opponents(self.opponents())


def _player(name: str, generator: torch.Generator, rules: GameRules | None) -> BatchOpponent:
    """Return the opponent of a name other than "snapshot"."""
    if rules is not None:
        if name != RANDOM and rules.players.find(name) is None:
            raise rules.players.unknown("opponent", name, SNAPSHOT)
        return name
    if is_player(name):
        return name
    agent = agent_named(name)
    if not isinstance(agent, LearnedAgent) or agent.variant != STANDARD:
        raise InvalidOptionError(
            f"opponent {name!r} cannot play in training: possible are {SNAPSHOT}, {', '.join(names())}, and "
            "checkpoint:<path> of a policy for the standard game"
        )
    return SampledPolicy(agent.network, generator)


# --- Opponents inside the kernels -------------------------------------------------------------------------------------

COPY_TEMPERATURE = 0.5
"""Of the copies' choices: between their most likely moves, which are stronger, and those that the learner draws."""


class KernelOpponentPool:
    """The opponents of a run whose rollouts are played inside the kernels.

    A copy of the learner that makes room for a newer one is replaced in games under way, too.

    Attributes:
        copies: How many copies of the learner play.
    """

    def __init__(self, settings: PPOSettings) -> None:
        """Make the opponents of a run, which has one copy of the learner at least before it begins.

        Raises:
            InvalidOptionError: A name of no compiled player, or one that does not play the variant.
            CheckpointError: The file of a player's network cannot be used.
        """
        self._variant, self._actions = c.VARIANT_NAMES.index(settings.variant), num_actions(settings.variant)
        self._keep = settings.snapshots
        self._weights = {name: weight for name, weight in settings.opponents if weight > 0}
        self._addresses: dict[int, int] = {}
        self._memories: dict[int, npt.NDArray[np.uint8]] = {}
        self._named: dict[str, int] = {RANDOM: SEAT_RANDOM}
        for name in self._weights:
            if name not in (SNAPSHOT, RANDOM):
                self._seat(name, FIRST_ENTRY + self._keep + len(self._named) - 1, settings.variant)
        self._taken = 0

    def _seat(self, name: str, code: int, variant: str) -> None:
        """Give a named player a code."""
        player = player_of(name)
        check_plays(name, variant)
        self._named[name] = code
        self._addresses[code], self._memories[code] = entry_address(player.entry), player.memory(self._actions)

    @property
    def copies(self) -> int:
        """Number of copies of the learner."""
        return min(self._taken, self._keep)

    def add_copy(self, weights: Mapping[str, torch.Tensor], env: EndeavorVecEnv) -> None:
        """Add a copy of the learner; the oldest makes room. ``env`` does not matter."""
        code = FIRST_ENTRY + self._taken % self._keep
        self._addresses[code] = entry_address(policy_entry)
        self._memories[code] = policy_memory({self._variant: logits_of_sb3(weights)}, COPY_TEMPERATURE)
        self._taken += 1

    def opponents(self) -> npt.NDArray[np.void]:
        """Return the opponents that new games draw from, (M,) MIX; none in the solitaire game."""
        shares: dict[int, float] = {}
        for name, weight in self._weights.items():
            if name == SNAPSHOT:
                shares |= {code: weight * share for code, share in self._copy_shares().items()}
            else:
                shares[self._named[name]] = weight
        drawn = np.zeros(len(shares), MIX)
        if shares:
            drawn["policy"], drawn["until"] = list(shares), cumulative_shares(list(shares.values()))
        return drawn

    def _copy_shares(self) -> dict[int, float]:
        """Return the codes of the copies with their shares, which add up to 1."""
        newest = FIRST_ENTRY + (self._taken - 1) % self._keep
        older = [FIRST_ENTRY + place for place in range(self.copies) if FIRST_ENTRY + place != newest]
        if not older:
            return {newest: 1.0}
        return {newest: NEWEST, **dict.fromkeys(older, (1 - NEWEST) / len(older))}

    def players(self) -> Players:
        """Return the players of one thread, with memory of its own."""
        return join_players(self._addresses, self._memories)


# --- The environment --------------------------------------------------------------------------------------------------


def make_pool(settings: PPOSettings, seed: int) -> OpponentPool | KernelOpponentPool | None:
    """Return the opponents of a run, whose samples depend on ``seed``; None in the solitaire game, which has none."""
    if settings.in_kernels:
        return KernelOpponentPool(settings)
    if settings.variant == SOLO:
        return None
    generator = torch.Generator().manual_seed(seed)
    copies = Snapshots(settings.network, settings.snapshots, generator)
    return OpponentPool(settings.opponents, copies, generator, _rules_of(settings))


def _rules_of(settings: PPOSettings) -> GameRules | None:
    """Return the game of a run; None for Endeavor."""
    return next((config.rules for config in settings.other_games()), None)


def _final_reward(settings: PPOSettings) -> str | RewardFunction:
    """Return the reward of a run. "margin" has no limits here, and one scale: a learner with masks forfeits nothing.

    Measured on the solitaire game, preset ``quick``: with the limits and half the scale it ends ten Glory lower.
    """
    if settings.reward != "margin":
        return settings.reward
    if (rules := _rules_of(settings)) is not None:
        return functools.partial(_leads, scale=rules.scale.margin)
    return _solo_lead if settings.variant == SOLO else _leads


def _leads(scores: Sequence[int], scale: float = MARGIN_SCALE) -> list[float]:
    """Return the lead of each seat over the best other, 1 for ``scale`` points."""
    return [lead_of(scores, seat) / scale for seat in range(len(scores))]


def _solo_lead(scores: Sequence[int]) -> list[float]:
    """Return the lead over the Opposition, 1 for MARGIN_SCALE Glory."""
    return _leads(scores)[:1]


def make_env(settings: PPOSettings, pool: OpponentPool | KernelOpponentPool | None) -> EndeavorVecEnv:
    """Return the games of a run, with the opponents of ``pool``; None for the solitaire game.

    Where rollouts are played inside the kernels, these games only tell Stable-Baselines3 their number and spaces.
    """
    if isinstance(pool, KernelOpponentPool):
        return EndeavorVecEnv(environment_of(settings.variant), settings.num_envs)
    others = settings.other_games()  # whose rewards both measure leads by a scale of their own
    weight = settings.shaping_weight * (1.0 if others else margin_scale(settings.variant) / MARGIN_SCALE)
    options: dict[str, Any] = {
        "game_choice": "draw",
        "reward": _final_reward(settings),
        "shaping": Shaping(settings.gamma, weight) if weight > 0 else None,
        "illegal_action": "raise",  # the masks rule it out
        "threads": settings.threads,
    }
    if pool is None:
        return EndeavorVecEnv("EndeavorSolo-v0", settings.num_envs, difficulty=settings.difficulties, **options)
    options |= {"learner_seat": "rotate", "opponents": pool.opponents()}
    if others:
        return EndeavorVecEnv(others, settings.num_envs, **options)
    games = [{"players": players} for players in settings.players]
    return EndeavorVecEnv("Endeavor-v0", settings.num_envs, games=games, **options)


def check_games(settings: PPOSettings) -> None:
    """Raise InvalidOptionError or CheckpointError unless the games of a run can be made, with its opponents."""
    make_env(settings, make_pool(settings, settings.seed)).close()
