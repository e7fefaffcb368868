"""Other libraries are measured beside this one if they are there and work, and named if not."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import platform
import re
import sys
import sysconfig
import types
import venv
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from endeavor_env.benchmarks import peers, run
from endeavor_env.benchmarks.machine import usable_cores
from endeavor_env.benchmarks.peers import fastcatan_games, packed_masks, race
from endeavor_env.benchmarks.peers.client import PeerFailedError, PeerMissingError, Worker
from endeavor_env.benchmarks.timing import Effort

QUICK = Effort(repeats=2, seconds=0.01)
OWN = f"endeavor_env.benchmarks.peers.{peers.OWN}"


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
    module = importlib.import_module(f"endeavor_env.benchmarks.peers.{name}")
    assert module.NAME
    assert module.MODULES
    assert module.PACKAGES
    assert {game.kind for game in module.GAMES} <= set(peers.KINDS)
    assert len({(game.kind, game.name) for game in module.GAMES}) == len(module.GAMES) > 0


def test_every_kind_has_own_games_and_others() -> None:
    for kind in peers.KINDS:
        own = [game for game in importlib.import_module(OWN).GAMES if game.kind == kind]
        modules = [importlib.import_module(f"endeavor_env.benchmarks.peers.{name}") for name in peers.ADAPTERS]
        assert own
        assert any(game.kind == kind for module in modules for game in module.GAMES)


@pytest.mark.parametrize("name", peers.ADAPTERS)
def test_a_library_plays_or_says_what_is_missing(name: str) -> None:
    module = importlib.import_module(f"endeavor_env.benchmarks.peers.{name}")
    with Worker(f"endeavor_env.benchmarks.peers.{name}", 0) as worker:
        try:
            versions = worker.ready()
        except PeerMissingError as error:
            missing = str(error).split(", ")
            assert set(missing) <= set(module.MODULES)
            assert [one for one in missing if importlib.util.find_spec(one)] == []
        else:
            assert set(versions) == set(module.PACKAGES)
            assert worker.rate(0.01) > 0


@pytest.mark.parametrize("kind", ["rules", "aec", "batch", "unobserved_1024"])
def test_own_games_are_played_in_a_process_too(kind: str) -> None:
    games = importlib.import_module(OWN).GAMES
    index = next(index for index, game in enumerate(games) if game.kind == kind)
    with Worker(OWN, index, one_core=kind not in ("rules", "aec")) as worker:
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


@pytest.mark.parametrize(("one_core", "count"), [(True, 1), (False, usable_cores())])
def test_a_process_may_use_as_many_threads_as_it_has_cores(
    monkeypatch: pytest.MonkeyPatch, one_core: bool, count: int
) -> None:
    monkeypatch.setenv(peers.THREADS, "77")
    wanted = pytest.raises(PeerFailedError, match=f"^ValueError: {count} threads$")
    with Worker("peer_kit_threads", 0, one_core=one_core) as worker, wanted:
        worker.ready()


def test_the_versions_say_which_other_python_they_are_of(monkeypatch: pytest.MonkeyPatch) -> None:
    of_the_process = platform.python_version()
    monkeypatch.setattr(platform, "python_version", lambda: "4.0.0")
    with Worker("peer_kit", 0) as worker:
        assert worker.ready()["no-such-package"] == f"unknown (Python {of_the_process})"


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


def environment(folder: Path, *modules: str) -> str:
    """Make an environment that has these empty modules; return its interpreter."""
    venv.create(folder, symlinks=os.name != "nt")
    base = {"base": str(folder), "platbase": str(folder)}
    for module in modules:
        Path(sysconfig.get_path("purelib", "venv", base), f"{module}.py").touch()
    return str(Path(sysconfig.get_path("scripts", "venv", base), "python"))


@pytest.mark.usefixtures("only_rules")
def test_a_library_is_taken_from_the_first_environment_that_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = environment(tmp_path / "without")
    first, second = (environment(tmp_path / name, "only_elsewhere") for name in ("first", "second"))
    started: list[str] = []

    def start(adapter: str, game: int, python: str, one_core: bool) -> Worker:
        started.append(python)
        return Worker(adapter, game, python, one_core)

    monkeypatch.setattr(race, "Worker", start)
    adapters = (OWN, "peer_kit_elsewhere", "peer_kit_missing")
    comparison = race.Race(QUICK, (without, first, second), adapters)
    comparison.run()
    assert [one.label for one in comparison.outcome.entrants] == ["Endeavor: 4 seats", "Distant: one", "Distant: two"]
    assert started == [sys.executable, without, first, first, without, first, second]
    assert comparison.outcome.failed == {}
    why = comparison.outcome.left_out["Nowhere"]
    assert why.startswith(f"no_such_module is not installed for {without}, no_such_module is not installed for {first}")


@pytest.mark.usefixtures("only_rules")
def test_a_library_that_is_left_out_says_what_it_needs() -> None:
    comparison = race.Race(QUICK, adapters=("peer_kit_elsewhere",))
    comparison.run()
    why = f"only_elsewhere is not installed: {race.INSTALL}, with a second environment"
    assert comparison.outcome.left_out == {"Distant": why}


@pytest.mark.usefixtures("only_rules")
def test_the_run_prints_and_keeps_the_comparison(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(race.Race.__init__, "__defaults__", ((), (OWN, "peer_kit", "peer_kit_missing"), print))
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


# --- batches of packed masks ----------------------------------------------------------------------------------------
def packed(rows: int, words: int = 5) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """Return masks with no, one, few and all legal actions as words, and as one flag an action."""
    rng = np.random.default_rng(0)
    flags = rng.random((rows, 64 * words)) < rng.choice([0.01, 0.1, 0.9], (rows, 1))
    flags[0], flags[1], flags[2] = False, np.arange(64 * words) == 64 * words - 1, True
    bits = np.packbits(flags, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return bits, flags


def test_every_legal_action_is_chosen_equally_often() -> None:
    masks, flags = packed(40)
    rngs = np.random.default_rng(1).integers(1, 1 << 63, 40, np.uint64)
    actions, counts = np.zeros(40, np.uint32), np.zeros(flags.shape, np.int64)
    draws = 20_000
    for _ in range(draws):
        assert packed_masks.choose(masks, rngs, actions, 0, 40) == flags.any(axis=1).sum()
        chosen = np.flatnonzero(actions != packed_masks.NO_ACTION)
        counts[chosen, actions[chosen]] += 1
    assert (chosen == np.flatnonzero(flags.any(axis=1))).all()
    assert not counts[~flags].any()
    assert (counts[chosen].sum(axis=1) == draws).all()
    expected = draws / flags[chosen].sum(axis=1, keepdims=True)
    far = np.abs(counts[chosen] - expected) / np.sqrt(expected)
    assert far[flags[chosen]].max() < 6


def test_parts_of_a_batch_choose_like_the_whole() -> None:
    masks, flags = packed(1000)
    rngs = [np.arange(1, 1001, dtype=np.uint64) for _ in range(2)]
    actions = [np.zeros(1000, np.uint32) for _ in range(2)]
    for _ in range(3):
        whole = packed_masks.choose(masks, rngs[0], actions[0], 0, 1000)
        assert packed_masks.choose_in_parts(masks, rngs[1], actions[1], 3) == whole == flags.any(axis=1).sum()
        assert (actions[0] == actions[1]).all()


class CountdownBatch:
    """A stand-in for fastcatan's ``BatchedEnv``: a game lasts as many decisions as its number says, all checked."""

    def __init__(self, games: int, seed: int) -> None:
        """Make games that have not begun."""
        self.left = np.zeros(games, np.int64)
        self.rng = np.random.default_rng(seed)
        self.masks = np.zeros((games, 2), np.uint64)
        self.ends = self.seeds = 0

    def reset(self) -> None:
        self.left[:] = 50

    def write_masks(self, out: npt.NDArray[np.uint64]) -> None:
        self.masks = self.rng.integers(1, 1 << 63, self.masks.shape, np.uint64)
        out[:] = self.masks

    def step_autoreset(self, actions: npt.NDArray[np.uint32], ended: npt.NDArray[np.uint8]) -> None:
        words = self.masks[np.arange(actions.size), actions // 64]
        assert ((words >> (actions % 64).astype(np.uint64)) & np.uint64(1)).all()
        self.left -= 1
        ended[:] = self.left == 0
        self.ends += int(ended.sum())
        self.left[self.left == 0] = 50

    def save_snapshots(self, out: npt.NDArray[np.uint8]) -> None:
        out[:, 0] = self.left

    def load_snapshots(self, data: npt.NDArray[np.uint8]) -> None:
        self.left[:] = data[:, 0]

    def reseed(self, seeds: npt.NDArray[np.uint64]) -> None:
        self.seeds = np.unique(seeds).size


def test_fastcatan_games_are_spread_and_played_by_legal_moves() -> None:
    library: Any = types.SimpleNamespace(BatchedEnv=CountdownBatch, MASK_WORDS=2, SNAPSHOT_BYTES=1)
    turns = fastcatan_games.Turns(library, 640, seed=0)
    turns.spread(library, 50 * fastcatan_games.STAGES)  # kept whenever games begin
    assert np.unique(turns.env.left).tolist() == [50]
    turns.spread(library, fastcatan_games.STAGES)  # kept after every decision
    assert np.unique(turns.env.left).tolist() == list(range(1, 51))
    assert turns.env.seeds == 640
    before = turns.env.ends
    assert [turns.turn() for _ in range(100)] == [640] * 100
    assert turns.env.ends - before == 2 * 640
