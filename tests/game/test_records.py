"""Game records: written in one step, read strictly, replayed with every move and the result verified."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.board import Board
from endeavor_env.errors import RecordError
from endeavor_env.game import Game
from endeavor_env.records import read_record, replay, write_record
from endeavor_env.testing import random_game

Record = dict[str, Any]
GAME = random_game(3, 8, redraws=1)
RUNNING = random_game(4, 8, decisions=50)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("board", ["endeavor_2009", "generated_3"])
def test_a_written_record_replays_to_the_same_game(tmp_path: Path, players: int, board: str) -> None:
    game = random_game(players, 4, board=board, redraws=1)
    path = tmp_path / "game.json"
    write_record(game, path)
    again = replay(path)
    assert again.state.tobytes() == game.state.tobytes()
    assert again.history == game.history
    assert again.record() == game.record() == read_record(path) == json.loads(path.read_text(encoding="utf-8"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_the_record_has_the_fields_of_the_format() -> None:
    record = GAME.record()
    fields = ["format", "board", "players", "variant", "exploits", "options", "seed", "setup", "moves", "result"]
    assert list(record) == fields
    assert record["format"] == "endeavor-game/1"
    assert len(record["setup"]["tokens"]) == 95
    assert record["result"]["scores"] == [sum(part.values()) for part in record["result"]["breakdown"]]
    assert record["moves"][0] == [record["setup"]["first_player"], GAME.describe(GAME.history[0][1])]
    assert "result" not in RUNNING.record()


def test_a_game_in_play_is_replayed_to_where_it_stands(tmp_path: Path) -> None:
    write_record(RUNNING, tmp_path / "running.json")
    again = replay(str(tmp_path / "running.json"))
    assert again.state.tobytes() == RUNNING.state.tobytes()
    assert not again.over


def test_a_board_of_ones_own_is_passed_along(tmp_path: Path) -> None:
    data = Board.default().to_dict()
    data["id"] = "my_board"
    board = Board.from_dict(data)
    game = random_game(3, 1, board=board)
    assert replay(game.record(), board=board).state.tobytes() == game.state.tobytes()
    with pytest.raises(RecordError, match=r"played on board 'my_board': pass it as replay\(..., board=...\)"):
        replay(game.record())
    with pytest.raises(RecordError, match="played on board 'my_board', not on 'endeavor_2009'"):
        replay(game.record(), board=Board.default())
    with pytest.raises(RecordError, match="is not to be had"):
        replay(game.record(), board=tmp_path / "none.toml")


def test_a_board_name_in_a_record_is_never_followed_as_a_path(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text(Board.default().to_toml(), encoding="utf-8")
    with pytest.raises(RecordError, match="pass it as replay"):
        replay({**GAME.record(), "board": str(path)})


@pytest.mark.parametrize("fails", ["json.dumps", "pathlib.Path.write_text", "os.replace"])
def test_a_record_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    path = tmp_path / "game.json"
    write_record(RUNNING, path)
    before = path.read_bytes()

    def broken(*args: object, **kwargs: object) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(fails, broken)
        with pytest.raises(OSError, match="no space left"):
            write_record(GAME, path)
    assert path.read_bytes() == before
    write_record(GAME, path)
    assert read_record(path) == GAME.record()


# --- form: what the reader rejects ---------------------------------------------------------------------------------


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, f"{tmp_path}/a\0b"):
        with pytest.raises(RecordError, match="cannot be read"):
            read_record(path)
    (tmp_path / "latin.json").write_bytes('{"board": "münchen"}'.encode("latin-1"))
    with pytest.raises(RecordError, match="cannot be read"):
        read_record(tmp_path / "latin.json")


@pytest.mark.parametrize("part", [0, 1, 100, 1000, 4000, -2])
def test_a_cut_off_file_is_named(tmp_path: Path, part: int) -> None:
    path = tmp_path / "game.json"
    write_record(GAME, path)
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole[:part], encoding="utf-8")
    with pytest.raises(RecordError, match="is not JSON, it may be cut off"):
        replay(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "holds a JSON list: it must be an object"),
        ("null", "holds a JSON NoneType: it must be an object"),
        ('"endeavor-game/1"', "holds a JSON str: it must be an object"),
        ("{}", "has the format None: this version reads 'endeavor-game/1'"),
        ("{'format': 1}", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"seed": ' + "1" * 5_000 + "}", "is not JSON"),
    ],
    ids=["list", "null", "text", "empty", "quotes", "deep", "long number"],
)
def test_a_file_that_holds_no_record_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=message):
        read_record(path)


REQUIRED = ["board", "players", "variant", "exploits", "options", "seed", "setup", "moves"]
WRONG_TYPES = {
    "board": [None, 5, ["endeavor_2009"]],
    "players": ["3", 3.0, None, True],
    "variant": [None, 0],
    "exploits": [None, "none", {}],
    "options": [None, [], "none"],
    "seed": ["7", 7.0, False, float("nan")],
    "setup": [None, [], 7],
    "moves": [None, {}, "pass"],
    "result": [None, [], 61],
}


@pytest.mark.parametrize("field", REQUIRED)
def test_a_missing_field_is_named(field: str) -> None:
    record = GAME.record()
    del record[field]
    with pytest.raises(RecordError, match=f"lacks {field}: it needs format, board"):
        replay(record)


@pytest.mark.parametrize("name", [None, "endeavor-game/2", "Endeavor-Game/1", 1, ["endeavor-game/1"]])
def test_another_format_is_named(name: Any) -> None:
    with pytest.raises(RecordError, match=r"has the format .* this version reads 'endeavor-game/1'"):
        replay({**GAME.record(), "format": name})


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(RecordError, match="has unknown fields comment, winner: known are"):
        replay({**GAME.record(), "comment": "nice", "winner": 1})


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, values in WRONG_TYPES.items() for value in values]
)
def test_a_field_of_another_type_is_named(field: str, value: Any) -> None:
    with pytest.raises(RecordError, match=f"has {field} of type {type(value).__name__}: it must be"):
        replay({**GAME.record(), field: value})


# --- content: what the replay rejects ------------------------------------------------------------------------------


def seat_to_next(record: Record) -> None:
    record["moves"][7][0] = (record["moves"][7][0] + 1) % 3


def seat_out(record: Record) -> None:
    record["moves"][7][0] = 3


def swap(record: Record) -> None:
    builds = [index for index, (_, move) in enumerate(record["moves"]) if move.startswith("build:")]
    passes = [index for index, (_, move) in enumerate(record["moves"]) if move == "pass"]
    record["moves"][passes[0]], record["moves"][builds[-1]] = record["moves"][builds[-1]], record["moves"][passes[0]]


def flip(record: Record) -> None:
    record["moves"][0][1] = "build:bank"


def garble(record: Record) -> None:
    record["moves"][0][1] = "build:castle"


def shorten(record: Record) -> None:
    del record["moves"][-1]


def lengthen(record: Record) -> None:
    record["moves"].append([0, "pass"])


def skip(record: Record) -> None:
    del record["moves"][0]


def shape(move: Any) -> Callable[[Record], None]:
    def edit(record: Record) -> None:
        record["moves"][3] = move

    return edit


def put(*path: Any, value: Any) -> Callable[[Record], None]:
    def edit(record: Record) -> None:
        at: Any = record
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value

    return edit


def drop(*path: Any) -> Callable[[Record], None]:
    def edit(record: Record) -> None:
        at: Any = record
        for key in path[:-1]:
            at = at[key]
        del at[path[-1]]

    return edit


EDITS: dict[str, tuple[Callable[[Record], None], str]] = {
    "wrong seat": (seat_to_next, r"move 7 \(.*\) is by seat \d: the decision is seat \d's"),
    "absent seat": (seat_out, r"move 7 \(.*\) is by seat 3: the decision is seat \d's"),
    "moves swapped": (swap, r"move \d+ \(.*\) is (illegal|by seat)"),
    "move flipped": (flip, r"move 0 \(build:bank\) is illegal: .*all legal moves there: build:market, "),
    "move garbled": (garble, r"move 0 \(build:castle\) is illegal: .* is no move.*all legal moves there: build:market"),
    "last move missing": (shorten, "has a result, but its moves end in round 7"),
    "move after the end": (lengthen, r"move \d+ \(pass\) is illegal: .*the game is over.* none, the game is over"),
    "first move missing": (skip, r"move 0 \(.*\) is by seat \d: the decision is seat \d's"),
    "no moves": (put("moves", value=[]), "has a result, but its moves end in round 1"),
    "move is text": (shape("pass"), r"move 3 is 'pass': a move is \[seat, text\]"),
    "move is empty": (shape([]), r"move 3 is \[\]: a move is \[seat, text\]"),
    "move has three parts": (shape([0, "pass", 1]), r"move 3 is .*: a move is \[seat, text\]"),
    "move has no seat": (shape([None, "pass"]), r"move 3 is .*: a move is \[seat, text\]"),
    "move has a true seat": (shape([True, "pass"]), r"move 3 is .*: a move is \[seat, text\]"),
    "move is an id": (shape([0, 36]), r"move 3 is .*: a move is \[seat, text\]"),
    "result missing": (drop("result"), "is over, but it has no result"),
    "scores missing": (drop("result", "scores"), "result lacks scores"),
    "breakdown missing": (drop("result", "breakdown"), "result lacks breakdown"),
    "one score wrong": (put("result", "scores", 0, value=99), r"result has scores \[99, .*\]: the moves lead to"),
    "scores of a seat too few": (drop("result", "scores", 2), "result has scores .*: the moves lead to"),
    "a score is no whole number": (
        put("result", "scores", 0, value=float(GAME.scores()[0])),
        r"result has scores .*: the moves lead to",
    ),
    "a breakdown value is true": (
        put("result", "breakdown", 0, "connections", value=True),
        "result has breakdown .*: the moves lead to",
    ),
    "scores are text": (put("result", "scores", value="61"), "result has scores '61': the moves lead to"),
    "a breakdown wrong": (
        put("result", "breakdown", 1, "cities", value=40),
        "result has breakdown .*: the moves lead to",
    ),
    "a breakdown short": (drop("result", "breakdown", 1, "cities"), "result has breakdown .*: the moves lead to"),
    "result has more": (put("result", "winner", value=0), "result has unknown fields winner"),
    "unknown variant": (put("variant", value="chess"), "cannot be set up: variant 'chess' is unknown"),
    "other variant": (
        put("variant", value="soloplay_2"),
        "cannot be set up: players=3 does not fit .* exactly 2 players",
    ),
    "solo": (put("variant", value="solo"), "cannot be set up: players=3 does not fit .* exactly 1 player"),
    "two players": (put("players", value=2), "cannot be set up: players=2"),
    "a player more": (put("players", value=4), r"move \d+ .* is (illegal|by seat)|result has scores"),
    "an exploit": (put("exploits", value=["slave_revolt"]), "cannot be set up: exploits="),
    "an option": (put("options", value={"difficulty": "easier"}), "cannot be set up: options="),
    "negative seed": (put("seed", value=-7), "cannot be set up: seed=-7"),
    "set-up empty": (put("setup", value={}), "cannot be set up: setup has the fields none"),
    "set-up short": (drop("setup", "tokens", "london"), "cannot be set up: .*missing: london"),
    "token kind unknown": (put("setup", "tokens", "london", value="gold"), "cannot be set up: .*'gold'"),
    "first player absent": (put("setup", "first_player", value=3), "cannot be set up: .*first_player is 3"),
    "board unknown": (put("board", value="atlantis"), "played on board 'atlantis': pass it"),
    "board generated": (put("board", value="generated_3"), "cannot be set up: .*of board generated_3"),
    "board not to be generated": (put("board", value="generated_" + "9" * 30), "is not to be had"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_record_is_one_named_error(tmp_path: Path, name: str) -> None:
    edit, message = EDITS[name]
    record = copy.deepcopy(GAME.record())
    edit(record)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    for source in (record, path):
        with pytest.raises(RecordError, match=message) as caught:
            replay(source)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("index", range(0, len(GAME.history), 6))
def test_another_move_anywhere_is_noticed_or_leads_to_the_very_result_recorded(index: int) -> None:
    record = GAME.record()
    here = Game.new(3, seed=GAME.seed)
    for _, action in GAME.history[:index]:
        here.apply(action)
    for move in here.legal_moves():
        record["moves"][index][1] = move
        try:
            game, refusal = replay(record), ""
        except RecordError as error:
            game, refusal = None, str(error)
        if game is None:
            assert re.search(r"move \d+ |result has|but its moves end|has no result", refusal)
        else:
            assert game.record() == record
            assert game.scores() == GAME.scores()


def test_an_unsound_result_of_a_running_game_is_noticed() -> None:
    record = {**RUNNING.record(), "result": {"scores": [0] * 4, "breakdown": []}}
    with pytest.raises(RecordError, match="has a result, but its moves end in round"):
        replay(record)


def test_the_record_passed_in_is_not_touched() -> None:
    record = GAME.record()
    before = json.dumps(record)
    replay(record)
    assert read_record(record) == record
    assert json.dumps(record) == before


def test_numbers_in_a_record_are_plain_json() -> None:
    def walk(value: Any) -> None:
        assert not isinstance(value, np.generic)
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(part)

    for game in (GAME, RUNNING):
        walk(game.record())
        assert json.loads(json.dumps(game.record())) == game.record()
