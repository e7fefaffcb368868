"""The other seats of Gymnasium environments: compiled players, agent objects or plain functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, SupportsIndex, runtime_checkable

from endeavor_env.basics.inputs import derived_seed, listed, plain_text, whole_number
from endeavor_env.engine.game import GameConfig, game_for
from endeavor_env.engine.players import RANDOM as RANDOM
from endeavor_env.envs.table import Observation, Table
from endeavor_env.errors import IllegalActionError, InvalidOptionError, shown


@runtime_checkable
class ActingAgent(Protocol):
    """An agent object: it gets a copy of the game as its seat knows it (``game_for``), which it may change and keep."""

    def act(self, game: Any) -> SupportsIndex:
        """Return a legal action id of the seat to move."""
        ...


ObservingFunction = Callable[[Observation], SupportsIndex]
"""A function from the observation of the seat to move to a legal action id.

It gets a dictionary with the vector and the mask, also where the learner's observations are ``flat``.
"""

Opponent = str | ActingAgent | ObservingFunction
"""Player of another seat: the name of a compiled player, an agent object or a function."""

_OTHERS = (
    "an object with act(game), as endeavor_env.agents.registry.make_agent makes one of any name",
    "a function from a dictionary of observation and mask to an action id",
)
"""Players besides compiled ones, for messages."""


def _can_act(opponent: object) -> bool:
    """Return whether an opponent without a name is an object or a function that can play."""
    return callable(getattr(opponent, "act", opponent)) and not isinstance(opponent, type)


def check_opponents(opponents: Opponent | Sequence[Opponent], config: GameConfig) -> list[Opponent]:
    """Return the opponents at distance 1, 2, ... from the learner in playing order.

    Args:
        opponents: One for all other seats, or a list of one for each.
        config: What is played.

    Raises:
        InvalidOptionError: Something that cannot play there, or a list of another length.
        CheckpointError: The file of an opponent's network cannot be used.
    """
    players = config.players
    several = None if isinstance(opponents, ActingAgent) else listed(opponents)  # an agent may be a sequence, too
    others: list[Any] = [opponents] * (players - 1) if several is None else several
    if len(others) != players - 1:
        raise InvalidOptionError(
            f"opponents has {len(others)} entries: with {players} players give one, or a list of {players - 1}"
        )
    for opponent in others:
        if isinstance(opponent, str) or not _can_act(opponent):
            config.rules.players.check("opponent", opponent, (config.variant,), _OTHERS)
    return [plain_text(other) or other for other in others]


def opponent_action(opponent: Opponent, table: Table) -> int:
    """Return the action of ``opponent``, an object or a function, which is to move and gets copies of everything.

    Raises:
        IllegalActionError: It chose something that is not legal.
    """
    if isinstance(opponent, ActingAgent):
        action: Any = opponent.act(game_for(opponent, table.game))
    else:
        assert not isinstance(opponent, str)
        action = opponent(table.decision())
    number = whole_number(action)
    if number is None or not 0 <= number < table.mask.size or not table.mask[number]:
        raise IllegalActionError(f"opponent {shown(opponent)} in seat {table.seat} chose badly: {table.refuse(action)}")
    return number


def reset_opponents(opponents: Sequence[Opponent], seed: int) -> None:
    """Call ``reset`` of every opponent that has it, each object once, with a seed of its own derived from ``seed``."""
    done: list[Opponent] = []
    for distance, opponent in enumerate(opponents):
        reset = getattr(opponent, "reset", None)
        if callable(reset) and not any(opponent is other for other in done):
            reset(derived_seed(seed, distance))
        done.append(opponent)
