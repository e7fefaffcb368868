"""Who played a game: names, agents, versions, the date, and the time for each move; and what a seat is called.

A record may carry it in its field ``played``::

    {"seats": [{"name": "Ada", "agent": "human", "weights": null}, {"name": "value", "agent": "value", "weights": ...}],
     "versions": {"endeavor-env": "0.1.0", "environment": "Endeavor-v0"}, "date": "2026-03-01T20:15:00Z",
     "seconds": [4.2, 0.013, null]}

``seats`` has an entry for each seat, the other fields may be missing. ``weights`` are the first digits of the SHA-256
of the file of a network. ``seconds`` has a number for each move, or null where nobody measured; it may end early.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from endeavor_env.basics.inputs import listed, plain_text, real_number
from endeavor_env.basics.version import ENVIRONMENT, VERSION
from endeavor_env.errors import InvalidOptionError, RecordError, shown

HUMAN = "human"
"""Value of ``agent`` for a person."""
LONGEST_NAME = 40
"""Characters of a name."""
LONGEST_AGENT = 400
"""Characters of the text that makes an agent, which can hold a path."""
MOST_VERSIONS = 8
DIGITS = 16
"""Digits of the hash of weights that are written; readers take 12 to 64."""
DATE = "%Y-%m-%dT%H:%M:%SZ"
"""The date and time of day, UTC, as ``strftime`` writes it."""
_WEIGHTS = re.compile(r"[0-9a-f]{12,64}")
_NO_NAMES = re.compile(r"Seat \d|Player|Opposition")
_SEAT_FIELDS = ("name", "agent", "weights")
_FIELDS = ("seats", "versions", "date", "seconds")


class Player(NamedTuple):
    """Who played a seat."""

    name: str | None = None
    """Name for people; None leaves it to the number of the seat."""
    agent: str | None = None
    """The text that makes the agent, as ``endeavor_env.agents.registry`` reads it, or "human"; None if nobody said."""
    weights: str | None = None
    """The first digits of the SHA-256 of the network it plays with; None if it has none."""

    @classmethod
    def of_agent(cls, agent: str, weights: str | None = None, name: str | None = None) -> Player:
        """Return an agent as a player.

        Args:
            agent: The text that makes it; left out if it is too long or cannot be printed.
            weights: The SHA-256 of its network, all digits or the first.
            name: What it is called; by default the text without the folders of its files.
        """
        made_from = agent if _is_text(agent, LONGEST_AGENT) else None
        return cls(
            short_name(agent if name is None else name), made_from, None if weights is None else weights[:DIGITS]
        )


@dataclass(frozen=True)
class PlayersInfo:
    """Who played a game, with what, when, and how long each move took."""

    seats: tuple[Player, ...]
    """One for each seat."""
    versions: tuple[tuple[str, str], ...] = ()
    """Names and versions of what was played with."""
    date: str | None = None
    """Start of the game, in the form of DATE."""
    seconds: tuple[float | None, ...] = ()
    """The time for each move, None where nobody measured; moves behind the last one were not measured either."""

    @classmethod
    def of(cls, seats: Sequence[str | Player | None], environment: str | None = ENVIRONMENT) -> PlayersInfo:
        """Return who plays a game that begins now, with this version of the package.

        Args:
            seats: For each seat a name, a ``Player``, or None.
            environment: The version of the rules; None for a game that has none.

        Raises:
            InvalidOptionError: No list of these, or a name that is too long or cannot be printed.
        """
        several = listed(seats)
        if several is None or not all(isinstance(one, str | Player | None) for one in several):
            raise InvalidOptionError(f"seats={shown(seats)} are not possible: give a name, a Player or None for each")
        players = tuple(one if isinstance(one, Player) else Player(one) for one in several)
        played = cls(players, _versions_now(environment), datetime.now(UTC).strftime(DATE))
        fault = _fault(played.to_dict())
        if fault:
            raise InvalidOptionError(f"who plays is not possible: {fault}")
        return played

    @classmethod
    def from_dict(cls, field: object, seats: int, moves: int) -> PlayersInfo:
        """Return what the field of a record says; ``to_dict`` is the inverse.

        Args:
            field: The field ``played``.
            seats: The number of seats of the record's game.
            moves: The number of moves of the record.

        Raises:
            RecordError: The field has another form, or does not fit the game.
        """
        fault = _fault(field)
        if fault:
            raise RecordError(f"the record's field played is wrong: {fault}")
        assert isinstance(field, Mapping)
        players = tuple(Player(*(seat.get(name) for name in _SEAT_FIELDS)) for seat in field["seats"])
        seconds = tuple(None if one is None else float(one) for one in field.get("seconds", ()))
        if len(players) != seats:
            raise RecordError(f"the record's field played names {len(players)} seats, and its game has {seats}")
        if len(seconds) > moves:
            raise RecordError(f"the record's field played times {len(seconds)} moves, and {moves} were made")
        return cls(players, tuple(field.get("versions", {}).items()), field.get("date"), seconds)

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is known as plain JSON values."""
        field: dict[str, Any] = {"seats": [seat._asdict() for seat in self.seats]}
        if self.versions:
            field["versions"] = dict(self.versions)
        if self.date is not None:
            field["date"] = self.date
        if self.seconds:
            field["seconds"] = list(self.seconds)
        return field

    def until(self, moves: int) -> PlayersInfo:
        """Return the same for the game after so many moves: later times are left out."""
        return self if len(self.seconds) <= moves else replace(self, seconds=self.seconds[:moves])

    def timed(self, move: int, *seconds: float | None) -> PlayersInfo:
        """Return the same with the times for moves from number ``move`` on, in the place of others from there on."""
        before = self.seconds[:move]
        unknown = (None,) * (move - len(before))
        return replace(self, seconds=(*before, *unknown, *(None if one is None else round(one, 6) for one in seconds)))


