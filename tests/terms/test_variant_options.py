"""The options of the variants: what may be given, what the kernels get, what a record holds, and every refusal."""

from __future__ import annotations

from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.options import OPTIONS, check_options, options_of, options_of_state, without_defaults
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import InvalidOptionError

OF_SET_UP = c.NONE
"""The entry of the Exploits: those of the set-up."""
CHOICES: list[tuple[str, str, Any, list[int]]] = [
    ("solo", "opposition_ties", "player", [0, 0, 0, 0, 0, 0, OF_SET_UP]),
    ("solo", "opposition_ties", "first", [1, 0, 0, 0, 0, 0, OF_SET_UP]),
    ("solo", "difficulty", "normal", [0, 0, 0, 0, 0, 0, OF_SET_UP]),
    ("solo", "difficulty", "easier", [0, 1, 0, 0, 0, 0, OF_SET_UP]),
    ("solo", "difficulty", "harder", [0, 2, 0, 0, 0, 0, OF_SET_UP]),
    ("solo", "solo_ignore_industry", False, [0, 0, 0, 0, 0, 0, OF_SET_UP]),
    ("solo", "solo_ignore_industry", True, [0, 0, 1, 0, 0, 0, OF_SET_UP]),
    ("soloplay_2", "variant_removed_spaces_stay", False, [0, 0, 0, 0, 0, 0, OF_SET_UP]),
    ("soloplay_2", "variant_removed_spaces_stay", True, [0, 0, 0, 1, 0, 0, OF_SET_UP]),
    ("soloplay_3", "variant_removed_spaces_stay", True, [0, 0, 0, 1, 0, 0, OF_SET_UP]),
    ("exploits", "exploit_discs", 35, [0, 0, 0, 0, 0, 0, OF_SET_UP]),
    ("exploits", "exploit_discs", 30, [0, 0, 0, 0, 1, 0, OF_SET_UP]),
    ("exploits", "value1_bonus", False, [0, 0, 0, 0, 0, 0, OF_SET_UP]),
    ("exploits", "value1_bonus", True, [0, 0, 0, 0, 0, 1, OF_SET_UP]),
]
ALL_FIRST = {option.name: option.values[0] for option in OPTIONS}


@pytest.mark.parametrize(("variant", "name", "value", "array"), CHOICES)
def test_an_option_becomes_its_entry_of_the_array(variant: str, name: str, value: Any, array: list[int]) -> None:
    chosen = check_options({name: value}, variant)
    assert (chosen.dtype, chosen.shape, chosen.tolist()) == (np.int16, (c.NUM_OPTIONS,), array)


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        ("standard", []),
        ("solo", ["opposition_ties", "difficulty", "solo_ignore_industry"]),
        ("soloplay_2", ["variant_removed_spaces_stay"]),
        ("soloplay_3", ["variant_removed_spaces_stay"]),
        ("neutral_2", []),
        ("exploits", ["exploit_discs", "value1_bonus"]),
    ],
)
def test_each_variant_has_its_own_options(variant: str, names: list[str]) -> None:
    assert [option.name for option in options_of(variant)] == names


@pytest.mark.parametrize("variant", c.VARIANT_NAMES)
def test_first_values_may_be_written_out_in_every_variant(variant: str) -> None:
    for options in (None, {}, MappingProxyType({}), OrderedDict(ALL_FIRST), ALL_FIRST):
        assert check_options(options, variant).tolist() == [0, 0, 0, 0, 0, 0, OF_SET_UP]


def test_several_options_at_once() -> None:
    options = {"solo_ignore_industry": True, "difficulty": "harder", "opposition_ties": "first"}
    assert check_options(options, "solo").tolist() == [1, 2, 1, 0, 0, 0, OF_SET_UP]
    options = {"value1_bonus": True, "exploit_discs": 30}
    assert check_options(options, "exploits").tolist() == [0, 0, 0, 0, 1, 1, OF_SET_UP]


@pytest.mark.parametrize(("variant", "name", "value", "array"), CHOICES)
def test_the_state_gives_the_options_back(variant: str, name: str, value: Any, array: list[int]) -> None:
    state = np.zeros(1, STATE)
    state["variant"] = c.VARIANT_NAMES.index(variant)
    for option in OPTIONS:
        state[option.field] = array[option.at]
    found = options_of_state(state)
    assert found == {**{option.name: option.values[0] for option in options_of(variant)}, name: value}
    assert without_defaults(found) == ({name: value} if any(array[: c.OPTION_EXPLOITS]) else {})


