"""The card limit of both sides, and what the Opposition discards (S7.1, clarification C11).

Mostly the Opposition has already acted, so that the player's pass ends the round and its holding is checked.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from endeavor_env import Game
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.rules import constants as c
from tests.kits.position import Position
from tests.kits.solo_position import (
    BLACK,
    GREEN,
    MAT,
    PLAYER,
    RED,
    STATUSES,
    SoloPosition,
    SoloSee,
    acting,
    asked,
    assert_sound,
    deeds,
    play,
)

GLORY_SPACES = (0, 2, 4, 7, 10, 12, 15)
LOWEST_OF_LEVEL = (0, 2, 4, 7, 10)


def holding(politics: int, *cards: str) -> Position:
    """The Opposition holds these cards, and this many Politics tokens."""
    return SoloPosition().acted().cards(MAT, *cards).tokens(MAT, *["politics"] * politics)


# --- who, when --------------------------------------------------------------------------------------------------


def test_S7_1_the_player_is_checked_at_its_pass_before_the_opposition_acts() -> None:
    position = acting().mixed_europe("rome").cards(PLAYER, "europe.1", "europe.4")
    game = play(position.status(PLAYER, industry=1, culture=3, politics=1).game(), "pass")
    assert (game.decision, game.seat) == ("discard", PLAYER)
    assert SoloSee(game).owner("rome") is None
    assert deeds(game, "discard:europe.1") == ["red occupy:rome"]


def test_S7_1_the_opposition_is_checked_after_its_actions_before_the_bonus_draw() -> None:
    position = SoloPosition(RED, GREEN).ipf(2).bonus().mixed_europe("rome").cards(MAT, "caribbean.1", "far_east.1")
    game = position.game()
    assert asked(game, "pass") == {"discard:caribbean.1", "discard:far_east.1"}
    assert SoloSee(game).owner("rome") == RED
    assert SoloSee(game).bonus_due
    assert deeds(game, "discard:far_east.1") == ["discard:far_east.1", "draw:slavery"]


def test_S7_1_the_opposition_is_checked_before_the_players_turn_if_it_acts_first() -> None:
    position = SoloPosition(RED, GREEN).ties_first().build().europe(BLACK, "rome", "lisbon", "london")
    game = position.cards(MAT, "caribbean.1", "caribbean.3").round(3).game()
    play(game, "build:market")
    assert (game.phase, game.decision) == ("action", "turn")
    assert SoloSee(game).cards(MAT) == {"caribbean.3"}


def test_S7_1_at_the_end_of_the_round_the_player_comes_first() -> None:
    position = SoloPosition(RED, GREEN).ipf(2).bonus().mixed_europe("rome").abolished().token("rome", "pay")
    position.cards(PLAYER, "europe.1", "europe.4").status(PLAYER, industry=1, culture=3, politics=2)
    game = play(position.cards(MAT, "caribbean.2").track("caribbean", *[GREEN] * 6).game(), "pass")
    see = SoloSee(game)
    assert see.status(PLAYER, "politics") == 1, "the Opposition has stolen a token"
    assert see.cards(MAT) == {"caribbean.1", "caribbean.2"}, "the bonus draw came before"
    assert (game.decision, game.seat) == ("round_end_discard", PLAYER)
    assert set(game.legal_moves()) == {"discard:europe.1", "discard:europe.4"}
    assert deeds(game, "discard:europe.1") == ["discard:caribbean.1"]
    assert (game.round, see.cards(PLAYER)) == (3, {"europe.4"})


def test_S7_1_the_opposition_is_checked_again_after_its_bonus_draw() -> None:
    position = SoloPosition(GREEN, RED).ipf(2).acted().bonus().abolished().cards(MAT, "caribbean.3")
    game = play(position.game(), "pass")
    assert SoloSee(game).cards(MAT) == {"caribbean.3"}
    assert SoloSee(game).pile("europe")[0] == "europe.0"


# --- the limit of the Opposition --------------------------------------------------------------------------------


@pytest.mark.parametrize(("politics", "limit"), [(0, 1), (1, 1), (2, 2), (4, 3), (7, 4), (10, 5)])
def test_S7_1_the_limit_follows_the_oppositions_politics(politics: int, limit: int) -> None:
    plain = ("caribbean.1", "caribbean.2", "caribbean.3", "caribbean.4", "far_east.1", "far_east.2")
    for number in (limit, limit + 1):
        position = SoloPosition().ties_first().acted().cards(MAT, *plain[:number])
        game = play(position.tokens(MAT, *["politics"] * politics).game(), "pass")
        assert len(SoloSee(game).cards(MAT)) == limit


def test_S7_1_one_slavery_card_beyond_the_limit() -> None:
    game = holding(0, "caribbean.1", "slavery.0").game()
    assert deeds(game, "pass") == []


def test_S7_1_one_governor_in_the_slot_and_no_optional_discard() -> None:
    game = holding(0, "caribbean.1", "india.governor").game()
    assert deeds(game, "pass") == []
    assert game.round == 3


def test_S7_1_no_sixth_card_for_slavery() -> None:
    five = ("caribbean.1", "caribbean.2", "caribbean.3", "caribbean.4", "far_east.2")
    position = SoloPosition().ties_first().acted().cards(MAT, *five, "slavery.0")
    game = play(position.tokens(MAT, *["politics"] * 10).game(), "pass")
    assert len(SoloSee(game).cards(MAT)) == 5


# --- what is best for it ----------------------------------------------------------------------------------------


def test_S7_1_SC11_glory_comes_first() -> None:
    assert deeds(holding(0, "africa.1", "caribbean.3").game(), "pass") == ["discard:africa.1"]


def test_S7_1_SC11_glory_of_the_markers_counts() -> None:
    # Without south_america.1 Culture falls from 2 (two Glory) to 0, without far_east.1 nothing is lost.
    assert deeds(holding(0, "far_east.1", "south_america.1").game(), "pass") == ["discard:far_east.1"]


def test_S7_1_SC11_then_the_sum_of_the_statuses() -> None:
    game = holding(0, "north_america.1", "north_america.2").game()
    assert deeds(game, "pass") == ["discard:north_america.1"]


def test_S7_1_SC11_then_the_player_chooses() -> None:
    game = holding(0, "far_east.1", "caribbean.1").game()
    assert asked(game, "pass") == {"discard:far_east.1", "discard:caribbean.1"}
    assert deeds(game, "discard:caribbean.1") == ["discard:caribbean.1"]
    assert game.round == 3


def test_S10_first_settles_discards_in_the_order_of_the_board() -> None:
    position = SoloPosition().ties_first().acted().cards(MAT, "caribbean.1", "far_east.1")
    assert deeds(position.game(), "pass") == ["discard:far_east.1"]


def test_SC11_one_at_a_time_and_the_options_are_the_cards_of_all_best_sets() -> None:
    game = holding(0, "far_east.1", "caribbean.1", "caribbean.3").game()
    assert asked(game, "pass") == {"discard:far_east.1", "discard:caribbean.1"}
    assert deeds(game, "discard:caribbean.1") == ["discard:caribbean.1", "discard:far_east.1"]


def test_SC11_as_few_discards_as_possible() -> None:
    # Without india.1 Politics would fall to 1 and a second card would have to go.
    game = holding(1, "india.1", "caribbean.1", "caribbean.2").game()
    assert deeds(game, "pass") == ["discard:caribbean.1"]


def test_S7_1_SC11_a_slavery_card_costs_a_glory() -> None:
    # Discarding slavery.0 would leave the same markers as discarding caribbean.1, but one card face down.
    game = holding(0, "caribbean.1", "slavery.0", "slavery.1").game()
    assert deeds(game, "pass") == ["discard:caribbean.1"]


# --- where discards go ------------------------------------------------------------------------------------------


def test_S7_1_a_card_of_a_region_returns_to_its_pile() -> None:
    game = play(holding(0, "africa.1", "caribbean.3").game(), "pass")
    assert SoloSee(game).pile("africa") == [f"africa.{value}" for value in range(1, 6)]


def test_S7_1_a_slavery_card_lies_face_down_beside_the_mat() -> None:
    game = holding(0, "slavery.0", "slavery.1", "slavery.2").game()
    assert deeds(game, "pass") == ["discard:slavery.0"]
    see = SoloSee(game)
    assert see.face_down(MAT) == {"slavery.0"}
    assert see.face_down(PLAYER) == set()
    assert see.statuses(MAT) == {"industry": 3, "culture": 0, "finance": 4, "politics": 0}
    assert game.breakdown("opposition")["slavery"] == -1


def test_S7_1_a_governor_is_retained_for_its_glory() -> None:
    game = holding(0, "far_east.governor", "caribbean.governor", "south_america.governor").game()
    assert deeds(game, "pass") == ["discard:caribbean.governor"]
    see = SoloSee(game)
    assert see.retained() == {"caribbean.governor"}
    assert see.statuses(MAT) == {"industry": 2, "culture": 3, "finance": 1, "politics": 0}
    assert game.breakdown("opposition")["cards"] == 2


def test_S7_1_retained_governors_know_no_limit() -> None:
    position = SoloPosition().acted().retained("far_east.governor", "caribbean.governor", "africa.governor")
    game = position.cards(MAT, "caribbean.1", "india.governor").game()
    assert deeds(game, "pass") == []
    assert len(SoloSee(game).retained()) == 3


def test_S7_1_the_players_governor_leaves_the_game() -> None:
    position = SoloPosition().acted().cards(PLAYER, "caribbean.governor", "europe.1", "europe.4")
    game = position.status(PLAYER, industry=1, culture=3, finance=2, politics=1).game()
    play(game, "pass", "discard:caribbean.governor", "discard:europe.4")
    assert game.round == 3
    assert SoloSee(game).place("caribbean.governor") == c.CARD_OUT_OF_GAME


# --- an oracle ----------------------------------------------------------------------------------------------------


class Oracle:
    """Finds the options of C11 by trying all sets of cards."""

    def __init__(self, board: Board, cards: set[str], tokens: dict[str, int]) -> None:
        """Start from the cards held, with nothing discarded."""
        self.board, self.cards, self.tokens = board, set(cards), tokens
        self.retained: set[str] = set()
        self.face_down = 0

    def _icons(self, cards: set[str]) -> list[int]:
        array, numbers = self.board.array[0], [self.board.cards.index(card) for card in cards]
        return [self.tokens[name] + int(array.card_icons[numbers, i].sum()) for i, name in enumerate(STATUSES)]

    def legal(self, cards: set[str]) -> bool:
        """Whether a holding fits, with a Governor in the slot if there is one."""
        limit = sum(self._icons(cards)[3] >= lowest for lowest in LOWEST_OF_LEVEL)
        normal = len(cards) - any(card.endswith("governor") for card in cards)
        return normal <= 5 and normal - any(card.startswith("slavery") for card in cards) <= limit

    def _worth(self, gone: set[str]) -> tuple[int, int]:
        kept, array = self.cards - gone, self.board.array[0]
        icons = self._icons(kept)
        markers = sum(max(space for space in GLORY_SPACES if space <= min(15, n)) for n in icons)
        glorious = kept | self.retained | {card for card in gone if card.endswith("governor")}
        cards = sum(int(array.card_glory[self.board.cards.index(card)]) for card in glorious)
        face_down = self.face_down + sum(card.startswith("slavery") for card in gone)
        return markers + cards - face_down, sum(icons)

    def options(self) -> set[str]:
        """The cards that may be discarded now; none if the holding is legal."""
        for number in range(len(self.cards) + 1):
            sets = [set(gone) for gone in combinations(sorted(self.cards), number)]
            sets = [gone for gone in sets if self.legal(self.cards - gone)]
            if sets:
                best = max(map(self._worth, sets))
                return set().union(*(gone for gone in sets if self._worth(gone) == best))
        raise AssertionError("no cards are always legal")

    def discard(self, card: str) -> None:
        """Take a card away."""
        self.cards.remove(card)
        self.face_down += card.startswith("slavery")
        if card.endswith("governor"):
            self.retained.add(card)


def discard_all(game: Game, oracle: Oracle, chance: random.Random) -> None:
    """Follow the discards of the game, asserting that every choice has the oracle's options."""
    while options := oracle.options():
        card = chance.choice(sorted(options))
        oracle.discard(card)
        if len(options) > 1:
            assert asked(game) == {f"discard:{option}" for option in options}
            play(game, f"discard:{card}")


@pytest.mark.parametrize("seed", range(36))
def test_SC11_random_holdings(board: Board, seed: int) -> None:
    chance = random.Random(seed)
    pool = [card for card in board.cards if card != "europe.5"]
    cards = chance.sample(pool, chance.randint(2, 8))
    tokens = {name: chance.randint(0, 4) for name in STATUSES}
    position = SoloPosition().acted().cards(MAT, *cards)
    game = position.tokens(MAT, *[name for name in STATUSES for _ in range(tokens[name])]).game()
    oracle = Oracle(board, set(cards), tokens)
    play(game, "pass")
    discard_all(game, oracle, chance)
    assert (game.round, game.decision) == (3, "build")
    see = SoloSee(game)
    assert (see.cards(MAT), see.retained()) == (oracle.cards, oracle.retained)
    assert len(see.face_down(MAT)) == oracle.face_down
    assert_sound(game)
