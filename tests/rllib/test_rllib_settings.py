"""The settings and the folder of a run on RLlib; neither needs Ray."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.players.learned import LearnedAgent
from agents.registry import make_agent
from endeavor_env import Game
from endeavor_env.errors import CheckpointError, InvalidOptionError
from tests.kits.commands import run_command
from tests.kits.rllib import NO_RAY, untrained_weights
from training.presets import PRESETS, VARIANTS
from training.rllib.folder import KEEP, RLlibRunFolder, state_path, steps_of
from training.rllib.settings import LEARNER, RLlibSettings, checked, rllib_preset

SMOKE = rllib_preset("smoke", "standard")


def saved(run: RLlibRunFolder, steps: int) -> Path:
    """Save an untrained checkpoint with an empty state."""
    state = run.path / "partial-state"
    state.mkdir()
    return run.save(untrained_weights(run.settings), state, steps)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RLlibRunFolder:
    """A run that has just begun; the cards of its checkpoints name a Ray, installed or not."""
    monkeypatch.setattr("training.rllib.folder.version", lambda package: f"version of {package}")
    return RLlibRunFolder.create(tmp_path / "run", SMOKE, "python -m training.rllib --preset smoke")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", PRESETS)
def test_settings_survive_the_round_trip_through_json(name: str, variant: str) -> None:
    settings = rllib_preset(name, variant)
    assert RLlibSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("steps", "many"),
        ("steps", 0),
        ("steps", True),
        ("seed", -1),
        ("seed", 2**31),
        ("players", [3, 9]),
        ("players", []),
        ("players", 3),
        ("variant", "chess"),
        ("opponents", [["greedy"]]),
        ("opponents", [["greedy", -1.0]]),
        ("opponents", [["greedy", 0.0]]),
        ("opponents", []),
        ("gamma", float("nan")),
        ("gamma", 1.5),
        ("trunk", []),
        ("trunk", [0]),
        ("activation", "gelu"),
        ("minibatch", 10**9),
        ("colour", "red"),
    ],
)
def test_edited_settings_are_one_named_error(run: RLlibRunFolder, field: str, value: Any) -> None:
    stored = json.loads((run.path / "run.json").read_text())
    stored["settings"][field] = value
    (run.path / "run.json").write_text(json.dumps(stored))
    with pytest.raises(InvalidOptionError):
        RLlibRunFolder.reopen(run.path)


@pytest.mark.parametrize("text", ["{", "[]", '{"trainer": "rllib"}', '{"trainer": "rllib", "settings": {}}'])
def test_damaged_settings_are_one_named_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises((CheckpointError, InvalidOptionError)):
        RLlibRunFolder.reopen(tmp_path)


def test_the_run_of_another_trainer_is_not_resumed(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"settings": {}, "command": "python -m training.ppo"}')
    with pytest.raises(InvalidOptionError, match="another trainer"):
        RLlibRunFolder.reopen(tmp_path)


def test_a_folder_that_is_not_empty_is_not_overwritten(run: RLlibRunFolder, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("")
    for taken, why in ((run.path, "holds a run already"), (tmp_path / "thesis", "not empty")):
        with pytest.raises(InvalidOptionError, match=why):
            RLlibRunFolder.create(taken, SMOKE, "")


def test_a_file_is_no_place_for_a_run(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("")
    for path in (tmp_path / "notes", tmp_path / "notes" / "run"):
        with pytest.raises(InvalidOptionError):
            RLlibRunFolder.create(path, SMOKE, "")


def test_one_process_at_a_time_trains_a_run(run: RLlibRunFolder) -> None:
    other = RLlibRunFolder.reopen(run.path)
    with run.locked(), pytest.raises(InvalidOptionError, match="another process"), other.locked():
        pass
    with other.locked():
        pass


def test_the_newest_checkpoints_are_kept_with_their_states(run: RLlibRunFolder) -> None:
    written = [saved(run, 512 * number) for number in range(1, KEEP + 3)]
    assert run.checkpoints() == written[-KEEP:]
    kept = {name for path in written[-KEEP:] for name in (path.name, path.stem, f"{path.stem}.json")}
    assert {path.name for path in run.path.glob("step_*")} == kept
    assert run.newest_sound() == written[-1]
    assert steps_of(written[-1]) == 512 * (KEEP + 2)


def test_a_damaged_checkpoint_and_one_without_state_are_passed_over(run: RLlibRunFolder) -> None:
    oldest, damaged, stateless = (saved(run, steps) for steps in (512, 1024, 1536))
    damaged.write_bytes(damaged.read_bytes()[:-10])
    state_path(stateless).rmdir()
    assert run.newest_sound() == oldest


def test_a_run_whose_checkpoints_are_all_damaged_does_not_start_again(run: RLlibRunFolder) -> None:
    only = saved(run, 512)
    only.write_bytes(b"")
    with pytest.raises(CheckpointError, match="is usable, start another run"):
        run.newest_sound()
    assert only.exists()


def test_a_checkpoint_plays_as_an_ordinary_agent(run: RLlibRunFolder) -> None:
    agent = make_agent(f"checkpoint:{run.write(untrained_weights(SMOKE), 'policy.zip', 0, [])}")
    game = Game.new(players=3, seed=1)
    while not game.over:
        game.apply(agent.act(game))


def test_the_card_says_how_to_repeat_the_run(run: RLlibRunFolder) -> None:
    card = LearnedAgent(run.write(untrained_weights(SMOKE), "policy.zip", 512, [])).card
    assert card["training"]["settings"] == json.loads(json.dumps(SMOKE.to_dict()))
    assert (card["training"]["steps"], card["training"]["command"]) == (512, run.command)
    assert card["training"]["versions"]["ray"] == "version of ray"


def test_nan_weights_of_opponents_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match="weight"):
        checked(replace(SMOKE, opponents=((LEARNER, 1.0), ("greedy", float("nan")))))


@pytest.mark.skipif(not NO_RAY, reason="Ray is installed")
def test_without_ray_the_command_says_what_to_install() -> None:
    done = run_command("training.rllib", "--preset", "smoke")
    assert (done.status, done.out) == (2, "")
    assert done.err == "error: training.rllib needs ray: install it with pip install 'endeavor-env[rllib]'\n"
