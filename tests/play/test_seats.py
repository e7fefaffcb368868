"""Who sits where in a game that is played in the browser, by one name in record, list, picture, log and page."""

from __future__ import annotations

import hashlib
import json
import time
from html import escape
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game
from endeavor_env.agents.play.session import Session
from endeavor_env.agents.play.shown import shown_snapshot
from endeavor_env.agents.play.store import GameStore, opened_session
from endeavor_env.agents.play.timeline import CHOICE, moves_made
from endeavor_env.endeavor.players.network_file import package_path
from endeavor_env.endeavor.records import replay
from endeavor_env.engine.players_info import Player, PlayersInfo
from endeavor_env.errors import InvalidOptionError
from endeavor_env.web import replay_page
from tests.kits.playing import PATIENCE, begun, play_on, session_of

WEIGHTS = hashlib.sha256(package_path("value_standard").read_bytes()).hexdigest()[:16]


def seats_of(session: Session) -> list[tuple[Any, ...]]:
    """Who plays, as the record says."""
    return [tuple(seat.values()) for seat in session.snapshot().game.record()["played"]["seats"]]


def test_a_record_names_people_and_agents_with_date_and_times(tmp_path: Path) -> None:
    session = begun(tmp_path / "game.json", "human:Ada", "value", "human", seed=2)
    play_on(session, 4)
    assert seats_of(session) == [("Ada", "human", None), ("value", "value", WEIGHTS), (None, "human", None)]
    game = session.snapshot().game
    played = replay(json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))["record"]).played
    assert played == game.played
    assert played is not None
    assert played.date is not None
    assert len(played.seconds) == len(game.history)
    assert all(seconds is not None for seconds in played.seconds)


def test_the_time_of_a_person_is_that_since_the_position_arose(tmp_path: Path) -> None:
    session = begun(tmp_path / "game.json", "human", variant="solo")
    time.sleep(0.05)
    play_on(session, 1)
    played = session.snapshot().game.played
    assert played is not None
    assert played.seconds[0] is not None
    assert 0.05 <= played.seconds[0] < PATIENCE
    resumed = Session.resume(tmp_path / "game.json")
    play_on(resumed, 1)  # nobody knows for how long the page was closed
    again = resumed.snapshot().game.played
    assert again is not None
    assert again.seconds == (played.seconds[0], None)
    assert again.date == played.date
    resumed.undo(resumed.snapshot().position)
    taken_back = resumed.snapshot().game.played
    assert taken_back is not None
    assert len(taken_back.seconds) == len(resumed.snapshot().game.history)


@pytest.mark.parametrize(
    ("seats", "new", "titles"),
    [
        (["human", "greedy", "greedy"], {}, ("Human", "greedy", "greedy#2")),
        (["human:Ada", "greedy", "greedy:disc=1"], {}, ("Ada", "greedy", "greedy:disc=1")),
        (["human", "human", "greedy"], {}, ("Seat 0", "Seat 1", "greedy")),
        (["human:Ada", "human", "human:Ada"], {}, ("Ada", "Seat 1", "Ada#2")),
        (["human"], {"variant": "solo"}, ("Player", "Opposition")),
        (["human:Zoë & Co"], {"variant": "solo"}, ("Zoë & Co", "Opposition")),
    ],
    ids=str,
)
def test_everybody_is_called_the_same_everywhere(
    seats: list[str], new: dict[str, Any], titles: tuple[str, ...], tmp_path: Path
) -> None:
    store = GameStore(tmp_path)
    name = store.add(session_of(seats, **{"seed": 3, **new}))
    session = store.session(name)
    play_on(session, 3)
    snapshot = session.snapshot()
    assert snapshot.titles == titles
    shown = shown_snapshot(snapshot, "light")
    assert [seat["label"] for seat in shown["seats"]] == list(titles)
    own = [line["words"] for line in shown["log"] if not line["why"]]
    made = [titles[move.seat] for move in moves_made(snapshot.game) if move.decision != CHOICE]
    assert all(words.startswith(f"{title} ") for words, title in zip(own, made, strict=True))
    assert all(f">{escape(title)}</t" in shown["svg"] for title in titles)  # as text, or as title if it is cut short
    (listed,) = GameStore(tmp_path).games()
    assert listed["titles"] == titles[: len(seats)]
    assert listed["people"] == [seat.startswith("human") for seat in seats]
    page = replay_page(snapshot.game)
    assert json.dumps(list(titles), ensure_ascii=False, separators=(",", ":")) in page
    asked = shown["question"]
    assert asked.startswith(f"{snapshot.title}: ") == (len(snapshot.people) > 1)


@pytest.mark.parametrize("seat", ["human:", "human: ", "human: Ada", f"human:{'x' * 41}", "human:a\nb", "human:\u200b"])
def test_a_name_that_cannot_be_shown_is_refused(seat: str) -> None:
    with pytest.raises(InvalidOptionError, match="cannot be seated: the name of a person has 1 to 40 printable"):
        session_of([seat, "greedy", "greedy"], seed=1)


def test_a_file_of_before_says_what_its_seats_are_called(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    name = store.add(session_of(["human", "greedy", "value"], seed=1))
    store.session(name).settle(PATIENCE)
    file = tmp_path / f"{name}.json"
    kept = json.loads(file.read_text(encoding="utf-8"))
    del kept["record"]["played"]
    file.write_text(json.dumps(kept), encoding="utf-8")
    again = GameStore(tmp_path)
    assert again.games()[0]["titles"] == ("Human", "greedy", "value")
    assert seats_of(again.session(name)) == [
        ("Human", "human", None),
        ("greedy", "greedy", None),
        ("value", "value", WEIGHTS),
    ]
    assert "date" not in again.session(name).snapshot().game.record()["played"]


def test_a_file_with_a_wrong_field_is_told_of_in_the_list(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    name = store.add(session_of(["human"], variant="solo", seed=1))
    file = tmp_path / f"{name}.json"
    kept = json.loads(file.read_text(encoding="utf-8"))
    kept["record"]["played"]["seats"] = []
    file.write_text(json.dumps(kept), encoding="utf-8")
    (listed,) = GameStore(tmp_path).games()
    assert "played names 0 seats" in listed["error"]


def test_people_keep_their_names_when_a_record_is_opened(tmp_path: Path) -> None:
    game = Game.new(3, seed=1)
    game.played = PlayersInfo(
        (Player("Ada", "human"), Player("greedy", "greedy"), Player("Zoë")), (), "2026-03-01T20:15:00Z"
    )
    game.apply(game.legal_actions()[0])
    opened = opened_session(game.record(), "the file")
    assert opened.snapshot().titles == ("Ada", "Seat 1", "Zoë")
    assert opened.game.record()["played"]["date"] == "2026-03-01T20:15:00Z"
    other = opened_session(game.record(), "the file", ["human:Eve", "human", "greedy"])
    assert other.snapshot().titles == ("Eve", "Seat 1", "greedy")
