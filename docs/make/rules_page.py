"""The page ``docs/rules.md``, made from ``docs/make/rules*.toml`` and the names of the tests.

A clause without a test, or whose code is not where the file says, is a fault that the error names.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = ("rules.toml", "rules_solo.toml", "rules_variants.toml", "rules_exploits.toml")
NUMBERED = r"R\d+|S\d+|V2S|V3S|V2F|X\d+|E\d+"  # the part of a clause id before its number in a test name: R8.1, V2S.7
VECTOR = r"T[SVX]?\d+"  # a worked example or a tie-break, which stands before the clauses: test_TS04_S2_1
PLAIN = r"[ACD]\d+|S[AC]\d+|V[AC]\d+|XA\d+|N\d+"
ABILITY = r"A\d"  # after an Exploit: test_E9_A2_... -> E9.A2
INTRO = """# Rules, code and tests

The clauses of the base game for three to five players, of the solitaire game (S), of the variants with neutral discs
(V2S, V3S, V2F) and of the Exploits (X, E, with their interactions X4 and rulings XA and N), in our own words, each with
its code (under `endeavor_env/`) and the tests that carry its number.
"data" is `endeavor_env/endeavor/board/data/endeavor_2009.toml`, see [board.md](board.md).
"""


def find_tests() -> dict[str, list[tuple[str, str]]]:
    """Return the tests of each clause in ``tests/rules``, as pairs of file and test name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((ROOT / "tests" / "rules").rglob("test_*.py")):
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            for clause in ids_in(name):
                found.setdefault(clause, []).append((_below_rules(path), name))
    return found


def _below_rules(path: Path) -> str:
    """Return the path of a test file below ``tests/rules``, as links write it."""
    return path.relative_to(ROOT / "tests" / "rules").as_posix()


def ids_in(name: str) -> list[str]:
    """Return the clause ids a test name starts with: test_R9_2_R9_3_slot -> R9.2, R9.3; test_V2S_7_dock -> V2S.7."""
    ids: list[str] = []
    for word in name.removeprefix("test_").split("_"):
        if re.fullmatch(VECTOR, word):
            continue
        if ids and re.fullmatch(r"E\d+", ids[-1]) and re.fullmatch(ABILITY, word):
            ids[-1] += f".{word}"
            continue
        if re.fullmatch(f"{NUMBERED}|{PLAIN}", word):
            ids.append(word)
        elif re.fullmatch(r"\d+", word) and ids and not re.fullmatch(PLAIN, ids[-1]):
            ids[-1] += f".{word}"
        else:
            break
    return ids


def missing_code(code: str) -> str | None:
    """Return the first place of ``code`` that does not exist, None if all do."""
    for place in code.split("; "):
        file, _, function = place.partition(" ")
        if file == "data":
            continue
        path = ROOT / "endeavor_env" / (file if file.endswith(".py") else f"{file}.py")
        if not path.is_file() or (function and f"def {function}(" not in path.read_text(encoding="utf-8")):
            return place
    return None


def _sections() -> list[dict[str, Any]]:
    """Return the sections of all sources in order."""
    return [
        section for name in SOURCES for section in tomllib.loads((HERE / name).read_text(encoding="utf-8"))["section"]
    ]


def _vectors() -> list[tuple[str, list[str]]]:
    """Return for each test file the examples that its tests are named after: test_T_B03, test_TS04, test_TX2."""
    found = []
    for path in sorted((ROOT / "tests" / "rules").rglob("test_*.py")):
        names = re.findall(r"^def test_(T_B\d\d|TS\d\d|TV\d+|TX\d+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        if names:
            vectors = {re.sub(r"^T_?([A-Z])(\d+)", r"T-\1\2", name) for name in names}
            found.append((_below_rules(path), sorted(vectors, key=lambda name: (len(name), name))))
    return found


def rules_page() -> str:
    """Return the page. Raise ValueError with one sentence for each fault if a clause lacks code or a test."""
    tests, faults, lines = find_tests(), [], [INTRO]
    for section in _sections():
        lines.append(f"\n## {section['title']}\n\n| clause | rule | code | tests |\n|---|---|---|---|")
        for clause, rule, code in section["clauses"]:
            if clause not in tests:
                faults.append(f"clause {clause} has no test in tests/rules whose name starts with it")
            if place := missing_code(code):
                faults.append(f"clause {clause} names {place}, which does not exist")
            names = "<br>".join(f"[`{name}`](../tests/rules/{file})" for file, name in tests.get(clause, []))
            anchor = f'<a id="{clause}" href="#{clause}">{clause}</a>'  # rules.md#R4.3 leads to the clause
            lines.append(f"| {anchor} | {rule} | {code.replace('; ', '<br>')} | {names} |")
    lines.append("\n## Worked examples of the rulebook\n")
    lines += [f"- `tests/rules/{file}`: {', '.join(names)}" for file, names in _vectors()]
    if faults:
        raise ValueError("\n".join(faults))
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """Return the text of the page by its path below ``docs``."""
    return {"rules.md": rules_page()}
