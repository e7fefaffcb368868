"""Records of complete games of every variant and option: there and back, and every edit noticed."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.errors import RecordError
from endeavor_env.game import Game
from endeavor_env.records import read_record, replay, write_record
from tests.kits.games import GAMES, PLAYERS, SOLO_GAMES, finished, finished_record, running
from tests.kits.scores import BREAKDOWN_KEYS

Record = dict[str, Any]
FIELDS = ["format", "board", "players", "variant", "exploits", "options", "seed", "setup", "moves", "result"]


# --- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["endeavor_2009", "generated_3"])
@pytest.mark.parametrize("name", GAMES)
def test_a_written_record_replays_to_the_same_game(tmp_path: Path, name: str, board: str) -> None:
    game = finished(name, 4, board)
    path = tmp_path / "game.json"
    write_record(game, path)
    again = replay(path)
    assert again.state.tobytes() == game.state.tobytes()
    assert again.history == game.history
    assert again.options == game.options
    assert again.record() == game.record() == read_record(path) == json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("decisions", [0, 1, 3, 17, 40])
@pytest.mark.parametrize("name", GAMES)
def test_a_game_in_play_is_replayed_to_where_it_stands(name: str, decisions: int) -> None:
    game = running(name, 7, decisions)
    again = replay(json.loads(json.dumps(game.record())))
    assert again.state.tobytes() == game.state.tobytes()
    assert (again.seat, again.legal_moves()) == (game.seat, game.legal_moves())


@pytest.mark.parametrize("name", GAMES)
def test_notation_4_the_fields_of_a_record(name: str) -> None:
    variant, options = GAMES[name]
    record = finished_record(name, 4)
    assert list(record) == FIELDS
    assert (record["format"], record["variant"], record["players"]) == ("endeavor-game/1", variant, PLAYERS[variant])
    assert record["options"] == options
    assert len(record["setup"]["tokens"]) == 95
    solo = ["grid", "scale", "track_discs", "europe_order"] if variant == "solo" else []
    assert list(record["setup"]) == ["first_player", "tokens", *solo]
    result = record["result"]
    assert result["scores"] == [sum(part.values()) for part in result["breakdown"]]
    assert len(result["scores"]) == (2 if variant == "solo" else PLAYERS[variant])
    neutral = ("neutral",) if variant in ("soloplay_2", "soloplay_3") else ()
    assert all(tuple(part) == (*BREAKDOWN_KEYS, *neutral) for part in result["breakdown"])
    assert all(type(value) is int for part in result["breakdown"] for value in part.values())


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


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [name for name in SOLO_GAMES if GAMES[name][1].get("opposition_ties") == "first"])
def test_notation_4_with_first_no_choice_is_a_move(name: str, seed: int) -> None:
    record = finished_record(name, seed)
    again = Game.new(variant="solo", setup=record["setup"], options=record["options"])
    for _, move in record["moves"]:
        assert again.decision != "opposition"
        again.play(move)
    assert not {"take", "remove"} & verbs(record)


# --- edits -----------------------------------------------------------------------------------------------------------


def put(*path: Any, value: Any) -> Callable[[Record], None]:
    """Sets an entry."""

    def edit(record: Record) -> None:
        for key in path[:-1]:
            record = record[key]
        record[path[-1]] = value

    return edit


def drop(*path: Any) -> Callable[[Record], None]:
    """Takes an entry out."""

    def edit(record: Record) -> None:
        for key in path[:-1]:
            record = record[key]
        del record[path[-1]]

    return edit


EDITS: dict[str, tuple[str, Callable[[Record], None], str]] = {
    "solo with two players": ("solo", put("players", value=2), "cannot be set up: players=2 .* exactly 1 player"),
    "solo called standard": ("solo", put("variant", value="standard"), "cannot be set up: players=1 .* 3 to 5 players"),
    "soloplay_2 called neutral_2": (
        "soloplay_2",
        put("variant", value="neutral_2"),
        r"move 0 \(remove:\w+\.\d\) is by seat \d|move 0 \(remove:.*\) is illegal",
    ),
    "soloplay_3 with two": ("soloplay_3", put("players", value=2), "cannot be set up: players=2 .* exactly 3 players"),
    "unknown option": ("solo", put("options", "ties", value="first"), "cannot be set up: options=.* no option 'ties'"),
    "wrong value": ("solo", put("options", "difficulty", value="hard"), "cannot be set up: option difficulty='hard'"),
    "a number for a flag": (
        "solo",
        put("options", "solo_ignore_industry", value=1),
        "cannot be set up: option solo_ignore_industry=1 .* False or True",
    ),
    "option of another variant": (
        "neutral_2",
        put("options", "difficulty", value="easier"),
        "cannot be set up: options=.* variant 'neutral_2' has no options",
    ),
    "no grid": ("solo", drop("setup", "grid"), "cannot be set up: setup has the fields .* a solo game needs exactly"),
    "grid short": ("solo", drop("setup", "grid", 4), "cannot be set up: setup.grid is .* a list of 5 rows"),
    "scale wrong": ("solo", put("setup", "scale", 3, value="white"), "cannot be set up: setup.scale is"),
    "discs wrong": ("solo", drop("setup", "track_discs", "india"), "cannot be set up: setup.track_discs is"),
    "order wrong": ("solo", put("setup", "europe_order", value=[]), r"cannot be set up: setup.europe_order is \[\]"),
    "first player 1": ("solo", put("setup", "first_player", value=1), "cannot be set up: setup.first_player is 1"),
    "a grid too many": ("soloplay_2", put("setup", "grid", value=[]), "a soloplay_2 game needs exactly first_player"),
    "seat 1 in solo": ("solo", put("moves", 3, 0, value=1), r"move 3 .* is by seat 1: the decision is seat 0's"),
    "one score": ("solo", drop("result", "scores", 1), "result has scores .*: the moves lead to"),
    "one breakdown": ("solo", drop("result", "breakdown", 1), "result has breakdown .*: the moves lead to"),
    "wrong Opposition": ("solo", put("result", "breakdown", 1, "harbor", value=1), "result has breakdown"),
    "neutral missing": ("soloplay_2", drop("result", "breakdown", 0, "neutral"), "result has breakdown"),
    "neutral too many": ("neutral_2", put("result", "breakdown", 0, "neutral", value=0), "result has breakdown"),
    "neutral in solo": ("solo", put("result", "breakdown", 1, "neutral", value=0), "result has breakdown"),
    "a ladder": ("solo", put("result", "ladder", value="defeat"), "result has unknown fields ladder"),
    "a move of no variant": ("solo", put("moves", 2, 1, value="neutral_pass"), r"move 2 \(neutral_pass\) is illegal"),
    "a move of another variant": (
        "solo",
        put("moves", 0, 1, value="neutral_sail:africa"),
        r"move 0 \(neutral_sail:africa\) is illegal: .*; all legal moves there: ",
    ),
    "no result": ("neutral_2", drop("result"), "game is over, but it has no result"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_record_is_one_named_error(name: str) -> None:
    game, edit, message = EDITS[name]
    record = copy.deepcopy(finished_record(game, 4))
    edit(record)
    with pytest.raises(RecordError, match=message) as caught:
        replay(record)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["solo", "soloplay_2", "soloplay_3", "neutral_2"])
def test_another_move_anywhere_is_noticed_or_leads_to_the_very_result_recorded(name: str) -> None:
    record = copy.deepcopy(finished_record(name, 6))
    here = Game.new(variant=record["variant"], setup=record["setup"])
    for index, (_, move) in enumerate(finished_record(name, 6)["moves"]):
        if index % 9 == 0:
            other = next((one for one in reversed(here.legal_moves()) if one != move), move)
            record["moves"][index][1] = other
            try:
                game, refusal = replay(record), ""
            except RecordError as error:
                game, refusal = None, str(error)
            if game is None:
                assert re.search(r"move \d+ |result has|but its moves end|has no result", refusal)
            else:
                assert game.record() == record
            record["moves"][index][1] = move
        here.play(move)


def test_records_of_other_options_lead_elsewhere_or_are_refused() -> None:
    """The options are part of the rules: a record without them is another game."""
    record = copy.deepcopy(finished_record("solo, all options", 4))
    record["options"] = {}
    with pytest.raises(RecordError, match=r"move \d+ .* is illegal|result has"):
        replay(record)
    record = copy.deepcopy(finished_record("soloplay_2, spaces stay", 4))
    record["options"] = {}
    with pytest.raises(RecordError, match=r"move \d+ .* is (illegal|by seat)|result has|has no result"):
        replay(record)
