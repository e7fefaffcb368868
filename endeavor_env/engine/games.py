"""The list of games: what the entry points of the group ``endeavor_env.games`` declare.

The two games of this package are found in the same way as those of any other: its ``pyproject.toml`` names a
``GameDeclaration`` for each. The list is read when it is first asked for; it imports declarations and no rules.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from endeavor_env.engine.declaration import GameDeclaration, OfferedVariant, loaded
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown

if TYPE_CHECKING:
    from endeavor_env.engine.game_rules import GameRules

GROUP = "endeavor_env.games"
"""Group of the entry points."""
DEFAULT = "endeavor"
"""The game of commands, texts and records that name none."""


class GameListError(EndeavorError):
    """A game that cannot be listed."""


class Entry(NamedTuple):
    """An entry point of a game."""

    name: str
    value: str
    """Its declaration, as "module:attribute"."""
    package: str
    """The distribution that has it."""


class GameList(NamedTuple):
    """The games by name, and why others are not among them."""

    games: Mapping[str, GameDeclaration]
    faults: tuple[str, ...]
    """A sentence for each entry point that cannot be used."""


@functools.cache
def read_list() -> GameList:
    """Return the games that are installed, read once; nothing is raised for faults."""
    found: dict[str, GameDeclaration] = {}
    faults: list[str] = []
    taken: dict[str, str] = {}
    for entry in sorted(entries_in(sys.path), key=lambda one: (one.name != DEFAULT, one.name)):
        game = _load(entry)
        fault = game if isinstance(game, str) else _clash(game, entry, taken)
        if fault is not None:
            faults.append(fault)
        elif isinstance(game, GameDeclaration):
            found[game.name] = game
            taken |= dict.fromkeys((game.name, *(variant.name for variant in game.variants)), game.name)
    if DEFAULT not in found and not faults:
        faults.append(
            "no games are listed, because endeavor-env was installed before it had a list of games: install it again, "
            "with pip install -e . in a checkout"
        )
    return GameList(found, tuple(faults))


def entries_in(places: Iterable[str]) -> list[Entry]:
    """Return the entry points of games of the packages that are installed in these folders.

    Of a package that is there twice the first counts. This reads the files that ``importlib.metadata.entry_points``
    reads, in 3 ms where that takes 75 with its own import, and ``import gymnasium`` waits for it.
    """
    seen: set[str] = set()
    entries: list[Entry] = []
    for place in places:
        for folder in _metadata_folders(place or os.curdir):
            package = os.path.basename(folder).partition("-")[0].removesuffix(".egg")
            normal = package.lower().replace("-", "_").replace(".", "_")
            if normal not in seen:
                seen.add(normal)
                entries += [Entry(name, value, package) for name, value in _entries_of(folder)]
    return entries


def _metadata_folders(place: str) -> list[str]:
    """Return the folders with the metadata of packages in a folder; none if it cannot be read."""
    try:
        with os.scandir(place) as found:
            return sorted(one.path for one in found if one.name.endswith((".dist-info", ".egg-info")))
    except OSError:  # such as a zip
        return []


def _entries_of(folder: str) -> Iterator[tuple[str, str]]:
    """Yield name and value of the entry points of games that the metadata of a package name."""
    try:
        with open(os.path.join(folder, "entry_points.txt"), encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return
    section = ""
    for line in text.splitlines() if f"[{GROUP}]" in text else ():
        name, equals, value = (part.strip() for part in line.partition("="))
        if name.startswith("["):
            section = name
        elif equals and section == f"[{GROUP}]":
            yield name, value


def _load(entry: Entry) -> GameDeclaration | str:
    """Return the declaration that an entry point names, or why it cannot be loaded."""
    where = f"the game {entry.name!r} of {entry.package}"
    try:
        game = loaded(entry.value)
    except (ImportError, AttributeError, SyntaxError) as error:
        return f"{where} cannot be loaded from {entry.value}: {error}"
    if not isinstance(game, GameDeclaration):
        return f"{where} is {shown(game)}: its entry point must name a GameDeclaration"
    if game.name != entry.name:
        return f"{where} is declared with the name {game.name!r}: both names must be the same"
    return game


def _clash(game: GameDeclaration, entry: Entry, taken: Mapping[str, str]) -> str | None:
    """Return why a game cannot be listed beside those by whose names and variants ``taken`` has their games."""
    if taken.get(game.name) == game.name:
        return f"two games have the name {game.name!r}, one of them from {entry.package}: uninstall one of them"
    for name in (game.name, *(variant.name for variant in game.variants)):
        if name in taken:
            return (
                f"the game {game.name!r} of {entry.package} has the name {name!r} for itself or a variant, which "
                f"{taken[name]!r} has as well: rename it, or uninstall one of them"
            )
    return None


def games() -> Mapping[str, GameDeclaration]:
    """Return the games by name, the default first; raise GameListError if one that is installed cannot be listed."""
    found = read_list()
    if found.faults:
        raise GameListError(found.faults[0])
    return found.games


def game_named(name: str) -> GameDeclaration:
    """Return the game of a name; raise InvalidOptionError if there is none."""
    found = games().get(name)
    if found is None:
        raise InvalidOptionError(f"game {shown(name)} is unknown: possible are {', '.join(games())}")
    return found


def default_game() -> GameDeclaration:
    """Return the game that is meant where none is named."""
    return games()[DEFAULT]


def named_games() -> dict[str, GameDeclaration]:
    """Return the games that texts of ``--game`` must name: all but the default.

    Help texts are made of it when a command is imported, so nothing is raised for games that cannot be listed.
    """
    return {name: game for name, game in read_list().games.items() if name != DEFAULT}


def known_variants() -> tuple[str, ...]:
    """Return the names of the variants of all games."""
    return tuple(variant.name for game in games().values() for variant in game.variants)


def game_of_variant(variant: str) -> GameDeclaration:
    """Return the game that has a variant; raise InvalidOptionError if none has it."""
    for game in games().values():
        if any(one.name == variant for one in game.variants):
            return game
    raise InvalidOptionError(f"variant {shown(variant)} is unknown: possible are {', '.join(known_variants())}")


def game_in(text: str | None) -> GameDeclaration:
    """Return the game with whose name or variant a text begins, up to its colon; the default if it is none's."""
    head = "" if text is None else text.partition(":")[0]
    return next((game for game in games().values() if game.begins(head)), default_game())


