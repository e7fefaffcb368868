"""Clones that are stopped: what is kept of them, and that they go on as if nothing had happened."""

from __future__ import annotations

import signal
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from endeavor_env.agents.checkpoint import read_card
from endeavor_env.agents.players.policy import logits_of_sb3, value_of_sb3
from endeavor_env.agents.registry import make_agent
from endeavor_env.errors import CheckpointError
from endeavor_env.training.clone.__main__ import make_clone
from endeavor_env.training.clone.run import LAST_PARTS, Clone, CloneLearner
from endeavor_env.training.clone.settings import CloneFolder, CloneSettings
from endeavor_env.training.runs.first_policy import read_first_policy
from tests.kits.clones import SMALL
from tests.kits.commands import run_command

TINY = SMALL.replace(iterations=4, games=3, batch_size=64, evaluation_games=3, student=0.5, device="cpu")
QUIET = Console(quiet=True)


def stop_after(learned: int) -> Callable[[], None]:
    """Have Ctrl-C pressed when the network has learned so often; return the function that ends this."""
    learn, times = CloneLearner.learn, iter(range(1, 1000))

    def learn_and_stop(self: CloneLearner, *given: object) -> object:
        fit = learn(self, *given)  # type: ignore[arg-type]
        if next(times) == learned:
            signal.raise_signal(signal.SIGINT)
        return fit

    patch = pytest.MonkeyPatch()
    patch.setattr(CloneLearner, "learn", learn_and_stop)
    return patch.undo


def new_clone(path: Path, settings: CloneSettings = TINY) -> CloneFolder:
    return CloneFolder.create(path, settings, "python -m endeavor_env.training.clone")


def stopped_clone(path: Path, learned: int) -> CloneFolder:
    """Return the folder of a clone that was stopped after it had learned so often."""
    folder, undo = new_clone(path), stop_after(learned)
    try:
        assert make_clone(folder, QUIET, progress=False) is None
    finally:
        undo()
    return CloneFolder.reopen(path)


def assert_same_clones(one: Path, other: Path) -> None:
    """Check that two checkpoints hold the same weights and have the same results."""
    first, second = (read_first_policy(str(path), "standard").weights for path in (one, other))
    for network in (logits_of_sb3, value_of_sb3):
        for mine, theirs in zip(network(first), network(second), strict=True):
            assert mine.tobytes() == theirs.tobytes()
    assert read_card(one)["results"] == read_card(other)["results"] != []
    assert read_card(one)["training"]["steps"] == read_card(other)["training"]["steps"] > 0


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_clone(new_clone(tmp_path_factory.mktemp("clones") / "unbroken"), QUIET, progress=False)
    assert path is not None
    return path


@pytest.mark.parametrize("learned", [1, 3, 4, TINY.iterations + 3])
def test_a_clone_that_was_stopped_becomes_what_an_unbroken_one_is(unbroken: Path, tmp_path: Path, learned: int) -> None:
    folder = stopped_clone(tmp_path / "clone", learned)
    (checkpoint,) = folder.checkpoints()
    assert not folder.checkpoint.exists()
    assert list(folder.path.glob("demonstrations_*.npy"))
    assert make_agent(f"policy:{checkpoint}") is not None  # one in the making plays, too
    path = make_clone(folder, QUIET, progress=False)
    assert path == folder.checkpoint
    assert_same_clones(folder.checkpoint, unbroken)
    assert not list(folder.path.glob("demonstrations*"))


def test_a_clone_learns_in_so_many_portions_and_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[int] = []
    learn = Clone.learn

    def counted(self: Clone, report: Callable[..., None], keeper: object = None) -> bool:
        done = learn(self, lambda *given: reports.append(self.done), keeper)  # type: ignore[arg-type]
        assert self.done == self.reports == len(reports)
        return done

    monkeypatch.setattr(Clone, "learn", counted)
    assert make_clone(new_clone(tmp_path / "clone"), QUIET, progress=False) is not None
    assert reports == list(range(TINY.iterations + LAST_PARTS))


