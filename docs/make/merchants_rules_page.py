"""The page ``docs/merchants/rules.md``, made from ``docs/make/merchants_rules.toml`` and the names of the tests.

A clause without a test, or whose code is not where the file says, is a fault that the error names.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import rules_page

SOURCE = Path(__file__).resolve().parent / "merchants_rules.toml"
TESTS = rules_page.ROOT / "tests" / "merchants"
VECTOR = re.compile(r"^T_(K\d+)_")
INTRO = """# Merchants of Europe: rules, code and tests

The clauses of [Merchants of Europe](boards.md) in our own words, each with its code (under `endeavor_env/merchants/`)
and the tests that carry its number. All but those of views and records are played by the kernels and by a second, plain
reading of the rules in `tests/merchants/reference/`, and both must agree at every move. "data" is the board files.

`python -m tests.merchants.crosscheck.many_games --games 50000` compares random games in the same way, on declared,
changed and generated boards, and counts how often each case of a clause occurs.
"""


def ids_in(name: str) -> list[str]:
    """Return the clause ids a test name starts with: test_T_K3_K4_3a_x -> K4.3a; test_K2_5_K2_6_x -> K2.5, K2.6."""
    ids: list[str] = []
    for word in VECTOR.sub("", name.removeprefix("test_")).split("_"):
        if re.fullmatch(r"K\d+", word):
            ids.append(word)
        elif ids and "." not in ids[-1] and re.fullmatch(r"\d+[a-z]?", word):
            ids[-1] += f".{word}"
        else:
            break
    return ids


def _named_tests() -> list[tuple[str, str]]:
    """Return the file below ``tests/merchants`` and the name of every test."""
    return [
        (path.relative_to(TESTS).as_posix(), name)
        for path in sorted(TESTS.rglob("test_*.py"))
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def find_tests() -> dict[str, list[tuple[str, str]]]:
    """Return the tests of each clause, as pairs of file and test name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file, name in _named_tests():
        for clause in ids_in(name):
            found.setdefault(clause, []).append((file, name))
    return found


def find_vectors() -> dict[str, list[tuple[str, str]]]:
    """Return the tests of each worked example of the rulebook, T-K1 and so on, in order."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file, name in _named_tests():
        if match := VECTOR.match(name.removeprefix("test_")):
            found.setdefault(f"T-{match[1]}", []).append((file, name))
    return dict(sorted(found.items(), key=lambda item: int(item[0][3:])))


def sections() -> list[dict[str, Any]]:
    """Return the sections of the source in order."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))["section"]


def _links(tests: list[tuple[str, str]]) -> str:
    return "<br>".join(f"[`{name}`](../../tests/merchants/{file})" for file, name in tests)


def merchants_rules_page() -> str:
    """Return the page. Raise ValueError with one sentence for each fault if a clause lacks code or a test."""
    tests, faults, lines = find_tests(), [], [INTRO]
    for section in sections():
        lines.append(f"\n## {section['title']}\n\n| clause | rule | code | tests |\n|---|---|---|---|")
        for clause, rule, code in section["clauses"]:
            if clause not in tests:
                faults.append(f"clause {clause} has no test in tests/merchants whose name starts with it")
            below = "; ".join(place if place == "data" else f"merchants/{place}" for place in code.split("; "))
            if place := rules_page.missing_code(below):
                faults.append(f"clause {clause} names {place}, which does not exist")
            anchor = f'<a id="{clause}" href="#{clause}">{clause}</a>'
            lines.append(f"| {anchor} | {rule} | {code.replace('; ', '<br>')} | {_links(tests.get(clause, []))} |")
    lines.append("\n## Worked examples of the rulebook\n\n| example | tests |\n|---|---|")
    lines += [f"| {vector} | {_links(found)} |" for vector, found in find_vectors().items()]
    if faults:
        raise ValueError("\n".join(faults))
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """Return the text of the page by its path below ``docs``."""
    return {"merchants/rules.md": merchants_rules_page()}
