"""The rules of the base game know no Exploit: they import none, and read none of their fields."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.exploit_additions import FIELDS
from endeavor_env.endeavor.rules.state import STATE

ROOT = Path(__file__).resolve().parents[2]
RULES = sorted((ROOT / "endeavor_env" / "endeavor" / "rules" / "base").glob("*.py"))
OF_EXPLOITS = {field.name for field in FIELDS}
NAMES = {name.upper() for name in c.EXPLOIT_NAMES}


def asked_for(source: str) -> set[str]:
    """Return the fields of Exploits, the Exploits and the modules about them that a module asks for."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner, name = node.value.id, node.attr
            if (owner == "state" and name in OF_EXPLOITS) or (owner == "c" and name in NAMES):
                found.add(f"{owner}.{name}")
        elif isinstance(node, ast.ImportFrom) and node.module and "exploit" in node.module:
            found.add(node.module)
        elif isinstance(node, ast.alias) and "exploit" in node.name:
            found.add(node.name)
    return found


def test_the_fields_looked_for_are_those_of_the_state() -> None:
    assert set(STATE.names or ()) > OF_EXPLOITS
    assert {"exploits", "pirate_at", "blocked", "fortified", "pile_head"} < OF_EXPLOITS


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_module_of_the_base_rules_asks_for_no_exploit(path: Path) -> None:
    assert asked_for(path.read_text(encoding="utf-8")) == set()


def test_what_asks_for_an_exploit_is_found() -> None:
    assert asked_for("free = state.pirate_at != city") == {"state.pirate_at"}
    assert asked_for("import x\nif has(bits, c.SUN): pass") == {"c.SUN"}
    assert asked_for("from endeavor_env.endeavor.exploits.changes import controls") == {
        "endeavor_env.endeavor.exploits.changes"
    }
    assert asked_for("from endeavor_env.endeavor.rules.sides import has_exploits") == {"has_exploits"}
