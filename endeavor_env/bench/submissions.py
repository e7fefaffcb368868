"""Submissions: an agent by its text, its hash, and the hidden players."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from endeavor_env.agents.base import Agent
from endeavor_env.agents.registry import make_agent, weights_hash
from endeavor_env.basics.files import parse_toml, read_json_object, read_regular, regular_digest
from endeavor_env.basics.inputs import whole_number
from endeavor_env.bench.version import Task
from endeavor_env.endeavor.players import PLAYERS
from endeavor_env.endeavor.players.network_file import package_names
from endeavor_env.engine.game import game_for
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown

# --- The hidden players: files that only the maintainers have, recognised by the hashes in the tasks -----------------

FILES = {"hidden-1": ("value:", "{variant}_1.npz"), "hidden-2": ("search:sims=4,network=", "{variant}_2.npz")}
"""Name of each hidden player: its beginning, and the file in the maintainers' folder that completes it."""


def hidden_players(folder: Path | None, tasks: Iterable[Task]) -> dict[tuple[str, str], str]:
    """Return the names of the hidden players of some tasks, by variant and field; none without a folder.

    Raises:
        InvalidOptionError: A file is missing, or is another than the task says.
    """
    if folder is not None and not folder.is_dir():
        raise InvalidOptionError(f"{folder} of the hidden players cannot be read: it is no folder")
    found: dict[tuple[str, str], str] = {}
    for task in tasks if folder is not None else ():
        for field in task.fields:
            if field.hidden and folder is not None:
                begins, name = FILES[field.name]
                file = folder / name.format(variant=task.config.variant)
                _check(file, field.weights, field.name)
                found[task.config.variant, field.name] = f"{begins}{file}"
    return found


def _check(file: Path, expected: str, field: str) -> None:
    """Raise InvalidOptionError unless a file is the one with this hash."""
    try:
        hashed = regular_digest(file)
    except ValueError as error:
        raise InvalidOptionError(f"{file} of {field} {error}") from error
    if hashed != expected:
        raise InvalidOptionError(f"{file} is not {field} of version 1: it has another hash")


# --- What is submitted -----------------------------------------------------------------------------------------------
# An agent by its text, the hash of what it is made of, and what its authors say about it.

TRAINING_TRACKS = ("none", "cpu-10min", "decisions-1m", "open")
LANGUAGE = "language"
PLAY_TRACKS = ("forward", "50ms", "1s", LANGUAGE)
_CLASS = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
"""A module and what makes an agent in it."""
_TEXTS = ("name", "method", "authors", "notes")
_TRAINING = {"track": str, "seed": int, "cpu_seconds": float, "decisions": int, "command": str, "teachers": str}
MOST_TEXT = 2000
MOST_BYTES = 1 << 16
"""Size limit of a TOML file; four texts fit in."""


@dataclass(frozen=True)
class About:
    """The authors' description of a submission."""

    name: str
    """Name of the submission in tables."""
    method: str
    """Method, the same for rows that differ only in the seed of their training."""
    authors: str = ""
    notes: str = ""
    training: Mapping[str, Any] | None = None
    """"track", and as far as known "seed", "cpu_seconds", "decisions", "command" and "teachers"."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values, in a fixed order."""
        told = self.training or {}
        training = {key: told.get(key) for key in _TRAINING}
        training["track"] = told.get("track", "none")
        return {**{key: getattr(self, key) for key in _TEXTS}, "training": training}


def read_about(file: Path | None, agent: str) -> About:
    """Return what a TOML or JSON file says about a submission; without a file, its agent's text is its name.

    Raises:
        InvalidOptionError: The file cannot be read, or says something else than ``About`` holds.
    """
    if file is None:
        return About(agent, agent)
    return about_of({"name": agent, **_read(file)}, str(file))


def track_of(row: Mapping[str, Any]) -> str:
    """Return the training track of a row: "open" for a named agent with a network, where nobody said how it learned.

    Such a row says "none", what a submission has that names no track.
    """
    track = str(row["training"]["track"])
    has_network = any(row["hashes"].values()) and PLAYERS.read_name(row["agent"]) is not None
    return "open" if track == "none" and has_network else track


def _read(file: Path) -> dict[str, Any]:
    if file.suffix == ".json":
        return read_json_object(file, "file", InvalidOptionError)
    try:
        content = read_regular(file, MOST_BYTES)
    except ValueError as error:
        raise InvalidOptionError(f"{file} {error}") from error
    try:
        return parse_toml(content)
    except ValueError as error:
        raise InvalidOptionError(f"{file} cannot be read: {error}") from error


