"""What is still to be done in a game: decisions, draws of chance, and deeds that nobody decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame

CHANCE = "chance"


class Do:
    """A deed that is done as soon as it is on top of the agenda."""

    def __init__(self, deed: Callable[..., None], *given: Any) -> None:
        """Take a function that gets the game and what is given."""
        self.deed, self.given = deed, given

    def run(self, game: ReferenceGame) -> None:
        """Do it."""
        self.deed(game, *self.given)


@dataclass(frozen=True)
class Decision:
    """A decision of one seat; subclasses say what is legal and what follows. It leaves the agenda when it is played."""

    seat: int

    def legal(self, game: ReferenceGame) -> list[str]:
        """Return the legal moves in the order of their action ids; nothing is asked without any."""
        raise NotImplementedError

    def play(self, game: ReferenceGame, verb: str, words: list[str]) -> None:
        """Carry out a legal move, given as its verb and what stands behind it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Draw:
    """A draw of chance (K13): a weight for each outcome, and what the outcome does.

    Attributes:
        weigh: Gives the weights by outcome, in order; those of 0 are no outcomes.
        settle: Gets the game, what stands behind the verb of the outcome, and what is given.
        seers: The seats that see the outcome; None for all (K14).
    """

    weigh: Callable[[ReferenceGame], dict[str, int]]
    settle: Callable[..., None]
    given: tuple[Any, ...] = ()
    seers: frozenset[int] | None = None

    def weights(self, game: ReferenceGame) -> dict[str, int]:
        """Return the weight of each outcome that can be drawn."""
        return {outcome: weight for outcome, weight in self.weigh(game).items() if weight > 0}
