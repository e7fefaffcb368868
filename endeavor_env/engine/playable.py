"""Playable: a game on the engine as pages, commands and trainers know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from endeavor_env.engine.faces import Faces
from endeavor_env.engine.game import RailsConfig, RailsGame


class OfferedOption(NamedTuple):
    """An option of a game, for people."""

    name: str
    title: str
    meaning: str
    values: Sequence[tuple[Any, str]]
    """The values with what they are called, the usual one first."""


class OfferedVariant(NamedTuple):
    """A variant of a game, for people."""

    name: str
    title: str
    about: str
    least: int
    """Seats."""
    most: int
    options: Sequence[OfferedOption] = ()


@dataclass(frozen=True)
class Playable:
    """What pages, commands and trainers ask of a game, besides its rules.

    Attributes:
        name: How commands and pages name the game.
        faces: What people see of it.
        variants: What can be chosen.
        agents: The players that are suggested, each with a few words about it.
        rival: Who plays the seats of which nobody says who plays them.
        hinting: The agents for hints, the usual one first.
        environment: The name and version of the environment, for records.
        parse: Returns what is played as a text such as "<name>:players=3" says: takes the text, and values for what it
            leaves open, by name. It raises EndeavorError for what is not possible, and for a name with two values.
        configure: Returns what is played: takes a variant, the number of seats, the name of a board or None, and
            options by name. It raises EndeavorError for what is not possible.
        is_record: Returns whether the fields of a record are of this game.
        variant_of: Returns the variant of a record.
        replay: Returns the game of a record, with the board that ``kept_board`` returned, or None.
        kept_board: Returns what must be kept of the board besides a record, as JSON takes it; None for nothing.
        board_given: Returns the same of a board by its name or the path of its file; it raises EndeavorError for none.
        actions_hash: Returns the hash of the action ids of a variant, by its name.
        how_to_play: A page that tells the game, as HTML; None without one.
        environment_options: Returns the arguments with which the environment plays what ``RailsConfig.with_names``
            returned, besides those of seats; None if it cannot.
        presets: What presets of trainers have for the game, by the name of the trainer and that of the preset.
    """

    name: str
    faces: Faces
    variants: Sequence[OfferedVariant]
    agents: Sequence[tuple[str, str]]
    rival: str
    hinting: Sequence[str]
    environment: str | None
    parse: Callable[[str, Mapping[str, str]], RailsConfig]
    configure: Callable[[str, int | None, str | None, Mapping[str, Any]], RailsConfig]
    is_record: Callable[[Mapping[str, Any]], bool]
    variant_of: Callable[[Mapping[str, Any]], str]
    replay: Callable[[Mapping[str, Any], Any], RailsGame]
    kept_board: Callable[[RailsGame], Any]
    board_given: Callable[[str], Any]
    actions_hash: Callable[[str], str]
    how_to_play: Callable[[], str] | None = None
    environment_options: Callable[[Mapping[str, Any]], Mapping[str, Any] | None] = lambda _: None
    presets: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
