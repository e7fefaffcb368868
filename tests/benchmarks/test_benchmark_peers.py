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

from endeavor_env.basics.hardware import usable_cores
from endeavor_env.benchmarks import peers, run
from endeavor_env.benchmarks.peers import Library, fastcatan_batches, race
from endeavor_env.benchmarks.peers.libraries import LIBRARIES, OWN
from endeavor_env.benchmarks.peers.race import PeerFailedError, PeerMissingError, Worker
from endeavor_env.benchmarks.timing import Effort

QUICK = Effort(repeats=2, seconds=0.01)
KIT = "peer_kit"
OTHERS = [name for name in LIBRARIES if name != OWN]


@pytest.fixture(autouse=True)
def kits_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The race looks at the kits' modules here, and its workers play their games."""
    monkeypatch.syspath_prepend(Path(__file__).resolve().parent)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parent))


def of_kit(*names: str, own: bool = True) -> dict[str, Library]:
    """These libraries of the kit, after this package's own games unless they are left out."""
    kit = importlib.import_module(KIT).LIBRARIES
    return {**({OWN: kit[OWN]} if own else {}), **{name: kit[name] for name in names}}


@pytest.fixture
def only_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare in one kind of loop alone."""
    monkeypatch.setattr(race, "KINDS", {"rules": peers.KINDS["rules"]})


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_games_of_a_library_differ(name: str) -> None:
    library = LIBRARIES[name]
    assert {game.kind for game in library.games} <= set(peers.KINDS)
    assert len({(game.kind, game.name) for game in library.games}) == len(library.games) > 0


def test_every_kind_has_own_games_and_others() -> None:
    for kind in peers.KINDS:
        having = [name for name, library in LIBRARIES.items() for game in library.games if game.kind == kind]
        assert OWN in having
        assert set(having) > {OWN}


@pytest.mark.parametrize("name", OTHERS)
def test_a_library_plays_or_says_what_is_missing(name: str) -> None:
    library = LIBRARIES[name]
    with Worker(name, 0) as worker:
        try:
            versions = worker.ready()
        except PeerMissingError as error:
            missing = str(error).split(", ")
            assert set(missing) <= set(library.modules)
            assert [one for one in missing if importlib.util.find_spec(one)] == []
        else:
            assert set(versions) == set(library.packages)
            assert worker.rate(0.01) > 0


@pytest.mark.parametrize("kind", ["rules", "aec", "batch", "unobserved_1024"])
def test_own_games_are_played_in_a_process_too(kind: str) -> None:
    games = LIBRARIES[OWN].games
    index = next(index for index, game in enumerate(games) if game.kind == kind)
    with Worker(OWN, index, one_core=kind not in ("rules", "aec")) as worker:
        assert set(worker.ready()) == {"endeavor-env"}
        assert worker.rate(0.01) > 1_000


def test_what_a_library_prints_is_no_answer() -> None:
    with Worker("Kit", 0, table=KIT) as worker:
        assert set(worker.ready()) == {"numpy", "no-such-package"}
        assert worker.rate(0.01) > 0


@pytest.mark.parametrize(
    ("game", "message"),
    [(1, "ValueError: this game cannot be made"), (3, "ended with status 3: a word before the end")],
)
def test_a_game_that_cannot_be_made_says_why(game: int, message: str) -> None:
    with Worker("Kit", game, table=KIT) as worker, pytest.raises(PeerFailedError, match=re.escape(message)):
        worker.ready()


def test_a_game_that_stops_working_says_why() -> None:
    with Worker("Kit", 2, table=KIT) as worker:
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
    with Worker("Threads", 0, one_core=one_core, table=KIT) as worker, wanted:
        worker.ready()


def test_the_versions_say_which_other_python_they_are_of(monkeypatch: pytest.MonkeyPatch) -> None:
    of_the_process = platform.python_version()
    monkeypatch.setattr(platform, "python_version", lambda: "4.0.0")
    with Worker("Kit", 0, table=KIT) as worker:
        assert worker.ready()["no-such-package"] == f"unknown (Python {of_the_process})"


def test_a_game_that_does_not_answer_is_given_up() -> None:
    with Worker("Kit", 0, table=KIT) as worker, pytest.raises(PeerFailedError, match="no answer within 0 s"):
        worker.ready(0.0)


def test_a_table_that_is_not_there_is_a_failure() -> None:
    with Worker("Kit", 0, table="no_such_table") as worker, pytest.raises(PeerFailedError, match="ModuleNotFoundError"):
        worker.ready()


@pytest.mark.usefixtures("only_rules")
def test_a_comparison_goes_on_without_what_is_missing_or_fails() -> None:
    lines: list[str] = []
    comparison = race.Race(QUICK, libraries=of_kit("Kit", "Nowhere"), table=KIT, tell=lines.append)
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
    comparison = race.Race(QUICK, libraries=of_kit("Nowhere", own=False), table=KIT)
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

    def start(library: str, game: int, python: str, one_core: bool, table: str) -> Worker:
        started.append(python)
        return Worker(library, game, python, one_core, table)

    monkeypatch.setattr(race, "Worker", start)
    comparison = race.Race(QUICK, (without, first, second), of_kit("Distant", "Nowhere"), KIT)
    comparison.run()
    assert [one.label for one in comparison.outcome.entrants] == ["Endeavor: 4 seats", "Distant: one", "Distant: two"]
    assert started == [sys.executable, without, first, first, without, first, second]
    assert comparison.outcome.failed == {}
    why = comparison.outcome.left_out["Nowhere"]
    assert why.startswith(f"no_such_module is not installed for {without}, no_such_module is not installed for {first}")


@pytest.mark.usefixtures("only_rules")
def test_a_library_that_is_left_out_says_what_it_needs() -> None:
    comparison = race.Race(QUICK, libraries=of_kit("Distant", own=False), table=KIT)
    comparison.run()
    why = f"only_elsewhere is not installed: {race.INSTALL}, with a second environment"
    assert comparison.outcome.left_out == {"Distant": why}


@pytest.mark.usefixtures("only_rules")
def test_the_run_prints_and_keeps_the_comparison(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(race.Race.__init__, "__defaults__", ((), of_kit("Kit", "Nowhere"), KIT, print))
    monkeypatch.setattr(run, "SPEED", ("core",))
    monkeypatch.setitem(run.SECTIONS, "core", run.Measure(lambda effort: []))
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
    fast, slow = (race.Entrant(name, "g", "rules", [1.0, 4.0]) for name in (OWN, "other"))
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
        assert fastcatan_batches.choose(masks, rngs, actions, 0, 40) == flags.any(axis=1).sum()
        chosen = np.flatnonzero(actions != fastcatan_batches.NO_ACTION)
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
        whole = fastcatan_batches.choose(masks, rngs[0], actions[0], 0, 1000)
        assert fastcatan_batches.choose_in_parts(masks, rngs[1], actions[1], 3) == whole == flags.any(axis=1).sum()
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
    turns = fastcatan_batches.Turns(library, 640, seed=0)
    turns.spread(library, 50 * fastcatan_batches.STAGES)  # kept whenever games begin
    assert np.unique(turns.env.left).tolist() == [50]
    turns.spread(library, fastcatan_batches.STAGES)  # kept after every decision
    assert np.unique(turns.env.left).tolist() == list(range(1, 51))
    assert turns.env.seeds == 640
    before = turns.env.ends
    assert [turns.turn() for _ in range(100)] == [640] * 100
    assert turns.env.ends - before == 2 * 640
