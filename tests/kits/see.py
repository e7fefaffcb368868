"""Reads games back in ids (`See`), and plays moves while checking that every state is sound (`play`)."""

from __future__ import annotations

from collections import Counter

import numpy as np

from endeavor_env import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE

STATUSES = ("industry", "culture", "finance", "politics")
KINDS = (*STATUSES, "attack", "occupy_draw", "sail_draw", "pay")


class See:
    """Reads a game in ids. It looks at the live state, so it stays valid while the game is played on."""

    def __init__(self, game: Game) -> None:
        """Look at ``game``."""
        self.game, self.state, self.board = game, game.state[0], game.board

    def status(self, seat: int, name: str) -> int:
        """True icon count."""
        return int(self.state.status[seat, STATUSES.index(name)])

    def statuses(self, seat: int) -> dict[str, int]:
        """All four true icon counts."""
        return {name: self.status(seat, name) for name in STATUSES}

    def harbor(self, seat: int) -> int:
        """Discs in harbor."""
        return int(self.state.harbor[seat])

    def supply(self, seat: int) -> int:
        """Discs in the seat's supply."""
        return int(self.state.supply[seat])

    def own(self, seat: int) -> Counter[str]:
        """Buildings on the mat."""
        return Counter({b: int(n) for b, n in zip(self.board.buildings, self.state.buildings[seat], strict=False) if n})

    def workers(self, seat: int) -> Counter[str]:
        """Buildings with a disc on them."""
        return Counter({b: int(n) for b, n in zip(self.board.buildings, self.state.occupied[seat], strict=False) if n})

    def left(self, building: str) -> int:
        """Copies of a building in the common supply."""
        return int(self.state.building_supply[self.board.buildings.index(building)])

    def tokens(self, seat: int) -> Counter[str]:
        """Tokens held."""
        return Counter({kind: int(n) for kind, n in zip(KINDS, self.state.tokens[seat], strict=True) if n})

    def token_on(self, space: str) -> str | None:
        """Kind of the token lying on a space."""
        kind = int(self.state.token[self.board.space_index[space]])
        return None if kind == c.NONE else KINDS[kind]

    def owner(self, city: str) -> int | None:
        """Owner of the disc in a city."""
        seat = int(self.state.city_owner[self.board.cities.index(city)])
        return None if seat == c.NONE else seat

    def track(self, region: str) -> list[int]:
        """Owners of the discs on a shipping track, far end first."""
        return [int(side) for side in self.state.track_owner[self.board.regions.index(region)] if side >= 0]

    def beside(self, region: str, seat: int) -> int:
        """Discs of a seat beside a track."""
        return int(self.state.beside[seat, self.board.regions.index(region)])

    def is_open(self, region: str) -> bool:
        """Whether a region is open."""
        return bool(self.state.open[self.board.regions.index(region)])

    def place(self, card: str) -> int:
        """Where a card is: a seat, or one of the codes of `card_place`."""
        return int(self.state.card_place[self.board.cards.index(card)])

    def cards(self, seat: int) -> set[str]:
        """Face-up cards held."""
        return {card for card in self.board.cards if self.place(card) == seat}

    def face_down(self, seat: int) -> set[str]:
        """Set-aside Slavery cards."""
        return {card for card in self.board.cards if self.place(card) == c.CARD_FACE_DOWN + seat}

    def pile(self, deck: str) -> list[str]:
        """Cards in a pile, top first, as the state's ``pile_top`` and ``card_place`` have them."""
        top = int(self.state.pile_top[self.board.decks.index(deck)])
        cards = [card for card in self.board.cards if card.split(".")[0] == deck]
        return [card for card in cards[top:] if self.place(card) == c.CARD_IN_PILE]

    def moves(self, verb: str) -> set[str]:
        """Targets of the legal moves with this verb (``moves("pay") == {"market"}``); {""} for a bare verb."""
        legal = [move.partition(":") for move in self.game.legal_moves()]
        return {target for word, _, target in legal if word == verb}

    def board_discs(self, seat: int) -> int:
        """Discs in cities, on tracks and beside them."""
        on_tracks = sum(self.track(region).count(seat) for region in self.board.regions)
        beside = sum(self.beside(region, seat) for region in self.board.regions)
        return on_tracks + beside + sum(self.owner(city) == seat for city in self.board.cities)


def play(game: Game, *moves: str) -> Game:
    """Play moves in order on ``game``, asserting after each that the state is sound; return the same game."""
    for move in moves:
        game.play(move)
        assert_sound(game)
    return game


def assert_sound(game: Game) -> None:
    """Assert that no invariant of the core is broken and that derived fields equal a recount."""
    flags = entry.status(game.board.array, game.state, np.zeros(1, STATE))
    assert flags == 0, f"the state breaks invariants {flags:#x}"
    again = game.state.copy()
    entry.recount(game.board.array, again)
    assert again.tobytes() == game.state.tobytes(), "derived fields differ from a recount"
