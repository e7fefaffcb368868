"""A page says what the numbers of a note are."""

from __future__ import annotations

import pytest

from endeavor_env.web import noted_by
from endeavor_env.web.film import meaning


@pytest.mark.parametrize(
    ("by", "unit", "values", "choices"),
    [
        ("search", "share of the win", "share of the win, 0 to 1, and 0.02", "share of its simulations"),
        ("search:sims=50,c=0.3", "share of the win", "share of the win, 0 to 1, and 0.02", "share of its simulations"),
        ("policy:run/best.npz", "reward", "reward that its value network expects", "probability"),
        ("searching", "outcome", "units of its own", "share of its favour"),
        ("", "outcome", "units of its own", "share of its favour"),
    ],
)
def test_numbers_are_named_by_who_took_the_notes(by: str, unit: str, values: str, choices: str) -> None:
    found = meaning(by)
    assert found.unit == unit
    assert values in found.values
    assert choices in found.choices
    assert noted_by(by) == {
        "notes_by": by, "noted_values": found.values, "noted_unit": unit, "noted_choices": found.choices,
    }  # fmt: skip
