"""The options of environments are declared once, and everything that shows them follows."""

from __future__ import annotations

import inspect
import pydoc
from collections.abc import Callable
from functools import partial
from typing import Any, TypedDict, Unpack

import gymnasium
import pytest

from endeavor_env import endeavor_v0, merchants_v0
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.envs.endeavor import (
    make_endeavor,
    make_endeavor_aec,
    make_endeavor_solo,
    make_endeavor_solo_vector,
    make_endeavor_vector,
)
from endeavor_env.envs.merchants import make_merchants, make_merchants_vector
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, VECTOR_DEFAULTS, EnvOptions, VectorOptions
from endeavor_env.envs.signatures import all_options, shows_options
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.game import MerchantsConfig, MerchantsGame
from tests.toy_game.rules import TOY_GAME

SINGLE = (make_endeavor, make_endeavor_solo, make_endeavor_aec)
VECTOR = (make_endeavor_vector, make_endeavor_solo_vector)


@pytest.mark.parametrize("made", [*SINGLE, *VECTOR])
def test_a_signature_names_every_option_with_its_type_and_default(made: Callable[..., Any]) -> None:
    kind, defaults = (EnvOptions, DEFAULTS) if made in SINGLE else (VectorOptions, VECTOR_DEFAULTS)
    parameters = inspect.signature(made).parameters
    assert list(parameters)[-len(defaults) :] == list(kind.__annotations__) == list(defaults)
    for name, default in defaults.items():
        assert parameters[name].default == default
        assert parameters[name].annotation == kind.__annotations__[name].__forward_arg__


@pytest.mark.parametrize("made", SINGLE)
def test_a_docstring_lists_every_option_with_its_meaning(made: Callable[..., Any]) -> None:
    assert list(MEANINGS) == list(DEFAULTS)
    words = " ".join(pydoc.getdoc(made).split())
    assert all(f"- ``{name}``: {meaning}" in words for name, meaning in MEANINGS.items())
    assert "EnvOptions" not in words


def test_a_new_option_is_shown_by_whoever_takes_the_declaration() -> None:
    class Options(TypedDict, total=False):
        speed: int

    @shows_options("Made-v0", Options, {"speed": 3}, {"speed": "how fast it is."})
    class Made:
        """Something.

        - ``own``: its own.
        - the options of ``Options``.
        """

        def __init__(self, own: str = "", **given: Unpack[Options]) -> None:
            self.speed = all_options(given, {"speed": 3})["speed"]

    assert str(inspect.signature(Made)) == "(own: 'str' = '', *, speed: 'int' = 3) -> 'None'"
    assert pydoc.getdoc(Made).splitlines()[-2:] == ["- ``own``: its own.", "- ``speed``: how fast it is."]
    assert (Made().speed, Made(speed=5).speed) == (3, 5)


MAKERS: dict[str, list[Callable[..., Any]]] = {
    "Endeavor-v0": [make_endeavor, make_endeavor_vector],
    "EndeavorSolo-v0": [make_endeavor_solo, make_endeavor_solo_vector],
    "Merchants-v0": [make_merchants, make_merchants_vector],
    "endeavor_v0": [endeavor_v0.env, endeavor_v0.raw_env, endeavor_v0.parallel_env],
    "merchants_v0": [merchants_v0.env, merchants_v0.raw_env, merchants_v0.parallel_env],
}
DIRECT = [
    *((name, make) for name, makers in MAKERS.items() for make in makers),
    *((name, partial(gymnasium.make_vec, name, 2)) for name in list(MAKERS)[:3]),
]
BY_GYMNASIUM = [  # whose own argument max_episode_steps is
    *((name, partial(gymnasium.make, name)) for name in list(MAKERS)[:3]),
    *((name, partial(gymnasium.make_vec, name, 2, vectorization_mode="sync")) for name in list(MAKERS)[:3]),
]


@pytest.mark.parametrize(("name", "make"), [*DIRECT, *BY_GYMNASIUM])
def test_an_option_that_there_is_not_is_one_sentence_with_environment_near_name_and_list(
    name: str, make: Callable[..., Any]
) -> None:
    with pytest.raises(InvalidOptionError) as caught:
        make(flatt=True)
    assert str(caught.value).startswith(f"{name} has no option 'flatt': did you mean flat? Its options are ")
    assert "\n" not in str(caught.value)
    listed = str(caught.value).partition("Its options are ")[2].partition(" (")[0].split(", ")
    assert {"flat", "board", *DEFAULTS} <= set(listed)


@pytest.mark.parametrize(("name", "make"), [*DIRECT, *BY_GYMNASIUM])
def test_a_library_that_tries_an_option_gets_the_type_error_that_it_waits_for(
    name: str, make: Callable[..., Any]
) -> None:
    with pytest.raises(TypeError, match=f"{name} has no option .* [(]unexpected keyword argument 'frameskip'[)]"):
        make(frameskip=1)  # GymEnv of TorchRL does, and makes the environment without it then


@pytest.mark.parametrize(("name", "make"), DIRECT)
def test_the_limit_of_other_libraries_leads_to_that_of_the_environment(name: str, make: Callable[..., Any]) -> None:
    said = f"{name} has no option 'max_episode_steps': did you mean max_cycles[?] Its options are"
    with pytest.raises(InvalidOptionError, match=said):
        make(max_episode_steps=100)


@pytest.mark.parametrize(
    ("make", "of"),
    [
        (Game.new, "Game.new"),
        (GameConfig, "GameConfig"),
        (MerchantsGame.new, "MerchantsGame.new"),
        (MerchantsConfig, "MerchantsConfig"),
        (partial(AnyConfig, TOY_GAME), "GameConfig"),
    ],
)
def test_a_game_refuses_an_option_that_there_is_not_in_the_same_words(make: Callable[..., Any], of: str) -> None:
    said = f"{of} has no option 'player': did you mean players[?] Its options are"
    with pytest.raises(InvalidOptionError, match=said):
        make(player=3)
    with pytest.raises(InvalidOptionError, match=f"{of} has no option 'xyz': its options are"):
        make(xyz=3)
