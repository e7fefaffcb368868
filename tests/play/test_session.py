from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game
from endeavor_env.agents.play.session import NotKeptError, Session, StaleMoveError
from endeavor_env.agents.play.session_file import FORMAT
from endeavor_env.agents.play.store import opened_session
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.records import replay
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError, RecordError
from tests.kits.playing import PATIENCE, Broken, Gated, begun, first_player, name_agent, play_on, play_out, session_of

KINDS: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("human",), {"variant": "solo"}),
    (("human", "greedy", "random"), {}),
    (("human", "human", "greedy"), {"exploits": "random"}),
    (("greedy", "human"), {"variant": "neutral_2"}),
    (("human", "human"), {"variant": "soloplay_2"}),
    (("human", "greedy", "greedy"), {"variant": "soloplay_3"}),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


@pytest.mark.parametrize(("seats", "new"), KINDS, ids=str)
def test_the_file_holds_the_game_after_every_move_of_anybody(
    seats: tuple[str, ...], new: dict[str, Any], file: Path
) -> None:
    session = begun(file, *seats, **new)
    for _ in range(6):
        play_on(session, 1)
        kept = json.loads(file.read_text(encoding="utf-8"))
        assert (kept["format"], tuple(kept["seats"])) == (FORMAT, seats)
        assert replay(kept["record"]).history == session.snapshot().game.history


@pytest.mark.parametrize(("seats", "new"), KINDS, ids=str)
def test_a_resumed_game_goes_on_where_it_was(seats: tuple[str, ...], new: dict[str, Any], file: Path) -> None:
    session = begun(file, *seats, **new)
    play_on(session, 3)
    resumed = Session.resume(file)
    resumed.settle(PATIENCE)
    assert resumed.snapshot().game.record() == session.snapshot().game.record()
    assert resumed.snapshot().position == session.snapshot().position
    play_on(resumed, 1)


def test_a_finished_game_has_its_result_and_takes_no_move_but_can_be_taken_back(file: Path) -> None:
    session = begun(file, "human", variant="solo")
    play_out(session)
    over = session.snapshot()
    assert json.loads(file.read_text(encoding="utf-8"))["record"]["result"]["scores"] == over.game.scores()
    with pytest.raises(GameOverError):
        session.play(over.position, "pass")
    session.undo(over.position)
    assert session.snapshot().asked
    assert "result" not in json.loads(file.read_text(encoding="utf-8"))["record"]


def test_a_move_about_an_older_position_is_refused_even_if_it_has_as_many_moves(file: Path) -> None:
    session = begun(file, "human", "human", "human")
    first = session.snapshot()
    one, other = first.game.legal_moves()[:2]
    session.play(first.position, one)
    seen = session.snapshot()
    session.undo(seen.position)
    session.play(first.position, other)
    assert len(session.snapshot().game.history) == len(seen.game.history)
    with pytest.raises(StaleMoveError, match="the game has gone on"):
        session.play(seen.position, seen.game.legal_moves()[0])


def test_an_illegal_move_changes_neither_game_nor_file(file: Path) -> None:
    session = begun(file, "human", variant="solo")
    before, text = session.snapshot(), file.read_text(encoding="utf-8")
    for wrong in ("pass", "occupy:atlantis", "", "\ud800"):
        with pytest.raises(IllegalActionError):
            session.play(before.position, wrong)
    assert session.snapshot() == before
    assert file.read_text(encoding="utf-8") == text


def test_a_move_that_cannot_be_kept_is_not_made(file: Path) -> None:
    session = begun(file, "human", variant="solo")
    before = session.snapshot()
    file.with_name(f"{file.name}.partial").mkdir()
    with pytest.raises(NotKeptError, match="cannot be kept"):
        session.play(before.position, before.game.legal_moves()[0])
    assert session.snapshot() == before
    file.with_name(f"{file.name}.partial").rmdir()
    play_on(session, 1)
    assert len(session.snapshot().game.history) == 1