def about_of(data: object, source: str) -> About:
    """Return what a mapping says about a submission; raise InvalidOptionError for anything that ``About`` lacks."""
    if not isinstance(data, Mapping):
        raise InvalidOptionError(f"{source} says {shown(data)} about the submission: give an object")
    unknown = sorted(set(data) - {*_TEXTS, "training"})
    if unknown:
        raise InvalidOptionError(f"{source} says {shown(unknown[0])}: possible are {', '.join((*_TEXTS, 'training'))}")
    for key in _TEXTS:
        if not _is(str, data.get(key, "")):
            raise InvalidOptionError(f"{source} has {key} {shown(data[key])}: give at most {MOST_TEXT} characters")
        if not _can_be_printed(data.get(key, ""), several_lines=key == "notes"):
            raise InvalidOptionError(f"{source} has {key} {shown(data[key])}: give only characters that can be printed")
    training = data.get("training")
    if training is not None:
        _check_training(training, source)
    name = data.get("name") or "?"
    return About(name, data.get("method") or name, data.get("authors", ""), data.get("notes", ""), training)


def _check_training(training: object, source: str) -> None:
    """Raise InvalidOptionError unless a mapping says how something was trained."""
    if not isinstance(training, Mapping) or training.get("track") not in TRAINING_TRACKS:
        raise InvalidOptionError(f"{source} needs a training track: give one of {', '.join(TRAINING_TRACKS)}")
    for key, value in training.items():
        kind = _TRAINING.get(key)
        if kind is None:
            raise InvalidOptionError(f"{source} says training.{key}: possible are {', '.join(_TRAINING)}")
        if value is not None and not _is(kind, value):
            raise InvalidOptionError(f"{source} has training.{key} {shown(value)}: give a {kind.__name__}")


def _can_be_printed(text: str, *, several_lines: bool) -> bool:
    """Return whether a text, from whomever it is, leaves terminals and tables as they are."""
    return all(character.isprintable() or (several_lines and character in "\n\t") for character in text)


def _is(kind: type, value: object) -> bool:
    """Return whether a value is a text, or a number of at least 0, of this kind."""
    if kind is str:
        return isinstance(value, str) and len(value) <= MOST_TEXT
    if kind is int:
        number = whole_number(value)
        return number is not None and number >= 0
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def make_submitted(text: str) -> Agent:
    """Return a fresh agent of a submission.

    Args:
        text: A name that the arena takes, or "package.module:Class", which is imported, and called without arguments.

    Raises:
        InvalidOptionError: No such agent, or what is made is none.
        CheckpointError: The file of a network cannot be used.
    """
    made = _class_of(text)
    if made is None:
        return make_agent(text)
    agent = made()
    if not isinstance(agent, Agent) or isinstance(agent, type):
        raise InvalidOptionError(f"{shown(text)} makes no agent: it needs name, reset(seed) and act(game)")
    return agent


def _class_of(text: str) -> Callable[[], Any] | None:
    """Return what a text "module:Class" names; None for a name of the arena."""
    if PLAYERS.read_name(text) is not None or not _CLASS.fullmatch(text):
        return None
    module, _, name = text.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise InvalidOptionError(f"agent {shown(text)} cannot be imported: {error}") from error


def runs_code(text: str) -> bool:
    """Return whether to make an agent is to run code from outside of the package: a program, or a class."""
    read = PLAYERS.read_name(text)
    return bool(_CLASS.fullmatch(text)) if read is None else read[0].runs_programs


def submission_hash(text: str, variant: str) -> str | None:
    """Return the SHA-256 in hex of an agent's network, or of the file of its class; None if it has none."""
    made = _class_of(text)
    if made is None:
        return weights_hash(text, variant)
    try:
        return regular_digest(inspect.getfile(made))
    except (OSError, TypeError, ValueError):
        return None


def agent_of_hash(text: str, variant: str, expected: str | None) -> str:
    """Return the text of an agent that is made of what has a hash: the one given, or with a network of the package.

    A newer network of the package takes the place of an older one, which stays in it under the name of its file.

    Args:
        text: The agent, "value" or "search:sims=15".
        variant: What it plays.
        expected: What ``submission_hash`` once returned.

    Returns:
        ``text`` as it is where nothing has that hash, or where it names a class, of which nothing is imported.
    """
    if PLAYERS.read_name(text) is None or submission_hash(text, variant) == expected:
        return text
    texts = [
        form.format(text, name) for name in package_names() for form in ("{}:{}", "{},network={}", "{}:network={}")
    ]
    return next((one for one in texts if submission_hash(one, variant) == expected), text)


def check_plays(text: str, configs: Mapping[str, Any]) -> None:
    """Raise InvalidOptionError unless an agent makes a first move in the game of each task."""
    agent = make_submitted(text)
    for task, config in configs.items():
        agent.reset(0)
        try:
            agent.act(game_for(agent, config.new_game(seed=0)))
        except EndeavorError as error:
            raise InvalidOptionError(f"agent {shown(text)} does not play {task}: {error}") from error
