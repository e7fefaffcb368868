"""The option ``--seats human greedy greedy``, which takes as many names as there are seats.

Options of typer take one value each. The names are therefore handed on one by one before typer reads the command line:
as ``--seats human --seats greedy`` to a command that has this option, and without it to one that takes seats as
arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

import typer

OPTION = "--seats"


def with_single_seats(arguments: Sequence[str], repeated: bool) -> list[str]:
    """Return a command line in which each name after ``--seats`` stands by itself.

    Names end at the next option. A text in quotes, "human greedy greedy", counts as its words.

    Args:
        arguments: What the user typed.
        repeated: Whether the command has an option ``--seats`` for one name, which can be repeated.

    Raises:
        typer.BadParameter: No name follows ``--seats``.
    """
    found: list[str] = []
    left = list(arguments)
    while left:
        word = left.pop(0)
        option, equals, value = word.partition("=")
        if option != OPTION:
            found.append(word)
            continue
        names = value.split() if equals else []
        while not equals and left and not left[0].startswith("-"):
            names += left.pop(0).split()
        if not names:
            raise typer.BadParameter("give a name for each seat, such as --seats human greedy greedy")
        for name in names:
            found += [OPTION, name] if repeated else [name]
    return found