# --- undo ------------------------------------------------------------------------------------------------------------
def decisions(session: Session) -> tuple[int, str]:
    now = session.snapshot().game
    return len(now.history), now.decision


def test_undo_within_a_turn_goes_back_to_its_beginning(file: Path) -> None:
    session = begun(file, "human", "human", "human", seed=7)
    while session.snapshot().game.decision != "target":
        now = session.snapshot()
        moves = [move for move in now.game.legal_moves() if move.startswith(("activate", "build"))]
        session.play(now.position, moves[0])
    began, _ = decisions(session)
    session.undo(session.snapshot().position)
    assert decisions(session) == (began - 1, "turn")


def test_undo_at_the_beginning_of_a_turn_goes_back_to_the_persons_turn_before_over_the_agents_moves(
    file: Path,
) -> None:
    session = begun(file, "human", "greedy", "greedy", seed=4)
    marks = [session.snapshot().game.history]
    play_on(session, 1)
    assert session.snapshot().game.seat == 0
    assert len(session.snapshot().game.history) > 2
    session.undo(session.snapshot().position)
    session.settle(PATIENCE)
    assert session.snapshot().game.history == marks[0]


def test_undo_takes_back_one_choice_for_the_opposition(file: Path) -> None:
    session = begun(file, "human", variant="solo", seed=7)
    assert session.snapshot().game.decision == "opposition"
    asked = session.snapshot().game.legal_moves()
    play_on(session, 1)
    assert session.snapshot().game.decision == "build"
    session.undo(session.snapshot().position)
    assert session.snapshot().game.legal_moves() == asked


def test_without_a_move_of_a_person_there_is_nothing_to_take_back(file: Path) -> None:
    session = begun(file, "greedy", "greedy", "human", seed=3)
    with pytest.raises(InvalidOptionError, match="there is no move to take back"):
        session.undo(session.snapshot().position)


