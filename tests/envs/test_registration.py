"""Importing the package: what it registers, what it names, and what it must not do."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from importlib.resources import files
from typing import Any

import gymnasium
import pettingzoo
import pytest
from gymnasium.envs.registration import EnvSpec

import endeavor_env
from endeavor_env.envs.aec_env import GameAECEnv


def in_a_new_process(code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_import_loads_no_kernels() -> None:
    code = "import sys, endeavor_env; print('numba' in sys.modules, 'endeavor_env.endeavor.board' in sys.modules)"
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


@pytest.mark.parametrize(
    ("name", "entry_point", "vector_entry_point"),
    [
        (
            "Endeavor-v0",
            "endeavor_env.envs.endeavor:make_endeavor",
            "endeavor_env.envs.endeavor:make_endeavor_vector",
        ),
        (
            "EndeavorSolo-v0",
            "endeavor_env.envs.endeavor:make_endeavor_solo",
            "endeavor_env.envs.endeavor:make_endeavor_solo_vector",
        ),
    ],
)
def test_the_gymnasium_specs_are_json(name: str, entry_point: str, vector_entry_point: str) -> None:
    spec = gymnasium.spec(name)
    made = json.loads(spec.to_json())
    assert (made["entry_point"], made["vector_entry_point"]) == (entry_point, vector_entry_point)
    again = EnvSpec.from_json(spec.to_json())
    assert again == spec


MADE: list[tuple[str, dict[str, Any]]] = [
    ("Endeavor-v0", {"players": 3, "reward": "rank", "learner_seat": "rotate", "shaping": {"gamma": 0.9}}),
    ("Endeavor-v0", {"variant": "soloplay_2", "options": {"variant_removed_spaces_stay": True}}),
    ("Endeavor-v0", {"exploits": ["venus", "sun", "haiti"], "options": {"exploit_discs": 30}}),
    ("Endeavor-v0", {"exploits": "random", "players": 5}),
    ("EndeavorSolo-v0", {"difficulty": "harder", "opposition_ties": "first", "reward": "ladder"}),
]


@pytest.mark.parametrize(("name", "options"), MADE, ids=str)
def test_the_spec_of_a_made_environment_rebuilds_it(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options)
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    first, _ = env.reset(seed=5)
    second, _ = again.reset(seed=5)
    assert (first["observation"] == second["observation"]).all()
    made, made_again = (one.get_wrapper_attr("game")() for one in (env, again))
    assert (made.variant, made.options) == (made_again.variant, made_again.options)
    assert made.exploits == made_again.exploits
    assert len(made.exploits) == (3 if "exploits" in options else 0)


def test_gymnasium_makes_it_from_its_id_without_an_import() -> None:
    code = (
        "import gymnasium; env = gymnasium.make('endeavor_env:Endeavor-v0', players=5); "
        "print(len(env.unwrapped.game().scores()) if env.reset(seed=1) else 0)"
    )
    assert in_a_new_process(code) == "5"


def test_gymnasium_makes_the_solitaire_game_from_its_id_without_an_import() -> None:
    code = (
        "import gymnasium; env = gymnasium.make('endeavor_env:EndeavorSolo-v0', difficulty='easier'); "
        "env.reset(seed=1); game = env.unwrapped.game(); print(game.variant, game.options['difficulty'])"
    )
    assert in_a_new_process(code) == "solo easier"


def test_pettingzoo_makes_it_both_ways() -> None:
    from endeavor_env import endeavor_v0

    aec = pettingzoo.make("aec", "endeavor/endeavor-v0", players=3)
    assert type(aec) is type(endeavor_v0.raw_env(players=3)) is type(endeavor_v0.env(players=3)) is GameAECEnv
    assert aec.possible_agents == ["player_0", "player_1", "player_2"]
    parallel = pettingzoo.make("parallel", "endeavor/endeavor_v0", players=3)
    assert parallel.possible_agents == aec.possible_agents
    for way in ("aec", "parallel"):
        assert pettingzoo.make(way, "endeavor/endeavor-v0", variant="solo").possible_agents == ["player_0"]


def test_loading_the_package_again_does_not_register_again() -> None:
    def registered() -> list[Any]:
        specs = [gymnasium.spec(name) for name in ("Endeavor-v0", "EndeavorSolo-v0")]
        return [*specs, pettingzoo.spec("aec", "endeavor/endeavor-v0")]

    before = registered()
    importlib.reload(endeavor_env)
    assert all(one is other for one, other in zip(registered(), before, strict=True))


@pytest.mark.parametrize("heading", ["Description", "Action Space", "Observation Space", "Rewards", "Starting State",
                                     "Episode End", "Arguments", "Version History"])  # fmt: skip
def test_the_docstrings_have_the_fixed_headings(heading: str) -> None:
    from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_aec, make_endeavor_solo

    for env in (make_endeavor_aec, make_endeavor, make_endeavor_solo):
        assert f"## {heading}\n" in (env.__doc__ or "")
