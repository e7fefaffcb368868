"""A kit that builds sound positions of the base game in ids, and reads games back in ids.

Building (calls chain, their order does not matter, everything is worked out in `game`)::

    game = (
        Position(4)                                  # players; round 3, first player 0, Action phase, turn of seat 0
        .status(0, industry=5, politics=3)           # true icon counts; statuses not named are 0
        .own(0, "shipyard", "dock")                  # buildings besides the Colonial House
        .workers(0, "shipyard")                      # discs on activation spaces
        .discs(0, harbor=4)                          # or supply=...; all 30 discs are always accounted for
        .city("london", 0).track("far_east", 1, 2)   # far end first; a track that is full opens its region
        .open("india").open("africa", by=2)          # opens by discs of one seat on every shipping space
        .beside("india", 0, 2)                       # seat 0, two discs
        .cards(0, "europe.0", "india.governor").face_down(1, "slavery.2")
        .tokens(0, "attack").token("paris", "politics")   # held; lying on a space
        .passed(2, 3).turn(1)                        # or .build(seat) or .salary(seat, payments)
        .game()
    )
    see = See(play(game, "pass", ...))               # play checks after every move that the state is sound
    assert see.status(0, "industry") == 5

What the kit fills in, so that counts hold:

* `status(seat, ...)` adds brown tokens to the icons of the seat's cards and buildings until the counts are reached.
  A seat for which `status` is never called keeps the icons it happens to have.
* Occupied cities, filled shipping spaces and controlled connections hold no token. Every other space holds one:
  the one named with `token`, else some token (name the token of every space that a test takes from). If
  held tokens leave too few to go round, connections lose theirs, the last of the board first (`bare` picks them).
* Tokens left over are blue ones that were spent; if those do not suffice, the last seat without a `status` call
  gets the rest.
* A region is opened when a card, a city disc or a disc beside its track needs it: the last seat's discs fill the
  track, then those of the seat before it (`open` picks the seat).
* The Governor of an open region is out of the game unless somebody holds it. Europe 5 in a hand means that slavery
  is abolished.
* Discs not placed are in supply, unless `discs` names the supply: then they are in harbor.
"""

from __future__ import annotations

from collections import Counter
from itertools import cycle
from typing import Self

import numpy as np

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules import constants as c
from tests.kits.see import KINDS, STATUSES, See, assert_sound, play

__all__ = ["KINDS", "STATUSES", "Position", "See", "assert_sound", "play"]

DISCS = 30


