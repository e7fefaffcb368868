"""The numbers of the pages about the environments are those of the environments."""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any

import gymnasium
import pytest
from gymnasium import spaces

from endeavor_env import endeavor_v0
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_aec, make_endeavor_solo, make_endeavor_vector
from tests.kits.scripts import load_script

environment_pages = load_script("make/environment_pages.py")
CLASSES = {
    "endeavor.md": make_endeavor,
    "endeavor_solo.md": make_endeavor_solo,
    "endeavor_aec.md": make_endeavor_aec,
    "vector.md": make_endeavor_vector,
}
FARAMA = [  # the headings that Farama's pages have, in their order
    "Description",
    "Action Space",
    "Observation Space",
    "Rewards",
    "Starting State",
    "Episode End",
    "Arguments",
    "Version History",
]


@functools.cache
def texts() -> dict[str, str]:
    """The pages by name."""
    return {name.removeprefix("environments/"): text for name, text in environment_pages.pages().items()}


def page_text(name: str) -> str:
    return texts()[name]


def section(name: str, heading: str) -> str:
    return page_text(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """Return the cells of all tables in ``text``."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_every_environment_has_a_page_beside_the_common_one():
    assert set(texts()) == {*CLASSES, environment_pages.COMMON}


@pytest.mark.parametrize("name", ["endeavor.md", "endeavor_solo.md", "endeavor_aec.md"])
def test_a_page_has_faramas_headings_in_their_order(name: str):
    headings = re.findall(r"^## (.+)$", page_text(name), re.MULTILINE)
    assert [heading for heading in headings if heading in FARAMA] == FARAMA


@pytest.mark.parametrize(("name", "made"), [("endeavor.md", "Endeavor-v0"), ("endeavor_solo.md", "EndeavorSolo-v0")])
def test_the_table_at_the_top_shows_the_spaces_that_make_returns(name: str, made: str):
    env = gymnasium.make(made)
    seen: Any = env.observation_space
    vector, mask = seen["observation"], seen["action_mask"]
    top = page_text(name).split("\n## ")[0]
    assert f"| Action space | `Discrete({env.action_space.n})` |" in top  # type: ignore[attr-defined]
    assert f"Box({vector.low.min():g}, {vector.high.max():g}, {vector.shape}, {vector.dtype})" in top
    assert f"'action_mask': Box(0, 1, {mask.shape}, {mask.dtype})" in top
    assert f'gymnasium.make("{made}")' in top


def test_the_table_of_pettingzoo_shows_the_spaces_of_an_agent():
    env = endeavor_v0.env()
    top = dict(row for row in rows(page_text("endeavor_aec.md").split("\n## ")[0]) if len(row) == 2)
    seen: Any = env.observation_space("player_0")
    assert top["Action values"] == f"`{env.action_space('player_0')}`"
    assert top["Observation shape"].startswith(f"`{seen['observation'].shape}`")
    assert top["State shape"] == f"`{env.state_space.shape}`"
    assert [agent.strip("'") for agent in re.findall(r"`([^`]+)`", top["Agents"])] == env.possible_agents


def test_the_table_of_vector_environments_shows_both_kinds_of_spaces():
    env = gymnasium.make_vec("Endeavor-v0", num_envs=64)
    top = page_text("vector.md").split("\n## ")[0]
    seen: Any = env.observation_space
    assert f"`{env.single_action_space}`" in top
    assert f"{seen['observation'].shape}, float32" in top
    env.close()


def test_the_sizes_of_every_variant_are_those_of_its_spaces():
    listed = [row for row in rows(section("all.md", "Sizes")) if len(row) == 4 and row[1].isdigit()]
    assert len(listed) == 6
    for first, *numbers in listed:
        variant, exploits = re.findall(r"`(\w+)`", first)[0], "random" if "exploits" in first else None
        found = []
        for kind in ("features", "compact"):
            env = endeavor_v0.env(variant=variant, exploits=exploits, observation=kind)
            seen: Any = env.observation_space("player_0")
            actions = env.action_space("player_0")
            assert isinstance(actions, spaces.Discrete)
            found.append(seen["observation"].shape[0])
        assert [int(number) for number in numbers] == [actions.n, *found]


@pytest.mark.parametrize("name", CLASSES)
def test_the_arguments_are_those_of_the_class_with_their_defaults(name: str):
    parameters = inspect.signature(CLASSES[name]).parameters
    own, shared = (
        {row[0].strip("`"): row for row in rows(section(page, "Arguments")) if row[0].startswith("`")}
        for page in (name, "all.md")
    )
    assert not set(own) & set(shared) or name == "vector.md"
    assert set(own) <= set(parameters)
    if name != "vector.md":  # which refers to the page of the single environment for the others
        assert {*own, *shared} == set(parameters)
    for argument, (_, _, default, meaning) in (own if name == "vector.md" else own | shared).items():
        value = parameters[argument].default
        assert default.strip("`") in (repr(value), str(value))
        assert meaning
