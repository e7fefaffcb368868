"""What the settings of all kinds of run have in common: their JSON form, and changes by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self

from endeavor_env.errors import InvalidOptionError, named, shown
from endeavor_env.files import parse_json


@dataclass(frozen=True)
class JsonSettings:
    """Settings that are stored as JSON; a class of a kind of run adds the fields."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the JSON form; raise InvalidOptionError for unknown, missing or impossible settings."""
        known = {field.name for field in fields(cls)}
        if set(data) != known:
            odd = ", ".join(map(named, sorted(set(data) ^ known)[:6]))
            raise InvalidOptionError(f"the settings do not fit this version: {odd} unknown or missing")
        return cls(**{key: _tuples(value) for key, value in data.items()})

    def changed(self, texts: Sequence[str]) -> Self:
        """Return these settings with others that are given as "name=value", the values in JSON or as plain text.

        Raises:
            InvalidOptionError: A text without "=", a name that is none, or an impossible value.
        """
        known, given = [field.name for field in fields(self)], {}
        for text in texts:
            name, equals, value = text.partition("=")
            if not equals or name not in known:
                raise InvalidOptionError(f"{shown(text)} is no setting: write name=value; names are {', '.join(known)}")
            try:
                given[name] = _tuples(parse_json(value))
            except ValueError:
                given[name] = value
        return replace(self, **given)


def falling(first: float, last: float, share: float) -> float:
    """Return the value a ``share`` (0..1) of the way from ``first`` to ``last``, by equal factors."""
    return float(first * (last / first) ** share)


def _tuples(value: Any) -> Any:
    """Return a JSON value with its lists, and those in them, as tuples."""
    return tuple(tuple(one) if isinstance(one, list) else one for one in value) if isinstance(value, list) else value
