"""Other libraries are measured beside this one if they are there and work, and named if not."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
from pathlib import Path

import pytest

from benchmarks import peers, run
from benchmarks.peers import race
from benchmarks.peers.client import PeerFailedError, PeerMissingError, Worker
from benchmarks.timing import Effort

QUICK = Effort(repeats=2, seconds=0.01)
OWN = f"benchmarks.peers.{peers.OWN}"


@pytest.fixture(autouse=True)
def kits_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The race looks at the kits' modules here, and its workers play their games."""
    monkeypatch.syspath_prepend(Path(__file__).resolve().parent)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parent))


@pytest.fixture
def only_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare in one kind of loop alone."""
    monkeypatch.setattr(race, "KINDS", {"rules": peers.KINDS["rules"]})


@pytest.mark.parametrize("name", [peers.OWN, *peers.ADAPTERS])
def test_every_library_is_described_alike(name: str) -> None:
    module = importlib.import_module(f"benchmarks.peers.{name}")
    assert module.NAME
    assert module.MODULES
    assert module.PACKAGES
    assert {game.kind for game in module.GAMES} <= set(peers.KINDS)
    assert len({(game.kind, game.name) for game in module.GAMES}) == len(module.GAMES) > 0


def test_every_kind_has_own_games_and_others() -> None:
    for kind in peers.KINDS:
        own = [game for game in importlib.import_module(OWN).GAMES if game.kind == kind]
        modules = [importlib.import_module(f"benchmarks.peers.{name}") for name in peers.ADAPTERS]
        assert own
        assert any(game.kind == kind for module in modules for game in module.GAMES)


@pytest.mark.parametrize("name", peers.ADAPTERS)
def test_a_library_plays_or_says_what_is_missing(name: str) -> None:
    module = importlib.import_module(f"benchmarks.peers.{name}")
    with Worker(f"benchmarks.peers.{name}", 0) as worker:
        try:
            versions = worker.ready()
        except PeerMissingError as error:
            missing = str(error).split(", ")
            assert set(missing) <= set(module.MODULES)
            assert [one for one in missing if importlib.util.find_spec(one)] == []
        else:
            assert set(versions) == set(module.PACKAGES)
            assert worker.rate(0.01) > 0


@pytest.mark.parametrize("kind", ["rules", "aec", "batch"])
def test_own_games_are_played_in_a_process_too(kind: str) -> None:
    games = importlib.import_module(OWN).GAMES
    index = next(index for index, game in enumerate(games) if game.kind == kind)
    with Worker(OWN, index, one_core=kind == "batch") as worker:
        assert set(worker.ready()) == {"endeavor-env"}
        assert worker.rate(0.01) > 1_000


def test_what_a_library_prints_is_no_answer() -> None:
    with Worker("peer_kit", 0) as worker:
        assert set(worker.ready()) == {"numpy", "no-such-package"}
        assert worker.rate(0.01) > 0


@pytest.mark.parametrize(
    ("game", "message"),
    [(1, "ValueError: this game cannot be made"), (3, "ended with status 3: a word before the end")],
)
def test_a_game_that_cannot_be_made_says_why(game: int, message: str) -> None:
    with Worker("peer_kit", game) as worker, pytest.raises(PeerFailedError, match=re.escape(message)):
        worker.ready()


def test_a_game_that_stops_working_says_why() -> None:
    with Worker("peer_kit", 2) as worker:
        worker.ready()
        with pytest.raises(PeerFailedError, match="StopIteration"):
            worker.rate(0.01)
        with pytest.raises(PeerFailedError, match="ended with status 0"):
            worker.rate(0.01)


def test_a_game_that_does_not_answer_is_given_up() -> None:
    with Worker("peer_kit", 0) as worker, pytest.raises(PeerFailedError, match="no answer within 0 s"):
        worker.ready(0.0)


def test_an_adapter_that_is_not_there_is_a_failure() -> None:
    with Worker("no_such_adapter", 0) as worker, pytest.raises(PeerFailedError, match="ModuleNotFoundError"):
        worker.ready()


@pytest.mark.usefixtures("only_rules")
def test_a_comparison_goes_on_without_what_is_missing_or_fails() -> None:
    lines: list[str] = []
    comparison = race.Race(QUICK, adapters=(OWN, "peer_kit", "peer_kit_missing"), tell=lines.append)
    table, absent = comparison.run()
    outcome = comparison.outcome
    assert [one.label for one in outcome.entrants] == ["Endeavor: 4 seats", "Kit: sound"]
    assert [figure.what for figure in table.figures] == [
        "Endeavor: 4 seats",
        "Kit: sound",
        "Endeavor: 4 seats / Kit: sound",
    ]
    own, other, ratio = table.figures
    assert ratio.unit == "times as fast"
    assert own.low / other.high <= ratio.low <= ratio.median <= ratio.high <= own.high / other.low
    assert table.note == peers.KINDS["rules"].note
    assert set(outcome.left_out) == {"Nowhere"}
    assert "no_such_module is not installed" in outcome.left_out["Nowhere"]
    assert [label.partition(" (")[0] for label in outcome.failed] == [
        "Kit: never_made",
        "Kit: dies",
        "Kit: fails_later",
    ]
    assert "Nowhere is left out" in absent.note
    assert "a word before the end" in absent.markdown()
    assert "Nowhere: two" not in lines
    assert outcome.versions["numpy"]


@pytest.mark.usefixtures("only_rules")
def test_without_any_other_library_there_is_only_a_list_of_who_is_missing() -> None:
    comparison = race.Race(QUICK, adapters=("peer_kit_missing",))
    (absent,) = comparison.run()
    assert not absent.figures
    assert "Nowhere is left out" in absent.note


@pytest.mark.usefixtures("only_rules")
def test_the_run_prints_and_keeps_the_comparison(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(race.Race.__init__, "__defaults__", (OWN, (OWN, "peer_kit", "peer_kit_missing"), print))
    monkeypatch.setattr(run, "SECTIONS", {"core": lambda smoke, results: []})
    path = tmp_path / "figures.json"
    assert run.main(["--smoke", "--peers", "--json", str(path)]) == 0
    written = json.loads(path.read_text(encoding="utf-8"))
    assert [(one["library"], one["own"]) for one in written["peers"]["entrants"]] == [
        ("Endeavor", True),
        ("Kit", False),
    ]
    assert all(len(one["rates"]) == race.SMOKE.repeats for one in written["peers"]["entrants"])
    assert set(written["peers"]["left_out"]) == {"Nowhere"}
    assert len(written["peers"]["failed"]) == 3
    assert written["versions"]["no-such-package"] == "unknown"
    assert "| Endeavor: 4 seats / Kit: sound |" in capsys.readouterr().out


def test_ratios_compare_the_same_turns() -> None:
    assert race.ratios([10.0, 30.0], [5.0, 10.0]) == [2.0, 3.0]
    fast, slow = (race.Entrant(f"x.{name}", name, "g", "rules", [1.0, 4.0]) for name in ("endeavor", "other"))
    slow.rates = [2.0, 2.0]
    assert [figure.median for figure in race.compared([fast, slow])] == [2.5, 2.0, 1.25]
    assert race.compared([fast]) == []
