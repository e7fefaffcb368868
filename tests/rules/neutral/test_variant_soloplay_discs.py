"""soloplay_2 and soloplay_3: what neutral discs on the map bring, and what they are worth (V2S.10-14, V3S.5)."""

from __future__ import annotations

import pytest

from endeavor_env.endeavor.rules import constants as c
from tests.kits.actions import BLUE, CITIES, TRACKS, assert_turn, gains, legal, moves, refuse
from tests.kits.position import See, play
from tests.kits.variant_position import (
    NEUTRAL,
    NEUTRAL_DISCS,
    PLAYERS,
    SOLOPLAY,
    Variant,
    in_harbor,
    reserve,
    spaces,
    tokens_lying,
)

both = pytest.mark.parametrize("variant", SOLOPLAY)
"""V3S.5: what is tested for two players holds for three."""


def acting(variant: str, *own: str, harbor: int = 5, neutral: int = 1) -> Variant:
    """Seat 0 to move with these buildings, discs in harbor and neutral discs in harbor."""
    return Variant(variant).own(0, *own).discs(0, harbor=harbor).neutral(0, harbor=neutral)


# --- neutral discs help no own action (V2S.10) --------------------------------------------------------------


@both
def test_V2S_10_they_activate_no_building(variant: str) -> None:
    game = acting(variant, "shipyard", "market", harbor=0, neutral=2).game()
    assert legal(game) == {"pass"}


@both
def test_V2S_10_they_pay_for_no_action(variant: str) -> None:
    position = acting(variant, "barracks", "shipyard", harbor=2, neutral=2).tokens(0, "attack").city("rome", 1)
    game = position.game()
    assert_turn(play(game.clone(), "activate:barracks"), 1)
    assert "spend:attack" in legal(game)
    game = position.discs(0, harbor=1).game()
    refuse(game, "spend:attack")
    assert_turn(play(game, "activate:shipyard"), 1)


@both
def test_V2S_10_they_give_no_presence(variant: str) -> None:
    position = acting(variant, "market", "barracks").track("india", NEUTRAL[variant], 1, 1, 1).city("bombay", 1)
    game = position.beside("india", NEUTRAL[variant]).game()
    assert legal(play(game.clone(), "activate:colonial_house")) == moves("occupy", *CITIES["europe"]) | {"done"}
    assert_turn(play(game.clone(), "activate:barracks"), 1)
    assert legal(play(game, "activate:market")) == moves("draw", "europe", "slavery") | {"done"}


@both
@pytest.mark.parametrize("own", [False, True])
def test_V2S_10_they_do_not_count_for_draw(variant: str, own: bool) -> None:
    position = acting(variant, "market").track("india", NEUTRAL[variant], 1, 1, 1)
    if own:
        position.beside("india", 0)
    game = play(position.game(), "activate:market")
    assert ("draw:india" in legal(game)) is own


@both
def test_V2S_10_they_control_no_connection(variant: str) -> None:
    position = acting(variant, neutral=0).city("venice", NEUTRAL[variant]).token("rome--venice", "culture")
    position.round(7).city("constantinople", NEUTRAL[variant])
    game = play(position.passed(*range(1, PLAYERS[variant])).game(), "activate:colonial_house", "occupy:rome")
    assert See(game).token_on("rome--venice") == "culture"
    play(game, "pass")
    assert game.over
    assert [game.breakdown(seat)["connections"] for seat in range(PLAYERS[variant])] == [0] * PLAYERS[variant]


@both
def test_V2S_10_they_go_nowhere_but_on_the_board(variant: str) -> None:
    position = acting(variant, "market", "shipyard", neutral=1).workers(0, "market", "shipyard")
    game = play(position.build(PLAYERS[variant] - 1).status(0, culture=1).game(), "build:market")
    # Growth and Salary move own discs only; seat 0 has the largest harbor, so none comes from its reserve either.
    assert (in_harbor(game, 0), reserve(game, 0)) == (1, NEUTRAL_DISCS[variant] - 1)


# --- tokens (V2S.11, C1) ------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("kind", ["politics", *BLUE])
def test_VA4_V2S_11_the_acting_player_takes_the_token_of_the_space(variant: str, kind: str) -> None:
    position = acting(variant, "shipyard").token("africa.3", "culture").token("africa.4", kind).closed("africa", 1, 2)
    game = play(position.game(), "activate:shipyard", "sail:africa")
    held, start = See(game).tokens(0), See(game).statuses(0)
    play(game, "neutral_sail:africa")
    assert spaces(game, "africa")[2:4] == [0, NEUTRAL[variant]]
    assert See(game).token_on("africa.4") is None
    assert See(game).tokens(0) - held == {kind: 1}
    assert gains(start, game, 0) == ({} if kind in BLUE else {kind: 1})


