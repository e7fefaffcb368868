"""The beginning of a run: existing networks, and games from which the others learn before the first iteration."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.learning.searched_games import DECISION, RECORDS_ENDS, TURN_END
from endeavor_env.endeavor.players import check_plays, is_player
from endeavor_env.endeavor.players.network_file import (
    POLICY_FILE,
    PUBLISHED_POLICIES,
    VALUE_FILE,
    VALUE_NETWORKS,
    PolicyNetwork,
    num_values,
    published_network,
    published_policy,
    read_policy_network,
)
from endeavor_env.endeavor.players.value.player import Exploration, NetworkArrays, value_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.network import MAX_SECOND
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.az.games import Searched, play_searches
from endeavor_env.training.az.settings import PUBLISHED, SCRATCH, AZSettings
from endeavor_env.training.clone.demonstrations import CHUNK, TEACHER, DemonstrationBatch, teach
from endeavor_env.training.td.games import SeatedPlayer, fixtures_of

EXPLORES = Exploration(temperature=0.02, share=0.02)
"""Exploration of a published value network in the games of the warm-up."""
MORE_UNITS = 32
"""Units that the second layer of a value network gets for the values of the other seats."""
OFF_THE_WAY = 0.02
"""Share of random moves in the games of a teacher."""


class Beginning(NamedTuple):
    """The networks and games that a run begins with."""

    value: NetworkArrays | None
    """The value network; None for a fresh one."""
    policy: PolicyNetwork | None
    """The policy; None for a fresh one."""
    teacher: str
    """The compiled player whose choices a fresh policy learns, "" for none."""


def read_beginning(settings: AZSettings) -> Beginning:
    """Return what a run begins with.

    Raises:
        InvalidOptionError: ``begin_with`` names nothing that plays the game of the run.
        CheckpointError: A network is missing, unreadable, cut off or edited.
    """
    name = settings.begin_with
    if name == SCRATCH:
        return Beginning(None, None, "")
    if name == PUBLISHED:
        has_policy = settings.variant in PUBLISHED_POLICIES
        policy = published_policy(settings.variant) if has_policy else None
        return Beginning(published_network(settings.game).arrays, policy, "" if has_policy else "value")
    folder = Path(name)
    if folder.is_dir():
        value, policy = VALUE_NETWORKS.read(folder / VALUE_FILE), read_policy_network(folder / POLICY_FILE)
        if not set(settings.variants) <= set(value.variants) or policy.variant != settings.variant:
            raise InvalidOptionError(f"the networks in {name} do not play {', '.join(settings.variants)}")
        return Beginning(value.arrays, policy, "")
    if not is_player(name):
        raise InvalidOptionError(
            f"a run cannot begin with {shown(name)}: give published, scratch, the folder of a run, or a compiled player"
        )
    for variant in settings.variants:
        check_plays(name, variant)
    return Beginning(None, None, name)


def with_widths_of(settings: AZSettings, beginning: Beginning) -> AZSettings:
    """Return settings with the widths of the networks that a run begins with.

    A value network that lacks values of other seats gets units in its second layer to learn them with.
    """
    if beginning.value is not None:
        first, second = beginning.value.second.shape
        more = 0 if has_all_values(beginning, num_values(settings.variants)) else MORE_UNITS
        settings = settings.replace(first_width=first, second_width=min(second + more, MAX_SECOND))
    if beginning.policy is not None:
        first, second = beginning.policy.logits.second.shape
        settings = settings.replace(trunk=(first,), head=(second,))
    return settings


def has_all_values(beginning: Beginning, values: int) -> bool:
    """Return whether the value network to begin with has a value for each seat."""
    return beginning.value is not None and beginning.value.last.shape[1] == values


def warm_up_games(board: Board, settings: AZSettings, beginning: Beginning) -> list[Searched]:
    """Play the games of the warm-up; nothing to choose is recorded if the policy needs no teacher."""
    rng = np.random.default_rng([settings.seed, 0, 0])
    kinds = rng.integers(len(settings.tables), size=settings.warm_up_games)
    seeds = rng.integers(1 << 53, size=settings.warm_up_games)
    codes = np.full((settings.warm_up_games, c.MAX_SEATS), TEACHER)
    fixtures = fixtures_of(settings.tables, kinds, seeds, codes)
    seated = {TEACHER: SeatedPlayer(beginning.teacher or "value", None, RECORDS_ENDS)}
    if beginning.value is not None:
        variants = [c.VARIANT_NAMES.index(variant) for variant in settings.variants]
        memory = value_memory(dict.fromkeys(variants, beginning.value), EXPLORES)
        seated = {TEACHER: SeatedPlayer("value", memory, RECORDS_ENDS)}
    chunks = [fixtures[low : low + CHUNK] for low in range(0, fixtures.size, CHUNK)]
    with ThreadPoolExecutor(settings.workers or None) as pool:
        played = list(pool.map(lambda chunk: play_searches(board, chunk, seated), chunks))
        if beginning.teacher:
            taught = {TEACHER: SeatedPlayer(beginning.teacher)}
            played += map(_as_searched, pool.map(lambda chunk: teach(board, chunk, taught, OFF_THE_WAY), chunks))
    return played


def _as_searched(taught: DemonstrationBatch) -> Searched:
    """Return a teacher's choices as decisions whose one option has the whole probability."""
    count = taught.choices.size
    decisions, outcomes = np.zeros(count, DECISION), np.zeros((count, c.MAX_SEATS))
    decisions["fixture"], decisions["seat"], decisions["options"] = np.arange(count), taught.states["seat"], 1
    decisions["actions"][:, 0], decisions["shares"][:, 0] = taught.choices["action"], 1.0
    outcomes[np.arange(count), taught.states["seat"]] = taught.choices["outcome"]
    nothing: npt.NDArray[np.int64] = np.zeros((0, c.MAX_SEATS), np.int64)
    return Searched(taught.states, decisions, np.zeros(0, STATE), np.zeros(0, TURN_END), nothing, outcomes, 0, 0, 0.0)
