"""Rows of observations that are fields of a state: the kernels that write them are made of the tables of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from endeavor_env.endeavor.exploits.choosing import written
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.bits import mark
from endeavor_env.endeavor.rules.sides import place_of
from endeavor_env.engine.layouts import Slice
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.kernels.vectors import copied

STATE_FIELDS = {
    "round": "round_number",
    "to_move": "seat",
    "tokens_held": "tokens",
    "cards_held": "num_cards",
    "governors_held": "num_governors",
    "slavery_held": "num_slavery",
    "face_down": "num_face_down",
    "region_open": "open",
    "crown_level": "isb_level",
    "crown_column": "isb_column",
    "spice": "spice_discs",
}
"""The STATE fields of those slices of ``compact`` that have another name."""
BITS = {"exploit": "exploits", "blocked": "blocked", "fortified": "fortified"}
"""Slices of flags that STATE holds as the bits of one number, and its field."""


@kernel
def who(places, seat):
    """Return a seat as the observer counts it; what is no seat stays as it is."""
    return place_of(places, seat) if seat >= 0 else np.int64(seat)


@kernel
def write_owner(places, seat, row, index, rows):
    """Mark whose disc is on a space: entry ``index`` of a row (spaces, seats); nothing for an empty space."""
    if seat >= 0:
        rows[row + index * c.MAX_SEATS + place_of(places, seat)] = 1.0


@kernel
def write_seats(places, seats, row, rows):
    """Write the owners of several things, as the observer counts seats."""
    for index in range(seats.size):
        rows[row + index] = who(places, seats[index])


@kernel
def write_numbers(values, row, rows):
    """Write numbers that do not depend on the observer."""
    for index in range(values.size):
        rows[row + index] = values[index]


def alike(features: Iterable[Slice], compact: Iterable[Slice]) -> list[Slice]:
    """Return the slices of ``features`` that hold what those of ``compact`` do: the same flags, or flags for owners."""
    by_name, found = {part.name: part for part in compact}, []
    for part in features:
        same = by_name.get(part.name)
        if same is None:
            continue
        owners = part.encoding == "one-hot or zeros" and same.encoding == "relative seat"
        if (owners and (*filter(None, same.axes), "relative seat") == part.axes) or (
            part.encoding == "flags" and part.axes == same.axes
        ):
            found.append(part)
    return found


def field_writer(name: str, slices: Iterable[Slice], *, as_bytes: bool = True) -> Callable[..., Any]:
    """Return a kernel (state, places, out) that writes slices of ``compact``, or those of ``features`` that are alike.

    A row of relative seats holds them as the observer counts them, or flags whose disc lies there; a row with one entry
    or more for each seat has them at the places of the seats at the table. Colours stay as they are, because the
    observer of a solo game is always side 0.
    """
    functions: dict[str, Any] = {"mark": mark, "write_numbers": write_numbers, "place_of": place_of}
    functions |= {"who": who, "write_owner": write_owner, "write_seats": write_seats}
    lines, by_seat = [], []
    for part in slices:
        field, at, is_array = f"state.{STATE_FIELDS.get(part.name, part.name)}", part.offset, part.axes != ("",)
        if part.name in BITS:
            lines.append(f"mark(np.int64(state.{BITS[part.name]}), {at}, out)")
        elif part.encoding == "one-hot or zeros":
            owners = part.size // c.MAX_SEATS
            lines += [f"write_owner(places, {field}{f'[{i}]' * (owners > 1)}, {at}, {i}, out)" for i in range(owners)]
        elif part.encoding == "relative seat":
            lines.append(
                f"write_seats(places, {field}, {at}, out)" if is_array else f"out[{at}] = who(places, {field})"
            )
        elif part.axes[0] == "relative seat":
            size = part.size // c.MAX_SEATS
            entries = [f"seat, {index}" for index in range(size)] if size > 1 else ["seat"]
            by_seat += [f"    out[{at + i} + {size} * place] = {field}[{one}]" for i, one in enumerate(entries)]
        elif is_array and as_bytes:
            functions[f"copy_{part.size}"] = copied(part.size)
            lines.append(f"copy_{part.size}({field}, 0, out, {at})")
        else:
            lines.append(f"write_numbers({field}, {at}, out)" if is_array else f"out[{at}] = {field}")
    if by_seat:
        lines += ["for seat in range(state.num_seats):", "    place = place_of(places, seat)", *by_seat]
    return written(name, "state, places, out", lines, functions, inlined)
