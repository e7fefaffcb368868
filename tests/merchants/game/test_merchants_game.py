"""Games of Merchants of Europe in words: what is played, records and their replay, and what a seat may see."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.engine.records import read_record, write_record
from endeavor_env.errors import (
    EndeavorError,
    IllegalActionError,
    InvalidOptionError,
    RecordError,
    counted,
)
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.merchants.records import FORM, replay
from endeavor_env.merchants.rules import constants as c
from endeavor_env.search import Positions, tree_search
from endeavor_env.web import replay_page, title_of

KINDS: list[dict[str, Any]] = [
    {"players": 4, "max_rolls": 25},
    {"players": 3, "max_rolls": 25, "trade": "bank"},
    {"players": 3, "start": "free", "max_rolls": 20},
    {"players": 4, "board": "expert", "max_rolls": 20, "trade": "none"},
]


def played(seed: int, moves: int | None = None, **kind: Any) -> MerchantsGame:
    """Return a game of random moves, to its end or of so many moves of seats."""
    game, draw = MerchantsGame.new(seed=seed, **kind), random.Random(seed)
    while not game.over and moves != 0:
        game.apply(draw.choice(game.legal_actions()))
        moves = None if moves is None else moves - 1
    return game


# --- what is played --------------------------------------------------------------------------------------------------
def test_the_usual_game_has_four_seats_on_the_short_side() -> None:
    game = MerchantsGame.new(seed=1)
    assert (game.num_players, game.variant, game.board.id) == (4, "short", "short_reconstructed")
    assert repr(game).startswith(f"<MerchantsGame {game.rules.name}, ")
    assert game.config.named_options() == {"start": "fixed", "trade": "offers", "max_rolls": 300}
    assert MerchantsGame.new(seed=1, board="expert").config.start == "free"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ({"players": 2}, "players=2 does not fit variant 'short': it takes 3 to 4"),
        ({"board": "expert", "start": "fixed"}, "start='fixed' is not possible: give 'free'"),
        ({"trade": "gifts"}, "trade='gifts' is not possible: give 'offers' or 'bank' or 'none'"),
        ({"max_rolls": 0}, "max_rolls=0 is not possible: give 1 to 32767"),
        ({"max_rolls": 40_000}, "max_rolls=40000 is not possible"),
        ({"max_rolls": True}, "max_rolls=True is not possible"),
        ({"board": "no/such/board.toml"}, "no/such/board.toml"),
        ({"setup": {"first": 4}}, "begins with seat 4: give 0 to 3"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(kind: dict[str, Any], message: str) -> None:
    with pytest.raises(EndeavorError, match=message):
        MerchantsGame.new(**kind)


def test_a_given_first_player_begins() -> None:
    for first in range(4):
        game = MerchantsGame.new(setup={"first": first})
        assert game.seat == first
        assert game.record()["moves"] == [["chance", f"first:{first}"]]


# --- playing ---------------------------------------------------------------------------------------------------------


def test_moves_have_texts_and_words_and_every_text_leads_back_to_its_id() -> None:
    game, draw, verbs = MerchantsGame.new(seed=2, max_rolls=60), random.Random(2), set()
    while not game.over:
        for action in game.legal_actions():
            text = game.describe(action)
            assert game.encode(text) == action
            assert game.rules.presenter.words(game, action)
            verbs.add(text.partition(":")[0])
        game.apply(draw.choice(game.legal_actions()))
    assert len(verbs) > 20
    with pytest.raises(IllegalActionError, match="'fly' is no move of the game 'merchants'"):
        game.encode("fly")


# --- records ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
def test_a_record_replays_to_the_same_position(kind: dict[str, Any], tmp_path: Path) -> None:
    game = played(11, **kind)
    write_record(game, tmp_path / "game.json")
    again = replay(tmp_path / "game.json")
    assert again.state.tobytes() == game.state.tobytes()
    assert again.record() == game.record()
    record = read_record(tmp_path / "game.json", FORM)
    assert list(record) == ["format", "board", "side", "players", "options", "moves", "result"]
    assert record["result"] == {"scores": game.scores(), "winners": game.winners(), "truncated": game.truncated}


def wrong_records() -> dict[str, tuple[Callable[[dict[str, Any]], Any], str]]:
    """Return changes of a record of a finished game by name, each with what must be said of it."""

    def change_dice(record: dict[str, Any]) -> None:
        index = next(i for i, (_, text) in enumerate(record["moves"]) if text.startswith("dice:"))
        record["moves"][index][1] = "dice:1"

    def wrong_seat(record: dict[str, Any]) -> None:
        index = next(i for i, (seat, _) in enumerate(record["moves"]) if seat != "chance")
        record["moves"][index][0] = (record["moves"][index][0] + 1) % 4

    return {
        "format": (lambda record: record.update(format="merchants-game/2"), "this version reads 'merchants-game/1'"),
        "board": (lambda record: record.update(board="atlantis"), "played on the board 'atlantis'"),
        "side": (lambda record: record.update(side="expert"), "the board short_reconstructed has short"),
        "players": (lambda record: record.update(players=5), "players=5 does not fit"),
        "option": (lambda record: record["options"].update(dice=2), "has no option 'dice'"),
        "trade": (lambda record: record["options"].update(trade="all"), "trade='all' is not possible"),
        "dice": (change_dice, "'dice:1' is no move"),
        "seat": (wrong_seat, "the decision is seat"),
        "cut": (lambda record: record["moves"].pop(), "has a result, but its moves end"),
        "more": (lambda record: record["moves"].append([0, "roll"]), "the game is over"),
        "scores": (lambda record: record["result"].update(scores=[9, 9, 9, 9]), "has scores"),
        "truncated": (lambda record: record["result"].update(truncated=False), "has truncated False"),
        "no result": (lambda record: record.pop("result"), "has no result"),
    }


@pytest.mark.parametrize("name", wrong_records())
def test_a_changed_record_is_refused_in_a_sentence(name: str) -> None:
    record = copy.deepcopy(played(4, max_rolls=15).record())
    change, message = wrong_records()[name]
    change(record)
    with pytest.raises(RecordError, match=message):
        replay(record)


def test_a_record_that_ends_where_chance_decides_is_refused() -> None:
    record = played(4, max_rolls=15).record()
    index = next(i for i, (_, text) in enumerate(record["moves"]) if text.startswith("dice:"))
    cut = {**record, "moves": record["moves"][:index]}
    del cut["result"]
    with pytest.raises(RecordError, match=f"ends before move {index}, which chance makes"):
        replay(cut)


# --- what a seat sees (K14) ------------------------------------------------------------------------------------------
def test_a_view_counts_the_cards_of_others_and_names_its_own() -> None:
    game = played(6, 150)
    whole = game.view(None)
    for seat in range(4):
        seen = game.view(seat)
        json.dumps(seen)
        for other in range(4):
            of_other, all_of_it = seen["seats"][other], whole["seats"][other]
            if other == seat:
                assert of_other == all_of_it
                continue
            assert of_other["hand"] == sum(all_of_it["hand"].values())
            assert of_other["cards"] == sum(all_of_it["cards"].values())
            hidden = {"hand": None, "cards": None}
            assert {**of_other, **hidden} == {**all_of_it, **hidden}
        assert seen["pile"] == sum(whole["pile"].values())
        assert (seen["legal"] is not None) == (game.seat == seat)
        for key in set(whole) - {"seats", "pile", "legal", "moves", "bought"}:
            assert seen[key] == whole[key]


def test_stolen_and_drawn_cards_are_told_to_those_who_see_them_alone() -> None:
    game = next(game for seed in range(50) if told(game := played(seed, max_rolls=60)) >= {"stolen", "drawn"})
    moves, mover, victim = game.record()["moves"], -1, -1
    views = [game.record(seat)["moves"] for seat in range(4)]
    for index, (who, text) in enumerate(moves):
        verb, _, outcome = text.partition(":")
        if who != "chance":
            mover, victim = who, int(outcome) if verb == "steal" else victim
        told_to = {"stolen": {mover, victim}, "drawn": {mover}} if who == "chance" else {}
        seers = told_to.get(verb, set(range(4)))
        for seat in range(4):
            assert views[seat][index] == [who, text if seat in seers else f"{verb}:?"]
    with pytest.raises(RecordError, match=r"':\?|\?"):
        replay(game.record(next(seat for seat in range(4) if views[seat] != moves)))


def told(game: MerchantsGame) -> set[str]:
    """Return the kinds of chance in a game."""
    return {text.partition(":")[0] for who, text in game.record()["moves"] if who == "chance"}


def test_a_view_does_not_change_when_what_is_hidden_is_drawn_anew() -> None:
    changed = 0
    for seed in range(6):
        game = played(seed, 220, max_rolls=80)
        if game.over:
            continue
        for seat in range(4):
            position = Positions.of(game)
            position.resample(seat, 5)
            other = game.clone()
            other.state[:] = position.states
            changed += other.state.tobytes() != game.state.tobytes()
            mine, its = game.view(seat), other.view(seat)
            assert mine == its
    assert changed > 3


def test_there_is_no_view_of_a_seat_that_there_is_not() -> None:
    with pytest.raises(InvalidOptionError, match="seat"):
        MerchantsGame.new(3, seed=1).view(3)


# --- faces -----------------------------------------------------------------------------------------------------------
def test_the_text_of_a_seat_shows_no_card_of_others() -> None:
    game = played(8, 120)
    faces = game.rules.presenter
    for seat in range(4):
        lines = faces.text(game, seat).splitlines()
        for other in range(4):
            hand = game.state["hand"][0, other]
            shown = next(line for line in lines if line.startswith(f"Seat {other}:"))
            assert (f"hand {counted(int(hand.sum()), 'card')};" in shown) == (other != seat)
    assert faces.period_of(game) > 0
    assert faces.period_of(MerchantsGame.new(start="free", seed=1)) == 0


def test_a_replay_page_tells_what_chance_showed() -> None:
    game = played(9, max_rolls=6)
    page = replay_page(game)
    assert '"words":"the dice show' in page
    assert '"unit":"goods"' in page
    assert title_of(game) == "Merchants of Europe, 4 seats: 0 to 0 to 0 to 0 goods"


def test_a_search_takes_nothing_from_what_its_seat_cannot_know() -> None:
    game, draw = played(12, 200, max_rolls=80), random.Random(1)
    while len(game.legal_actions()) < 2:
        game.apply(draw.choice(game.legal_actions()))
    legal = game.legal_actions()
    position = Positions.of(game)
    position.resample(game.seat, 77)
    other = game.clone()
    other.state[:] = position.states
    assert other.state.tobytes() != game.state.tobytes()
    found, its = (tree_search(one, 60, 3, limit=40) for one in (game, other))
    assert found.actions.tolist() == its.actions.tolist()
    assert found.visits.tolist() == its.visits.tolist()
    assert set(found.actions.tolist()) <= set(legal)


def test_the_end_by_rolls_and_by_delivery_are_told_apart() -> None:
    game = played(3, max_rolls=1)
    assert game.truncated
    assert game.winners() == [0, 1, 2, 3]
    assert game.state["ending"][0] == c.OUT_OF_ROLLS