@both
@pytest.mark.parametrize("kind", ["finance", *BLUE])
def test_V2S_11_VA4_the_acting_player_takes_the_token_of_the_city(variant: str, kind: str) -> None:
    game = acting(variant).token("paris", kind).game()
    play(game, "activate:colonial_house", "occupy:rome")
    held, start = See(game).tokens(0), See(game).statuses(0)
    play(game, "neutral_occupy:paris")
    assert See(game).token_on("paris") is None
    assert See(game).tokens(0) - held == {kind: 1}
    assert gains(start, game, 0) == ({} if kind in BLUE else {kind: 1})


@both
def test_VC1_V2S_11_beside_a_full_track_a_neutral_disc_brings_nothing(variant: str) -> None:
    game = play(acting(variant, "shipyard").open("india", by=1).game(), "activate:shipyard", "sail:india")
    see, side = See(game), NEUTRAL[variant]
    assert "neutral_sail:india" in legal(game)
    held, track, lying = see.tokens(0), see.track("india"), tokens_lying(game)
    play(game, "neutral_sail:india")
    assert (see.beside("india", side), see.beside("india", 0), see.track("india")) == (1, 1, track)
    assert (see.tokens(0), tokens_lying(game)) == (held, lying)
    assert see.place("india.governor") == c.CARD_OUT_OF_GAME
    assert in_harbor(game, 0) == 0
    assert_turn(game, 1)


@both
@pytest.mark.parametrize("first", [0, "neutral"])
def test_V2S_11_no_connection_token_through_a_neutral_disc(variant: str, first: int | str) -> None:
    position = acting(variant).token("rome--venice", "culture").token("venice", "pay")
    game = position.city("rome", NEUTRAL[variant] if first == "neutral" else 0).game()
    play(game, "activate:colonial_house", "occupy:lisbon", "neutral_occupy:venice")
    assert See(game).token_on("rome--venice") == "culture"
    assert See(game).owner("venice") == NEUTRAL[variant]


# --- Governors (V2S.12) -------------------------------------------------------------------------------------


def india(variant: str, *discs: int) -> Variant:
    """Five spaces of the Indian track are in play, and these discs lie on the first ones."""
    return acting(variant, "shipyard").closed("india", 1).track("india", *discs)


@both
def test_TV3_the_governor_is_discarded_when_neutral_is_nearest_of_the_tied(variant: str) -> None:
    side = NEUTRAL[variant]
    game = play(india(variant, side, 0, 1).game(), "activate:shipyard", "sail:india")
    start = [See(game).statuses(seat) for seat in range(PLAYERS[variant])]
    assert See(game).place("india.governor") == c.CARD_IN_PILE
    play(game, "neutral_sail:india")
    assert See(game).track("india") == [side, 0, 1, 0, side]
    assert See(game).is_open("india")
    assert See(game).place("india.governor") == c.CARD_OUT_OF_GAME
    assert See(game).pile("india")[0] == "india.1"
    assert See(game).token_on("india.6") is None
    for seat in range(1, PLAYERS[variant]):
        assert gains(start[seat], game, seat) == {}


@both
@pytest.mark.parametrize(
    ("before", "winner"),
    [
        ("NN01", 0),  # tied with neutral, seat 0 nearest
        ("NNN1", None),
        ("N111", 1),
        ("NN11", 1),
        ("1NN0", 0),
        ("01NN", 0),
        ("11NN", None),
    ],
)
def test_V2S_12_neutral_discs_are_one_side_when_a_player_opens(variant: str, before: str, winner: int | None) -> None:
    sides = [NEUTRAL[variant] if side == "N" else int(side) for side in before]
    game = play(india(variant, *sides).game(), "activate:shipyard", "sail:india")
    assert See(game).place("india.governor") == (c.CARD_OUT_OF_GAME if winner is None else winner)


@both
@pytest.mark.parametrize(("before", "winner"), [((1, 1, 1), 1), ((0, 1, 1), 0)])
def test_V2S_12_a_neutral_disc_opens_and_a_player_wins(variant: str, before: tuple[int, ...], winner: int) -> None:
    game = india(variant, *before).game()
    play(game, "activate:shipyard", "sail:india", "neutral_sail:india")
    assert See(game).is_open("india")
    assert See(game).cards(winner) == {"india.governor"}
    assert See(game).cards(1 - winner) == set()


def test_V2S_12_discs_of_both_seats_make_one_side() -> None:
    position = india("soloplay_2", 2).own(1, "shipyard").discs(1, harbor=4).neutral(1, harbor=1)
    game = play(position.game(), "activate:shipyard", "sail:india", "neutral_sail:india")
    play(game, "activate:shipyard", "sail:india", "neutral_sail:india")
    assert See(game).track("india") == [2, 0, 2, 1, 2]
    assert See(game).is_open("india")
    assert See(game).place("india.governor") == c.CARD_OUT_OF_GAME


# --- Attack on neutral discs (V2S.13) -----------------------------------------------------------------------