def game_of(rules: GameRules) -> GameDeclaration:
    """Return the declaration of the game that is played; a plain one for rules that are not listed."""
    return games().get(rules.name) or UnlistedGame(rules)


def declaration_of(game: Any) -> GameDeclaration:
    """Return the declaration of a ``Game`` of any rules."""
    return game_of(game.config.rules)


def game_of_record(fields: Mapping[str, Any]) -> GameDeclaration:
    """Return the game of a record by its fields: the default, which says what is wrong with it, if it is none's."""
    known = fields if isinstance(fields, Mapping) else {}
    return next((game for game in games().values() if game.is_record(known)), default_game())


def names_in_words(names: Iterable[str]) -> str:
    """Return names as "a, b or c"; of none "no game"."""
    *others, last = [*names] or ["no game"]
    return f"{', '.join(others)} or {last}" if others else last


class UnlistedGame(GameDeclaration):
    """A game of which there are rules alone, as in a test or a notebook."""

    def __init__(self, rules: GameRules) -> None:
        """Take the rules."""
        self._rules, self.name, self.title = rules, rules.name, rules.presenter.title
        self.variants = [OfferedVariant(name, name, "", *seats) for name, seats in rules.variants.items()]

    @property
    def rules(self) -> GameRules:
        """The game as the engine plays it."""
        return self._rules
