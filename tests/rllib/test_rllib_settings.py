"""The settings and the folder of a run on RLlib; neither needs Ray."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from endeavor_env import Game
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.training.ppo.settings import VARIANTS
from endeavor_env.training.rllib.folder import LEARNER, RLlibRunFolder, RLlibSettings, rllib_preset, state_path
from endeavor_env.training.runs.running import sole_use
from endeavor_env.training.runs.stored_run import KEEP, step_name, steps_of
from tests.kits.commands import run_command
from tests.kits.rllib import NO_RAY, untrained_weights

SMOKE = rllib_preset("smoke", "standard")


def saved(run: RLlibRunFolder, steps: int) -> Path:
    """Save an untrained checkpoint with an empty state."""
    run.partial_state.mkdir()
    (run.partial_state / "state.pkl").write_text(f"{steps} decisions")
    return run.save(untrained_weights(run.settings), run.partial_state, steps)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RLlibRunFolder:
    """A run that has just begun; the cards of its checkpoints name a Ray, installed or not."""
    monkeypatch.setattr("endeavor_env.training.runs.files.version", lambda package: f"version of {package}")
    return RLlibRunFolder.create(tmp_path / "run", SMOKE, "python -m endeavor_env.training.rllib --preset smoke")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["smoke", "quick", "long"])
def test_settings_survive_the_round_trip_through_json(name: str, variant: str) -> None:
    settings = rllib_preset(name, variant)
    assert RLlibSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


def test_presets_for_going_on_from_a_clone_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match="preset 'refine' is for "):
        rllib_preset("refine", "standard")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("steps", "many"),
        ("steps", 0),
        ("steps", True),
        ("seed", -1),
        ("seed", 2**32),
        ("players", [3, 9]),
        ("players", []),
        ("players", 3),
        ("variant", "chess"),
        ("opponents", [["greedy"]]),
        ("opponents", [["greedy", -1.0]]),
        ("opponents", [["greedy", 0.0]]),
        ("opponents", []),
        ("gamma", 1.5),
        ("trunk", []),
        ("trunk", [0]),
        ("activation", "gelu"),
        ("batch_size", 10**9),
        ("batch_size", 513),
        ("num_envs_per_env_runner", 0),
        ("reward", "ladder"),
        ("difficulties", ["normal"]),
        ("evaluation_games", 61),
        ("colour", "red"),
    ],
)
def test_edited_settings_are_one_named_error(run: RLlibRunFolder, field: str, value: Any) -> None:
    stored = json.loads((run.path / "run.json").read_text())
    stored["settings"][field] = value
    (run.path / "run.json").write_text(json.dumps(stored))
    with pytest.raises(CheckpointError, match=rf"run\.json cannot be used: .*{field}"):
        RLlibRunFolder.reopen(run.path)


@pytest.mark.parametrize("text", ["{", "[]", '{"trainer": "rllib"}', '{"trainer": "rllib", "settings": {}}'])
def test_damaged_settings_are_one_named_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises((CheckpointError, InvalidOptionError)):
        RLlibRunFolder.reopen(tmp_path)


def test_the_run_of_another_trainer_is_not_resumed(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"settings": {}, "command": "python -m endeavor_env.training.ppo"}')
    with pytest.raises(InvalidOptionError, match="another trainer"):
        RLlibRunFolder.reopen(tmp_path)


def test_ppo_does_not_resume_a_run_on_rllib(run: RLlibRunFolder) -> None:
    pytest.importorskip("sb3_contrib", reason="Stable-Baselines3 is not installed: RLlib has an environment of its own")
    done = run_command("endeavor_env.training.ppo", "--resume", str(run.path))
    assert done.status == 2
    assert done.err.startswith(f"error: {run.path} holds a run of another trainer")


@pytest.mark.parametrize("left", ["step_000000000512", "step_000000000512.zip", "policy.json"])
def test_a_folder_with_a_run_or_with_parts_of_one_is_not_taken_over(
    run: RLlibRunFolder, tmp_path: Path, left: str
) -> None:
    (tmp_path / "old" / left).mkdir(parents=True)
    for taken, why in ((run.path, "holds a run already"), (tmp_path / "old", f"holds {left} of another run")):
        with pytest.raises(InvalidOptionError, match=why):
            RLlibRunFolder.create(taken, SMOKE, "")


def test_a_file_is_no_place_for_a_run(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("")
    for path in (tmp_path / "notes", tmp_path / "notes" / "run"):
        with pytest.raises(InvalidOptionError):
            RLlibRunFolder.create(path, SMOKE, "")


def test_one_process_at_a_time_trains_a_run(run: RLlibRunFolder) -> None:
    other = RLlibRunFolder.reopen(run.path)
    with sole_use(run.path), pytest.raises(InvalidOptionError, match="another process"), sole_use(other.path):
        pass
    with sole_use(other.path):
        pass


def test_the_newest_checkpoints_are_kept_with_their_states(run: RLlibRunFolder) -> None:
    written = [saved(run, 512 * number) for number in range(1, KEEP + 3)]
    assert run.checkpoints() == written[-KEEP:]
    kept = {name for path in written[-KEEP:] for name in (path.name, path.stem, f"{path.stem}.json")}
    assert {path.name for path in run.path.glob("step_*")} == kept
    assert run.newest_sound() == (written[-1], [])
    assert steps_of(written[-1]) == 512 * (KEEP + 2)


def test_damaged_checkpoints_and_states_are_passed_over_by_name(run: RLlibRunFolder) -> None:
    sound = saved(run, 512)
    damaged, edited = saved(run, 1024), saved(run, 1536)
    damaged.write_bytes(damaged.read_bytes()[:-10])
    (state_path(edited) / "state.pkl").write_text("of another run")
    state = f"the state {state_path(edited)} of checkpoint {edited.name} is "
    assert run.newest_sound() == (
        sound,
        [
            f"{state}damaged: it does not have the hash its card names",
            f"checkpoint {damaged} is truncated or edited: it does not have the hash its card names",
        ],
    )
    shutil.rmtree(state_path(edited))
    assert run.newest_sound()[1][0] == f"{state}missing"


def test_only_own_sound_checkpoints_are_deleted_and_what_is_in_the_way_is_kept(run: RLlibRunFolder) -> None:
    damaged, edited = saved(run, 512), saved(run, 1024)
    damaged.write_bytes(b"damaged")
    (state_path(edited) / "state.pkl").write_text("of another run")
    saved(run, 1024)
    for number in range(3, KEEP + 5):
        saved(run, 512 * number)
    assert damaged.read_bytes() == b"damaged"
    assert state_path(damaged).is_dir()
    assert (run.path / f"kept-1-{edited.name}").exists()
    assert (run.path / f"kept-1-{edited.stem}" / "state.pkl").read_text() == "of another run"
    assert run.checkpoints() == [damaged, *(run.path / step_name(512 * number) for number in range(5, KEEP + 5))]


def test_starting_over_makes_earlier_checkpoints_those_of_another_run(run: RLlibRunFolder) -> None:
    saved(run, 512)
    run.start_over()
    with pytest.raises(CheckpointError, match="belongs to another run"):
        RLlibRunFolder.reopen(run.path).newest_sound()
    saved(run, 1024)
    assert run.newest_sound()[0] == run.path / step_name(1024)


@pytest.mark.parametrize(
    ("field", "value"), [("seed", 1), ("gamma", 0.9), ("num_envs_per_env_runner", 3), ("trunk", [16])]
)
def test_a_setting_that_describes_the_weights_may_not_change_under_a_checkpoint(
    run: RLlibRunFolder, field: str, value: Any
) -> None:
    saved(run, 512)
    stored = json.loads((run.path / "run.json").read_text())
    stored["settings"][field] = value
    (run.path / "run.json").write_text(json.dumps(stored))
    with pytest.raises(CheckpointError, match=f"{field} must stay"):
        RLlibRunFolder.reopen(run.path).newest_sound()


def test_a_run_whose_checkpoints_are_all_damaged_does_not_start_again(run: RLlibRunFolder) -> None:
    only = saved(run, 512)
    only.write_bytes(b"")
    with pytest.raises(CheckpointError, match=r"no checkpoint .* can be used: .* is truncated.*--start-over"):
        run.newest_sound()
    assert only.exists()


def test_a_checkpoint_plays_as_an_ordinary_agent(run: RLlibRunFolder) -> None:
    agent = make_agent(f"checkpoint:{run.write(untrained_weights(SMOKE), 'policy.zip', 0)}")
    game = Game.new(players=3, seed=1)
    while not game.over:
        game.apply(agent.act(game))


def test_the_card_says_how_to_repeat_the_run(run: RLlibRunFolder) -> None:
    card = LearnedAgent(run.write(untrained_weights(SMOKE), "policy.zip", 512)).card
    assert card["training"]["settings"] == json.loads(json.dumps(SMOKE.to_dict()))
    assert (card["training"]["steps"], card["training"]["command"]) == (512, run.command)
    assert card["training"]["versions"]["ray"] == "version of ray"


def test_nan_weights_of_opponents_are_refused() -> None:
    with pytest.raises(InvalidOptionError, match="opponents="):
        SMOKE.replace(opponents=((LEARNER, 1.0), ("greedy", float("nan"))))


@pytest.mark.skipif(not NO_RAY, reason="Ray is installed")
def test_without_ray_the_command_says_what_to_install() -> None:
    done = run_command("endeavor_env.training.rllib", "--preset", "smoke")
    assert (done.status, done.out) == (2, "")
    assert (
        done.err == "error: endeavor_env.training.rllib needs ray: install it with pip install 'endeavor-env[rllib]'\n"
    )
