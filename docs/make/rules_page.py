"""The pages ``docs/rules.md`` and ``docs/merchants/rules.md``, of ``docs/make/*rules*.toml`` and the names of tests.

A clause without a test, or whose code is not where the file says, is a fault that the error names.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NUMBERED = re.compile(r"R\d+|S\d+|V2S|V3S|V2F|X\d+|E\d+|K\d+")  # a clause id before its number: R8.1, V2S.7
PLAIN = re.compile(r"[ACD]\d+|S[AC]\d+|V[AC]\d+|XA\d+|N\d+")
ABILITY = re.compile(r"A\d")  # after an Exploit: test_E9_A2_... -> E9.A2
NUMBER = re.compile(r"\d+[a-z]?")
TIE = re.compile(r"T\d+")  # a tie-break, between clauses: test_S5_1_T1_SA18_...
EXAMPLE = re.compile(r"test_(T_[BK]\d+|T[SVX]\d+)")
"""What names of tests of worked examples begin with, before the clauses: test_T_K3_K4_3a, test_TS04_S2_1."""


class Book(NamedTuple):
    """The rules of a game: where they stand, and how they are written."""

    page: str
    """Path of the page below ``docs``."""
    intro: str
    sources: tuple[str, ...]
    """Files of ``docs/make`` with the clauses."""
    tests: str
    """Folder of the tests whose names begin with clauses."""
    code: str
    """Folder of ``endeavor_env`` that the places of code are below; empty for that itself."""


def ids_in(name: str) -> list[str]:
    """Return the clause ids a test name starts with: test_R9_2_R9_3_slot -> R9.2, R9.3; test_T_K3_K4_3a_x -> K4.3a."""
    ids: list[str] = []
    for word in EXAMPLE.sub("", name).removeprefix("test_").removeprefix("_").split("_"):
        if TIE.fullmatch(word):
            continue
        if ids and re.fullmatch(r"E\d+", ids[-1]) and ABILITY.fullmatch(word):
            ids[-1] += f".{word}"
        elif NUMBERED.fullmatch(word) or PLAIN.fullmatch(word):
            ids.append(word)
        elif NUMBER.fullmatch(word) and ids and not PLAIN.fullmatch(ids[-1]):
            ids[-1] += f".{word}"
        else:
            break
    return ids


def named_tests(book: Book) -> list[tuple[str, str]]:
    """Return the file, below the folder of the book's tests, and the name of every test."""
    folder = ROOT / book.tests
    return [
        (path.relative_to(folder).as_posix(), name)
        for path in sorted(folder.rglob("test_*.py"))
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def find_tests(book: Book) -> dict[str, list[tuple[str, str]]]:
    """Return the tests of each clause, as pairs of file and test name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file, name in named_tests(book):
        for clause in ids_in(name):
            found.setdefault(clause, []).append((file, name))
    return found


def find_examples(book: Book) -> dict[str, list[tuple[str, str]]]:
    """Return the tests of each worked example of the rulebook, in order."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file, name in named_tests(book):
        if match := EXAMPLE.match(name):
            found.setdefault(re.sub(r"^T_?([A-Z])(\d+)", r"T-\1\2", match[1]), []).append((file, name))
    return dict(sorted(found.items(), key=lambda one: (one[0].rstrip("0123456789"), int(re.sub(r"\D", "", one[0])))))


def links(book: Book, tests: list[tuple[str, str]]) -> str:
    """Return links to tests from the page of a book."""
    up = "../" * (1 + book.page.count("/"))
    return "<br>".join(f"[`{name}`]({up}{book.tests}/{file})" for file, name in tests)


def missing_code(code: str, folder: str = "") -> str | None:
    """Return the first place of ``code`` below a folder of ``endeavor_env`` that does not exist, None if all do."""
    for place in code.split("; "):
        file, _, function = place.partition(" ")
        if file == "data":
            continue
        path = ROOT / "endeavor_env" / folder / (file if file.endswith(".py") else f"{file}.py")
        if not path.is_file() or (function and f"def {function}(" not in path.read_text(encoding="utf-8")):
            return f"{folder}/{place}" if folder else place
    return None


def sections(book: Book) -> list[dict[str, Any]]:
    """Return the sections of all sources in order."""
    return [
        section
        for name in book.sources
        for section in tomllib.loads((HERE / name).read_text(encoding="utf-8"))["section"]
    ]


def rules_page(book: Book) -> str:
    """Return the page. Raise ValueError with one sentence for each fault if a clause lacks code or a test."""
    tests, faults, lines = find_tests(book), [], [book.intro]
    for section in sections(book):
        lines.append(f"\n## {section['title']}\n\n| clause | rule | code | tests |\n|---|---|---|---|")
        for clause, rule, code in section["clauses"]:
            if clause not in tests:
                faults.append(f"clause {clause} has no test in {book.tests} whose name starts with it")
            if place := missing_code(code, book.code):
                faults.append(f"clause {clause} names {place}, which does not exist")
            anchor = f'<a id="{clause}" href="#{clause}">{clause}</a>'  # rules.md#R4.3 leads to the clause
            lines.append(f"| {anchor} | {rule} | {code.replace('; ', '<br>')} | {links(book, tests.get(clause, []))} |")
    lines.append("\n## Worked examples of the rulebook\n\n| example | tests |\n|---|---|")
    lines += [f"| {example} | {links(book, found)} |" for example, found in find_examples(book).items()]
    if faults:
        raise ValueError("\n".join(faults))
    return "\n".join(lines) + "\n"


ENDEAVOR = Book(
    "rules.md",
    """# Rules, code and tests

The clauses of the base game for three to five players, of the solitaire game (S), of the variants with neutral discs
(V2S, V3S, V2F) and of the Exploits (X, E, with their interactions X4 and rulings XA and N), in our own words, each with
its code (under `endeavor_env/`) and the tests that carry its number.
"data" is `endeavor_env/endeavor/board/data/endeavor_2009.toml`, see [board.md](board.md).
""",
    ("rules.toml", "rules_solo.toml", "rules_variants.toml", "rules_exploits.toml"),
    "tests/rules",
    "",
)
MERCHANTS = Book(
    "merchants/rules.md",
    """# Merchants of Europe: rules, code and tests

The clauses of [Merchants of Europe](boards.md) in our own words, each with its code (under `endeavor_env/merchants/`)
and the tests that carry its number. All but those of views and records are played by the kernels and by a second, plain
reading of the rules in `tests/merchants/reference/`, and both must agree at every move. "data" is the board files.

`python -m tests.merchants.crosscheck.many_games --games 50000` compares random games in the same way, on declared,
changed and generated boards, and counts how often each case of a clause occurs.
""",
    ("merchants_rules.toml",),
    "tests/merchants",
    "merchants",
)


def pages() -> dict[str, str]:
    """Return the texts of the pages by their paths below ``docs``."""
    return {book.page: rules_page(book) for book in (ENDEAVOR, MERCHANTS)}