@pytest.mark.parametrize(
    ("variant", "options", "message"),
    [
        ("solo", 5, "options=5 is not possible: give a mapping"),
        ("solo", [], r"options=\[\] is not possible: give a mapping"),
        ("solo", "first", "options='first' is not possible: give a mapping"),
        ("standard", ["difficulty"], r"options=\['difficulty'\] is not possible: give a mapping"),
        (
            "solo",
            {"ties": "first"},
            "variant 'solo' has no option 'ties', its options are opposition_ties, difficulty, ",
        ),
        ("solo", {None: 1}, "variant 'solo' has no option None, its options are"),
        ("solo", {("difficulty",): "easier"}, "variant 'solo' has no option .*difficulty"),
        ("solo", {"variant_removed_spaces_stay": True}, "variant 'solo' has no option 'variant_removed_spaces_stay'"),
        ("soloplay_2", {"difficulty": "easier"}, "has no option 'difficulty', its options are variant_removed_spaces"),
        ("soloplay_3", {"opposition_ties": "first"}, "variant 'soloplay_3' has no option 'opposition_ties'"),
        ("neutral_2", {"variant_removed_spaces_stay": True}, "variant 'neutral_2' has no options"),
        ("standard", {"difficulty": "easier"}, "options=.'difficulty': 'easier'. .* variant 'standard' has no options"),
        ("solo", {"difficulty": "hard"}, "difficulty='hard' .* must be 'normal' or 'easier' or 'harder'"),
        ("solo", {"difficulty": 1}, "option difficulty=1 is not possible"),
        ("solo", {"difficulty": None}, "option difficulty=None is not possible"),
        ("solo", {"difficulty": ["easier"]}, "option difficulty=.*easier.* is not possible"),
        ("solo", {"opposition_ties": "First"}, "opposition_ties='First' .* must be 'player' or 'first'"),
        ("solo", {"solo_ignore_industry": 1}, "solo_ignore_industry=1 .* must be False or True"),
        ("solo", {"solo_ignore_industry": 0}, "solo_ignore_industry=0 .* must be False or True"),
        ("solo", {"solo_ignore_industry": "true"}, "solo_ignore_industry='true' .* must be False or True"),
        (
            "soloplay_2",
            {"variant_removed_spaces_stay": 1.0},
            "variant_removed_spaces_stay=1.0 .* must be False or True",
        ),
        ("soloplay_2", {"variant_removed_spaces_stay": np.array([1])}, "stay=array.* must be False or True"),
        ("standard", {"difficulty": "hard"}, "option difficulty='hard' is not possible"),
        ("standard", {"exploit_discs": 30}, "options=.'exploit_discs': 30. .* variant 'standard' has no options"),
        ("standard", {"value1_bonus": True}, "variant 'standard' has no options"),
        ("neutral_2", {"value1_bonus": True}, "variant 'neutral_2' has no options"),
        ("solo", {"exploit_discs": 30}, "variant 'solo' has no option 'exploit_discs', its options are opposition_"),
        ("exploits", {"difficulty": "easier"}, "has no option 'difficulty', its options are exploit_discs, value1_bon"),
        ("exploits", {"exploits": "random"}, "has no option 'exploits', its options are exploit_discs, value1_bonus$"),
        ("exploits", {"exploit_discs": 31}, "option exploit_discs=31 is not possible: it must be 35 or 30$"),
        ("exploits", {"exploit_discs": 30.0}, "option exploit_discs=30.0 is not possible: it must be 35 or 30$"),
        ("exploits", {"exploit_discs": "30"}, "option exploit_discs='30' is not possible: it must be 35 or 30$"),
        ("exploits", {"exploit_discs": True}, "option exploit_discs=True is not possible: it must be 35 or 30$"),
        ("exploits", {"value1_bonus": 1}, "option value1_bonus=1 is not possible: it must be False or True$"),
        ("exploits", {"value1_bonus": "true"}, "value1_bonus='true' .* must be False or True$"),
    ],
    ids=str,
)
def test_a_wrong_option_is_one_named_error(variant: str, options: Any, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message) as caught:
        check_options(options, variant)
    assert "\n" not in str(caught.value)
