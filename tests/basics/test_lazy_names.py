"""Packages load their names when they are first used, and know no others."""

from __future__ import annotations

import importlib

import pytest

from endeavor_env.endeavor import players
from endeavor_env.endeavor.players import compiled


@pytest.mark.parametrize("package", ["endeavor_env", "endeavor_env.endeavor.players"])
def test_every_name_of_a_package_is_there_and_no_other(package: str) -> None:
    module = importlib.import_module(package)
    assert all(getattr(module, name) is not None for name in module.__all__)
    with pytest.raises(AttributeError, match=f"^module '{package}' has no attribute 'nothing'$"):
        _ = module.nothing


def test_a_name_is_that_of_the_module_which_defines_it() -> None:
    assert players.player_of is compiled.player_of
