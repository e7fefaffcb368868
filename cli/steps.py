"""Which positions of a game are shown: one for each round, each turn or each move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from endeavor_env.endeavor.game import Game
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.engine.game import RailsGame
from endeavor_env.errors import InvalidOptionError, shown

G = TypeVar("G", bound=BaseGame)

EVERY = ("round", "turn", "move")


def check_every(every: str) -> None:
    """Raise InvalidOptionError unless ``every`` is one of EVERY."""
    if every not in EVERY:
        raise InvalidOptionError(f"every={shown(every)} is not possible: give one of {', '.join(EVERY)}")


def moment(game: Game | RailsGame, every: str) -> tuple[object, ...]:
    """Return what stays the same until the next position is to be shown."""
    if isinstance(game, RailsGame) and every != "move":
        return game.rules.faces.period_of(game), game.over
    if isinstance(game, RailsGame):
        return (len(game.history),)
    if every == "round":
        return game.round, game.over
    if every == "turn":
        return game.round, game.phase, game.seat
    return (len(game.history),)


def shown_moves(game: Game | RailsGame, every: str) -> list[int]:
    """Return after how many moves the positions to be shown stand: 0, those that begin a step, and the last one."""
    played, numbers = game.at_move(0), [0]
    before = moment(played, every)
    for number, (_, action) in enumerate(game.history, start=1):
        played.apply(action, draws=False)
        now = moment(played, every)
        if now != before or number == len(game.history):
            numbers.append(number)
        before = now
    return numbers


def from_first_disc(game: Game, numbers: list[int]) -> list[int]:
    """Return those of the numbers from the first on whose position has a disc on the map; the last one if none has."""
    for index, position in enumerate(positions(game, numbers)):
        state = position.state[0]
        if (state.city_owner >= 0).any() or (state.track_owner >= 0).any():
            return numbers[index:]
    return numbers[-1:]


def positions(game: G, numbers: list[int]) -> Iterator[G]:
    """Yield one game object, played on to each of these numbers of moves; they ascend."""
    played, done = game.at_move(0), 0
    for number in numbers:
        for _, action in game.history[done:number]:
            played.apply(action, draws=False)
        done = number
        yield played
