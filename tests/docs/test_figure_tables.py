"""The tables of measured figures are those of docs/figures, and agree with the cards of the published networks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from endeavor_env.endeavor.players.network_file import package_path
from tests.kits.scripts import load_script

figure_tables = load_script("make/figures.py")
GAMES = {
    "value_standard": "base game, {players} seats",
    "value_variants": "{variant}",
    "value_exploits": "three random Exploits, {players} seats",
    "value_solo": "solitaire, {difficulty}",
    "policy_standard": "base game, {players} seats",
    "policy_solo": "solitaire, {difficulty}",
}
"""The name of a row of the tables for a result on the card of a network."""


@pytest.mark.parametrize("network", GAMES)
def test_the_figures_of_a_published_network_are_those_of_its_card(network: str):
    kind = network.partition("_")[0]
    tables = figure_tables.read()
    card = json.loads(package_path(network).with_suffix(".json").read_text(encoding="utf-8"))
    results = [result for result in card["results"] if result.get("opponent") != "random"]
    assert results
    for result in results:
        row = GAMES[network].format(**result)
        low, high = (100 * bound for bound in result["interval"])
        wins = figure_tables.cell(tables, [f"{kind}_networks", f"wins of `{kind}`", row])
        assert wins == f"{100 * result['win_rate']:.1f} % ({low:.1f}-{high:.1f})"


def test_the_figures_of_the_network_of_generated_boards_are_those_of_its_card():
    card = json.loads(package_path("value_boards").with_suffix(".json").read_text(encoding="utf-8"))
    assert [result["players"] for result in card["results"]] == [3, 4, 5]
    for result in card["results"]:
        low, high = (100 * bound for bound in result["interval"])
        row = ["`value:@value_boards` among `greedy`", "the same"]
        wins = figure_tables.cell(figure_tables.read(), ["boards", f"{result['players']} seats", *row])
        assert wins == f"{100 * result['win_rate']:.1f} % ({low:.1f}-{high:.1f})"


RESULT = {
    "command": "python -m endeavor_env.benchmarks.core --json core.json",
    "date": "2026-11-25",
    "machine": {"processor": "Processor", "cores": 2, "system": "Linux", "python": "3.11.7"},
    "versions": {"numpy": "2.4.6"},
    "sections": [
        {
            "title": "Play",
            "figures": [
                {"what": "3 seats, fast", "unit": "games/s", "median": 123_456.0},
                {"what": "3 seats, slow", "unit": "games/s", "median": 1.2345},
                {"what": "3 seats, slow", "unit": "s", "median": 7.0},
            ],
        }
    ],
}
MEASURED_TABLE = """
[[table]]
name = "play"
result = "core"
section = "Play"
unit = "games/s"
head = ["game", "fast", "slow"]
align = "lrr"
columns = [{ at = "fast" }, { at = "slow", text = "{} a second" }]
rows = [
    { first = "three", what = "3 seats, {}" },
    { first = "all", what = ["3 seats, fast", "3 seats, slow"], text = "{}, {}" },
]
"""


def result_folder(folder: Path, table: str) -> Path:
    """Return a folder of figures with a result and a table that names its figures."""
    (folder / "results").mkdir()
    (folder / "results" / "core.json").write_text(json.dumps(RESULT), encoding="utf-8")
    (folder / "figures.toml").write_text(table, encoding="utf-8")
    return folder


def test_a_table_has_the_figures_of_a_result_and_says_what_measured_them(tmp_path: Path):
    tables = figure_tables.read(result_folder(tmp_path, MEASURED_TABLE))
    both = "123,000, 1.23"
    assert tables["play"]["rows"] == [["three", "123,000", "1.23 a second"], ["all", both, both]]
    text = figure_tables.markdown(tables, "play")
    assert "Measured: Processor with 2 cores, Linux, Python 3.11.7, NumPy 2.4.6, 2026-11-25." in text
    assert text.endswith("```bash\npython -m endeavor_env.benchmarks.core\n```")


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('unit = "games/s"', "", "'3 seats, slow' in section 'Play' names 2 figures: it must name one"),
        ('at = "fast"', 'at = "quick"', "'3 seats, quick' in section 'Play' names 0 figures"),
        ('result = "core"', 'result = "run"', "there is no file run.json of results"),
    ],
)
def test_figures_that_no_result_has_are_named(before: str, after: str, says: str, tmp_path: Path):
    with pytest.raises(ValueError, match=re.escape(says)):
        figure_tables.read(result_folder(tmp_path, MEASURED_TABLE.replace(before, after)))
