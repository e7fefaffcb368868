"""The frame of the Action phase (section 7)."""

from __future__ import annotations

import pytest

from tests.kits.position import Position, See, play

ICONS = ("industry", "culture", "finance", "politics")


def no_free_draw(position: Position, seat: int = 2) -> Position:
    """Let another seat hold the cards of value 0, so that nothing can be drawn without a disc."""
    return position.cards(seat, "europe.0", "slavery.0")


# --- R7.1 the order of turns ---------------------------------------------------------------------------------


def test_R7_1_one_action_a_turn_then_the_next_seat() -> None:
    game = Position(3).own(0, "market").discs(0, harbor=3).game()
    play(game, "activate:market", "draw:europe")
    assert (game.seat, game.decision) == (1, "turn")


def test_R7_1_a_passed_player_is_skipped() -> None:
    position = Position(4).passed(1, 2).turn(0)
    for seat in (0, 3):
        position.own(seat, "market").discs(seat, harbor=5)
    game = play(position.game(), "activate:market", "draw:europe")
    assert game.seat == 3
    play(game, "activate:market", "draw:slavery")
    assert game.seat == 0


def test_R7_1_the_last_player_left_goes_on_alone() -> None:
    game = Position(3).own(1, "market", "market").discs(1, harbor=5).passed(0, 2).turn(1).game()
    play(game, "activate:market", "draw:europe")
    assert (game.seat, game.decision) == (1, "turn")
    play(game, "activate:market", "draw:slavery")
    assert (game.seat, game.decision) == (1, "turn")


def test_R7_1_turns_go_clockwise_past_the_last_seat() -> None:
    game = Position(5).turn(4).game()
    play(game, "pass")
    assert game.seat == 0


@pytest.mark.parametrize("harbor", [0, 1, 5])
def test_R7_1_passing_is_always_allowed(harbor: int) -> None:
    game = Position(3).own(0, "market").tokens(0, "pay", "sail_draw").discs(0, harbor=harbor).game()
    assert "pass" in game.legal_moves()


def test_R7_1_the_phase_ends_when_all_have_passed() -> None:
    game = Position(3).round(2, first=1).turn(1).game()
    play(game, "pass", "pass")
    assert (game.round, game.phase, game.seat) == (2, "action", 0)
    play(game, "pass")
    assert (game.round, game.phase) == (3, "build")


# --- R7.2 activating a building ------------------------------------------------------------------------------


def test_R7_2_the_disc_goes_from_harbor_to_the_activation_space() -> None:
    game = Position(3).own(0, "market").discs(0, harbor=3).game()
    play(game, "activate:market")
    assert See(game).harbor(0) == 2
    assert See(game).workers(0) == {"market": 1}


def test_R7_2_not_while_the_space_is_occupied() -> None:
    game = Position(3).own(0, "market").workers(0, "market").discs(0, harbor=3).game()
    assert See(game).moves("activate") == {"colonial_house"}


def test_R7_2_not_without_a_disc_in_harbor() -> None:
    game = Position(3).own(0, "market", "shipyard").discs(0, harbor=0).game()
    assert See(game).moves("activate") == set()


def test_R7_2_not_without_an_activation_space() -> None:
    position = Position(3).own(0, "workshop", "bank", "theater", "university").discs(0, harbor=5)
    assert See(position.game()).moves("activate") == {"colonial_house"}


def test_R7_2_every_building_with_a_space_can_be_activated() -> None:
    active = ("market", "shipyard", "barracks", "guild_hall", "dock", "fortress", "cartographer")
    game = Position(3).own(0, *active).discs(0, harbor=5).game()
    assert See(game).moves("activate") == {"colonial_house", *active}


@pytest.mark.parametrize("building", ["trade_office", "exchange", "museum", "parliament"])
def test_R7_2_high_buildings_can_be_activated(building: str) -> None:
    game = Position(3).own(0, building).discs(0, harbor=1).game()
    assert See(game).moves("activate") == {"colonial_house", building}


