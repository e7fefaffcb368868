"""Games that are led by scripts of moves and outcomes, so that every implementation can play them."""

from __future__ import annotations

from typing import Any, Self

from tests.merchants.crosscheck.boards import board_named
from tests.merchants.crosscheck.twins import Twins
from tests.merchants.reference.map import GOLD, RESOURCES
from tests.merchants.reference.table import Seat
from tests.merchants.reference.turn import Action, Production

SAFE_ROLLS = [total for total in range(2, 13) if total != 7]
MOST_TURNS = 300
COSTS = {
    "route": {"ore": 1, "wood": 1},
    "merchant": {"wool": 1, "wheat": 1, "wood": 1},
    "caravan": {"ore": 1, "wood": 1, "salt": 1},
    "card": {"wool": 1, "salt": 1},
}


class Script(Twins):
    """One game on a named board, played twice; what lies on the table is read from the reference."""

    def __init__(self, board: str = "short", players: int = 3, **options: Any) -> None:
        """Begin a game; turns are not limited unless a test says so."""
        self.given = (board, players, {"max_rolls": 5000, **options})
        super().__init__(board_named(board), players, **self.given[2])
        self.next = ""

    def branch(self) -> Script:
        """Return another game that was led to the same position."""
        board, players, options = self.given
        return Script(board, players, **options).act(*(move for _, move in self.plain.moves))

    def act(self, *moves: str) -> Self:
        """Make moves of seats and chance."""
        for move in moves:
            self.play(move)
        return self

    # --- reading -----------------------------------------------------------------------------------------------------
    def who(self, seat: int) -> Seat:
        """Return what a seat has."""
        return self.table.seats[seat]

    def golds(self) -> list[int]:
        """Return the gold of each seat."""
        return [seat.gold for seat in self.table.seats]

    def hands(self) -> list[dict[str, int]]:
        """Return the hand of each seat."""
        return [dict(seat.hand) for seat in self.table.seats]

    def moves(self, verb: str) -> list[str]:
        """Return what stands behind a verb in the legal moves."""
        return [move.partition(":")[2] for move in self.legal() if move.partition(":")[0] == verb]

    def path(self, one: str, other: str) -> str:
        """Return the name of the path between two crossroads."""
        return f"p{self.map.path_between(one, other)}"

    def way(self, one: str, other: str) -> list[str]:
        """Return the names of the paths of a shortest way that passes no other city."""
        goal = self.map.by_name[other]
        ways = [(self.map.by_name[one], list[str]())]
        seen = {ways[0][0]}
        for here, before in ways:
            for path in self.map.paths_at[here]:
                there = sum(self.map.ends[path]) - here
                if there == goal:
                    return [*before, f"p{path}"]
                if there not in seen and there not in self.map.city_at:
                    seen.add(there)
                    ways.append((there, [*before, f"p{path}"]))
        raise AssertionError(f"no way from {one} to {other} without cities")

    # --- the start ---------------------------------------------------------------------------------------------------
    def place(self, posts: list[list[str]], routes: list[str], neutral: tuple[str, ...] = ()) -> Self:
        """Play a free start with seat 0 first: three posts and a route of each seat, and neutral posts as they come."""
        self.play("first:0")
        neutrals = iter(neutral)
        placed = [0] * len(posts)
        while not isinstance(self.plain.agenda[-1], Production):
            seat, verb = self.seat, self.legal()[0].partition(":")[0]
            assert isinstance(seat, int)
            if verb == "post":
                self.play(f"post:{posts[seat][placed[seat]]}")
                placed[seat] += 1
            else:
                self.play(f"neutral:{next(neutrals)}" if verb == "neutral" else f"route:{routes[seat]}")
        return self

    # --- turns -------------------------------------------------------------------------------------------------------
    def roll(self, total: int) -> Self:
        """Roll a number."""
        return self.act("roll", f"dice:{total}")

    def gather(self, seat: int, **needs: int) -> Self:
        """Lead the game to where a seat can act and holds resources and gold, by lucky rolls and the reserve."""
        for _ in range(MOST_TURNS):
            if isinstance(self.plain.agenda[-1], Production):
                self.roll(self._lucky_roll(seat, needs))
            assert isinstance(self.plain.agenda[-1], Action)
            if self.seat == seat:
                self._trade(seat, needs)
                if self.who(seat).holds(needs):
                    return self
            self.play("end")
        raise AssertionError(f"seat {seat} cannot get {needs}")

    def buy(self, seat: int, move: str) -> Self:
        """Gather what a move of building costs, and make it."""
        return self.gather(seat, **COSTS[move.partition(":")[0]]).act(move)

    def _missing(self, seat: Seat, needs: dict[str, int]) -> int:
        held = {**seat.hand, GOLD: seat.gold}
        return sum(max(0, number - held[item]) for item, number in needs.items())

    def _lucky_roll(self, seat: int, needs: dict[str, int]) -> int:
        """Return the roll that helps a seat most."""

        def helped(total: int) -> tuple[int, int]:
            after = self.plain.copy()
            after.play("roll")
            after.play(f"dice:{total}")
            who = after.table.seats[seat]
            others = sum(other.count() for other in after.table.seats) - who.count()
            return (-self._missing(who, needs), 2 * who.count() - others)

        return max(SAFE_ROLLS, key=helped)

    def _trade(self, seat: int, needs: dict[str, int]) -> None:
        """Get what is missing from the reserve for gold or for what is left over."""
        for item in needs:
            while self._missing(self.who(seat), {item: needs[item]}):
                who = self.who(seat)
                left = [kind for kind in RESOURCES if who.hand[kind] - needs.get(kind, 0) >= 3 and kind != item]
                banks = [f"bank:{kind}:{item}" for kind in left if f"bank:{kind}:{item}" in self.legal()]
                if banks:
                    self.play(banks[0])
                elif f"buy:{item}" in self.legal() and who.gold - needs.get(GOLD, 0) >= 2:
                    self.play(f"buy:{item}")
                else:
                    break

    def draw_card(self, seat: int, card: str) -> Self:
        """Let a seat buy a development card, which is then the one named."""
        return self.buy(seat, "card").act(f"drawn:{card}")
