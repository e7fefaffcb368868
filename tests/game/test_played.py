"""Who played a game: kept by games and records, refused in any other form, and what seats are called by it."""

from __future__ import annotations

import dataclasses
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import endeavor_env
from endeavor_env import Game, read_record, replay, write_record
from endeavor_env.endeavor.drawing.view import view_game
from endeavor_env.engine.players_info import (
    DATE,
    LONGEST_NAME,
    Player,
    PlayersInfo,
    in_sentence,
    in_words,
    seat_titles,
    short_name,
)
from endeavor_env.errors import InvalidOptionError, RecordError
from tests.kits.games import on_the_way

PLAYED = PlayersInfo(
    seats=(Player("Ada", "human"), Player("value", "value:runs/best.npz", "0123456789abcdef"), Player(), Player("Zoë")),
    versions=(("endeavor-env", "0.1.0"),),
    date="2026-03-01T20:15:00Z",
    seconds=(4.25, None, 0.0),
)
SEATS = [{"name": "Ada"}, {}, {}, {"agent": "greedy", "weights": None}]


def game_of(played: PlayersInfo | None = PLAYED, moves: int = 12) -> Game:
    """A game of four seats after some moves, with who plays."""
    game = on_the_way(moves, seed=4, players=4)
    game.played = played
    return game


def test_a_record_says_who_played_and_gives_it_back(tmp_path: Path) -> None:
    game = game_of()
    write_record(game, tmp_path / "game.json")
    kept = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert kept["played"] == {
        "seats": [
            {"name": "Ada", "agent": "human", "weights": None},
            {"name": "value", "agent": "value:runs/best.npz", "weights": "0123456789abcdef"},
            {"name": None, "agent": None, "weights": None},
            {"name": "Zoë", "agent": None, "weights": None},
        ],
        "versions": {"endeavor-env": "0.1.0"},
        "date": "2026-03-01T20:15:00Z",
        "seconds": [4.25, None, 0.0],
    }
    again = replay(tmp_path / "game.json")
    assert again.played == PLAYED
    assert again.record() == game.record()


def test_a_game_that_nobody_speaks_of_has_the_record_of_before() -> None:
    assert list(on_the_way(12, seed=4, players=4).record()) == list(endeavor_env.endeavor.records.FORM.required)
    assert replay(game_of(None).record()).played is None


def test_what_is_not_known_is_left_out() -> None:
    bare = PlayersInfo((Player(),) * 4)
    assert bare.to_dict() == {"seats": [{"name": None, "agent": None, "weights": None}] * 4}
    assert PlayersInfo.from_dict({"seats": [{}] * 4}, 4, 0) == bare


def test_copies_and_earlier_positions_keep_it() -> None:
    game = game_of()
    assert game.clone().played == PLAYED
    assert game.at_move(2).played == dataclasses.replace(PLAYED, seconds=(4.25, None))
    assert game.at_move(12).played == PLAYED
    copy = game.clone()
    copy.played = None
    assert game.played == PLAYED


def test_times_of_moves_that_were_taken_back_are_not_recorded() -> None:
    game = game_of(moves=2)
    assert game.record()["played"]["seconds"] == [4.25, None]


def test_times_are_noted_move_by_move() -> None:
    played = PlayersInfo((Player(),))
    assert played.timed(0, 1.5).timed(1, 0.12345678).seconds == (1.5, 0.123457)
    assert played.timed(2, 1.0).seconds == (None, None, 1.0)
    assert played.timed(0, 1.0).timed(1, 2.0).timed(0, 3.0).seconds == (3.0,)


