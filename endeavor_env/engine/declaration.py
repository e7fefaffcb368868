"""GameDeclaration: a game as the list of games knows it, and what every part of the package asks of it.

A declaration is loaded when the list is read, which ``import gymnasium`` does, so its module imports nothing heavy: the
rules and whatever needs them are imported inside the methods.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from endeavor_env.errors import InvalidOptionError, shown

if TYPE_CHECKING:
    from pathlib import Path

    from endeavor_env.engine.game import GameConfig
    from endeavor_env.engine.game_rules import GameRules
    from endeavor_env.engine.presenter import Presenter


_DIGITS = re.compile("[0-9]{1,9}")


class OfferedOption(NamedTuple):
    """An option of a game, for people."""

    name: str
    title: str
    meaning: str
    values: Sequence[tuple[Any, str]]
    """The values with their titles, the default first."""


class OfferedVariant(NamedTuple):
    """A variant of a game, for people."""

    name: str
    title: str
    about: str
    least: int
    """Fewest seats."""
    most: int
    """Most seats."""
    options: Sequence[OfferedOption] = ()


class DeclaredEnvironment(NamedTuple):
    """The environments of some variants of a game."""

    id: str
    """Id for Gymnasium, with a version, such as "Merchants-v0"."""
    entry_point: str | None = None
    """Maker of the environment, as "module:attribute"; None for the one of any game."""
    vector_entry_point: str | None = None
    """Maker of the vector environment, likewise."""
    variants: tuple[str, ...] | None = None
    """Variants that it plays; None for all that no other environment of the game names."""


class DeclaredAgentsEnvironment(NamedTuple):
    """The PettingZoo environments of a game."""

    id: str
    """Id for PettingZoo, such as "endeavor/merchants-v0"."""
    entry_point: str | None = None
    """Maker of the AEC environment, as "module:attribute"; None for the one of any game."""
    parallel_entry_point: str | None = None
    """Maker of the parallel environment, likewise."""


class GameDeclaration:
    """A game, declared by an entry point of the group ``endeavor_env.games``.

    A subclass has at least ``name``, ``title``, ``variants`` and ``rules``. What a game does otherwise than the engine
    would do it, its declaration overrides.
    """

    name: str
    """Name of the game and of its ``GameRules``, with which texts of it begin: "merchants:players=3"."""
    title: str
    """Name of the game for people."""
    variants: Sequence[OfferedVariant]
    """Variants in the order in which they are offered; no two games have a variant of the same name."""
    environments: Sequence[DeclaredEnvironment] = ()
    """Environments for Gymnasium."""
    agents_environment: DeclaredAgentsEnvironment | None = None
    """Environments for PettingZoo; None for none."""
    agents: Sequence[tuple[str, str]] = (("random", "takes any legal move"),)
    """Agents that are suggested, each with a description."""
    rival: str = "random"
    """Agent in the seats for which nobody is named."""
    hinting: Sequence[str] = ("tree:sims=200", "random")
    """Agents for hints, the default first."""
    presets: Mapping[str, Mapping[str, Mapping[str, Any]]] = {}
    """Values of settings by trainer and preset."""
    own: Mapping[str, str] = {}
    """Classes and functions of the game, as "module:attribute", by what they do.

    In place of those for any game: "agent" and "player" (``agents.registry``), "page" (``agents.play.tables``), "view"
    (``cli.views``), "frames" (``web.frames``). With none for any game: "values" (``training.td.adapter``).
    """
    policies_in_kernels: bool = False
    """True if kernels compute its policies: rollouts in them, policies to begin with, and matches between agents."""
    notes: bool = False
    """True if agents can annotate its positions, for ``--notes-by``."""

    # --- the rules ---------------------------------------------------------------------------------------------------
    @property
    def rules(self) -> GameRules:
        """The game as the engine plays it, on its usual board."""
        raise NotImplementedError(f"the declaration of {self.name!r} has no rules")

    @property
    def presenter(self) -> Presenter:
        """How positions and moves are shown to people."""
        return self.rules.presenter

    def part(self, name: str, usual: Any = None) -> Any:
        """Return the class or function of ``own`` with this name, loaded now; ``usual`` if the game has none."""
        return loaded(self.own[name]) if name in self.own else usual

    # --- what is played ----------------------------------------------------------------------------------------------
    def begins(self, head: str) -> bool:
        """Return whether texts of this game begin with ``head``, up to the colon."""
        return head == self.name

    def text(self, variant: str, options: str = "") -> str:
        """Return the text of a variant, with options as "name=value" separated by commas."""
        return ",".join(part for part in (f"{self.name}:variant={variant}", options) if part)

    def parse(self, text: str, besides: Mapping[str, str]) -> GameConfig:
        """Return what is played as a text such as "toy:players=3" says.

        Args:
            text: The name of the game, and after a colon values as name=value, separated by commas: ``variant``,
                ``players``, ``board`` and options.
            besides: Values for what the text leaves open, by name.

        Raises:
            EndeavorError: It is not possible, or a name has two values.
        """
        values: dict[str, str] = {}
        for part in filter(None, text.partition(":")[2].split(",")):
            name, equals, value = part.partition("=")
            if not equals or name in values:
                raise InvalidOptionError(f"{shown(part)} in {shown(text)} is not possible: give name=value, each once")
            values[name] = value
        for name, value in besides.items():
            if values.setdefault(name, value) != value:
                raise InvalidOptionError(f"{name} is given twice: give it once")
        variant, board = values.pop("variant", None), values.pop("board", None)
        options: dict[str, Any] = {name: int(one) if _DIGITS.fullmatch(one) else one for name, one in values.items()}
        return self.configure(variant, options.pop("players", None), board, options)

    def configure(
        self, variant: str | None, players: int | None, board: str | None, options: Mapping[str, Any]
    ) -> GameConfig:
        """Return what is played.

        Args:
            variant: Name of the variant; None for the first, or for that of the board.
            players: Number of seats; None for the usual one.
            board: Name of the board, or path of its file; None for the usual one.
            options: Values of options by name.

        Raises:
            EndeavorError: It is not possible.
        """
        from endeavor_env.engine.game import GameConfig

        given = [*options, *(() if board is None else ("board",))]
        if given:
            raise InvalidOptionError(f"{shown(given[0])} is not possible: {self.title} has neither options nor boards")
        return GameConfig(self.rules, players, variant)

    def what_is_played(self, config: Any) -> dict[str, Any]:
        """Return what is played as files of results have it, but for the number of seats."""
        return {name: value for name, value in config.to_dict().items() if name != "players"}

    def named_parts(self, config: Any) -> dict[str, Any]:
        """Return what is played as cards of datasets have it, with the hash of the board, and options by name."""
        named: dict[str, Any] = config.with_names()
        return named

    def headline(self, config: Any) -> str:
        """Return what a headline says after "games"."""
        return f" of {self.title}, {config.variant}, {config.players} seats"

    def headline_parts(self, config: Any) -> tuple[str, str]:
        """Return the same for several numbers of seats: what stands after "games", and after the number of seats."""
        return f" of {self.title}, {config.variant},", ""

    def rounds(self, config: Any) -> int:
        """Return the number of rounds after which scores are compared; 1 for the end alone."""
        return 1

    def round_of(self, game: Any) -> int:
        """Return the round in which a game stands, at most ``rounds``."""
        return 1

    # --- records -----------------------------------------------------------------------------------------------------
    def is_record(self, record: Mapping[str, Any]) -> bool:
        """Return whether the fields of a record are of this game."""
        from endeavor_env.engine.game import FORMAT

        return record.get("format") == FORMAT and record.get("game") == self.name

    def variant_of(self, record: Mapping[str, Any]) -> str:
        """Return the variant of a record."""
        variant: str = record["variant"]
        return variant

    def replay(self, source: str | Path | Mapping[str, Any], board: Any = None) -> Any:
        """Return the game of a record, given as its path or its fields.

        Args:
            source: The record.
            board: What ``kept_board`` returned, or the name or path of a board; None for the one that the record names.

        Raises:
            RecordError: The record cannot be read or replayed.
            EndeavorError: The board cannot be used.
        """
        from endeavor_env.engine.records import plain_form, replay

        if board is not None:
            raise InvalidOptionError(f"board={shown(board)} is not possible: {self.title} has no boards")
        return replay(source, plain_form(self.rules))

    def kept_board(self, game: Any) -> Any:
        """Return what must be kept of the board besides a record, as JSON takes it; None for nothing."""
        return None

    # --- networks and environments -----------------------------------------------------------------------------------
    def actions_hash(self, variant: str) -> str:
        """Return the hash of the action ids of a variant, 16 hexadecimal digits."""
        import hashlib

        rules = self.rules
        seats = rules.variants[variant][0]
        texts = (rules.words.text(action, 0, seats) or "" for action in range(rules.num_actions(variant)))
        return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]

    def environment_of(self, variant: str) -> str | None:
        """Return the Gymnasium id of the environment that plays a variant; None for none."""
        found = [one for one in self.environments if one.variants is not None and variant in one.variants]
        found += [one for one in self.environments if one.variants is None]
        return found[0].id if found else None

    def environment_in_records(self, variant: str) -> str | None:
        """Return the id of the environment whose version of the rules records of a variant name; None for none."""
        return self.environment_of(variant)

    def environment_options(self, played: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the arguments with which the environment plays what ``named_parts`` returned, besides those of seats.

        None if it cannot.
        """
        return None

    # --- people ------------------------------------------------------------------------------------------------------
    def how_to_play(self) -> str | None:
        """Return a page that teaches the game, as HTML; None for none."""
        return None


def loaded(place: str) -> Any:
    """Return what "module:attribute" names, or the module of a name without an attribute."""
    name, _, attribute = place.partition(":")
    module = importlib.import_module(name)
    return getattr(module, attribute) if attribute else module
