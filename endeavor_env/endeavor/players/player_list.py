"""The players and agents of Endeavor, a row for each name; a new compiled player is a row here.

Agents stand above this package, so rows name them as text, and they are imported when one is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from endeavor_env.endeavor.players.advised.player import advised_entry, read_advised_name
from endeavor_env.endeavor.players.automa.player import automa_entry
from endeavor_env.endeavor.players.greedy.player import greedy_entry, greedy_memory
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS, read_weights
from endeavor_env.endeavor.players.network_file import (
    PUBLISHED_POLICIES,
    VALUE_NETWORKS,
    checkpoint_files,
    in_games_of,
    is_checkpoint,
    named_files,
    named_network_files,
    played_networks,
    policy_files,
    published_networks,
    published_policy,
    published_policy_file,
    published_value_file,
    read_policy_network,
    split_network,
)
from endeavor_env.endeavor.players.policy.player import policy_entry, policy_memory
from endeavor_env.endeavor.players.program_name import CODE, PROCESS, code_files, command_files
from endeavor_env.endeavor.players.search.lookahead import lookahead_entry, lookahead_memory
from endeavor_env.endeavor.players.search.player import search_entry
from endeavor_env.endeavor.players.search.settings import read_search_name, uses_policy
from endeavor_env.endeavor.players.value.player import value_entry, value_memory
from endeavor_env.engine.players import RANDOM, Made, PlayerRow, imported, needs_nothing, refuse_random
from endeavor_env.errors import InvalidOptionError, shown


def _one_network(
    files: Callable[[str], Sequence[Path]], published: Callable[[str], Path | None]
) -> Callable[[str | None, str], Sequence[Path]]:
    """Return what finds the network of settings, the first of their files, or that of the package for a variant."""

    def found(settings: str | None, variant: str) -> Sequence[Path]:
        if settings:
            return files(settings)[:1]
        file = published(variant)
        return () if file is None else (file,)

    return found


def _greedy(settings: str | None) -> Made:
    """Return a greedy player, with the weights that ``settings`` names."""
    weights = WEIGHTS if settings is None else WEIGHTS.changed(read_weights(settings, f"greedy:{settings}"))
    return Made(lambda num_actions: greedy_memory(num_actions, weights))


def _value(path: str | None) -> Made:
    """Return a value player with the network of a file, or with those of the package."""
    networks = published_networks() if path is None else [VALUE_NETWORKS.read(path)]
    by_variant = {variant: network.arrays for network in networks for variant in network.variants}
    return Made(lambda num_actions: value_memory(in_games_of(num_actions, by_variant)), tuple(by_variant))


def _policy(path: str | None) -> Made:
    """Return a player that always makes the most likely move of a policy network of a file, or of those of the package.

    Only the network of a checkpoint needs PyTorch.
    """
    if path is not None and is_checkpoint(path):
        arrays, variant = imported(
            "endeavor_env.agents.players.policy:read_policy", f"player {shown(f'policy:{path}')}"
        )(path)
        by_variant = {variant: arrays}
    else:
        networks = map(published_policy, PUBLISHED_POLICIES) if path is None else [read_policy_network(path)]
        by_variant = {network.variant: network.logits for network in networks}
    return Made(lambda num_actions: policy_memory(in_games_of(num_actions, by_variant)), tuple(by_variant))


def _advised(settings: str | None) -> Made:
    """Return an advised player with these settings."""
    read = read_advised_name(settings or "")
    return Made(read.memory, read.variants)


def _search(settings: str | None) -> Made:
    """Return a search player with these settings."""
    read = read_search_name(settings or "")
    if read.milliseconds is not None:
        name = shown(f"search:{settings}")
        raise InvalidOptionError(f"player {name} is possible as an agent only: give sims instead of ms")
    return Made(read.memory, read.variants)


_WEIGHTS, _NETWORK = "<weight>=<number>,...", "<path of a network>"


def _names_network(settings: str) -> bool:
    """Return whether settings name a network."""
    return split_network(settings)[1]


ROWS = (
    PlayerRow(RANDOM, None, refuse_random, agent="endeavor_env.agents.players.compiled:RandomAgent"),
    PlayerRow("greedy", greedy_entry, _greedy, _WEIGHTS, agent="endeavor_env.agents.players.compiled:greedy_agent"),
    PlayerRow("automa", automa_entry, needs_nothing, agent="endeavor_env.agents.players.automa:AutomaAgent"),
    PlayerRow("lookahead", lookahead_entry, lambda _: Made(lookahead_memory)),
    PlayerRow(
        *("value", value_entry, _value, _NETWORK),
        files=named_network_files,
        names_files=bool,
        networks=_one_network(named_network_files, published_value_file),
        agent="endeavor_env.agents.players.value_agent:ValueAgent",
    ),
    PlayerRow(
        *("advised", advised_entry, _advised, "weight=<number>"),
        files=named_files,
        names_files=_names_network,
        networks=lambda settings, variant: played_networks(settings, variant, policy=True),
        agent="endeavor_env.agents.players.value_agent:advised_agent",
    ),
    PlayerRow(
        *("policy", policy_entry, _policy, _NETWORK),
        files=policy_files,
        names_files=bool,
        networks=_one_network(policy_files, published_policy_file),
        agent="endeavor_env.agents.players.policy_agent:policy_agent",
    ),
    PlayerRow(
        *("search", search_entry, _search, "sims=<number>,..."),
        agent_settings="ms=<number>,...",
        files=named_files,
        names_files=_names_network,
        networks=lambda settings, variant: played_networks(settings, variant, uses_policy(settings)),
        agent="endeavor_env.agents.players.search:SearchAgent",
    ),
    PlayerRow(
        "checkpoint",
        agent_settings="<path>",
        plain=False,
        files=checkpoint_files,
        names_files=bool,
        agent="endeavor_env.agents.players.learned:LearnedAgent",
    ),
    PlayerRow(
        CODE,
        agent_settings="<file>",
        plain=False,
        files=code_files,
        names_files=bool,
        agent="endeavor_env.agents.own_process.agent:code_agent",
        runs_programs=True,
    ),
    PlayerRow(
        PROCESS,
        agent_settings="<command>",
        plain=False,
        files=command_files,
        names_files=bool,
        agent="endeavor_env.agents.own_process.agent:process_agent",
        runs_programs=True,
    ),
)
"""The rows, by which the list is made when a name is first looked up."""
