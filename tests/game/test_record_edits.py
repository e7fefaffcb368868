"""Edited records: what the replay of a game rejects, in one sentence that names the place."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import RecordError
from endeavor_env.testing import random_game
from tests.kits.games import finished_record

Record = dict[str, Any]
GAME = random_game(3, 8, redraws=1)
RUNNING = random_game(4, 8, decisions=50)


def record_of(name: str, seed: int) -> Record:
    """Return the record of a finished game of this name, to be edited."""
    return copy.deepcopy(GAME.record() if name == "standard" else finished_record(name, seed))


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
    """Set an entry."""

    def edit(record: Record) -> None:
        for key in path[:-1]:
            record = record[key]
        record[path[-1]] = value

    return edit


def drop(*path: Any) -> Callable[[Record], None]:
    """Take an entry out."""

    def edit(record: Record) -> None:
        for key in path[:-1]:
            record = record[key]
        del record[path[-1]]

    return edit


STANDARD_EDITS: dict[str, tuple[Callable[[Record], None], str]] = {
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
    "an unknown exploit": (
        put("exploits", value=["slave_revolt"]),
        "cannot be set up: exploit 'slave_revolt' is unknown: they are saltpetre, ",
    ),
    "an exploit": (put("exploits", value=["galleons"]), r"result has breakdown .*: the moves lead to|move \d+ .* is"),
    "exploits are a text": (put("exploits", value="random"), "has exploits of type str: it must be list"),
    "the variant exploits": (
        put("variant", value="exploits"),
        r"cannot be set up: exploits=\[\] do not fit variant 'exploits': name at least one, or play 'standard'",
    ),
    "an option of exploits": (put("options", value={"exploit_discs": 30}), "cannot be set up: options=.* no options"),
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


VARIANT_EDITS: dict[str, tuple[str, Callable[[Record], None], str]] = {
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
    "exploits out": ("exploits", put("exploits", value=[]), r"move \d+ \(.*\) is (illegal|by seat)|result has"),
    "an exploit less": (
        "exploits, all",
        put("exploits", value=[name for name in c.EXPLOIT_NAMES if name != "spanish_main"]),
        r"move \d+ \(spanish_main_fortify:\w+\) is illegal",
    ),
    "an exploit twice": (
        "exploits",
        put("exploits", value=["sun", "venus", "sun"]),
        r"cannot be set up: exploits=.* names sun twice: each is in play once",
    ),
    "an exploit is a number": ("exploits", put("exploits", 0, value=3), "cannot be set up: exploit 3 is unknown: they"),
    "exploits of a variant": (
        "exploits",
        put("variant", value="soloplay_3"),
        "cannot be set up: players=4 does not fit variant 'soloplay_3'",
    ),
    "exploits in a variant": (
        "soloplay_3",
        put("exploits", value=["venus"]),
        "cannot be set up: exploits=.'venus'. do not fit variant 'soloplay_3': only the base game has them",
    ),
    "set-up names exploits": (
        "exploits",
        put("setup", "exploits", value=["venus"]),
        "an exploits game needs exactly first_player",
    ),
    "number of discs": (
        "exploits",
        put("options", "exploit_discs", value=31),
        "cannot be set up: option exploit_discs=31 is not possible: it must be 35 or 30",
    ),
    "glory of an exploit missing": (
        "exploits",
        drop("result", "breakdown", 0, "haiti"),
        "result has breakdown .*: the moves lead to",
    ),
    "glory of an exploit wrong": (
        "exploits, all",
        put("result", "breakdown", 2, "sun", value=40),
        "result has breakdown .*: the moves lead to",
    ),
    "two players with exploits": ("exploits", put("players", value=2), "cannot be set up: players=2 .* 3 to 5 players"),
    "no follow-up": (
        "exploits, all",
        put("moves", 0, 1, value="voc_take:market"),
        r"move 0 \(voc_take:market\) is illegal: .*; all legal moves there: build:",
    ),
    "no result": ("neutral_2", drop("result"), "game is over, but it has no result"),
}


EDITS = [
    *(pytest.param("standard", *edit, id=name) for name, edit in STANDARD_EDITS.items()),
    *(pytest.param(*edit, id=f"{edit[0]}, {name}") for name, edit in VARIANT_EDITS.items()),
]


@pytest.mark.parametrize(("game", "edit", "message"), EDITS)
def test_an_edited_record_is_one_named_error(
    tmp_path: Path, game: str, edit: Callable[[Record], None], message: str
) -> None:
    record = record_of(game, 4)
    edit(record)
    path = tmp_path / "edited.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    for source in (record, path):
        with pytest.raises(RecordError, match=message) as caught:
            replay(source)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["standard", "solo", "soloplay_2", "soloplay_3", "neutral_2", "exploits", "exploits, all"]
)
def test_another_move_anywhere_is_noticed_or_leads_to_the_very_result_recorded(name: str) -> None:
    record = record_of(name, 6)
    here = Game.new(
        record["players"],
        record["variant"],
        setup=record["setup"],
        exploits=record["exploits"],
        options=record["options"],
    )
    for index, (_, move) in enumerate(record_of(name, 6)["moves"]):
        others = [one for one in reversed(here.legal_moves()) if one != move]
        for other in (others if name == "standard" else others[:1]) if index % 6 == 0 else []:
            record["moves"][index][1] = other
            try:
                game, refusal = replay(record), ""
            except RecordError as error:
                game, refusal = None, str(error)
            if game is None:
                assert re.search(r"move \d+ |result has|but its moves end|has no result", refusal)
            else:
                assert game.record()["moves"] == record["moves"]
                assert game.record()["result"] == record["result"]
            record["moves"][index][1] = move
        here.play(move)


def test_an_unsound_result_of_a_running_game_is_noticed() -> None:
    record = {**RUNNING.record(), "result": {"scores": [0] * 4, "breakdown": []}}
    with pytest.raises(RecordError, match="has a result, but its moves end in round"):
        replay(record)


def test_records_of_other_options_lead_elsewhere_or_are_refused() -> None:
    """The options are part of the rules: a record without them is another game."""
    record = copy.deepcopy(finished_record("solo, all options", 4))
    record["options"] = {}
    with pytest.raises(RecordError, match=r"move \d+ .* is illegal|result has"):
        replay(record)
    record = copy.deepcopy(finished_record("exploits, all", 4))
    record["options"] = {}
    with pytest.raises(RecordError, match=r"move \d+ .* is (illegal|by seat)|result has|has no result"):
        replay(record)
    record = copy.deepcopy(finished_record("soloplay_2, spaces stay", 4))
    record["options"] = {}
    with pytest.raises(RecordError, match=r"move \d+ .* is (illegal|by seat)|result has|has no result"):
        replay(record)
