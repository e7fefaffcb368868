"""Settings that were stored before each had one name in all trainers: they are read, and say the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.clone.settings import Settings as CloneSettings
from endeavor_env.training.clone.settings import preset as clone_preset
from endeavor_env.training.ppo.settings import Settings as PPOSettings
from endeavor_env.training.ppo.settings import preset as ppo_preset
from endeavor_env.training.rllib.settings import RLlibSettings, rllib_preset
from endeavor_env.training.runs.settings import JsonSettings
from endeavor_env.training.td.folder import TDRunFolder
from endeavor_env.training.td.settings import Settings as TDSettings
from endeavor_env.training.td.settings import preset as td_preset
from endeavor_env.training.tune_greedy.search import SearchSettings

STORED: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("earlier_settings.json").read_text())
"""What ``to_dict`` returned then, by trainer."""
NOW: dict[str, JsonSettings] = {
    "td": td_preset("quick", "standard").replace(iterations=140),  # as many as quick had then
    "td solo": td_preset("smoke", "solo"),
    "ppo": ppo_preset("refine"),
    "ppo solo": ppo_preset("quick", "solo"),
    "clone": clone_preset("quick", "standard", "greedy"),
    "rllib": rllib_preset("smoke", "standard"),
    "search": SearchSettings(game="exploits", sigma=0.5),
}
TRAINERS: tuple[type[JsonSettings], ...] = (TDSettings, PPOSettings, CloneSettings, RLlibSettings, SearchSettings)


@pytest.mark.parametrize("trainer", NOW)
def test_settings_of_earlier_versions_are_those_of_now_under_other_names(trainer: str) -> None:
    stored, now = STORED[trainer], NOW[trainer]
    assert set(stored) != set(now.to_dict())
    assert type(now).from_dict(stored) == now


@pytest.mark.parametrize("trainer", TRAINERS)
def test_every_earlier_name_is_the_name_of_a_setting_and_no_other_one_has_it(trainer: type[JsonSettings]) -> None:
    assert trainer.former
    assert set(trainer.former.values()) <= set(trainer.model_fields)
    assert not set(trainer.former) & set(trainer.model_fields)


def test_a_setting_under_its_earlier_name_and_its_own_is_refused() -> None:
    with pytest.raises(InvalidOptionError, match="the settings do not fit this version: rate unknown or missing"):
        TDSettings.from_dict({**NOW["td"].to_dict(), "rate": 1e-3})


@pytest.mark.parametrize("mix", [3, [3], [[]], [["self"]], [[["self"], 1.0]], {"self": 1}, None])
def test_edited_opponents_of_an_earlier_run_are_one_named_error(mix: Any) -> None:
    with pytest.raises(InvalidOptionError, match="the setting opponents="):
        TDSettings.from_dict({**STORED["td"], "mix": mix})


@pytest.mark.parametrize("change", [{"decay": "x"}, {"decay": 0}, {"learning_rate": None}, {"learning_rate": 10**400}])
def test_an_edited_learning_rate_of_an_earlier_run_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidOptionError, match=r"learning_rate|decay"):
        PPOSettings.from_dict({**STORED["ppo"], **change})


def test_a_run_that_was_stored_under_earlier_names_goes_on(tmp_path: Path) -> None:
    stored = {"trainer": "td", "id": "0", "settings": STORED["td"], "command": "python -m endeavor_env.training.td"}
    (tmp_path / "run.json").write_text(json.dumps(stored))
    assert TDRunFolder.reopen(tmp_path).settings == NOW["td"]


def test_the_error_of_an_earlier_name_says_the_name_of_now() -> None:
    with pytest.raises(InvalidOptionError, match="'rate=1e-3' is no setting: rate is called learning_rate now"):
        NOW["td"].changed(["rate=1e-3"])
    with pytest.raises(InvalidOptionError, match="'sizes' is no setting: sizes is called players now"):
        NOW["td"].replace(sizes=(3,))
