"""Seats: the meaning of their texts, and the names of the players on the page and in records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.registry import player_named
from endeavor_env.basics.version import ENVIRONMENT
from endeavor_env.engine.players_info import HUMAN, LONGEST_NAME, Player, PlayersInfo, is_name, seat_titles, short_name
from endeavor_env.errors import InvalidOptionError, shown

ALONE = "Human"
"""Title of a person without a name who plays against agents only."""
SOLO = "solo"


def is_person(seat: str) -> bool:
    """Return whether a person plays a seat: "human", or "human:" and a name."""
    return seat == HUMAN or seat.startswith(f"{HUMAN}:")


def check_seats(seats: Sequence[str]) -> None:
    """Raise InvalidOptionError unless every person who is given a name has one that can be shown."""
    for seat in filter(is_person, seats):
        name = seat.partition(":")[2]
        if seat != HUMAN and not is_name(name):
            raise InvalidOptionError(
                f"{shown(seat)} cannot be seated: the name of a person has 1 to {LONGEST_NAME} printable characters, "
                f"such as {HUMAN}:Ada"
            )


def name_of(seat: str, seats: Sequence[str], variant: str) -> str | None:
    """Return what whoever plays a seat is called; None for a person who is called by the number of the seat.

    Args:
        seat: "human", "human:<name>" or an agent.
        seats: All seats.
        variant: The variant that is played.
    """
    if not is_person(seat):
        return short_name(seat)
    alone = variant != SOLO and sum(map(is_person, seats)) == 1
    return seat.partition(":")[2] or (ALONE if alone else None)


def played_by(
    game: Any,
    seats: Sequence[str],
    agents: Mapping[int, AgentOf[Any]],
    environment: str | None = ENVIRONMENT,
    named: Callable[[str, str, str | None], Player] = player_named,
) -> PlayersInfo:
    """Return who plays a game from now on, with date and times of a game that goes on.

    A person without a name keeps the one of before.

    Args:
        game: The game, of which the variant has a name.
        seats: "human", "human:<name>" or an agent for each seat.
        agents: The agents, by seat.
        environment: The version of the environment, for records.
        named: Returns the player that an agent is, by its name, the variant, and what it is called.
    """
    before = game.played
    players = []
    for number, seat in enumerate(seats):
        if number in agents:
            players.append(named(seat, game.variant, str(agents[number].name)))
            continue
        known = before.seats[number] if before is not None and seat == HUMAN else Player()
        name = known.name if known.agent in (HUMAN, None) else None
        players.append(Player(name or name_of(seat, seats, game.variant), HUMAN))
    if before is not None:
        return replace(before, seats=tuple(players))
    return PlayersInfo(tuple(players)) if game.history else PlayersInfo.of(players, environment)


def titles_of(seats: Sequence[str], variant: str, played: PlayersInfo | None) -> tuple[str, ...]:
    """Return what the seats of a game are called whose file may not say so."""
    if played is None:
        played = PlayersInfo(tuple(Player(name_of(seat, seats, variant)) for seat in seats))
    return seat_titles(played, len(seats), variant == SOLO)[: len(seats)]