def test_checkpoints_are_saved_every_few_portions(tmp_path: Path) -> None:
    folder = new_clone(tmp_path / "clone", TINY.replace(checkpoint_every=1, last_epochs=0.0))
    assert make_clone(folder, QUIET, progress=False) is not None
    kept = folder.checkpoints()
    assert len(kept) == 3
    assert [folder.read_state(path)["portions"] for path in kept] == [2, 3, 4]


def test_without_its_choices_or_with_a_damaged_checkpoint_a_clone_goes_on_as_well_as_it_can(tmp_path: Path) -> None:
    folder = new_clone(tmp_path / "clone", TINY.replace(checkpoint_every=1))
    undo = stop_after(3)
    assert make_clone(folder, QUIET, progress=False) is None
    undo()
    newest = folder.checkpoints()[-1]
    newest.with_suffix(".pt").write_bytes(b"damaged")
    console = Console(width=500, file=(said := StringIO()))
    assert make_clone(CloneFolder.reopen(folder.path), console, progress=False) is not None
    assert f"the state {newest.with_suffix('.pt')} cannot be read" in said.getvalue()
    assert "choices to learn from are missing: going on without them." in said.getvalue()


def test_a_finished_clone_is_measured_again(unbroken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = new_clone(tmp_path / "clone")
    with monkeypatch.context() as patch:
        patch.setattr(Clone, "measure", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            make_clone(folder, QUIET, progress=False)
    assert read_card(folder.checkpoint)["results"] == []
    done = run_command("endeavor_env.training.clone", "--resume", str(folder.path))
    assert done.status == 0, done.err
    assert_same_clones(folder.checkpoint, unbroken)


def test_a_clone_can_start_over(unbroken: Path, tmp_path: Path) -> None:
    folder = stopped_clone(tmp_path / "clone", 2)
    done = run_command("endeavor_env.training.clone", "--resume", str(folder.path), "--start-over")
    assert done.status == 0, done.err
    assert_same_clones(folder.checkpoint, unbroken)
    assert len(folder.checkpoints()) == 1  # the one of before, kept unused


def test_settings_that_make_the_network_cannot_be_changed(tmp_path: Path) -> None:
    folder = stopped_clone(tmp_path / "clone", 1)
    settings = folder.path / "run.json"
    settings.write_text(settings.read_text().replace('"student": 0.5', '"student": 0.25'))
    with pytest.raises(CheckpointError, match="student must stay"):
        make_clone(CloneFolder.reopen(folder.path), QUIET, progress=False)
    assert folder.checkpoints()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--resume", "{run}", "--from", "greedy"), "leave out --from"),
        (("--resume", "{run}", "--set", "games=5"), "leave out --set"),
        (("--resume", "{run}", "--minutes", "5"), "leave out --minutes"),
        (("--start-over", "--from", "greedy"), "--start-over begins a run with --resume again"),
        ((), "a clone needs a player to clone: give --from, or --resume for one that was begun"),
        (("--resume", "{run}/none"), "holds no run to resume"),
    ],
)
def test_wrong_arguments(unbroken: Path, arguments: tuple[str, ...], message: str) -> None:
    given = [text.format(run=unbroken.parent) for text in arguments]
    done = run_command("endeavor_env.training.clone", *given)
    assert done.status == 2
    assert message in done.err


def test_stopped_from_the_command_line(tmp_path: Path) -> None:
    out, undo = tmp_path / "clone", stop_after(1)
    given = "--from", "greedy", "--preset", "smoke", "--set", "threads=1", "--set", "games=3", "--no-progress"
    done = run_command("endeavor_env.training.clone", *given, "--out", str(out))
    undo()
    assert done.status == 130
    assert f"stopped; continue with: python -m endeavor_env.training.clone --resume {out}" in done.err
    assert run_command("endeavor_env.training.clone", "--resume", str(out)).status == 0
