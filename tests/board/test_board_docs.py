"""docs/board.md says about boards what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.format import BOARD_FORMAT, PROVENANCES, Entries, TableFormat
from endeavor_env.endeavor.board.generator import CONNECTIONS, OVERSEAS_CITIES, START_CITIES, TRACK_LENGTHS
from endeavor_env.endeavor.board.loading import find_faults

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "board.md").read_text(encoding="utf-8")


def rows(header: str) -> list[list[str]]:
    """Return the cells of the table that starts with ``header``."""
    lines = TEXT[TEXT.index(header) :].splitlines()[2:]
    table = lines[: next(number for number, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_counts_of_provenances_where_something_is_reconstructed(board: Board) -> None:
    documented = {
        part.strip("`"): {"seed": int(seed), "source": int(source), "reconstructed": int(reconstructed)}
        for part, seed, source, reconstructed, _ in rows("| part | seed |")
    }
    nothing = {"seed": 0, "source": 0, "reconstructed": 0}
    counted = {part: nothing | counts for part, counts in board.provenance_counts().items()}
    assert documented == {part: counts for part, counts in counted.items() if counts["reconstructed"]}


def test_words_of_provenance() -> None:
    assert {word.strip("`"): meaning for word, meaning in rows("| word | meaning |")} == PROVENANCES


def tables(table: TableFormat, name: str) -> dict[str, TableFormat]:
    """Return a table of the format and all within it that have a row of their own."""
    found = {name: table}
    for key, kind in table.fields.items():
        inner = kind.table if isinstance(kind, Entries) else kind
        if isinstance(inner, TableFormat) and key != "icons":
            found |= tables(inner, key)
    return found


@pytest.mark.parametrize(("name", "table"), tables(BOARD_FORMAT, "top").items())
def test_every_key_is_explained(name: str, table: TableFormat) -> None:
    row = next(keys for part, keys in rows("| part | keys |") if re.match(rf"`?{name}\b", part))
    words = re.findall(r"[a-z_]+", row)
    sections = [
        key for key, kind in table.fields.items() if isinstance(kind, (Entries, TableFormat)) and key != "icons"
    ]
    for key in table.fields:
        if key != "provenance" and not (name == "top" and key in sections):
            assert key in words, f"{name}: {key}"
            assert (f"[`{key}" in row) == (key in table.defaults), f"{name}: {key}"


def test_the_faults_shown_are_those_reported(board: Board) -> None:
    data = board.to_dict()
    data["connections"].pop()
    data["connections"][0]["cities"] = ["london", "oslo"]
    for number, fault in enumerate(find_faults(data)[1], 1):
        assert f"  {number}. {fault}\n" in TEXT


def test_numbers_of_the_generator() -> None:
    start, overseas, track, connections = START_CITIES, OVERSEAS_CITIES, TRACK_LENGTHS, CONNECTIONS
    text = " ".join(TEXT.split())
    assert f"{start[0]} to {start[1]} cities in Europe and {overseas[0]} to {overseas[1]} elsewhere" in text
    assert f"tracks of {track[0]} to {track[1]} spaces" in text
    assert f"{connections[0]} to {connections[1]} connections with at most five in a city" in text


def test_the_file_says_what_is_reconstructed(board: Board) -> None:
    source = (ROOT / "endeavor_env" / "endeavor" / "board" / "data" / "endeavor_2009.toml").read_text(encoding="utf-8")
    comment = " ".join(line.removeprefix("#").strip() for line in source.splitlines()[:22])
    counts = board.provenance_counts()
    for part, words in (
        ("cities", "{} of the 29 cities"),
        ("connections", "{} of the 27 connections"),
        ("cards", "{} of the 48 card faces"),
        ("buildings.icons", "the icons of {} of the 16 buildings"),
    ):
        assert words.format(counts[part]["reconstructed"]) in comment
    assert counts["regions.track_length"]["reconstructed"] == 6
    assert "the length of all six shipping tracks" in comment


def test_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_board.toml").write_text(Board.default().to_toml(), encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert example is not None
    found: dict[str, object] = {}
    exec(example[1], found)
    assert found["random_board"] == Board.generate(7)
    assert found["mine"] == found["board"]
