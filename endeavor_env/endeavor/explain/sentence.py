"""A sentence about the rules, and ways to join words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Sentence(NamedTuple):
    """A sentence and the rule that it is about."""

    text: str
    clause: str
    """The clause of docs/rules.md, such as "R8.3.1"; empty where no single clause says it."""

    def __str__(self) -> str:
        """Return the sentence with its clause behind it."""
        return f"{self.text} ({self.clause})" if self.clause else self.text


def joined(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list in a sentence, such as "a, b and c"."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def with_article(word: str) -> str:
    """Return a word with "a" or "an" before it."""
    return f"{'an' if word[:1].lower() in 'aeio' else 'a'} {word}"
