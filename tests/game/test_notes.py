"""Notes in a record: written and read back, and refused in any other form."""

from __future__ import annotations

from typing import Any

import pytest

from endeavor_env.endeavor.notes import Note, notes_field, read_notes
from endeavor_env.endeavor.records import read_record, replay
from endeavor_env.errors import RecordError
from tests.kits.games import on_the_way

NOTES = {0: Note((0.25, 0.75), (("pass", 1.0),)), 12: Note((), ())}
GOOD = {"values": [0.5], "choices": [["pass", 1]]}


def test_notes_are_read_back() -> None:
    field = notes_field("tester", NOTES)
    assert list(field["positions"]) == ["0", "12"]
    assert read_notes(field, 12) == ("tester", NOTES)


def test_a_record_with_notes_replays_to_the_same_game() -> None:
    game = on_the_way(12, seed=4, players=4)
    record = {**game.record(), "notes": notes_field("tester", NOTES)}
    assert replay(record).state.tobytes() == game.state.tobytes()


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ({"positions": {}}, "they must be an object with 'by' and 'positions'"),
        ({"by": 3, "positions": {}}, "they must be an object with 'by' and 'positions'"),
        ({"by": "x", "positions": {}, "more": 1}, "they must be an object with 'by' and 'positions'"),
        ({"by": "x", "positions": []}, r"have positions \[\]: they must be an object"),
        ({"by": "x", "positions": {"13": GOOD}}, "note on position '13': its moves lead to positions 0 to 12"),
        ({"by": "x", "positions": {"-1": GOOD}}, "note on position '-1'"),
        ({"by": "x", "positions": {"first": GOOD}}, "note on position 'first'"),
        ({"by": "x", "positions": {"3": {"values": []}}}, "note on position 3 is .*: it must have 'values'"),
        ({"by": "x", "positions": {"3": {**GOOD, "values": ["0.5"]}}}, "note on position 3 is"),
        ({"by": "x", "positions": {"3": {**GOOD, "values": [float("nan")]}}}, "note on position 3 is"),
        ({"by": "x", "positions": {"3": {**GOOD, "choices": [["pass"]]}}}, "note on position 3 is"),
        ({"by": "x", "positions": {"3": {**GOOD, "values": [1e9]}}}, "numbers from -1000 to 1000"),
        ({"by": "x", "positions": {"3": {**GOOD, "values": [0.1] * 6}}}, "a list of at most 5 numbers"),
        ({"by": "x", "positions": {"3": {**GOOD, "choices": [["pass", -0.1]]}}}, "shares from 0 to 1"),
        ({"by": "x", "positions": {"3": {**GOOD, "choices": [["pass", 1.1]]}}}, "shares from 0 to 1"),
        ({"by": "x", "positions": {"3": {**GOOD, "choices": [["\ud800", 1]]}}}, "note on position 3 is"),
        ({"by": "\udfff", "positions": {}}, "they must be an object with 'by' and 'positions'"),
        ({"by": "x", "positions": {"0": GOOD, "00": GOOD}}, "note on position '00'"),
        ({"by": "x", "positions": {"+1": GOOD}}, r"note on position '\+1'"),
        ({"by": "x", "positions": {"3": {**GOOD, "choices": [[1, 1.0]]}}}, "note on position 3 is"),
        ({"by": "x", "positions": {"3": {**GOOD, "choices": "pass"}}}, "note on position 3 is"),
    ],
)
def test_notes_of_another_form_are_refused(field: dict[str, Any], message: str) -> None:
    record = {**on_the_way(12, seed=4, players=4).record(), "notes": field}
    with pytest.raises(RecordError, match=message):
        read_record(record)


def test_notes_that_are_no_object_are_refused() -> None:
    with pytest.raises(RecordError, match="notes of type list: it must be dict"):
        read_record({**on_the_way(12, seed=4, players=4).record(), "notes": []})
