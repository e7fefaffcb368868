"""Agents by name, as the command lines take them; the list of names is ``endeavor.players.player_list``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from endeavor_env import Game
from endeavor_env.agents.base import Agent, AgentOf, AnnotatingAgent
from endeavor_env.agents.players.player_agent import make_player_agent
from endeavor_env.basics.files import regular_digest
from endeavor_env.endeavor.notes import Note, notes_field
from endeavor_env.endeavor.players import PLAYERS
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.games import game_of
from endeavor_env.engine.players_info import Player
from endeavor_env.errors import InvalidOptionError, shown

NAMES = PLAYERS.possible_names(as_agent=True)
"""Every form of a name of the package, for help texts."""


def make_agent(name: str) -> Agent:
    """Return a fresh agent.

    Args:
        name: "random"; "greedy", with other weights as in "greedy:disc=0.5,growth=1"; "automa"; "value", or
            "value:<path>" for another network; "checkpoint:<path>", a trained policy, which needs the extra ``train``;
            "policy", the network of the package, or "policy:<path>", that of a file or checkpoint, in the kernels; or
            any other compiled player; "code:<file>" or "process:<command>", a program, which is run. A name that does
            not come from the user of this machine is for ``endeavor_env.endeavor.players.agent_named``.

    Raises:
        InvalidOptionError: No such agent, or settings it does not have.
        CheckpointError: The checkpoint is missing, truncated, edited, or made for other layouts.
    """
    return PLAYERS.agent(name, programs=True)


def agents_for(config: GameConfig, names: Sequence[str]) -> list[AgentOf[Any]]:
    """Return a fresh agent of a game for each name; raise InvalidOptionError for one that the game does not have."""
    make = game_of(config.rules).part("agent", make_player_agent)
    return [make(config.rules, name) for name in names]


def make_endeavor_agent(_rules: GameRules, name: str) -> Agent:
    """Return what ``make_agent`` does, for ``agents_for``."""
    return make_agent(name)


def weights_hash(name: str, variant: str) -> str | None:
    """Return the SHA-256 in hex of the file of the network, or of the program, with which an agent plays a variant.

    Returns:
        64 digits, as ``sha256sum`` prints them; for an agent with several networks those of a text with the digits of
        each in a line of its own. None for agents without one, unknown agents, and files that cannot be read.
    """
    row, settings = PLAYERS.read_name(name) or (None, None)
    if row is None:
        return None
    try:
        digests = [regular_digest(file) for file in row.played_files(settings, variant)]
    except (OSError, ValueError):
        return None
    if len(digests) > 1:
        return hashlib.sha256("".join(f"{digest}\n" for digest in digests).encode()).hexdigest()
    return digests[0] if digests else None


def player_in(config: GameConfig, name: str, called: str | None = None) -> Player:
    """Return who plays a seat of any game, for records; ``called`` is what people call it, by default its name."""
    named = game_of(config.rules).part("player", player_without_files)
    player: Player = named(name, config.variant, called)
    return player


def player_without_files(name: str, variant: str, called: str | None = None) -> Player:
    """Return who plays a seat where nothing is known of the files of agents."""
    return Player.of_agent(name, name=called)


def player_named(name: str, variant: str, called: str | None = None) -> Player:
    """Return who plays a seat, for records.

    Args:
        name: The name that makes the agent.
        variant: The variant that it plays.
        called: What people call it; by default its name without the folders of files.
    """
    return Player.of_agent(name, weights_hash(name, variant), called)


# --- Records with notes: what an agent thinks of every position of a game that was played ----------------------------


def annotating_agent(name: str) -> AnnotatingAgent:
    """Return the agent of a name that can take notes.

    Raises:
        InvalidOptionError: No such agent, or one that only says what it plays.
        CheckpointError: Its network cannot be used.
    """
    agent = make_agent(name)
    if not isinstance(agent, AnnotatingAgent):
        raise InvalidOptionError(
            f"agent {shown(name)} only says what it plays: give search, search:<settings>, policy or policy:<path>.npz"
        )
    agent.reset(0)
    return agent


def annotated_record(game: Game, agent: AnnotatingAgent, done: Callable[[int], None] | None = None) -> dict[str, Any]:
    """Return the record of a game with what an agent thinks of each of its positions in the field ``notes``.

    Args:
        game: The game as far as it has come; it stays as it is.
        agent: As of ``annotating_agent``.
        done: Is called with the number of positions that are done, after each.

    Raises:
        InvalidOptionError: The agent does not play this variant.
    """
    played = game.at_move(0)
    notes: dict[int, Note] = {}
    for number, (_, action) in enumerate(game.history):
        notes[number] = agent.note(played.clone())
        played.apply(action)
        if done is not None:
            done(number + 1)
    if not played.over:
        notes[len(game.history)] = agent.note(played.clone())
    return {**game.record(), "notes": notes_field(agent.name, notes)}
