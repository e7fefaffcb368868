"""Games that an agent lost by a fault of its program, which those of ``endeavor_env.agents.own_process`` can.

From the first fault of a game on a random player plays the seat to the end, so that the others' game stays a game. The
game counts as lost: its score is ``LOST``, the last place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

Kind = Literal["illegal", "error", "timeout", "garbled", "died"]
LOST = 0
"""The score of a game that was forfeited."""


class Fault(NamedTuple):
    """The reason why an agent did not make a move."""

    kind: Kind
    decision: int
    """Number of moves made before it."""
    text: str
    """Description of the fault, one sentence."""
    traceback: str
    """Traceback of the program, or the last lines that it wrote to stderr; may be empty."""


class Forfeit(NamedTuple):
    """A game of a match that an agent lost by a fault."""

    setup: int
    """Number of the set-up."""
    game: int
    """Number of the game of this set-up: at a table the seating, alone the agent and the difficulty."""
    agent: int
    """Number of the agent."""
    fault: Fault
    """The fault that lost it."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {"setup": self.setup, "game": self.game, "agent": self.agent, **self.fault._asdict()}

    @classmethod
    def from_dict(cls, value: Any) -> Forfeit:
        """Return what ``to_dict`` returned; raise KeyError or TypeError for anything else."""
        numbers = [value[name] for name in ("setup", "game", "agent", "decision")]
        texts = [value[name] for name in ("kind", "text", "traceback")]
        if not all(type(one) is int and one >= 0 for one in numbers) or not all(type(one) is str for one in texts):
            raise TypeError("a forfeit has numbers and texts")
        setup, game, agent, decision = numbers
        return cls(setup, game, agent, Fault(texts[0], decision, texts[1], texts[2]))


@runtime_checkable
class Faulting(Protocol):
    """An agent that can lose a game by a fault."""

    fault: Fault | None
    """The fault in the current game, None if there was none; ``reset`` clears it."""


def fault_of(agent: object) -> Fault | None:
    """Return the fault with which an agent lost the game that it played last; None for most."""
    return agent.fault if isinstance(agent, Faulting) else None


def forfeits_of(setup: int, game: int, agents: Iterable[tuple[int, object]]) -> list[Forfeit]:
    """Return who lost a game by a fault, given the agents that played it with their numbers."""
    found = ((number, fault_of(agent)) for number, agent in agents)
    return [Forfeit(setup, game, number, fault) for number, fault in found if fault is not None]


def forfeits_in_words(forfeits: Sequence[Forfeit], names: Sequence[str]) -> list[str]:
    """Return a line for each agent that lost games by faults, and the first error of each."""
    lines = []
    for number, name in enumerate(names):
        own = [one.fault for one in forfeits if one.agent == number]
        if own:
            kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(fault.kind for fault in own).most_common())
            lines.append(f"{name} forfeited {len(own)} game{'s' * (len(own) > 1)} ({kinds}); first: {own[0].text}")
            lines += [f"    {line}" for line in own[0].traceback.rstrip().splitlines()]
    return lines