def test_R7_2_not_a_building_of_somebody_else() -> None:
    game = Position(3).own(1, "market").discs(0, harbor=5).game()
    assert See(game).moves("activate") == {"colonial_house"}


def test_R7_2_a_second_copy_has_its_own_space() -> None:
    game = Position(3).own(0, "market", "market").workers(0, "market").discs(0, harbor=3).turn(0).passed(1, 2).game()
    assert "market" in See(game).moves("activate")
    play(game, "activate:market", "draw:europe")
    assert See(game).workers(0) == {"market": 2}
    assert "market" not in See(game).moves("activate")


def test_R7_2_A4_the_action_may_be_declined() -> None:
    game = Position(3).own(0, "market").discs(0, harbor=1).game()
    play(game, "activate:market")
    assert "done" in game.legal_moves()
    play(game, "done")
    assert game.seat == 1
    assert See(game).workers(0) == {"market": 1}
    assert See(game).cards(0) == set()


def test_R7_2_A4_a_building_can_be_activated_without_any_target() -> None:
    game = Position(3).own(0, "barracks").discs(0, harbor=1).game()
    assert "barracks" in See(game).moves("activate")
    play(game, "activate:barracks")
    assert (game.seat, game.decision) == (1, "turn")
    assert See(game).workers(0) == {"barracks": 1}
    assert See(game).harbor(0) == 0


# --- R7.3 spending a blue token --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "move"),
    [("sail_draw", "sail:india"), ("occupy_draw", "occupy:paris"), ("attack", "attack:rome"), ("pay", "pay:market")],
)
def test_R7_3_the_token_leaves_the_game_and_no_disc_goes_on_a_building(kind: str, move: str) -> None:
    position = (
        Position(3).own(0, "market").workers(0, "market").city("rome", 1).discs(0, harbor=2).tokens(0, kind, kind)
    )
    game = position.token("paris", "politics").token("india.1", "politics").game()
    lying = [See(game).token_on(space) for space in game.board.space_index].count(kind)
    play(game, f"spend:{kind}", move)
    see = See(game)
    assert see.tokens(0)[kind] == 1
    assert [see.token_on(space) for space in game.board.space_index].count(kind) == lying
    assert see.workers(0).total() == (0 if kind == "pay" else 1)
    assert game.seat == 1


def test_R7_3_the_token_is_spent_at_once() -> None:
    game = Position(3).tokens(0, "occupy_draw").discs(0, harbor=2).game()
    play(game, "spend:occupy_draw")
    assert See(game).tokens(0) == {}
    assert See(game).harbor(0) == 2


def test_R7_3_only_tokens_held() -> None:
    game = Position(3).tokens(0, "sail_draw").tokens(1, "occupy_draw").discs(0, harbor=5).game()
    assert See(game).moves("spend") == {"sail_draw"}


def test_R7_3_status_tokens_cannot_be_spent() -> None:
    game = Position(3).tokens(0, *ICONS).discs(0, harbor=5).game()
    assert See(game).moves("spend") == set()


def test_A5_a_token_cannot_be_spent_without_effect() -> None:
    game = Position(3).tokens(0, "occupy_draw").discs(0, harbor=2).game()
    play(game, "spend:occupy_draw")
    assert "done" not in game.legal_moves()


@pytest.mark.parametrize(
    ("harbor", "kinds"), [(0, set()), (1, {"sail_draw", "occupy_draw"}), (2, {"sail_draw", "occupy_draw", "attack"})]
)
def test_A5_tokens_need_a_target_now(harbor: int, kinds: set[str]) -> None:
    position = no_free_draw(Position(3)).city("rome", 1).tokens(0, "attack", "sail_draw", "occupy_draw", "pay")
    assert See(position.discs(0, harbor=harbor).game()).moves("spend") == kinds


def test_A5_a_draw_keeps_a_combined_token_useful_without_discs() -> None:
    game = Position(3).tokens(0, "attack", "sail_draw", "occupy_draw", "pay").discs(0, harbor=0).game()
    assert See(game).moves("spend") == {"sail_draw", "occupy_draw"}


