"""One game that is played twice, by the reference and by the kernels; at every node both must agree."""

from __future__ import annotations

from collections import Counter

from tests.merchants.crosscheck.kernels import KernelGame
from tests.merchants.reference.game import ReferenceGame
from tests.merchants.reference.map import Map
from tests.merchants.reference.table import Table


class Twins:
    """A game of the reference, ``plain``, and the same game of the kernels, ``fast``."""

    def __init__(
        self,
        board: Map,
        players: int,
        start: str | None = None,
        trade: str = "offers",
        max_rolls: int = 300,
        met: Counter[str] | None = None,
    ) -> None:
        """Begin both."""
        self.plain = ReferenceGame(board, players, start, trade, max_rolls, met)
        self.fast = KernelGame(board, players, self.plain.start, trade, max_rolls)
        self.compare()

    def compare(self) -> None:
        """Assert that both games agree on who is to move, what is legal, the scores and the end."""
        ours, theirs = facts(self.plain), facts(self.fast)
        assert ours == theirs, (
            f"move {len(self.plain.moves)} after {self.plain.moves[-6:]}: the rules say "
            f"{_unlike(ours, theirs)}, the kernels {_unlike(theirs, ours)}"
        )

    def play(self, move: str) -> None:
        """Make a move in both games and compare them."""
        self.plain.play(move)
        self.fast.play(move)
        self.compare()

    @property
    def map(self) -> Map:
        """The board."""
        return self.plain.map

    @property
    def table(self) -> Table:
        """What lies on the table of the reference."""
        return self.plain.table

    @property
    def seat(self) -> int | str | None:
        """The seat to move, "chance", or None when the game is over."""
        return self.plain.seat

    def legal(self) -> list[str]:
        """Return the legal moves or the outcomes of chance."""
        return self.plain.legal()


def facts(game: ReferenceGame | KernelGame) -> dict[str, object]:
    """Return what both kinds of game can say about a node."""
    return {
        "seat": game.seat,
        "legal": game.legal(),
        "scores": game.scores(),
        "winners": game.winners(),
        "truncated": game.truncated,
    }


def _unlike(one: dict[str, object], other: dict[str, object]) -> dict[str, object]:
    """Return what differs: of legal moves only those that the other game has not."""
    found = {key: value for key, value in one.items() if value != other[key]}
    legal, others = one["legal"], other["legal"]
    if "legal" in found and isinstance(legal, list) and isinstance(others, list) and set(legal) != set(others):
        found["legal"] = [move for move in legal if move not in others]
    return found
