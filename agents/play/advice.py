"""Advice for the person to move: hints, values of the best moves, and who is ahead."""

from __future__ import annotations

import functools
import threading
from typing import NamedTuple

from endeavor_env.agents.base import ActionValue, ActionValueAgent, Agent
from endeavor_env.agents.players.value_agent import ValueAgent
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.players.value.inputs import MARGIN_WEIGHT, MOST_MARGIN
from endeavor_env.errors import InvalidOptionError

# --- What hints and the bar of who is ahead say ----------------------------------------------------------------------

MOST_HINTS = 3


class Hint(NamedTuple):
    """A recommended move with its evaluation."""

    move: str
    value: float | None
    """Value for the person: share of the win, 0 to 1, plus 0.02 for every Glory of lead; None without an evaluation."""
    value_by: str
    """Name of the agent that evaluated it."""
    share: float | None
    """Weight of the move in the search or policy of the agent that hints, 0 to 1; None if it has none."""


class Evaluation(NamedTuple):
    """The evaluation of a position: who is ahead."""

    values: list[float]
    """(seats) value of each seat by the agent ``value``, in the units of a hint."""
    shares: list[float]
    """Part of the bar for each seat, and for an opponent without a seat; they add up to 1."""


# --- Advice for the person who is asked: the best moves with what each is expected to bring, and who is ahead --------
# Agents that can say what they expect are asked for it. For moves of other agents, and those that an agent has no
# opinion of, the network of ``value`` speaks.

USUAL = "search:ms=500"
"""The default agent for hints: the strongest that answers within a second (docs/log/2026-11-24-hints.md has the
figures)."""
HINTING = (USUAL, "search:sims=100", "value", "lookahead", "policy", "greedy", "automa")
"""Agents for hints that the page offers, the strongest first; the name of any other agent is accepted."""
_LEAST, _MOST = -MARGIN_WEIGHT * MOST_MARGIN, 1.0 + MARGIN_WEIGHT * MOST_MARGIN
"""Values of the worst defeat and of the best win."""
_ONE_AT_A_TIME = threading.Lock()
"""Lock around evaluations: the value player works in scratch memory, and requests are answered in several threads."""


def hints(game: Game, agent: Agent) -> list[Hint]:
    """Return the moves that an agent likes best, at most ``MOST_HINTS``, its choice first.

    Args:
        game: A game that is not over; it stays as it is.
        agent: The agent, which forgets what it knew.

    Raises:
        EndeavorError: The agent does not play this variant.
    """
    agent.reset(0)
    if isinstance(agent, ActionValueAgent):
        expectations = agent.expect(game.clone())
    else:
        expectations = [ActionValue(agent.act(game.clone()), None, None)]
    with _ONE_AT_A_TIME:
        by_value = {one.action: one for one in _valuing().expect(game)}
    named = {one.action for one in expectations}
    best = [*expectations, *(one for action, one in by_value.items() if action not in named)][:MOST_HINTS]
    found = []
    for one in best:
        own = one.value is not None and one.action in named
        value = one.value if own else by_value[one.action].value
        found.append(Hint(game.describe(one.action), _rounded(value), agent.name if own else "value", one.share))
    return found


def standing(game: Game) -> Evaluation:
    """Return who is ahead by ``value``.

    At a table a seat has the part of all expectations that is its own. In the solitaire game half of the bar is an
    even game, and all of it the highest win.

    Raises:
        EndeavorError: The game is over, or no network plays this variant.
    """
    if game.over:
        raise InvalidOptionError("the game is over: nothing is expected any more")
    with _ONE_AT_A_TIME:
        values = _valuing().expect_of_seats(game)
    if len(values) == 1:
        own = min(1.0, max(0.0, (values[0] - _LEAST) / (_MOST - _LEAST)))
        return Evaluation([_rounded(values[0])], [_rounded(own), _rounded(1.0 - own)])
    positive = [max(0.0, value) for value in values]
    total = sum(positive)
    shares = [value / total if total else 1.0 / len(values) for value in positive]
    return Evaluation([_rounded(value) for value in values], [_rounded(share) for share in shares])


@functools.cache
def _valuing() -> ValueAgent:
    """Return the value player that is asked, made when it is first needed."""
    return ValueAgent()


def _rounded(value: float | None) -> float:
    return round(float(value or 0.0), 3)