def test_A5_a_pay_token_needs_an_occupied_building() -> None:
    position = Position(3).tokens(0, "pay").workers(0, "colonial_house")
    assert See(position.game()).moves("spend") == {"pay"}


def test_A5_an_attack_token_needs_an_enemy_city_within_reach() -> None:
    position = Position(3).tokens(0, "attack").discs(0, harbor=5).city("london", 0).city("bombay", 1)
    assert See(position.game()).moves("spend") == set()


def test_A19_a_token_obeys_the_conditions_of_the_action() -> None:
    position = no_free_draw(Position(3)).tokens(0, "occupy_draw").discs(0, harbor=1).open("india", by=1)
    game = play(position.city("london", 0).city("paris", 1).game(), "spend:occupy_draw")
    see = See(game)
    free = {"amsterdam", "copenhagen", "lisbon", "rome", "venice", "constantinople", "alexandria", "tangier"}
    assert see.moves("occupy") == free
    assert see.moves("draw") == {"europe", "slavery"}  # value 1 against one disc in Europe


# --- R7.4 what an action costs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("building", "verb", "cost"),
    [
        ("shipyard", "sail", 1),
        ("colonial_house", "occupy", 1),
        ("barracks", "attack", 2),
        ("market", "draw", 0),
        ("exchange", "pay", 0),
    ],
)
def test_R7_4_harbor_cost_by_building(building: str, verb: str, cost: int) -> None:
    for harbor, possible in ((cost + 1, True), (cost, False)):
        if harbor == 0:
            continue  # nothing to activate with: R7.2
        position = Position(3).city("rome", 1).discs(0, harbor=harbor)
        if building != "colonial_house":
            position.own(0, building, "workshop", "market" if building == "exchange" else "bank")
        if building == "exchange":
            position.workers(0, "market")
        game = play(position.game(), f"activate:{building}")
        assert (game.seat == 0) is possible
        assert bool(See(game).moves(verb)) is possible


@pytest.mark.parametrize(
    ("kind", "move", "after"),
    [
        ("sail_draw", "sail:india", 1),
        ("sail_draw", "draw:europe", 2),
        ("occupy_draw", "occupy:paris", 1),
        ("occupy_draw", "draw:europe", 2),
        ("attack", "attack:rome", 0),
        ("pay", "pay:colonial_house", 3),
    ],
)
def test_R7_4_harbor_cost_by_token(kind: str, move: str, after: int) -> None:
    position = Position(3).city("rome", 1).discs(0, harbor=2).tokens(0, kind).workers(0, "colonial_house")
    game = play(position.game(), f"spend:{kind}", move)
    assert See(game).harbor(0) == after


# --- R7.5, R7.6 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("icon", ICONS)
def test_R7_5_a_token_counts_at_once(icon: str) -> None:
    position = Position(3).status(0, industry=1, culture=1, finance=1, politics=1).token("paris", icon)
    game = play(position.discs(0, harbor=2).game(), "activate:colonial_house", "occupy:paris")
    assert See(game).statuses(0) == {name: 1 + (name == icon) for name in ICONS}


def test_R7_5_a_card_counts_at_once() -> None:
    game = Position(3).status(0).own(0, "market").discs(0, harbor=2).game()
    play(game, "activate:market", "draw:slavery")
    assert See(game).statuses(0) == {"industry": 2, "culture": 0, "finance": 0, "politics": 0}


def test_R7_5_a_blue_token_taken_this_turn_can_be_spent_next_turn() -> None:
    position = Position(3).token("paris", "sail_draw").discs(0, harbor=2).passed(1, 2)
    game = play(position.game(), "activate:colonial_house", "occupy:paris")
    assert See(game).moves("spend") == {"sail_draw"}


def test_R7_6_no_trading_and_no_voluntary_discard() -> None:
    position = Position(3).cards(0, "europe.0").tokens(0, "politics", "pay").own(0, "market")
    game = position.workers(0, "market").discs(0, harbor=4).game()
    assert {move.partition(":")[0] for move in game.legal_moves()} == {"pass", "activate", "spend"}
