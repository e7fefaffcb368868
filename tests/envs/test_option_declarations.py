"""The options of environments are declared once, and everything that shows them follows."""

from __future__ import annotations

import inspect
import pydoc
from typing import TypedDict, Unpack

import gymnasium
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.envs.aec_env import EndeavorAECEnv
from endeavor_env.envs.gym_env import EndeavorEnv
from endeavor_env.envs.settings import DEFAULTS, MEANINGS, EnvOptions
from endeavor_env.envs.signatures import all_options, shows_options
from endeavor_env.envs.solo_env import EndeavorSoloEnv
from endeavor_env.envs.vector.vector_env import EndeavorSoloVectorEnv, EndeavorVectorEnv
from endeavor_env.envs.vector.vector_settings import VECTOR_DEFAULTS, VectorOptions

SINGLE = (EndeavorEnv, EndeavorSoloEnv, EndeavorAECEnv)
VECTOR = (EndeavorVectorEnv, EndeavorSoloVectorEnv)


@pytest.mark.parametrize("made", [*SINGLE, *VECTOR])
def test_a_signature_names_every_option_with_its_type_and_default(made: type) -> None:
    kind, defaults = (EnvOptions, DEFAULTS) if made in SINGLE else (VectorOptions, VECTOR_DEFAULTS)
    parameters = inspect.signature(made).parameters
    assert list(parameters)[-len(defaults) :] == list(kind.__annotations__) == list(defaults)
    for name, default in defaults.items():
        assert parameters[name].default == default
        assert parameters[name].annotation == kind.__annotations__[name].__forward_arg__


@pytest.mark.parametrize("made", SINGLE)
def test_a_docstring_lists_every_option_with_its_meaning(made: type) -> None:
    assert list(MEANINGS) == list(DEFAULTS)
    words = " ".join(pydoc.getdoc(made).split())
    assert all(f"- ``{name}``: {meaning}" in words for name, meaning in MEANINGS.items())
    assert "EnvOptions" not in words


def test_a_new_option_is_shown_by_whoever_takes_the_declaration() -> None:
    class Options(TypedDict, total=False):
        speed: int

    @shows_options(Options, {"speed": 3}, {"speed": "how fast it is."})
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


@pytest.mark.parametrize("made", [*SINGLE, *VECTOR, endeavor_v0.env])
def test_an_option_that_there_is_not_is_refused_as_python_does(made: type) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'flatt'"):
        made(flatt=True)


def test_gymnasium_passes_options_on() -> None:
    assert gymnasium.make("Endeavor-v0", flat=True, render_mode="ansi").render_mode == "ansi"
    assert gymnasium.make_vec("Endeavor-v0", num_envs=2, flat=True, render_games=1).num_envs == 2