def _versions_now(environment: str | None) -> tuple[tuple[str, str], ...]:
    """Return the version of the package and that of the rules, which the name of the environment carries."""
    package = ("endeavor-env", VERSION)
    return (package,) if environment is None else (package, ("environment", environment))


# --- what seats are called -------------------------------------------------------------------------------------------
def played_of(game: object) -> PlayersInfo | None:
    """Return who played a game; None if it does not say so."""
    played = getattr(game, "played", None)
    return played if isinstance(played, PlayersInfo) else None


def agents_of(game: Any) -> list[str]:
    """Return who plays each seat of a game: the name, else the text that makes the agent, "" if nobody said."""
    played = played_of(game)
    return [""] * game.num_players if played is None else [one.name or one.agent or "" for one in played.seats]


def seat_titles(played: PlayersInfo | None, seats: int, solo: bool = False) -> tuple[str, ...]:
    """Return what everybody who has a mat is called wherever people read it: seats, in ``solo`` the Opposition as well.

    A seat without a name is called by its number, which its discs carry; a second "greedy" is "greedy#2".

    Args:
        played: Who played; None if nobody knows.
        seats: The number of seats.
        solo: Whether it is the solitaire game.
    """
    names = [seat.name for seat in played.seats] if played is not None else [None] * seats
    titles = [name or ("Player" if solo else f"Seat {seat}") for seat, name in enumerate(names)]
    return tuple(unique_names([*titles, "Opposition"] if solo else titles))


def in_sentence(title: str) -> str:
    """Return a title as it stands inside a sentence: "seat 0" and "the player"; names stay as they are."""
    if is_named(title):
        return title
    return "the player" if title == "Player" else title.lower() if title.startswith("Seat") else title


def is_named(title: str) -> bool:
    """Return whether a title of ``seat_titles`` is a name that somebody gave."""
    return not _NO_NAMES.fullmatch(title)


def unique_names(names: Sequence[str]) -> list[str]:
    """Return the names with #2, #3, ... added to repeated ones."""
    met: Counter[str] = Counter()
    unique = []
    for name in names:
        met[name] += 1
        unique.append(name if met[name] == 1 else f"{name}#{met[name]}")
    return unique


def short_name(agent: str) -> str:
    """Return the name of an agent for people: the text that makes it, without the folders of its files, cut short."""
    name = re.sub(r"(^|[:=])[^:=]*[/\\]", r"\1", agent)
    name = "".join(sign if sign.isprintable() else "?" for sign in name).strip() or "agent"
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def in_words(played: PlayersInfo, solo: bool = False) -> list[str]:
    """Return who played with what, when, with which versions and how long they thought, a line for each."""
    titles = seat_titles(played, len(played.seats), solo)
    lines = [_player_in_words(title, player) for title, player in zip(titles, played.seats, strict=False)]
    if played.date is not None:
        lines.append(f"{played.date[:10]}, {played.date[11:16]} UTC")
    lines += [f"{name} {version}" if name != "environment" else version for name, version in played.versions]
    measured = [one for one in played.seconds if one is not None]
    if measured:
        lines.append(f"{len(measured)} moves in {sum(measured):,.1f} seconds of thought")
    return lines


