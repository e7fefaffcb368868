"""What the tests of the project share: noxfile.py as a module."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.kits.scripts import load_script


@pytest.fixture(scope="session")
def noxfile() -> ModuleType:
    """The module noxfile.py; nox refuses to register its sessions twice in a process."""
    return load_script("../noxfile.py")