@both
@pytest.mark.parametrize("source", ["activate:barracks", "activate:fortress", "spend:attack"])
def test_VA7_V2S_13_a_city_of_neutral_is_attacked_like_any_other(variant: str, source: str) -> None:
    side = NEUTRAL[variant]
    position = acting(variant, "barracks", "fortress", neutral=0).tokens(0, "attack").city("rome", side)
    game = position.game()
    supply = See(game).supply(0)
    play(game, source, "attack:rome")
    assert See(game).owner("rome") == 0
    assert See(game).harbor(0) == 5 - 2 - source.startswith("activate")
    assert See(game).supply(0) == supply + 1
    assert_turn(game, 1)


@both
def test_VA8_an_attacked_neutral_disc_leaves_the_game(variant: str) -> None:
    side = NEUTRAL[variant]
    game = acting(variant, "barracks", neutral=0).neutral(1, reserve=0).city("rome", side).game()
    out = See(game).supply(side)
    lying = [(reserve(game, seat), in_harbor(game, seat)) for seat in range(PLAYERS[variant])]
    play(game, "activate:barracks", "attack:rome")
    assert (See(game).supply(side), See(game).board_discs(side)) == (out + 1, 0)
    assert [(reserve(game, seat), in_harbor(game, seat)) for seat in range(PLAYERS[variant])] == lying
    assert game.breakdown(1)["neutral"] == 0


@both
def test_V2S_13_the_attacker_needs_presence(variant: str) -> None:
    position = acting(variant, "barracks").tokens(0, "attack").open("india", by=1).city("bombay", NEUTRAL[variant])
    game = position.game()
    refuse(game, "spend:attack")
    assert_turn(play(game, "activate:barracks"), 1)
    game = position.beside("india", 0).game()
    assert legal(play(game.clone(), "spend:attack")) == {"attack:bombay"}
    assert legal(play(game, "activate:barracks")) == {"attack:bombay", "done"}


@both
def test_V2S_13_the_attacker_gains_a_connection(variant: str) -> None:
    position = acting(variant, "barracks").city("rome", 0).city("venice", NEUTRAL[variant])
    game = position.token("rome--venice", "finance").game()
    start = See(game).statuses(0)
    play(game, "activate:barracks", "attack:venice", "done")
    assert See(game).token_on("rome--venice") is None
    assert gains(start, game, 0) == {"finance": 1}


# --- Glory (V2S.14) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "stock", "lying"),
    [("soloplay_2", 2, 1), ("soloplay_2", 3, 0), ("soloplay_2", 0, 3), ("soloplay_3", 2, 0), ("soloplay_3", 1, 1)],
)
def test_TV4_V2S_14_each_neutral_disc_in_reserve_is_one_glory(variant: str, stock: int, lying: int) -> None:
    position = Variant(variant).round(7).passed(*range(1, PLAYERS[variant])).discs(0, harbor=2)
    game = play(position.neutral(0, harbor=lying, reserve=stock).game(), "pass")
    assert game.over
    parts = game.breakdown(0)
    assert parts["neutral"] == stock
    assert parts["harbor"] == 0, "two own discs are too few, and neutral ones do not count (R12.7)"
    assert sum(parts.values()) == game.scores()[0] == stock + parts["governor_slot"]
    assert game.breakdown(1)["neutral"] == NEUTRAL_DISCS[variant]


@both
def test_V2S_14_discs_on_the_map_score_nothing(variant: str) -> None:
    position = Variant(variant).round(7).passed(*range(1, PLAYERS[variant])).neutral(0, harbor=0, reserve=0)
    position.city("rome", NEUTRAL[variant]).city("venice", NEUTRAL[variant])
    game = play(position.game(), "pass")
    parts = game.breakdown(0)
    assert (parts["neutral"], parts["cities"], parts["connections"]) == (0, 0, 0)


# --- three players (V3S.5) ----------------------------------------------------------------------------------


def test_V3S_5_a_turn_of_each_of_three_seats() -> None:
    position = Variant("soloplay_3").open("india", by=2).own(0, "shipyard").own(1, "market").own(2, "barracks")
    for seat in range(3):
        position.discs(seat, harbor=4).neutral(seat, harbor=1)
    game = position.token("calcutta", "culture").game()
    play(game, "activate:shipyard", "sail:india", "neutral_occupy:calcutta")
    assert See(game).tokens(0)["culture"] >= 1
    play(game, "activate:market", "draw:slavery")
    assert See(game).moves("neutral_sail") == set(TRACKS)
    play(game, "neutral_sail:africa", "activate:barracks", "attack:calcutta")
    assert See(game).supply(3) == 1
    assert legal(game) == {"neutral_sail:india", "neutral_occupy:bombay", "done"}
    play(game, "neutral_occupy:bombay")
    assert_turn(game, 0)
    assert [in_harbor(game, seat) for seat in range(3)] == [0, 0, 0]
