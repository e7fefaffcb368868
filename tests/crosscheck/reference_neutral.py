"""The slow reading of the variants with neutral discs, on top of the one of the base game.

Sides follow the seats: in ``soloplay_2`` and ``soloplay_3`` one for all, in ``neutral_2`` one for each seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endeavor_env.endeavor.board import Board
from tests.crosscheck.facts import counted
from tests.crosscheck.reference import Decisions, Reference

PLAYERS = {"soloplay_2": 2, "soloplay_3": 3, "neutral_2": 2}


class Soloplay(Reference):
    """V2S and V3S: neutral discs in hand, one of which may follow an own action."""

    def __init__(self, board: Board, players: int, setup: Mapping[str, Any], stay: bool = False) -> None:
        """Lay out the table (V2S.1 to V2S.3, V3S.1, V3S.2); ``stay`` is the option variant_removed_spaces_stay."""
        super().__init__(board, players, setup)
        self.side, self.stay = players, stay
        self.reserve = [3 if players == 2 else 2] * players
        self.in_harbor, self.left_game = [0] * players, 0
        self.removed: dict[str, set[int]] = {region: set() for region, length in self.length.items() if length}
        if players == 2:
            for name, building in self.buildings.items():
                self.stock[name] -= 1 <= building["level"] <= 4
            for region in self.removed:
                self.remove(region, 1)

    def remove(self, region: str, number: int) -> None:
        """A token leaves its track, and the space takes no disc any more (V2S.5)."""
        self.token.pop(f"{region}.{number}")
        self.removed[region].add(number)
        if not self.stay:
            self.spaces[region].remove(number)

    def before_round_1(self) -> Decisions:
        """V2S.4, V3S.3."""
        two = len(self.seats) == 2
        seats, most = (self.order() * 3, 3) if two else ([self.order()[n % 3] for n in range(1, 9)], 2)
        for seat in seats:
            options = {
                f"remove:{region}.{number}"
                for region, gone in self.removed.items()
                for number in range(1, self.length[region] + 1)
                if len(gone) < most and number not in gone
            }
            space = (yield seat, options).partition(":")[2]
            region, _, number = space.partition(".")
            self.remove(region, int(number))

    def after_salary(self) -> None:
        """V2S.6, V3S.4."""
        sizes = [it.harbor + neutral for it, neutral in zip(self.seats, self.in_harbor, strict=True)]
        for seat, size in enumerate(sizes):
            if size < max(sizes) and self.reserve[seat]:
                self.reserve[seat] -= 1
                self.in_harbor[seat] += 1

    def after_action(self, seat: int, printed: list[str], made: list[tuple[str, str]]) -> Decisions:
        """V2S.7 to V2S.9, C1, C2."""
        regions: set[str] = set()
        for verb, target in made:
            if verb == "draw":
                regions |= set(self.length)
            elif verb != "pay":
                regions.add(target if verb == "sail" else self.cities[target]["region"])
        options = {f"neutral_sail:{region}" for region in regions if self.length[region]}
        for city, it in self.cities.items():
            if city not in self.owner and it["region"] in regions & self.open:
                options.add(f"neutral_occupy:{city}")
        if not options or not self.in_harbor[seat]:
            return
        verb, _, target = (yield seat, options | {"done"}).partition(":")
        if verb == "done":
            return
        self.in_harbor[seat] -= 1
        if verb == "neutral_sail":
            self.ship(self.side, target, seat)
        else:
            self.owner[target] = self.side
            self.take(seat, target)

    def give_back(self, side: int) -> None:
        """V2S.13."""
        if side == self.side:
            self.left_game += 1
        else:
            super().give_back(side)

    def breakdown(self, seat: int) -> dict[str, int]:
        """R12 and V2S.14."""
        return {**super().breakdown(seat), "neutral": self.reserve[seat]}

    def neutral_facts(self) -> dict[str, Any]:
        """What the facts of the base game do not show."""
        facts: dict[str, Any] = {"reserve": list(self.reserve), "neutral harbor": list(self.in_harbor)}
        facts["closed"] = {
            f"{region}.{number}" for region, gone in self.removed.items() for number in gone if not self.stay
        }
        facts[f"side {self.side}"] = side_facts(self, self.side, self.left_game)
        return facts


class NeutralSides(Reference):
    """V2F: each seat handles a whole neutral colour, which follows its every Sail and Occupy."""

    def __init__(self, board: Board, players: int, setup: Mapping[str, Any], stay: bool = False) -> None:
        """Lay out the table (V2F.1); ``stay`` means nothing here."""
        super().__init__(board, players, setup)
        self.neutral_supply = {players + seat: self.rules["discs_per_player"] for seat in range(players)}

    def after_part(self, seat: int, printed: list[str], made: list[tuple[str, str]]) -> Decisions:
        """V2F.2 to V2F.4: at once, but the Cartographer's when the action is over."""
        if printed != ["sail", "sail"]:
            yield from self.follow(seat, *made[-1])

    def after_action(self, seat: int, printed: list[str], made: list[tuple[str, str]]) -> Decisions:
        """V2F.5."""
        if printed == ["sail", "sail"] and made:
            yield from self.follow(seat, *made[-1])

    def follow(self, seat: int, verb: str, target: str) -> Decisions:
        """The disc of the own neutral side after a part of an action, if there is one and it can go anywhere."""
        side = len(self.seats) + seat
        options: set[str] = set()
        if verb == "sail":
            options = {f"neutral_sail:{region}" for region in self.track if not self.full(region)}
        elif verb == "occupy":
            options = {f"neutral_occupy:{city}" for city in self.free_cities(side, self.cities[target]["region"])}
        if not options or not self.neutral_supply[side]:
            return
        verb, _, target = (yield seat, options).partition(":")
        self.neutral_supply[side] -= 1
        if verb == "neutral_sail":
            self.ship(side, target, None)
        else:
            self.owner[target] = side
            self.take(None, target)

    def free_cities(self, side: int, region: str) -> set[str]:
        """V2F.3: in this region, else in any."""
        free = {
            city: it["region"]
            for city, it in self.cities.items()
            if city not in self.owner and it["region"] in self.open and self.present(side, it["region"])
        }
        return {city for city, where in free.items() if where == region} or set(free)

    def give_back(self, side: int) -> None:
        """V2F.9."""
        if side in self.neutral_supply:
            self.neutral_supply[side] += 1
        else:
            super().give_back(side)

    def neutral_facts(self) -> dict[str, Any]:
        """What the facts of the base game do not show."""
        return {f"side {side}": side_facts(self, side, left) for side, left in self.neutral_supply.items()}


def side_facts(table: Reference, side: int, supply: int) -> dict[str, Any]:
    """Return what a side without a seat has."""
    return {
        "supply": supply,
        "beside": counted(table.length, [table.beside[region, side] for region in table.length]),
        "presence": counted(table.length, [table.discs_in(side, region) for region in table.length]),
    }


def table_for(variant: str, board: Board, setup: Mapping[str, Any], stay: bool = False) -> Soloplay | NeutralSides:
    """Return the table of a game of a variant with neutral discs."""
    kind = NeutralSides if variant == "neutral_2" else Soloplay
    return kind(board, PLAYERS[variant], setup, stay)