# --- agents that think -----------------------------------------------------------------------------------------------
def test_while_an_agent_thinks_the_game_can_be_looked_at_but_not_played(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Gated()
    name_agent(monkeypatch, "slow", slow)
    session = session_of(("slow", "human", "human"), **first_player(0))
    session.file = file
    session.start()
    assert slow.thinks.wait(PATIENCE)
    session.settle(0.01)
    now = session.snapshot()
    assert (now.thinking, now.asked) == (now.game.seat, False)
    with pytest.raises(StaleMoveError, match="gated is to move: wait for it"):
        session.play(now.position, now.game.legal_moves()[0])
    with pytest.raises(InvalidOptionError, match="no person is asked"):
        session.hint(now.position, "greedy")
    slow.gate.set()
    session.settle(PATIENCE)
    assert session.snapshot().asked


def test_undo_throws_away_what_an_agent_is_thinking(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Gated()
    name_agent(monkeypatch, "slow", slow)
    session = session_of(("human", "slow", "human"), **first_player(0))
    session.file = file
    session.start()
    first = session.snapshot()
    one, other = first.game.legal_moves()[:2]
    session.play(first.position, one)
    assert slow.thinks.wait(PATIENCE)
    session.undo(session.snapshot().position)
    assert session.snapshot().position == first.position
    session.play(first.position, other)
    slow.gate.set()
    session.settle(PATIENCE)
    made = [session.snapshot().game.describe(action) for _, action in session.snapshot().game.history]
    assert made[0] == other
    assert len(made) == 2  # the move of the agent after the other move, made once


def test_a_hint_about_a_position_that_is_gone_is_not_given(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Gated()
    name_agent(monkeypatch, "slow", slow)
    session = begun(file, "human", "human", "human")
    now = session.snapshot()
    errors: list[Exception] = []

    def ask() -> None:
        try:
            session.hint(now.position, "slow")
        except StaleMoveError as error:
            errors.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    assert slow.thinks.wait(PATIENCE)
    with pytest.raises(InvalidOptionError, match="a hint is being thought of"):
        session.hint(now.position, "greedy")
    session.play(now.position, now.game.legal_moves()[0])  # the game goes on meanwhile
    slow.gate.set()
    asking.join(PATIENCE)
    assert len(errors) == 1


def test_hints_are_legal_moves_and_change_nothing(file: Path) -> None:
    session = begun(file, "human", variant="solo")
    before = session.snapshot()
    found = session.hint(before.position, "greedy")
    assert {hint.move for hint in found} <= set(before.game.legal_moves())
    assert session.snapshot() == before


def test_an_agent_that_fails_at_a_hint_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name_agent(monkeypatch, "broken", Broken(KeyError("x")))
    session = begun(file, "human", variant="solo")
    with pytest.raises(InvalidOptionError, match="agent 'broken' gives no hint: KeyError: 'x'; choose another"):
        session.hint(session.snapshot().position, "broken")
    assert session.hint(session.snapshot().position, "greedy")


@pytest.mark.parametrize(
    ("error", "said"),
    [(InvalidOptionError("it does not play this"), "it does not play this"), (KeyError("x"), "KeyError: 'x'")],
    ids=["refuses", "fails"],
)
def test_an_agent_that_fails_is_named_and_the_game_can_be_taken_back(
    error: Exception, said: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_agent(monkeypatch, "broken", Broken(error))
    session = session_of(("human", "broken", "human"), **first_player(0))
    session.file = file
    session.start()
    play_on(session, 1)
    now = session.snapshot()
    assert now.trouble == f"broken cannot move: {said}"
    assert (now.thinking, now.asked) == (None, False)
    session.undo(now.position)
    assert session.snapshot().trouble is None
    play_on(session, 1)
    assert session.snapshot().game.seat == 2


# --- files -----------------------------------------------------------------------------------------------------------
def test_a_game_on_a_board_of_its_own_is_resumed_from_its_file(file: Path) -> None:
    data: Any = Board.default().to_dict()
    board = Board.from_dict({**data, "id": "my_board", "name": "Mine"})
    session = begun(file, "human", variant="solo", board=board)
    play_on(session, 2)
    assert Session.resume(file).snapshot().game.board == board
    begun(file, "human", variant="solo", board="generated_3")
    assert "board" not in json.loads(file.read_text(encoding="utf-8"))
    assert Session.resume(file).snapshot().game.board.id == "generated_3"


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda kept: kept.update(format="x"), "is no game"),
        (lambda kept: kept.update(seats="human"), "is no game"),
        (lambda kept: kept.update(seats=["human", "human"]), "names 2 seats, and its game has 1"),
        (lambda kept: kept.pop("record"), "is no game"),
        (lambda kept: kept.update(board={}), "has a board with faults"),
        (lambda kept: kept["record"]["moves"].append([0, "attack:rome"]), "move 2 (attack:rome) is illegal"),
    ],
    ids=["format", "seats", "count", "record", "board", "move"],
)
def test_an_edited_file_is_refused_in_words(edit: Any, said: str, file: Path) -> None:
    play_on(begun(file, "human", variant="solo", seed=7), 2)
    kept = json.loads(file.read_text(encoding="utf-8"))
    edit(kept)
    file.write_text(json.dumps(kept), encoding="utf-8")
    with pytest.raises(RecordError) as raised:
        Session.resume(file)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_record_goes_on_with_the_seats_that_are_given_or_with_people(file: Path) -> None:
    record = Game.new(3, seed=1).record()
    assert opened_session(record, "r").seats == ("human",) * 3
    assert opened_session(record, "r", ["human", "greedy", "greedy"]).seats == ("human", "greedy", "greedy")
    with pytest.raises(InvalidOptionError, match="2 seats are named, and the game has 3"):
        opened_session(record, "r", ["human", "greedy"])
    file.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(RecordError, match="is a record and names no seats"):
        Session.resume(file)