class Position:
    """A position under construction; see the top of this file."""

    def __init__(self, players: int = 4, *, board: Board | None = None) -> None:
        """Start a position of ``players`` seats (3..5), on the default board unless one is given."""
        self.players = self.sides = players  # sides own discs: the seats first, then what a variant adds
        self.on = board if board is not None else Board.default()
        self._goals: dict[int, dict[str, int]] = {}
        self._own: dict[int, Counter[str]] = {seat: Counter({"colonial_house": 1}) for seat in range(players)}
        self._workers: dict[int, Counter[str]] = {seat: Counter() for seat in range(players)}
        self._tokens: dict[int, Counter[str]] = {seat: Counter() for seat in range(players)}
        self._discs: dict[int, tuple[int | None, int | None]] = {}
        self._city: dict[str, int] = {}
        self._track: dict[str, list[int]] = {}
        self._beside: Counter[tuple[int, str]] = Counter()
        self._open: dict[str, int | None] = {}
        self._cards: dict[str, int] = {}
        self._token: dict[str, str] = {}
        self._bare: set[str] = set()
        self._abolished = False
        self._passed: tuple[int, ...] = ()
        self._round, self._first = 3, 0
        self._when = (c.PHASE_ACTION, c.DECIDE_TURN, 0, 0, 0)

    # --- seats ---------------------------------------------------------------------------------------------
    def status(self, seat: int, **counts: int) -> Self:
        """Set all four icon counts of ``seat``; those not named become 0."""
        self._goals[seat] = {name: counts.pop(name, 0) for name in STATUSES}
        assert not counts, f"no such status: {sorted(counts)}"
        return self

    def own(self, seat: int, *buildings: str) -> Self:
        """Add buildings to a mat, out of the common supply."""
        self._own[seat].update(buildings)
        return self

    def workers(self, seat: int, *buildings: str) -> Self:
        """Put a disc on an activation space for each building named (a name twice: two copies)."""
        self._workers[seat].update(buildings)
        return self

    def sold_out(self, *buildings: str, to: tuple[int, ...]) -> Self:
        """Give every copy left of these buildings to the seats ``to``, in turn."""
        seats = cycle(to)
        for building in buildings:
            for _ in range(self._left(building)):
                self.own(next(seats), building)
        return self

    def tokens(self, seat: int, *kinds: str) -> Self:
        """Add tokens to a harbor."""
        self._tokens[seat].update(kinds)
        return self

    def discs(self, seat: int, *, harbor: int | None = None, supply: int | None = None) -> Self:
        """Set the discs in harbor or in supply; the other is what is left of 30."""
        self._discs[seat] = (harbor, supply)
        return self

    def cards(self, seat: int, *cards: str) -> Self:
        """Deal cards face up to a seat."""
        return self._deal(seat, cards)

    def face_down(self, seat: int, *cards: str) -> Self:
        """Deal set-aside Slavery cards to a seat."""
        return self._deal(c.CARD_FACE_DOWN + seat, cards)

    def gone(self, *cards: str) -> Self:
        """Take cards out of the game."""
        return self._deal(c.CARD_OUT_OF_GAME, cards)

    # --- the board -----------------------------------------------------------------------------------------
    def city(self, city: str, seat: int) -> Self:
        """Put a disc in a city."""
        self._city[city] = seat
        return self

    def cities(self, seat: int, *cities: str) -> Self:
        """Put discs of one seat in several cities."""
        for city in cities:
            self.city(city, seat)
        return self

    def track(self, region: str, *seats: int) -> Self:
        """Fill a shipping track from the far end with discs of these seats."""
        self._track[region] = list(seats)
        return self

    def beside(self, region: str, seat: int, discs: int = 1) -> Self:
        """Put discs beside a full track."""
        self._beside[seat, region] += discs
        return self

    def open(self, region: str, by: int | None = None) -> Self:
        """Open a region; discs of ``by`` (the last seat with enough of them) fill what is free of its track."""
        self._open[region] = by
        return self

    def token(self, space: str, kind: str) -> Self:
        """Lay a token of this kind on a city, connection or shipping space."""
        self._token[space] = kind
        return self

    def bare(self, *connections: str) -> Self:
        """Leave connections without a token (somebody took it)."""
        self._bare.update(connections)
        return self

    def abolished(self) -> Self:
        """Slavery is abolished: its cards left in the pile are out of the game."""
        self._abolished = True
        return self

    # --- when ----------------------------------------------------------------------------------------------
    def round(self, number: int, first: int = 0) -> Self:
        """Set the round and the seat that plays first in it."""
        self._round, self._first = number, first
        return self

    def passed(self, *seats: int) -> Self:
        """These seats have passed this round."""
        self._passed = seats
        return self

    def turn(self, seat: int) -> Self:
        """Action phase, the turn of ``seat``."""
        self._when = (c.PHASE_ACTION, c.DECIDE_TURN, seat, 0, 0)
        return self

    def build(self, seat: int) -> Self:
        """Build phase, ``seat`` must build; the seats before it in the round's order have built."""
        self._when = (c.PHASE_BUILD, c.DECIDE_BUILD, seat, 1, 0)
        return self

    def salary(self, seat: int, payments: int) -> Self:
        """Salary phase, ``seat`` has payments left, fewer than it has discs on buildings."""
        self._when = (c.PHASE_SALARY, c.DECIDE_SALARY, seat, 1, payments)
        return self

    # --- the result ----------------------------------------------------------------------------------------
    def game(self, *, check: bool = True) -> Game:
        """Return a game at this position; ``check`` asserts that its state breaks no invariant."""
        game = self._new_game()
        state = game.state[0]
        self._open_regions()
        self._fill_cards(state)
        self._fill_buildings(state)
        self._fill_board(state)
        self._fill_tokens(state)
        self._fill_discs(state)
        self._fill_time(state)
        entry.recount(self.on.array, game.state)
        if check:
            assert_sound(game)
        return game

    def _new_game(self) -> Game:
        setup = {"first_player": self._first, "tokens": self._layout()}
        return Game.new(players=self.players, board=self.on, setup=setup)

    def _deal(self, place: int, cards: tuple[str, ...]) -> Self:
        for card in cards:
            assert card not in self._cards, f"{card} is dealt twice"
            assert card in self.on.cards, f"no card {card}"
            self._cards[card] = place
        return self

    def _left(self, building: str) -> int:
        return self._copies(building) - sum(own[building] for own in self._own.values())

    def _copies(self, building: str) -> int:
        return int(self.on.array[0].building_copies[self.on.buildings.index(building)])

    def _layout(self) -> dict[str, str]:
        """A set-up that uses every token once; what lies on the board is then decided by `_fill_tokens`."""
        pool = iter(_spread(self._supply_of_tokens()))
        return {space: next(pool) for space in self.on.space_index}

    def _supply_of_tokens(self) -> Counter[str]:
        counts = self.on.array[0].token_count
        return Counter({kind: int(counts[i]) for i, kind in enumerate(KINDS)})

    def _region_of(self, card_or_city: str) -> str:
        board = self.on.array[0]
        if card_or_city in self.on.cities:
            return self.on.regions[board.city_region[self.on.cities.index(card_or_city)]]
        return self.on.regions[board.deck_region[self.on.decks.index(card_or_city.split(".")[0])]]

    def _spaces(self, region: str) -> list[int]:
        """The shipping spaces that take a disc, as indices from the far end."""
        return list(range(int(self.on.array[0].track_length[self.on.regions.index(region)])))

    def _length(self, region: str) -> int:
        return len(self._spaces(region))

    def _needed_open(self) -> list[str]:
        needed = {region for _, region in self._beside} | set(self._open)
        needed |= {self._region_of(city) for city in self._city}
        needed |= {self._region_of(card) for card in self._cards}
        return [region for region in self.on.regions if region in needed]

    def _open_regions(self) -> None:
        for region in self._needed_open():
            discs = self._track.setdefault(region, [])
            missing = self._length(region) - len(discs)
            if missing:
                by = self._open.get(region)
                discs += [self._seat_with(missing) if by is None else by] * missing

    def _seat_with(self, discs: int) -> int:
        for seat in reversed(range(self.players)):
            if DISCS - self._placed(seat) - ((self._discs.get(seat) or (None,))[0] or 0) >= discs:
                return seat
        raise AssertionError(f"no seat has {discs} discs left to fill a track: name the seats with track()")

    def _placed(self, seat: int) -> int:
        on_tracks = sum(discs.count(seat) for discs in self._track.values())
        beside = sum(n for (owner, _), n in self._beside.items() if owner == seat)
        return on_tracks + beside + list(self._city.values()).count(seat) + self._workers[seat].total()

    def _fill_cards(self, state: np.record) -> None:
        board = self.on.array[0]
        self._abolished |= 0 <= self._cards.get("europe.5", c.CARD_IN_PILE) < c.MAX_SEATS
        state.abolished = self._abolished
        for number, card in enumerate(self.on.cards):
            region = self._region_of(card)
            is_open = len(self._track.get(region, [])) == self._length(region)
            away = (board.card_governor[number] and is_open) or (board.card_slavery[number] and self._abolished)
            state.card_place[number] = self._cards.get(card, c.CARD_OUT_OF_GAME if away else c.CARD_IN_PILE)

    def _fill_buildings(self, state: np.record) -> None:
        state.buildings[:] = 0
        state.occupied[:] = 0
        for index, building in enumerate(self.on.buildings):
            for seat in range(self.players):
                state.buildings[seat, index] = self._own[seat][building]
                state.occupied[seat, index] = self._workers[seat][building]
                assert self._workers[seat][building] <= self._own[seat][building], f"seat {seat} lacks a {building}"
            if not self.on.array[0].building_start[index]:
                assert self._left(building) >= 0, f"too many copies of {building}"
                state.building_supply[index] = self._left(building)

    def _fill_board(self, state: np.record) -> None:
        for index, region in enumerate(self.on.regions):
            discs = self._track.get(region, [])
            assert len(discs) <= self._length(region), f"{region} has no {len(discs)} shipping spaces"
            state.track_owner[index, self._spaces(region)[: len(discs)]] = discs
            state.open[index] = len(discs) == self._length(region)
            for side in range(self.sides):
                state.beside[side, index] = self._beside[side, region]
        for city, seat in self._city.items():
            state.city_owner[self.on.cities.index(city)] = seat

    def _taken(self) -> set[str]:
        """The spaces that must be without a token."""
        taken = set(self._city) | self._bare
        for region, discs in self._track.items():
            taken |= {f"{region}.{index + 1}" for index in self._spaces(region)[: len(discs)]}
        for connection in self.on.connections:
            first, second = (self._city.get(city) for city in connection.split("--"))
            if first is not None and first == second:
                taken.add(connection)
        return taken

    def _held(self, state: np.record) -> dict[int, Counter[str]]:
        """Tokens held once the status goals are met."""
        board, held = self.on.array[0], {seat: Counter(tokens) for seat, tokens in self._tokens.items()}
        for seat, goal in self._goals.items():
            for index, name in enumerate(STATUSES):
                icons = int(board.card_icons[state.card_place == seat, index].sum())
                icons += int((state.buildings[seat] * board.building_icons[:, index]).sum())
                missing = goal[name] - icons - held[seat][name]
                assert missing >= 0, f"seat {seat} already has {icons} {name} icons on cards and buildings"
                held[seat][name] += missing
        return held

    def _fill_tokens(self, state: np.record) -> None:
        held, taken = self._held(state), self._taken()
        wrong = taken & set(self._token)
        assert not wrong, f"no token can lie on {sorted(wrong)}"
        pool = self._supply_of_tokens() - Counter()
        for tokens in (*held.values(), Counter(self._token.values())):
            pool.subtract(tokens)
        assert min(pool.values()) >= 0, f"the game has too few tokens: {dict(pool)}"
        spaces = [space for space in self.on.space_index if space not in taken and space not in self._token]
        for connection in reversed(self.on.connections):
            if len(spaces) > pool.total() and connection in spaces:
                spaces.remove(connection)
        assert len(spaces) <= pool.total(), "more tokens are held than connections could lose: put discs on the board"
        self._spend_surplus(pool, pool.total() - len(spaces), held)
        lying = dict(zip(spaces, _spread(pool), strict=True)) | self._token
        for space, index in self.on.space_index.items():
            state.token[index] = KINDS.index(lying[space]) if space in lying else c.NONE
        for seat in range(self.players):
            state.tokens[seat] = [held[seat][kind] for kind in KINDS]

    def _spend_surplus(self, pool: Counter[str], surplus: int, held: dict[int, Counter[str]]) -> None:
        takers = [seat for seat in range(self.players) if seat not in self._goals]
        for kind in (*KINDS[4:], *KINDS[:4]):
            gone = min(surplus, pool[kind])
            pool[kind] -= gone
            surplus -= gone
            if kind in STATUSES and gone:
                assert takers, f"{gone} {kind} tokens are left over: leave some seat without status()"
                held[takers[-1]][kind] += gone

    def _fill_discs(self, state: np.record) -> None:
        for seat in range(self.players):
            left = DISCS - self._placed(seat)
            harbor, supply = self._discs.get(seat, (0, None))
            if harbor is None:
                harbor = left - (supply or 0)
            assert 0 <= harbor <= left, (
                f"seat {seat} has {left} discs for harbor and supply, not {harbor} for the harbor"
            )
            assert supply is None or supply == left - harbor, f"seat {seat} cannot have 30 discs like this"
            state.harbor[seat], state.supply[seat] = harbor, left - harbor

    def _fill_time(self, state: np.record) -> None:
        phase, decision, seat, once, payments = self._when
        state.round_number, state.first_player = self._round, self._first
        state.phase, state.decision, state.seat = phase, decision, seat
        state.sweep = (seat - self._first) % self.players if once else 0
        state.payments_left = payments
        state.passed[:] = 0
        state.passed[list(self._passed)] = 1


def _spread(pool: Counter[str]) -> list[str]:
    """The tokens of a pool, kinds taking turns."""
    left, order = Counter(pool), []
    while left.total():
        for kind in KINDS:
            if left[kind]:
                left[kind] -= 1
                order.append(kind)
    return order
