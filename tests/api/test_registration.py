"""Importing the package: what it registers, what it names, and what it must not do."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from importlib.resources import files

import gymnasium
import pettingzoo
import pytest
from gymnasium.envs.registration import EnvSpec

import endeavor_env


def in_a_new_process(code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_import_loads_no_kernels() -> None:
    code = "import sys, endeavor_env; print('numba' in sys.modules, 'endeavor_env.board' in sys.modules)"
    assert in_a_new_process(code) == "False False"


def test_every_public_name_can_be_imported() -> None:
    for name in endeavor_env.__all__:
        assert getattr(endeavor_env, name) is not None
        assert name in dir(endeavor_env)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Meeple'"):
        endeavor_env.Meeple  # noqa: B018


def test_the_package_is_typed() -> None:
    assert (files("endeavor_env") / "py.typed").is_file()


def test_the_gymnasium_spec_is_json() -> None:
    spec = gymnasium.spec("Endeavor-v0")
    assert json.loads(spec.to_json())["entry_point"] == "endeavor_env.envs.gym_env:EndeavorEnv"
    again = EnvSpec.from_json(spec.to_json())
    assert again == spec


def test_the_spec_of_a_made_environment_rebuilds_it() -> None:
    env = gymnasium.make("Endeavor-v0", players=3, reward="rank", learner_seat="rotate", shaping={"gamma": 0.9})
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    first, _ = env.reset(seed=5)
    second, _ = again.reset(seed=5)
    assert (first["observation"] == second["observation"]).all()


def test_gymnasium_makes_it_from_its_id_without_an_import() -> None:
    code = (
        "import gymnasium; env = gymnasium.make('endeavor_env:Endeavor-v0', players=5); "
        "print(len(env.unwrapped.game().scores()) if env.reset(seed=1) else 0)"
    )
    assert in_a_new_process(code) == "5"


def test_pettingzoo_makes_it_both_ways() -> None:
    from endeavor_env import endeavor_v0

    aec = pettingzoo.make("aec", "endeavor/endeavor-v0", players=3)
    assert type(aec) is type(endeavor_v0.env(players=3)) is endeavor_v0.raw_env
    assert aec.possible_agents == ["player_0", "player_1", "player_2"]
    parallel = pettingzoo.make("parallel", "endeavor/endeavor_v0", players=3)
    assert parallel.possible_agents == aec.possible_agents


def test_loading_the_package_again_does_not_register_again() -> None:
    before = gymnasium.spec("Endeavor-v0"), pettingzoo.spec("aec", "endeavor/endeavor-v0")
    importlib.reload(endeavor_env)
    assert (gymnasium.spec("Endeavor-v0"), pettingzoo.spec("aec", "endeavor/endeavor-v0")) == before


@pytest.mark.parametrize("heading", ["Description", "Action Space", "Observation Space", "Rewards", "Starting State",
                                     "Episode End", "Arguments", "Version History"])  # fmt: skip
def test_the_docstrings_have_the_fixed_headings(heading: str) -> None:
    from endeavor_env.envs.aec_env import EndeavorAECEnv
    from endeavor_env.envs.gym_env import EndeavorEnv

    for env in (EndeavorAECEnv, EndeavorEnv):
        assert f"## {heading}\n" in (env.__doc__ or "")
