"""Common parts of all trainers' settings: types with their bounds, errors, the JSON form, changes by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from endeavor_env.basics.files import parse_json
from endeavor_env.basics.inputs import listed
from endeavor_env.errors import InvalidOptionError, named, shown

SEED_LIMIT = 1 << 32
"""Seeds of runs are below this, because Stable-Baselines3 hands them to NumPy's old generator."""
MOST_STEPS = 10**12 - 1
"""Most decisions of a run; the names of checkpoints have twelve digits."""
MOST_ROWS = 1 << 20
"""Most decisions between two updates of PPO; they take 6 GiB."""

Seed = Annotated[int, Field(ge=0, lt=SEED_LIMIT)]
Count = Annotated[int, Field(ge=1, le=MOST_STEPS)]
Games = Annotated[int, Field(ge=1, le=1_000_000)]
Rows = Annotated[int, Field(ge=1, le=MOST_ROWS)]
BufferSize = Annotated[int, Field(ge=1, le=100_000_000)]
Copies = Annotated[int, Field(ge=1, le=100)]
Threads = Annotated[int, Field(ge=0, le=1_024)]
Device = Literal["auto", "cpu", "cuda"]
"""Device for training: "cpu", "cuda", or "auto" for a GPU if there is one."""
DEVICES: tuple[str, ...] = get_args(Device)
Share = Annotated[float, Field(ge=0, le=1)]
PositiveShare = Annotated[float, Field(gt=0, le=1)]
Passes = Annotated[float, Field(gt=0, le=1_000)]
LossWeight = Annotated[float, Field(ge=0, le=1_000)]
Opponents = Annotated[tuple[tuple[str, Annotated[float, Field(ge=0, le=1e6)]], ...], Field(max_length=100)]
"""Names with weights."""


def one_of(names: Collection[str]) -> AfterValidator:
    """Return the check that a setting is one of some words."""

    def check(value: str) -> str:
        if value not in names:
            raise ValueError(f"it should be {' or '.join(names)}")
        return value

    return AfterValidator(check)


def impossible(name: str, value: object, why: str) -> InvalidOptionError:
    """Return the error of a setting that is not possible; ``why`` says what it should be."""
    return InvalidOptionError(f"the setting {name}={shown(value)} is not possible: {why}")


def check_sizes(players: Sequence[int], possible: Iterable[int]) -> None:
    """Raise InvalidOptionError unless the setting ``players`` names possible numbers of seats, each once, or none."""
    sizes = sorted(set(possible))
    if len(set(players)) < len(players) or not set(players) <= set(sizes):
        raise impossible("players", tuple(players), f"it should be [] for all, or some of {sizes}, each once")


class JsonSettings(BaseModel):
    """Settings that are stored as JSON; a class of a kind of run adds the fields.

    Impossible values raise InvalidOptionError, in one sentence.
    """

    model_config = ConfigDict(frozen=True, strict=True, allow_inf_nan=False)

    def __init__(self, **values: Any) -> None:
        """Check the values."""
        for name in values:
            if name not in type(self).model_fields:
                raise self._unknown(name, name)
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _first_fault(error, values) from error

    @field_validator("*", mode="before")
    @classmethod
    def _no_lists(cls, value: Any) -> Any:
        """Return a JSON value with its lists, and those in them, as tuples."""
        several = listed(value)
        if several is None:
            return value
        return tuple(one if (inner := listed(one)) is None else tuple(inner) for one in several)

    def replace(self, **changes: Any) -> Self:
        """Return these settings with others, which are checked."""
        return type(self)(**{**dict(self), **changes})

    def given(self, **changes: Any) -> Self:
        """Return these settings with those others that are not None, as a command line gives them."""
        return self.replace(**{name: value for name, value in changes.items() if value is not None})

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return self.model_dump()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the JSON form; raise InvalidOptionError for unknown, missing or impossible settings."""
        if odd := sorted(set(data) ^ set(cls.model_fields)):
            listed = ", ".join(map(named, odd[:6]))
            raise InvalidOptionError(f"the settings do not fit this version: {listed} unknown or missing")
        return cls(**data)

    def changed(self, texts: Sequence[str]) -> Self:
        """Return these settings with others that are given as "name=value", the values in JSON or as plain text.

        Raises:
            InvalidOptionError: A text without "=", a name that is none, an impossible value, or another ``preset``,
                which says what the settings were made from.
        """
        known, given = type(self).model_fields, {}
        for text in texts:
            name, equals, value = text.partition("=")
            if not equals or name not in known:
                raise self._unknown(text, name)
            if name == "preset":
                raise InvalidOptionError(f"{shown(text)} is no setting to change: choose a preset by --preset")
            try:
                given[name] = parse_json(value)
            except ValueError:
                given[name] = value
        return self.replace(**given)

    @classmethod
    def _unknown(cls, text: str, name: str) -> InvalidOptionError:
        """Return the error of a ``text`` whose ``name`` no setting has."""
        names = ", ".join(cls.model_fields)
        return InvalidOptionError(f"{shown(text)} is no setting: write name=value; names are {names}")


def _first_fault(error: ValidationError, values: Mapping[str, Any]) -> InvalidOptionError:
    """Return the first fault that pydantic found as one sentence."""
    fault = error.errors(include_url=False)[0]
    raised = fault.get("ctx", {}).get("error")
    if not fault["loc"]:  # of settings together: a sentence of ours
        return InvalidOptionError(str(raised))
    name, *inside = fault["loc"]
    if name not in values:
        return InvalidOptionError(f"the setting {name} is missing")
    why, subject = str(raised or fault["msg"]).replace("valid tuple", "list"), shown(fault["input"]) if inside else "it"
    should = why.find(" should ")
    return impossible(str(name), values[str(name)], f"{subject}{why[should:]}" if should >= 0 else f"{subject}: {why}")


def falling(first: float, last: float, share: float) -> float:
    """Return the value a ``share`` (0..1) of the way from ``first`` to ``last``, by equal factors."""
    return float(first * (last / first) ** share)
