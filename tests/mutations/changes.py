"""The changes that can be made to a source file, each on one line."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FLIPPED: dict[type[ast.AST], ast.cmpop] = {
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
}


class Change(NamedTuple):
    """A change of one line: the columns from `start` to `end` (in bytes) of line `line` become `text`."""

    path: str
    line: int
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        """Return `source` with this change made."""
        lines = source.encode().splitlines(keepends=True)
        old = lines[self.line - 1]
        lines[self.line - 1] = old[: self.start] + self.text.encode() + old[self.end :]
        return b"".join(lines).decode()


def changes_of(path: str, source: str) -> list[Change]:
    """Return every change of `source`, the text of the file `path`."""
    tree = ast.parse(source)
    return [
        Change(path, node.lineno, node.col_offset, node.end_col_offset or 0, text)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        for node, text in _replacements(statement)
        if node.lineno == node.end_lineno
    ]


def choose_places(root: Path, folders: list[str], places: int, seed: int) -> list[Change]:
    """Choose lines at random, and for each of them one of its changes; the same seed chooses the same ones."""
    by_line: dict[tuple[str, int], list[Change]] = {}
    for folder in folders:
        for file in sorted((root / folder).rglob("*.py")):
            path = file.relative_to(root).as_posix()
            for change in changes_of(path, file.read_text(encoding="utf-8")):
                by_line.setdefault((path, change.line), []).append(change)
    generator = random.Random(seed)
    lines = generator.sample(sorted(by_line), min(places, len(by_line)))
    return [generator.choice(by_line[line]) for line in lines]


def _replacements(statement: ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield the nodes of a statement that can be changed, each with the text that takes its place."""
    for node in ast.walk(statement):
        match node:
            case ast.Compare(left, [operator], [right]) if type(operator) in FLIPPED:
                yield node, ast.unparse(ast.Compare(left, [FLIPPED[type(operator)]], [right]))
            case ast.BoolOp(operator, values):
                other = ast.Or() if isinstance(operator, ast.And) else ast.And()
                yield node, f"({ast.unparse(ast.BoolOp(other, values))})"
            case ast.Constant(bool() as value):
                yield node, str(not value)
            case ast.Constant(int() as value):
                yield node, str(value + 1)
            case ast.BinOp(left, ast.Add(), right):
                yield node, f"({ast.unparse(ast.BinOp(left, ast.Sub(), right))})"
            case ast.BinOp(left, ast.Sub(), right):
                yield node, f"({ast.unparse(ast.BinOp(left, ast.Add(), right))})"
            case ast.UnaryOp(ast.Not(), operand):
                yield node, f"({ast.unparse(operand)})"
            case ast.If(test) | ast.While(test):
                yield test, f"not ({ast.unparse(test)})"
            case ast.Expr(ast.Call()):
                yield node, "pass"
            case _:
                pass