def test_a_game_that_begins_now_is_dated_and_names_the_versions() -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    played = PlayersInfo.of(["Ada", Player("x", "greedy"), None])
    assert played.seats == (Player("Ada"), Player("x", "greedy"), Player())
    assert dict(played.versions) == {"endeavor-env": endeavor_env.__version__, "environment": "Endeavor-v0"}
    assert played.date is not None
    date = datetime.strptime(played.date, DATE).replace(tzinfo=UTC)
    assert before <= date + timedelta(seconds=1)
    assert date <= datetime.now(UTC)
    assert PlayersInfo.from_dict(played.to_dict(), 3, 0) == played


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        ("Ada", "seats='Ada' are not possible: give a name, a Player or None for each"),
        ([3], r"seats=\[3\] are not possible"),
        (5, "seats=5 are not possible"),
        (["x" * 41], "seat 0 has the name 'x+.*give 1 to 40 printable characters or null"),
        ([None, ""], "seat 1 has the name ''"),
        (["a\nb"], "seat 0 has the name"),
        ([" Ada"], "seat 0 has the name"),
        (["\ud800"], "seat 0 has the name"),
        ([Player("Ada", "x" * 401)], "seat 0 has the agent"),
    ],
)
def test_names_that_are_none_are_refused(seats: Any, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        PlayersInfo.of(seats)


def test_a_game_takes_no_other_seats_than_its_own() -> None:
    game = Game.new(3, seed=1)
    with pytest.raises(InvalidOptionError, match="played has 4 seats, and the game 3: name each"):
        game.played = PLAYED
    with pytest.raises(
        InvalidOptionError, match=re.escape("played=['Ada'] is not possible: give endeavor_env.engine.players_info")
    ):
        game.played = ["Ada"]  # type: ignore[assignment]
    assert game.played is None


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ({}, "seats None must be a list with an object for each seat"),
        ({"seats": "Ada"}, "seats 'Ada' must be a list"),
        ({"seats": SEATS, "more": 1}, "it has an unknown field 'more'; known are seats, versions, date, seconds"),
        ({"seats": SEATS[:3]}, "names 3 seats, and its game has 4"),
        ({"seats": [1, *SEATS[1:]]}, "seat 0 is 1; it must be an object with some of name, agent, weights"),
        ({"seats": [*SEATS[:3], {"hash": "x"}]}, "seat 3 is {'hash': 'x'}; it must be an object"),
        ({"seats": [{"name": 5}, *SEATS[1:]]}, "seat 0 has the name 5"),
        ({"seats": [{"name": "x" * 41}, *SEATS[1:]]}, "seat 0 has the name"),
        ({"seats": [{"name": "a\tb"}, *SEATS[1:]]}, "seat 0 has the name"),
        ({"seats": [{"agent": ""}, *SEATS[1:]]}, "seat 0 has the agent ''"),
        ({"seats": [{"weights": "xyz"}, *SEATS[1:]]}, "seat 0 has the weights 'xyz'; give 12 to 64 hexadecimal digits"),
        ({"seats": [{"weights": "0" * 11}, *SEATS[1:]]}, "seat 0 has the weights"),
        ({"seats": [{"weights": "0" * 12 + "\n"}, *SEATS[1:]]}, "seat 0 has the weights"),
        ({"seats": SEATS, "versions": ["0.1.0"]}, "versions .* must be an object of at most 8 names"),
        ({"seats": SEATS, "versions": {"a": 1}}, "versions {'a': 1} must be an object"),
        ({"seats": SEATS, "versions": {f"v{one}": "1" for one in range(9)}}, "of at most 8 names"),
        ({"seats": SEATS, "date": None}, "date None must be a time of UTC such as 2026-03-01T20:15:00Z"),
        ({"seats": SEATS, "date": "2026-02-30T20:15:00Z"}, "date '2026-02-30T20:15:00Z' must be a time"),
        ({"seats": SEATS, "date": "2026-3-1T20:15:00Z"}, "date '2026-3-1T20:15:00Z' must be"),
        ({"seats": SEATS, "date": "2026-03-01T20:15:00+01:00"}, "date .* must be a time of UTC"),
        ({"seats": SEATS, "seconds": 3}, "seconds 3 must be a list with a number for each move"),
        ({"seats": SEATS, "seconds": [1.0] * 13}, "times 13 moves, and 12 were made"),
        ({"seats": SEATS, "seconds": [-0.1]}, "seconds have -0.1; each must be a finite number from 0 on or null"),
        ({"seats": SEATS, "seconds": [float("inf")]}, "seconds have inf"),
        ({"seats": SEATS, "seconds": [float("nan")]}, "seconds have nan"),
        ({"seats": SEATS, "seconds": [True]}, "seconds have True"),
        ({"seats": SEATS, "seconds": ["1"]}, "seconds have '1'"),
        ({"seats": SEATS, "seconds": [10**400]}, "seconds have"),
    ],
)
def test_any_other_form_is_refused(field: dict[str, Any], message: str) -> None:
    record = {**on_the_way(12, seed=4, players=4).record(), "played": field}
    for read in (read_record, replay):
        with pytest.raises(RecordError, match=message):
            read(record)


