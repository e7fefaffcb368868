"""Packages have the names that they list, and know no others."""

from __future__ import annotations

import importlib

import pytest


@pytest.mark.parametrize("package", ["endeavor_env", "endeavor_env.endeavor.players"])
def test_every_name_of_a_package_is_there_and_no_other(package: str) -> None:
    module = importlib.import_module(package)
    assert all(getattr(module, name) is not None for name in module.__all__)
    with pytest.raises(AttributeError, match=f"^module '{package}' has no attribute 'nothing'$"):
        _ = module.nothing
