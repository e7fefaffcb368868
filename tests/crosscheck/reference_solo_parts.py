"""The table of the solitaire game: what lies on it, what a colour may do, and what is best for it.

Side 0 is the player, sides 1 to 4 are the opposing colours. The four colours share one mat, so that ``seats[1]`` to
``seats[4]`` are one and the same ``Seat``; all rules of the base game then hold for a colour as they stand. What a
colour pays is not kept: its supply is what is not on the map, because none of its discs ever leaves the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Any

from endeavor_env.endeavor.board import Board
from tests.crosscheck.reference import STATUSES, Reference, Seat

SIDES = ("white", "red", "green", "violet", "black")
COLOURS = (1, 2, 3, 4)
MAT = 1
BASE = {1: 3, 2: 3, 3: 3, 4: 4, 5: 4, 6: 5, 7: 5}
LADDER = ((9, "total victory"), (7, "complete victory"), (5, "major victory"), (3, "victory"), (0, "minor victory"))


def best(options: Iterable[str], value: Callable[[str], Any]) -> list[str]:
    """Return the options of the highest value, in their order."""
    options = list(options)
    top = max(map(value, options), default=None)
    return [option for option in options if value(option) == top]


class SoloTable(Reference):
    """The table, without the course of the game."""

    def __init__(self, board: Board, setup: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        """Lay out the table up to the discs on the tracks (S1.1-S1.7)."""
        super().__init__(board, 1, {"first_player": 0, **setup})
        self.ties_first = options.get("opposition_ties", "player") == "first"
        self.difficulty = options.get("difficulty", "normal")
        self.any_level = bool(options.get("solo_ignore_industry", False))
        self.mat = Seat(0, [])
        self.seats += [self.mat] * len(COLOURS)
        self.retained: set[str] = set()
        self.won: list[tuple[str, list[str]]] = []
        self.grid: list[list[str | None]] = [list(row) for row in setup["grid"]]
        for row in setup["grid"]:
            for name in row:
                self.stock[name] -= 1
        self.crown, self.built, self.pending = (0, 0), "", dict[int, str]()
        self.scale = [SIDES.index(name) for name in setup["scale"]]
        self.drawn_for_europe = [SIDES.index(name) for name in setup["europe_order"]]
        self.ipf, self.bonus_due = BASE[1], False
        for region, names in setup["track_discs"].items():
            for space, name in enumerate(names, 1):
                self.track[region].append(SIDES.index(name))
                self.take(SIDES.index(name), f"{region}.{space}")
        self.won.clear()  # S1.7: no effect in set-up, at any difficulty

    # --- counting ----------------------------------------------------------------------------------------------
    def marker(self, name: str) -> int:
        """Where the Opposition's marker stands (R10.1)."""
        return min(self.tracks_data["max"], self.status(MAT, name))

    def supply(self, side: int) -> int:
        """A colour's discs that are not on the map."""
        return self.rules["discs_per_player"] - sum(self.discs_in(side, region) for region in self.length)

    def rank(self, kind: str | None) -> int:
        """T2 of S5.1: the lower, the better for the Opposition; tokens without status come after all others."""
        return self.marker(kind) if kind in STATUSES else self.tracks_data["max"] + 1

    def regions_of(self, space: str) -> list[str]:
        """Where a token lies; one of a connection lies in the regions of both ends (S5.5)."""
        if space in self.ends:
            return [self.cities[end]["region"] for end in self.ends[space]]
        return [self.cities[space]["region"] if space in self.cities else space.rpartition(".")[0]]

    def neighbours(self, city: str) -> list[tuple[str, str]]:
        """The connections of a city, each with the city at its other end."""
        found = [(name, ends) for name, ends in self.ends.items() if city in ends]
        return [(name, ends[0] if ends[1] == city else ends[1]) for name, ends in found]

    def completes(self, city: str, side: int) -> list[str]:
        """The connections of this city whose other end the side holds."""
        return [name for name, other in self.neighbours(city) if self.owner.get(other) == side]

    def start_region(self) -> str:
        """The region without a track."""
        return next(region for region, length in self.length.items() if not length)

    def linked(self, city: str, side: int, space: int) -> bool:
        """Return whether a connection leads to a region where the side holds this space of the track (S1.8)."""
        overseas = [self.cities[other]["region"] for _, other in self.neighbours(city)]
        return any(self.track[region][space] == side for region in overseas if self.length[region])

    # --- what the player does to or like the Opposition -----------------------------------------------------------
    def take(self, seat: int, space: str) -> None:
        """Status tokens go to the common mat at once, blue ones are carried out by whoever placed the disc (C8)."""
        if seat == 0:
            super().take(seat, space)
            return
        kind = self.token.pop(space, None)
        if kind in STATUSES:
            self.mat.tokens[kind] += 1
        elif kind is not None:
            self.won.append((kind, self.regions_of(space)))

    def draw(self, seat: int, deck: str) -> None:
        """R8.7; a card the player draws is answered by a bonus draw (S3.5)."""
        super().draw(seat, deck)
        self.bonus_due = self.bonus_due or seat == 0

    def discard(self, seat: int, card: str) -> None:
        """R9.7; Governors the Opposition discards keep their Glory."""
        super().discard(seat, card)
        if seat == MAT and card.endswith(".governor"):
            self.retained.add(card)

    # --- where a disc goes (S4, S5) --------------------------------------------------------------------------------
    def free_cities(self, side: int) -> list[str]:
        """Cities the side could occupy: free, in an open region where it is present."""
        return [
            city
            for city, printed in self.cities.items()
            if city not in self.owner and printed["region"] in self.open and self.present(side, printed["region"])
        ]

    def cities_wanted(self, side: int) -> list[str]:
        """Items a and b, with the ties of S5.1."""
        free = self.free_cities(side)
        linking = [city for city in free if self.completes(city, side)]
        rich = [city for city in free if self.cities[city]["glory"] == 2]
        found = linking or rich or free
        if self.difficulty != "easier":
            found = best(found, lambda city: self.blue_tokens(city, side))
        return best(found, lambda city: -self.rank(self.token.get(city)))

    def blue_tokens(self, city: str, side: int) -> int:
        """Blue tokens that occupying this city brings (T1)."""
        spaces = [city, *self.completes(city, side)]
        return sum(space in self.token and self.token[space] not in STATUSES for space in spaces)

    def cities_to_attack(self, side: int) -> list[str]:
        """The player's cities that swing most."""
        open_to = [region for region in self.open if self.present(side, region)]
        targets = [city for city in self.cities if self.owner.get(city) == 0 and self.regions_of(city)[0] in open_to]
        return best(
            targets,
            lambda city: (
                2 * self.cities[city]["glory"] + len(self.completes(city, 0)) + len(self.completes(city, side))
            ),
        )

    def gaps(self, region: str) -> int:
        """Free spaces on a track; none in the start region."""
        return self.length[region] - len(self.track[region])

    def next_token(self, region: str) -> str | None:
        """The token on the space that is filled next."""
        return self.token.get(f"{region}.{len(self.track[region]) + 1}")

    def tracks_to_win(self, side: int) -> list[str]:
        """Item c: tracks to complete so that an opposing colour gets the Governor."""
        found = []
        for region in self.length:
            track = [*self.track[region], side]
            most = max(track.count(other) for other in track)
            winner = next(other for other in reversed(track) if track.count(other) == most)
            if self.gaps(region) == 1 and winner in COLOURS:
                found.append(region)
        return self.tracks_ranked(found)

    def tracks_followed(self, side: int, useless: bool) -> list[str]:
        """Items d.i and d.ii."""
        for space in range(max(self.length.values())):
            found = [
                region
                for region, track in self.track.items()
                if self.gaps(region) >= 2 and track[space : space + 1] == [side]
                if useless or self.rank(self.next_token(region)) != self.tracks_data["max"]
            ]
            if found:
                return self.tracks_ranked(found)
        return []

    def tracks_ranked(self, regions: list[str]) -> list[str]:
        """S5.2: the best tracks by T2, and those that bring a blue token."""
        first = best(regions, lambda region: -self.rank(self.next_token(region)))
        return [region for region in regions if region in first or self.next_token(region) not in STATUSES]

    def regions_to_join(self) -> list[str]:
        """Item d.iii."""
        free = {printed["region"] for city, printed in self.cities.items() if city not in self.owner}
        return [region for region in self.length if region in free and region in self.open]

    # --- which card (S5.3, S7.1) -----------------------------------------------------------------------------------
    def piles_wanted(self, side: int, useless: bool) -> list[str]:
        """Item e: the pile of the region where the colour has most discs, then S5.3."""
        piles = [deck for deck in self.decks if self.can_draw(side, deck)]
        piles = [deck for deck in piles if useless or self.advance(deck) or self.top(deck)["glory"]]
        return self.cards_ranked(best(piles, lambda deck: self.discs_in(side, self.decks[deck]["region"])))

    def bonus_piles(self, side: int, first: list[str]) -> list[str]:
        """S5.4: all piles the colour may draw from, those of the regions ``first`` before others."""
        piles = [deck for deck in self.decks if self.can_draw(side, deck)]
        return self.cards_ranked([deck for deck in piles if self.decks[deck]["region"] in first] or piles)

    def top(self, deck: str) -> Mapping[str, Any]:
        """The card on top of a pile."""
        return self.cards[self.piles[deck][0]]

    def advance(self, deck: str) -> int:
        """How far the Opposition's markers would go up (S5.3)."""
        cap, icons = self.tracks_data["max"], self.top(deck)["icons"]
        return sum(min(cap, self.status(MAT, name) + icons[name]) - self.marker(name) for name in STATUSES)

    def cards_ranked(self, piles: list[str]) -> list[str]:
        """S5.3: the piles with the best top cards."""
        least = min(self.marker(name) for name in STATUSES)
        behind = [name for name in STATUSES if self.marker(name) == least]
        piles = best(piles, self.advance)
        piles = best(piles, lambda deck: sum(self.top(deck)["icons"][name] for name in behind))
        return best(piles, lambda deck: not self.overshoots(deck))

    def overshoots(self, deck: str) -> bool:
        """Return whether the card lifts a status beyond the end of its track."""
        cap, icons = self.tracks_data["max"], self.top(deck)["icons"]
        return any(icons[name] and self.status(MAT, name) + icons[name] > cap for name in STATUSES)

    def cards_to_spare(self) -> list[str]:
        """The cards of every best set among the smallest that make the holding legal, in data-file order."""
        held = [card for card in self.cards if card in self.mat.cards]
        for size in range(1, len(held) + 1):
            worth = {cards: self.worth_without(cards) for cards in combinations(held, size)}
            legal = {cards: value for cards, value in worth.items() if value is not None}
            if legal:
                wanted = [cards for cards, value in legal.items() if value == max(legal.values())]
                return [card for card in held if any(card in cards for cards in wanted)]
        raise AssertionError("a mat without cards is always legal")

    def worth_without(self, cards: tuple[str, ...]) -> tuple[int, int] | None:
        """Glory, then statuses, of the Opposition without these cards; None if there are still too many."""
        kept = set(self.mat.cards), set(self.mat.face_down), set(self.retained)
        piles = {deck: list(pile) for deck, pile in self.piles.items()}
        for card in cards:
            self.discard(MAT, card)
        value = None
        if self.fits_somehow(MAT):
            value = sum(self.breakdown(MAT).values()), sum(self.status(MAT, name) for name in STATUSES)
        (self.mat.cards, self.mat.face_down, self.retained), self.piles = kept, piles
        return value

    # --- the end (S8) ------------------------------------------------------------------------------------------------
    def breakdown(self, seat: int) -> dict[str, int]:
        """R12 for the player, S8.2 for the Opposition (seat 1)."""
        if seat == 0:
            return super().breakdown(0)
        of_side = super().breakdown
        each = [of_side(side) for side in COLOURS]
        return {
            **each[0],
            **{key: sum(points[key] for points in each) for key in ("cities", "connections")},
            "cards": each[0]["cards"] + sum(self.cards[card]["glory"] for card in self.retained),
            **dict.fromkeys(("governor_slot", "university", "harbor"), 0),
        }

    def scores(self) -> list[int]:
        """The player's and the Opposition's Glory."""
        return [sum(self.breakdown(seat).values()) for seat in (0, MAT)]

    def result(self) -> tuple[str, int, bool]:
        """Name, rung 0 to 5 and panache (S8.3, S8.4)."""
        player, opposition = self.scores()
        reached = [name for least, name in LADDER if player - opposition >= least]
        top = any(count and self.buildings[name]["level"] == 5 for name, count in self.seats[0].owned.items())
        return (reached[0], len(reached), top) if reached else ("defeat", 0, False)
