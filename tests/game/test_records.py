"""Game records of every variant: written in one step, read strictly, and leading to the same game again."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import read_record, replay, write_record
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import RecordError
from endeavor_env.testing import random_game
from tests.kits.games import GAMES, PLAYERS, SOLO_GAMES, TILES, finished, finished_record, running
from tests.kits.scores import BREAKDOWN_KEYS

Record = dict[str, Any]
GAME = random_game(3, 8, redraws=1)
RUNNING = random_game(4, 8, decisions=50)
STANDARD = {"three seats": 3, "four seats": 4, "five seats": 5}


# --- there and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["endeavor_2009", "generated_3"])
@pytest.mark.parametrize("name", [*STANDARD, *GAMES])
def test_a_written_record_replays_to_the_same_game(tmp_path: Path, name: str, board: str) -> None:
    seed = 5 if name.startswith("exploits") else 4  # in which abilities are used
    game = random_game(STANDARD[name], 4, board=board, redraws=1) if name in STANDARD else finished(name, seed, board)
    path = tmp_path / "game.json"
    write_record(game, path)
    again = replay(path)
    assert again.state.tobytes() == game.state.tobytes()
    assert again.history == game.history
    assert (again.options, again.exploits) == (game.options, game.exploits)
    assert again.record() == game.record() == read_record(path) == json.loads(path.read_text(encoding="utf-8"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize("decisions", [0, 1, 3, 17, 40])
@pytest.mark.parametrize("name", ["four seats", *GAMES])
def test_a_game_in_play_is_replayed_to_where_it_stands(tmp_path: Path, name: str, decisions: int) -> None:
    game = random_game(4, 7, decisions=decisions) if name in STANDARD else running(name, 7, decisions)
    write_record(game, tmp_path / "running.json")
    for again in (replay(str(tmp_path / "running.json")), replay(json.loads(json.dumps(game.record())))):
        assert again.state.tobytes() == game.state.tobytes()
        assert (again.seat, again.legal_moves()) == (game.seat, game.legal_moves())
        assert not again.over


FIELDS = ["format", "board", "players", "variant", "exploits", "options", "seed", "setup", "moves", "result"]


@pytest.mark.parametrize("name", ["three seats", *GAMES])
def test_notation_4_the_fields_of_a_record(name: str) -> None:
    variant, options = GAMES.get(name, ("standard", {}))
    record = GAME.record() if name in STANDARD else finished_record(name, 4)
    assert list(record) == FIELDS
    players = PLAYERS.get(variant, 3)
    called = "standard" if variant == "exploits" else variant
    assert (record["format"], record["variant"], record["players"]) == ("endeavor-game/1", called, players)
    assert len(record["exploits"]) == (len(TILES.get(name, "123")) if variant == "exploits" else 0)
    chosen = TILES.get(name) or record["exploits"]
    assert record["exploits"] == [tile for tile in c.EXPLOIT_NAMES if tile in chosen]
    assert record["options"] == options
    assert len(record["setup"]["tokens"]) == 95
    solo = ["grid", "scale", "track_discs", "europe_order"] if variant == "solo" else []
    assert list(record["setup"]) == ["first_player", "tokens", *solo]
    result = record["result"]
    assert result["scores"] == [sum(part.values()) for part in result["breakdown"]]
    assert len(result["scores"]) == (2 if variant == "solo" else players)
    more = {"soloplay_2": ("neutral",), "soloplay_3": ("neutral",), "exploits": c.EXPLOIT_NAMES}.get(variant, ())
    assert all(tuple(part) == (*BREAKDOWN_KEYS, *more) for part in result["breakdown"])
    assert all(type(value) is int for part in result["breakdown"] for value in part.values())


def test_notation_4_a_move_is_a_seat_and_a_text() -> None:
    record = GAME.record()
    assert record["moves"][0] == [record["setup"]["first_player"], GAME.describe(GAME.history[0][1])]
    assert "result" not in RUNNING.record()


def test_notation_4_options_with_their_first_value_are_left_out_and_may_be_given() -> None:
    record = copy.deepcopy(finished_record("solo", 4))
    assert record["options"] == {}
    record["options"] = {
        "opposition_ties": "player",
        "difficulty": "normal",
        "solo_ignore_industry": False,
        "variant_removed_spaces_stay": False,
    }
    assert replay(record).record() == finished_record("solo", 4)


def test_notation_4_the_order_of_exploits_in_a_record_has_no_meaning() -> None:
    record = copy.deepcopy(finished_record("exploits, last three", 4))
    record["exploits"].reverse()
    assert record["exploits"] == ["haiti", "galleons", "south_sea"]
    assert replay(record).record() == finished_record("exploits, last three", 4)


def test_notation_4_a_record_may_call_the_base_game_with_exploits_a_variant() -> None:
    record = {**finished_record("exploits", 4), "variant": "exploits"}
    assert replay(record).record() == finished_record("exploits", 4)


def test_notation_4_the_first_player_of_a_solitaire_record_may_be_left_out() -> None:
    record = copy.deepcopy(finished_record("solo", 4))
    del record["setup"]["first_player"]
    assert replay(record).record() == finished_record("solo", 4)


def verbs(record: Record) -> set[str]:
    """The verbs of the moves of a record."""
    return {move.partition(":")[0] for _, move in record["moves"]}


def test_the_moves_of_the_variants_are_in_their_records() -> None:
    assert "remove" in verbs(finished_record("soloplay_2", 4))
    assert sum(move.startswith("remove:") for _, move in finished_record("soloplay_2", 4)["moves"]) == 6
    assert sum(move.startswith("remove:") for _, move in finished_record("soloplay_3", 4)["moves"]) == 8
    assert {"neutral_sail", "neutral_occupy"} <= verbs(finished_record("soloplay_2", 4)) | verbs(
        finished_record("neutral_2", 4)
    )
    for name in [name for name in GAMES if name.startswith("exploits")]:
        record = finished_record(name, 5)
        of_exploits = {verb for verb in verbs(record) if verb.startswith(c.EXPLOIT_NAMES)}
        assert of_exploits
        assert all(verb.startswith(tuple(record["exploits"])) for verb in of_exploits)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [name for name in SOLO_GAMES if GAMES[name][1].get("opposition_ties") == "first"])
def test_notation_4_with_first_no_choice_is_a_move(name: str, seed: int) -> None:
    record = finished_record(name, seed)
    again = Game.new(variant="solo", setup=record["setup"], options=record["options"])
    for _, move in record["moves"]:
        assert again.decision != "opposition"
        again.play(move)
    assert not {"take", "remove"} & verbs(record)


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


@pytest.mark.parametrize("fails", ["json.dumps", "pathlib.Path.write_bytes", "os.replace"])
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
