"""A run goes on with its own settings: trainers refuse options of a new run beside --resume, and name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.running import check_resumption, stopped
from tests.kits.commands import run_command

LEFT_OUT = {"--seed": None, "--set": [], "--players": ()}


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"--seed": 0}, "--seed"),
        ({"--seed": 0, "--device": "cpu"}, "--seed and --device"),
        ({"--seed": 0, "--players": (3,), "--set": ["games=5"]}, "--seed, --set and --players"),
        ({"--device": "cpu", "--sigma": 0.0}, "--device and --sigma"),
    ],
)
def test_those_that_are_given_are_named_and_no_others(given: dict[str, object], named: str) -> None:
    with pytest.raises(InvalidOptionError) as refused:
        check_resumption(Path("runs/mine"), LEFT_OUT | given)
    assert str(refused.value) == f"--resume goes on with the settings that runs/mine was begun with: leave out {named}"


@pytest.mark.parametrize("start_over", [False, True])
def test_a_run_is_resumed_with_no_settings(start_over: bool) -> None:
    check_resumption(Path("runs/mine"), LEFT_OUT, start_over=start_over)


def test_a_new_run_takes_any_but_does_not_start_over() -> None:
    check_resumption(None, {"--seed": 5})
    with pytest.raises(InvalidOptionError, match="--start-over begins a run with --resume again"):
        check_resumption(None, {}, start_over=True)


def test_a_stopped_command_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    end = stopped("endeavor_env.training.td", "--resume", "runs/my run")
    assert end.exit_code == INTERRUPTED
    shown = capsys.readouterr()
    assert (shown.out, shown.err.startswith("stopped; continue with: ")) == ("", True)
    assert shown.err.endswith("--resume 'runs/my run'\n")


@pytest.mark.parametrize(
    ("command", "named"),
    [
        (("td", "--device", "cpu", "--iterations", "3", "--game", "exploits"), "--game, --iterations and --device"),
        (("ppo", "--variant", "solo", "--set", "threads=1", "--steps", "9000"), "--variant and --set"),
        (("clone", "--from", "greedy", "--minutes", "5"), "--from and --minutes"),
        (("exploit", "greedy", "--from", "value", "--iterations", "5"), "--from and --iterations"),
    ],
)
def test_every_trainer_names_what_to_leave_out(command: tuple[str, ...], named: str, tmp_path: Path) -> None:
    module, *arguments = command
    done = run_command(f"endeavor_env.training.{module}", *arguments, "--resume", str(tmp_path / "run"))
    assert done.status == 2
    assert f"leave out {named}" in " ".join(done.err.split())
    assert list(tmp_path.iterdir()) == []