def test_a_field_that_is_no_object_is_refused() -> None:
    with pytest.raises(RecordError, match="played of type list: it must be dict"):
        read_record({**on_the_way(12, seed=4, players=4).record(), "played": []})


def test_seats_are_called_by_their_names_and_else_by_the_numbers_of_their_discs() -> None:
    assert seat_titles(None, 3) == ("Seat 0", "Seat 1", "Seat 2")
    assert seat_titles(PLAYED, 4) == ("Ada", "value", "Seat 2", "Zoë")
    assert seat_titles(PlayersInfo.of(["greedy", "greedy", "Ada", "greedy"]), 4) == (
        "greedy",
        "greedy#2",
        "Ada",
        "greedy#3",
    )
    assert seat_titles(None, 1, solo=True) == ("Player", "Opposition")
    assert seat_titles(PlayersInfo.of(["Ada"]), 1, solo=True) == ("Ada", "Opposition")
    assert [in_sentence(title) for title in ("Seat 4", "Player", "Opposition", "Ada", "Seattle")] == [
        "seat 4",
        "the player",
        "Opposition",
        "Ada",
        "Seattle",
    ]


def test_who_played_can_be_read() -> None:
    assert in_words(PLAYED) == [
        "Ada: a person",
        "value: value:runs/best.npz, weights 0123456789abcdef",
        "Seat 2",
        "Zoë",
        "2026-03-01, 20:15 UTC",
        "endeavor-env 0.1.0",
        "2 moves in 4.2 seconds of thought",
    ]
    assert in_words(PlayersInfo((Player("greedy", "greedy"),)), solo=True) == ["greedy"]
    assert in_words(PlayersInfo((Player("greedy", "greedy"),) * 3)) == ["greedy", "greedy#2", "greedy#3"]
    assert in_words(PlayersInfo.of([None]), solo=True)[-1] == "Endeavor-v0"


def test_a_view_calls_the_seats_so() -> None:
    view = view_game(game_of())
    assert [mat.title for mat in view.mats] == list(seat_titles(PLAYED, 4))
    assert [mat.name for mat in view.mats] == ["0", "1", "2", "3"]
    assert (view.who(0), view.who(2)) == ("Ada", "seat 2")
    assert [mat.title for mat in view_game(Game.new(variant="solo", seed=1)).mats] == ["Player", "Opposition"]


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("greedy", "greedy"),
        ("greedy:disc=0.5,growth=1", "greedy:disc=0.5,growth=1"),
        ("value:/runs/a, b/best.npz", "value:best.npz"),
        (r"checkpoint:C:\runs\solo.zip", "checkpoint:C:solo.zip"),
        ("search:sims=100,network=runs/best.npz", "search:sims=100,network=best.npz"),
        ("x" * 50, "x" * 39 + "…"),
        ("a\nb", "a?b"),
        ("", "agent"),
    ],
)
def test_agents_have_short_names(agent: str, name: str) -> None:
    assert short_name(agent) == name
    assert len(name) <= LONGEST_NAME
