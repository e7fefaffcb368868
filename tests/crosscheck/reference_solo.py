"""The second, slow reading of the solitaire game: its course, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Generator

from tests.crosscheck.reference import STATUSES, Decisions
from tests.crosscheck.reference_solo_parts import BASE, MAT, SoloTable, best

Asked = Generator[tuple[int, set[str]], str, str]


class SoloReference(SoloTable):
    """One solitaire game, played by ``play``."""

    # --- the game ----------------------------------------------------------------------------------------------
    def play(self) -> Decisions:
        """The whole game (S1.8, S3)."""
        yield from self.settle_in_europe()
        while self.round < self.rules["rounds"]:
            self.round += 1
            it = self.seats[0]
            it.passed = False
            yield from self.build(0)
            gained = min(it.supply, self.level(0, "culture", "growth"))
            it.supply, it.harbor = it.supply - gained, it.harbor + gained
            yield from self.salary(0)
            opposition_first = self.round >= 3 and bool(self.free_cities(self.scale[0]))  # S3.3
            if opposition_first:
                yield from self.opposition_phase()
            while not it.passed:
                yield from self.turn(0)
            if not opposition_first:
                yield from self.opposition_phase()
            if self.bonus_due:
                side = self.scale[self.ipf - 1]
                yield from self.act(side, "draw", self.bonus_piles(side, []))
            yield from self.end_of_round()

    def settle_in_europe(self) -> Decisions:
        """S1.8 and S1.9; the token that leaves becomes the IPF (S1.11)."""
        europe = [city for city in self.cities if self.regions_of(city) == [self.start_region()]]
        for status, side in zip(STATUSES, self.drawn_for_europe, strict=True):
            options = [city for city in europe if self.token.get(city) == status]
            for space in (0, 1):
                linked = [city for city in options if self.linked(city, side, space)]
                if linked:
                    options = linked
                    break
            yield from self.act(side, "occupy", options)
        blue = [city for city in europe if city in self.token and self.token[city] not in STATUSES]
        city = yield from self.ask("remove", blue)
        del self.token[city]

    def build(self, seat: int) -> Decisions:
        """S6: R4 with the tiles of the grid; the crown moves, and with it the IPF (S2.3)."""
        cells = {name: (row, at) for row, names in enumerate(self.grid) for at, name in enumerate(names) if name}
        level = {name: self.buildings[name]["level"] for name in cells}
        has_top = any(self.buildings[name]["level"] == 5 for name in self.seats[seat].owned)
        legal = {name for name in cells if not (has_top and level[name] == 5)}
        reached = {name for name in legal if self.any_level or level[name] <= self.level(0, "industry", "build_level")}
        if not reached:
            lowest = min(level[name] for name in legal)
            reached = {name for name in legal if level[name] == lowest}
        built = (yield seat, {f"build:{name}" for name in reached}).split(":")[1]
        row, column = cells[built]
        self.ipf = BASE[self.round] + abs(column - self.crown[1])
        self.crown, self.built = (row, column), built
        self.grid[row][column] = None
        self.seats[seat].owned[built] += 1

    def opposition_phase(self) -> Decisions:
        """S3: the colours below the IPF act, then the card limit."""
        for side in self.scale[: self.ipf - 1]:
            verb, options = self.wanted(side)
            yield from self.act(side, verb, options)
        yield from self.card_limit()

    def end_of_round(self) -> Decisions:
        """S7."""
        yield from self.discards(0, declinable=False)
        yield from self.card_limit()
        (row, column), cells = self.crown, self.grid[self.crown[0]]
        cells[column:] = [*cells[column + 1 :], None]
        if column == len(cells) - 1:
            self.pending[row] = self.built
        else:
            for level, name in self.pending.items():
                if self.stock[name]:
                    self.refill(name, level, self.grid[level].index(None))
            self.pending.clear()
            if self.stock[self.built]:
                self.refill(self.built, row, len(cells) - 1)
        acted = self.ipf - 1
        self.scale = self.scale[acted:] + self.scale[:acted]
        self.ipf, self.bonus_due = BASE.get(self.round + 1, 0), False

    def refill(self, name: str, row: int, column: int) -> None:
        """Lay a tile of the stock on an empty cell (S7.3)."""
        assert self.grid[row][column] is None, f"{name} would cover {self.grid[row][column]}"
        self.grid[row][column] = name
        self.stock[name] -= 1

    # --- one action of a colour (S4) -------------------------------------------------------------------------------
    def ask(self, verb: str, options: list[str]) -> Asked:
        """Return the choice among ``options``, in data-file order; the player is asked only for real ones."""
        if len(options) == 1 or self.ties_first:
            return options[0]
        move = yield 0, {f"{verb}:{option}" for option in options}
        return move.partition(":")[2]

    def act(self, side: int, verb: str, options: list[str]) -> Decisions:
        """Do one thing for a colour, if it can, and then all that its blue tokens bring (C8)."""
        if not options:
            return
        target = yield from self.ask(verb, options)
        getattr(self, verb)(side, target)
        won, self.won = self.won, []
        if self.round == 0 or self.difficulty == "easier" or (verb == "sail" and self.difficulty != "harder"):
            return
        for kind, regions in won:
            yield from self.carry_out(side, kind, regions)

    def wanted(self, side: int) -> tuple[str, list[str]]:
        """The first item of the list with something to do: what, and among which targets the player may choose."""
        for useless in (False, True):
            if cities := self.cities_wanted(side):
                return "occupy", cities
            if tracks := self.tracks_to_win(side):
                return "sail", tracks
            if tracks := self.tracks_followed(side, useless):
                return "sail", tracks
            if regions := self.regions_to_join():
                return "sail", regions
            if piles := self.piles_wanted(side, useless):
                return "draw", piles
        return "pass", []

    # --- blue tokens (S5.5) ----------------------------------------------------------------------------------------
    def carry_out(self, side: int, kind: str, regions: list[str]) -> Decisions:
        """One blue token, with everything that follows from it."""
        if kind == "pay":
            yield from self.steal()
            return
        if kind == "attack":
            yield from self.act(side, "attack", self.cities_to_attack(side))
            return
        verb = {"sail_draw": "sail", "occupy_draw": "occupy"}[kind]
        options = self.tracks_to_win(side) if verb == "sail" else self.cities_wanted(side)
        if not options:
            verb, options = "draw", self.bonus_piles(side, regions)
        yield from self.act(side, verb, options)

    def steal(self) -> Decisions:
        """A Pay token takes a status token from the player (C9)."""
        held = [name for name in STATUSES if self.seats[0].tokens[name]]
        if held:
            name = yield from self.ask("take", best(held, lambda name: -self.marker(name)))
            self.seats[0].tokens[name] -= 1
            self.mat.tokens[name] += 1

    # --- the card limit of the Opposition (S7.1, C11) ----------------------------------------------------------------
    def card_limit(self) -> Decisions:
        """One card at a time, of the best smallest sets."""
        while not self.fits_somehow(MAT):
            card = yield from self.ask("discard", self.cards_to_spare())
            self.discard(MAT, card)
