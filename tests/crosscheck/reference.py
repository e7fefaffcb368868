"""A second, slow reading of the rules of the base game, to play every game twice and compare.

It shares nothing with the kernels: it works on ids and on the dictionary of the board, recomputes every count from what
lies on the table, and plays the game as one coroutine in the order of the rulebook. ``yield`` is a decision: it hands
out the seat and its legal moves and is sent the move made. Discs on the map belong to *sides*: the seats, and whatever
else a variant adds behind them; ``reference_neutral`` builds the variants on the methods that say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from typing import Any

from endeavor_env.endeavor.board import Board

Decisions = Generator[tuple[int, set[str]], str, None]
STATUSES = ("industry", "culture", "finance", "politics")
BLUE = {
    "attack": ("one", ["attack"]),
    "occupy_draw": ("either", ["occupy", "draw"]),
    "sail_draw": ("either", ["sail", "draw"]),
    "pay": ("one", ["pay"]),
}


class Seat:
    """What lies before one player."""

    def __init__(self, discs: int, start: list[str]) -> None:
        """Start with all discs in supply and the start buildings (R2.4)."""
        self.supply, self.harbor = discs, 0
        self.tokens: Counter[str] = Counter()
        self.cards: set[str] = set()
        self.face_down: set[str] = set()
        self.owned = Counter(start)
        self.occupied: Counter[str] = Counter()
        self.passed = False


class Reference:
    """One game, played by ``play``."""

    def __init__(self, board: Board, players: int, setup: Mapping[str, Any]) -> None:
        """Lay out the table (R2)."""
        data = board.to_dict()
        self.rules, self.tracks_data = data["constants"], data["status_tracks"]
        self.cities = {city["id"]: city for city in data["cities"]}
        self.ends = {"--".join(entry["cities"]): entry["cities"] for entry in data["connections"]}
        self.length = {region["id"]: region["track_length"] for region in data["regions"]}
        self.spaces = {region: list(range(1, length + 1)) for region, length in self.length.items()}  # that take discs
        self.decks = {deck["id"]: deck for deck in data["decks"]}
        self.buildings = {building["id"]: building for building in data["buildings"]}
        self.cards = {f"{deck}.{card['value']}": card for deck, it in self.decks.items() for card in it["cards"]}
        self.piles = {deck: [card for card in self.cards if card.split(".")[0] == deck] for deck in self.decks}
        self.stock = {name: building["copies"] for name, building in self.buildings.items()}
        self.token = dict(setup["tokens"])
        self.owner: dict[str, int] = {}
        self.track: dict[str, list[int]] = {region: [] for region in self.length}
        self.beside: Counter[tuple[str, int]] = Counter()
        self.open = {region["id"] for region in data["regions"] if region["open_at_start"]}
        start = [name for name, building in self.buildings.items() if building["start"]]
        self.seats = [Seat(self.rules["discs_per_player"], start) for _ in range(players)]
        self.first, self.round, self.abolished = setup["first_player"], 0, False

    # --- counting ----------------------------------------------------------------------------------------------
    def status(self, seat: int, name: str) -> int:
        """Icons on face-up cards, brown tokens and buildings (R11.1)."""
        it = self.seats[seat]
        on_cards = sum(self.cards[card]["icons"][name] for card in it.cards)
        on_buildings = sum(count * self.buildings[b]["icons"][name] for b, count in it.owned.items())
        return on_cards + on_buildings + it.tokens[name]

    def level(self, seat: int, name: str, column: str) -> int:
        """What a status gives (R1.8)."""
        marker = min(self.tracks_data["max"], self.status(seat, name))
        reached = [bound for bound in self.tracks_data["thresholds"] if bound <= marker]
        return self.tracks_data[column][len(reached) - 1]

    def discs_in(self, side: int, region: str) -> int:
        """Own discs in cities, on the track and beside it (R8.3.2)."""
        held = sum(owner == side and self.cities[city]["region"] == region for city, owner in self.owner.items())
        return held + self.track[region].count(side) + self.beside[region, side]

    def present(self, side: int, region: str) -> bool:
        """Everybody is present in the start region, which has no track (R8.3.2)."""
        return self.length[region] == 0 or self.discs_in(side, region) > 0

    def full(self, region: str) -> bool:
        """Whether the shipping track has no free space (R8.1.2)."""
        return len(self.track[region]) == len(self.spaces[region])

    def fits(self, seat: int, slotted: int) -> bool:
        """R9.4 with so many Governors in the free slot."""
        normal = len(self.seats[seat].cards) - slotted
        extra = any(self.decks[card.split(".")[0]]["slavery"] for card in self.seats[seat].cards)
        return normal <= self.rules["card_slots"] and normal - extra <= self.level(seat, "politics", "card_limit")

    def fits_somehow(self, seat: int) -> bool:
        """A of R9.8."""
        governors = sum(card.endswith(".governor") for card in self.seats[seat].cards)
        return self.fits(seat, 0) or (governors > 0 and self.fits(seat, 1))

    def order(self) -> list[int]:
        """Seats from the first player on, clockwise (R3.2)."""
        return [(self.first + turn) % len(self.seats) for turn in range(len(self.seats))]

    # --- the game ----------------------------------------------------------------------------------------------
    def play(self) -> Decisions:
        """The whole game (R3.1)."""
        yield from self.before_round_1()
        while self.round < self.rules["rounds"]:
            self.round += 1
            for it in self.seats:
                it.passed = False
            for seat in self.order():
                yield from self.build(seat)
            for seat, it in enumerate(self.seats):
                gained = min(it.supply, self.level(seat, "culture", "growth"))  # R5.1
                it.supply, it.harbor = it.supply - gained, it.harbor + gained
            for seat in self.order():
                yield from self.salary(seat)
            self.after_salary()
            turn = self.first
            while not all(it.passed for it in self.seats):
                if not self.seats[turn].passed:
                    yield from self.turn(turn)
                turn = (turn + 1) % len(self.seats)
            for seat in self.order():
                yield from self.discards(seat, declinable=False)  # R11.2
            self.first = self.order()[1]

    def before_round_1(self) -> Decisions:
        """Decisions of a variant's set-up."""
        yield from ()

    def after_salary(self) -> None:
        """What a variant adds to the Salary phase."""

    def after_part(self, seat: int, printed: list[str], made: list[tuple[str, str]]) -> Decisions:
        """What a variant adds after a part of an action; ``made`` are the parts made so far, with their targets."""
        yield from ()

    def after_action(self, seat: int, printed: list[str], made: list[tuple[str, str]]) -> Decisions:
        """What a variant adds when the action is over."""
        yield from ()

    def build(self, seat: int) -> Decisions:
        """R4."""
        it, level = self.seats[seat], {name: building["level"] for name, building in self.buildings.items()}
        has_top = any(level[name] == 5 for name in it.owned)
        legal = {name for name, left in self.stock.items() if left and not (has_top and level[name] == 5)}
        options = {name for name in legal if level[name] <= self.level(seat, "industry", "build_level")}
        if not options:
            lowest = min(level[name] for name in legal)
            options = {name for name in legal if level[name] == lowest}
        built = (yield seat, {f"build:{name}" for name in options}).split(":")[1]
        self.stock[built] -= 1
        it.owned[built] += 1

    def salary(self, seat: int) -> Decisions:
        """R6."""
        left = self.level(seat, "finance", "payments")
        it = self.seats[seat]
        while 0 < left < it.occupied.total():
            move = yield seat, {f"pay:{name}" for name in +it.occupied}
            self.free(seat, move.split(":")[1])
            left -= 1
        if left >= it.occupied.total():
            it.harbor += it.occupied.total()
            it.occupied.clear()

    def turn(self, seat: int) -> Decisions:
        """R7.1."""
        it = self.seats[seat]
        options = {"pass"}
        for name, count in it.owned.items():
            if self.buildings[name]["mode"] != "none" and count > it.occupied[name] and it.harbor > 0:
                options.add(f"activate:{name}")
        for kind, (_, parts) in BLUE.items():
            if it.tokens[kind] and any(self.targets(seat, part, None, None) for part in parts):
                options.add(f"spend:{kind}")
        verb, _, target = (yield seat, options).partition(":")
        if verb == "pass":
            it.passed = True
            yield from self.discards(seat, declinable=True)
        elif verb == "activate":
            it.harbor -= 1
            it.occupied[target] += 1
            building = self.buildings[target]
            yield from self.action(seat, building["mode"], list(building["actions"]), target)
        else:
            it.tokens[target] -= 1
            yield from self.action(seat, BLUE[target][0], list(BLUE[target][1]), None)

    def action(self, seat: int, mode: str, parts: list[str], source: str | None) -> Decisions:
        """R8.8: every part still open in one decision."""
        lock: str | None = None
        may_stop = source is not None
        printed, made = list(parts), []
        while parts:
            options = {f"{part}:{to}" for part in parts for to in self.targets(seat, part, lock, source)}
            if not options:
                break
            verb, _, target = (yield seat, options | ({"done"} if may_stop else set())).partition(":")
            if verb == "done":
                break
            getattr(self, verb)(seat, target)
            made.append((verb, target))
            parts = [] if mode in ("one", "either") else self.without(parts, verb)
            may_stop = True
            if mode == "both_same_region":
                lock = target if verb == "sail" else self.cities[target]["region"]
            elif mode == "both_same_deck":
                lock = target
            yield from self.after_part(seat, printed, made)
        yield from self.after_action(seat, printed, made)

    @staticmethod
    def without(parts: list[str], verb: str) -> list[str]:
        """Return the parts with one of this kind taken off."""
        left = list(parts)
        left.remove(verb)
        return left

    def targets(self, seat: int, part: str, lock: str | None, source: str | None) -> list[str]:
        """Targets of one kind; ``lock`` is the region, for Draw the pile, that they must be (in)."""
        it = self.seats[seat]
        if part == "sail":
            return [region for region, length in self.length.items() if length and it.harbor and lock in (None, region)]
        if part == "pay":
            return [name for name, discs in it.occupied.items() if discs > (name == source)]
        if part == "draw":
            return [deck for deck in self.decks if lock in (None, deck) and self.can_draw(seat, deck)]
        found = []
        for city, printed in self.cities.items():
            region, owner = printed["region"], self.owner.get(city)
            if region in self.open and self.present(seat, region) and lock in (None, region):
                free = part == "occupy" and owner is None and it.harbor >= 1
                enemy = part == "attack" and owner not in (None, seat) and it.harbor >= 2
                found += [city] if free or enemy else []
        return found

    def can_draw(self, seat: int, deck: str) -> bool:
        """R8.7.1."""
        region = self.decks[deck]["region"]
        if region not in self.open or not self.piles[deck]:
            return False
        return self.discs_in(seat, region) >= self.cards[self.piles[deck][0]]["value"]

    # --- carrying out ------------------------------------------------------------------------------------------
    def take(self, seat: int | None, space: str) -> None:
        """Take the token of a space, if it is still there; without a seat it leaves the game."""
        kind = self.token.pop(space, None)
        if kind is not None and seat is not None:
            self.seats[seat].tokens[kind] += 1

    def sail(self, seat: int, region: str) -> None:
        """R8.1."""
        self.seats[seat].harbor -= 1
        self.ship(seat, region, seat)

    def ship(self, side: int, region: str, taker: int | None) -> None:
        """R8.1.1 to R8.2.4 for a disc of any side, whose token goes to ``taker``."""
        track = self.track[region]
        if self.full(region):
            self.beside[region, side] += 1
            return
        track.append(side)
        self.take(taker, f"{region}.{self.spaces[region][len(track) - 1]}")
        if self.full(region):
            self.open.add(region)
            most = max(track.count(other) for other in track)
            winner = [other for other in track if track.count(other) == most][-1]
            governor = next(card for card in self.cards if card.endswith(".governor") and self.region(card) == region)
            self.piles[governor.split(".")[0]].remove(governor)
            if winner < len(self.seats):
                self.seats[winner].cards.add(governor)

    def region(self, card: str) -> str:
        """The region of a card's deck."""
        return self.decks[card.split(".")[0]]["region"]

    def occupy(self, seat: int, city: str) -> None:
        """R8.3."""
        self.seats[seat].harbor -= 1
        self.owner[city] = seat
        self.take(seat, city)
        self.connect(seat)

    def connect(self, seat: int) -> None:
        """R8.4.2."""
        for connection, ends in self.ends.items():
            if all(self.owner.get(end) == seat for end in ends):
                self.take(seat, connection)

    def attack(self, seat: int, city: str) -> None:
        """R8.5.2."""
        self.seats[seat].harbor -= 2
        self.seats[seat].supply += 1
        self.give_back(self.owner[city])
        self.owner[city] = seat
        self.connect(seat)

    def give_back(self, side: int) -> None:
        """Where an attacked disc goes."""
        self.seats[side].supply += 1

    def free(self, seat: int, building: str) -> None:
        """R6.1."""
        self.seats[seat].occupied[building] -= 1
        self.seats[seat].harbor += 1

    pay = free

    def draw(self, seat: int, deck: str) -> None:
        """R8.7, R8.9."""
        card = self.piles[deck].pop(0)
        self.seats[seat].cards.add(card)
        if not self.cards[card]["abolition"] or self.abolished:
            return
        self.abolished = True
        for it in self.seats:
            slavery = {held for held in it.cards if self.decks[held.split(".")[0]]["slavery"]}
            it.cards, it.face_down = it.cards - slavery, it.face_down | slavery
        for name, printed in self.decks.items():
            if printed["slavery"]:
                self.piles[name].clear()

    def discards(self, seat: int, declinable: bool) -> Decisions:
        """R9.8; without ``declinable`` only its mandatory part."""
        it = self.seats[seat]
        while not self.fits(seat, 0):
            optional = self.fits_somehow(seat)
            if optional and not declinable:
                return
            move = yield seat, {f"discard:{card}" for card in it.cards} | ({"done"} if optional else set())
            if move == "done":
                return
            self.discard(seat, move.partition(":")[2])

    def discard(self, seat: int, card: str) -> None:
        """R9.7."""
        it, deck = self.seats[seat], card.split(".")[0]
        it.cards.remove(card)
        if self.decks[deck]["slavery"]:
            it.face_down.add(card)
        elif not card.endswith(".governor"):
            self.piles[deck] = sorted([*self.piles[deck], card])

    # --- the end -----------------------------------------------------------------------------------------------
    def breakdown(self, seat: int) -> dict[str, int]:
        """R12."""
        it = self.seats[seat]
        held = {city for city, owner in self.owner.items() if owner == seat}
        spaces, top = self.tracks_data["glory_spaces"], self.tracks_data["max"]
        return {
            "cities": sum(self.cities[city]["glory"] for city in held),
            "connections": self.rules["connection_glory"] * sum(set(ends) <= held for ends in self.ends.values()),
            **{name: max(s for s in spaces if s <= min(top, self.status(seat, name))) for name in STATUSES},
            "cards": sum(self.cards[card]["glory"] for card in it.cards),
            "governor_slot": self.rules["empty_governor_slot_glory"] if self.fits(seat, 0) else 0,
            "university": sum(count * self.buildings[name]["glory"] for name, count in it.owned.items()),
            "harbor": it.harbor // self.rules["discs_per_glory"],
            "slavery": -self.rules["slavery_penalty"] * len(it.face_down),
        }