def _player_in_words(title: str, player: Player) -> str:
    """Return what a seat is called and what plays it."""
    plays = {None: "", HUMAN: "a person"}.get(player.agent, player.agent or "")
    said = [
        plays if plays != re.sub(r"#\d+$", "", title) else "",
        f"weights {player.weights}" if player.weights else "",
    ]
    played = ", ".join(filter(None, said))
    return f"{title}: {played}" if played else title


# --- checks ----------------------------------------------------------------------------------------------------------
def _fault(field: object) -> str | None:
    """Return what is wrong with the field of a record, by itself; None if nothing is."""
    if not isinstance(field, Mapping):
        return f"{shown(field)} is no object"
    unknown = [key for key in field if plain_text(key) not in _FIELDS]
    if unknown:
        return f"it has an unknown field {shown(unknown[0])}; known are {', '.join(_FIELDS)}"
    seats = field.get("seats")
    if not isinstance(seats, list):
        return f"seats {shown(seats)} must be a list with an object for each seat"
    faults = [_fault_of_seat(number, seat) for number, seat in enumerate(seats)]
    faults += [_fault_of_versions(field.get("versions", {})), _fault_of_date(field), _fault_of_seconds(field)]
    return next(filter(None, faults), None)


def _fault_of_seat(number: int, seat: object) -> str | None:
    if not isinstance(seat, Mapping) or any(plain_text(key) not in _SEAT_FIELDS for key in seat):
        return f"seat {number} is {shown(seat)}; it must be an object with some of {', '.join(_SEAT_FIELDS)}"
    name, agent, weights = (seat.get(one) for one in _SEAT_FIELDS)
    if name is not None and not is_name(name):
        return f"seat {number} has the name {shown(name)}; give 1 to {LONGEST_NAME} printable characters or null"
    if agent is not None and not _is_text(agent, LONGEST_AGENT):
        return f"seat {number} has the agent {shown(agent)}; give 1 to {LONGEST_AGENT} printable characters or null"
    if weights is not None and not (isinstance(weights, str) and _WEIGHTS.fullmatch(weights)):
        return f"seat {number} has the weights {shown(weights)}; give 12 to 64 hexadecimal digits or null"
    return None


def _fault_of_versions(versions: object) -> str | None:
    texts = [one for pair in versions.items() for one in pair] if isinstance(versions, Mapping) else [None]
    if len(texts) <= 2 * MOST_VERSIONS and all(_is_text(one, LONGEST_NAME) for one in texts):
        return None
    return f"versions {shown(versions)} must be an object of at most {MOST_VERSIONS} names, each with a version"


def _fault_of_date(field: Mapping[Any, Any]) -> str | None:
    date = field.get("date")
    if "date" not in field or (isinstance(date, str) and _is_date(date)):
        return None
    return f"date {shown(date)} must be a time of UTC such as 2026-03-01T20:15:00Z"


def _is_date(text: str) -> bool:
    try:
        return datetime.strptime(text, DATE).strftime(DATE) == text
    except ValueError:
        return False


def _fault_of_seconds(field: Mapping[Any, Any]) -> str | None:
    seconds = field.get("seconds", [])
    if not isinstance(seconds, list):
        return f"seconds {shown(seconds)} must be a list with a number for each move"
    numbers = ((one, real_number(one)) for one in seconds if one is not None)
    wrong = [one for one, number in numbers if number is None or number < 0.0]
    return f"seconds have {shown(wrong[0])}; each must be a finite number from 0 on or null" if wrong else None


def is_name(value: object) -> bool:
    """Return whether a value is a name that a seat can have."""
    return _is_text(value, LONGEST_NAME)


def _is_text(value: object, longest: int) -> bool:
    """Return whether a value is a printable text of at most so many characters, without spaces around it."""
    return isinstance(value, str) and 0 < len(value) <= longest and value.isprintable() and value == value.strip()
