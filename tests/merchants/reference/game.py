"""ReferenceGame: one game of Merchants of Europe, played by the texts of its moves (K11, K12)."""

from __future__ import annotations

from collections import Counter
from typing import Any, Self

from tests.merchants.reference import setting_up, views
from tests.merchants.reference.agenda import CHANCE, Decision, Do, Draw
from tests.merchants.reference.cases import CASES, NOT_ASKED
from tests.merchants.reference.map import GOLD, Map
from tests.merchants.reference.table import Table

LONE = ([], ["done"], ["stop"])
"""What is never asked (K12): nothing at all, or the end of something optional."""
STARTS = {"short": ("fixed", "free"), "expert": ("free",)}
"""The starts of each side, its default first (K3.5, K15.2)."""
TRADES = ("offers", "bank", "none")


class ReferenceGame:
    """One game, at a decision of a seat, at a draw of chance, or over.

    Attributes:
        map: The board.
        players: Number of seats.
        start: How the game starts, "fixed" or "free".
        trade: What may be traded, "offers", "bank" or "none" (K5.5).
        max_rolls: The limit of K10.3.
        table: What lies on the table.
        agenda: What is still to be done, the next last.
        seat: The seat to move, "chance", or None when the game is over.
        moves: Who made which move.
        seers: Who saw the outcome, by the index of a move that not all did.
        truncated: Whether the limit of rolls ended the game.
        met: How often each case of ``cases.py`` occurred.
    """

    def __init__(
        self,
        board: dict[str, Any] | Map,
        players: int,
        start: str | None = None,
        trade: str = "offers",
        max_rolls: int = 300,
        met: Counter[str] | None = None,
    ) -> None:
        """Begin a game on the data of a board or its map; the first node is the draw of the first player (K3.1)."""
        self.map = board if isinstance(board, Map) else Map(board)
        self.players = players
        self.start = STARTS[self.map.side][0] if start is None else start
        if self.start not in STARTS[self.map.side] or trade not in TRADES or max_rolls < 1 or players not in (3, 4):
            raise ValueError(f"players={players}, start={start}, trade={trade}, max_rolls={max_rolls} are not possible")
        self.trade, self.max_rolls = trade, max_rolls
        self.met: Counter[str] = Counter() if met is None else met
        self.table: Table = setting_up.laid_out(self.map, players)
        self.moves: list[tuple[int | str, str]] = []
        self.seers: dict[int, frozenset[int]] = {}
        self.winning: int | None = None
        self.truncated = False
        self.agenda: list[Decision | Draw | Do] = [setting_up.first_player()]
        self.ask()

    # --- the agenda --------------------------------------------------------------------------------------------------
    def push(self, *tasks: Decision | Draw | Do) -> None:
        """Put tasks on the agenda, to be done in this order before all that stands there."""
        self.agenda.extend(reversed(tasks))

    def ask(self) -> None:
        """Do what nobody decides, until somebody or chance is to move or the game is over."""
        self.seat: int | str | None = None
        self._legal: list[str] = []
        while self.agenda and not self.over:
            top = self.agenda[-1]
            if isinstance(top, Do):
                self.agenda.pop()
                top.run(self)
            elif isinstance(top, Draw):
                self.seat, self._legal = CHANCE, list(top.weights(self))
                return
            else:
                legal = top.legal(self)
                if legal not in LONE:
                    self.seat, self._legal = top.seat, legal
                    return
                self.cite(NOT_ASKED[type(top).__name__])
                self.agenda.pop()

    @property
    def over(self) -> bool:
        """Whether the game has ended (K10)."""
        return self.truncated or self.winning is not None

    def legal(self) -> list[str]:
        """Return the legal moves, or the outcomes that chance can draw, in the order of their action ids."""
        return list(self._legal)

    def weights(self) -> list[int]:
        """Return the weight of each outcome where chance draws."""
        top = self.agenda[-1]
        assert isinstance(top, Draw)
        return list(top.weights(self).values())

    def play(self, text: str) -> None:
        """Make a legal move, or settle what chance draws; raise ValueError for any other text."""
        if text not in self._legal:
            raise ValueError(f"{text!r} is not legal for {self.seat}: {self._legal}")
        task = self.agenda.pop()
        assert self.seat is not None
        self.moves.append((self.seat, text))
        verb, *words = text.split(":")
        if isinstance(task, Draw):
            if task.seers is not None:
                self.seers[len(self.moves) - 1] = task.seers
            task.settle(self, *words, *task.given)
        else:
            assert isinstance(task, Decision)
            task.play(self, verb, words)
        self.ask()

    # --- what all chapters use ---------------------------------------------------------------------------------------
    def cite(self, case: str) -> None:
        """Count a case of a clause that has just been carried out."""
        assert case in CASES, case
        self.met[case] += 1

    def clockwise(self, start: int) -> list[int]:
        """Return all seats, clockwise from one (K0)."""
        return [(start + distance) % self.players for distance in range(self.players)]

    def others(self, seat: int) -> list[int]:
        """Return the other seats, clockwise from a seat."""
        return self.clockwise(seat)[1:]

    def pay(self, seat: int, **cost: int) -> None:
        """Let a seat pay resources and gold to the reserve (K6.1)."""
        for item, number in cost.items():
            self.take(seat, item, -number)

    def take(self, seat: int, item: str, number: int = 1) -> None:
        """Move resources or gold from the reserve to a seat; a negative number moves them back."""
        who = self.table.seats[seat]
        if item == GOLD:
            who.gold += number
            self.table.gold -= number
            assert who.gold >= 0 <= self.table.gold
        else:
            who.hand[item] += number
            self.table.reserve[item] -= number
            assert who.hand[item] >= 0 <= self.table.reserve[item]

    def pay_out(self, amounts: dict[int, int]) -> None:
        """Pay gold to seats, clockwise from the mover while the reserve lasts (K4.5)."""
        for seat in self.clockwise(self.table.mover):
            due = amounts.get(seat, 0)
            paid = min(due, self.table.gold)
            if paid < due:
                self.cite("K4.5 reserve of gold runs out")
            self.take(seat, GOLD, paid)

    # --- results -----------------------------------------------------------------------------------------------------
    def scores(self) -> list[int]:
        """Return the goods that each seat has delivered (K10.2)."""
        return [seat.delivered for seat in self.table.seats]

    def winners(self) -> list[int]:
        """Return who has won, nobody before the end (K10.2, K10.3)."""
        if self.winning is not None:
            return [self.winning]
        scores = self.scores()
        return [seat for seat, score in enumerate(scores) if score == max(scores)] if self.truncated else []

    def view(self, seat: int) -> dict[str, Any]:
        """Return what a seat sees (K14.1)."""
        return views.view(self, seat)

    def record(self) -> dict[str, Any]:
        """Return the record of the game (K15.1)."""
        return views.record(self)

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.table = self.table.copy()
        twin.agenda, twin.moves, twin.seers = list(self.agenda), list(self.moves), dict(self.seers)
        twin.met = Counter(self.met)
        return twin
