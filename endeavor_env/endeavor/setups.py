"""Set-ups: drawn from a seed, or given and checked (R2, S1; notation, section 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import listed, plain_text, whole_number
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import new_setup
from endeavor_env.errors import InvalidOptionError, InvalidSetupError, named, shown

STANDARD, SOLO = c.VARIANT_NAMES[0], c.VARIANT_NAMES[c.VARIANT_SOLO]
DEFAULT_PLAYERS = 4
COLOURS = c.COLOUR_NAMES[c.FIRST_COLOUR :]
"""The colours of the Opposition, in the order of their sides."""
SOLO_FIELDS = ("grid", "scale", "track_discs", "europe_order")
_DISCS_ON_TRACK = 2  # of the Opposition on each track before round 1 (S1.6)


def setup_to_dict(board: Board, variant: str, drawn: npt.NDArray[np.void]) -> dict[str, Any]:
    """Return a set-up of kernels, (1,) SETUP, as the ``setup`` of a game record."""
    outcome = drawn[0]
    tokens = {name: c.TOKEN_NAMES[outcome["tokens"][space]] for name, space in board.space_index.items()}
    setup: dict[str, Any] = {"first_player": int(outcome["first_player"]), "tokens": tokens}
    if variant == SOLO:
        setup["grid"] = [[board.buildings[building] for building in row] for row in outcome["grid"].tolist()]
        setup["scale"] = _colour_names(outcome["scale"])
        discs = outcome["track_discs"]
        setup["track_discs"] = {board.regions[region]: _colour_names(discs[region]) for region in _overseas(board)}
        setup["europe_order"] = _colour_names(outcome["europe_order"])
    return setup


def check_players(players: object, variant: object = STANDARD) -> int:
    """Return the number of seats; None stands for 4 in the base game and for the only number a variant takes.

    Raises:
        InvalidOptionError: The variant is unknown or does not take this number of players.
    """
    name = plain_text(variant)
    if name not in c.VARIANT_NAMES:
        raise InvalidOptionError(
            f"variant {shown(variant)} is unknown: this version plays {', '.join(c.VARIANT_NAMES)}"
        )
    least, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(name)]
    if players is None:
        return DEFAULT_PLAYERS if least < most else least
    number = whole_number(players)
    if number is None or not least <= number <= most:
        takes = f"{least} to {most} players" if least < most else f"exactly {least} player{'s' if least > 1 else ''}"
        raise InvalidOptionError(f"players={shown(players)} does not fit variant {name!r}: it takes {takes}")
    return number


def read_setup(
    board: Board, players: int, setup: object, variant: str = STANDARD, exploits: int | None = None
) -> npt.NDArray[np.void]:
    """Check a given set-up against board, players and variant (notation 4; solo: S1.2-S1.8).

    ``exploits`` are bits, which a set-up does not hold.

    Returns:
        (1,) SETUP, as kernels take it.

    Raises:
        InvalidSetupError: The set-up does not fit; the message names the first thing that is wrong.
    """
    needed = ("tokens", *SOLO_FIELDS) if variant == SOLO else ("first_player", "tokens")
    optional = ("first_player",) if variant == SOLO else ()
    if not isinstance(setup, Mapping):
        raise InvalidSetupError(
            f"setup is a {type(setup).__name__}: it must be a mapping of {_enumerated((*optional, *needed))}"
        )
    if not set(needed) <= set(setup) <= {*needed, *optional}:
        also = f", and may have {optional[0]}" if optional else ""
        article = "an" if variant == EXPLOITS else "a"
        raise InvalidSetupError(
            f"setup has the fields {_listed(setup)}: {article} {variant} game needs exactly {_enumerated(needed)}{also}"
        )
    array = new_setup()
    array["first_player"] = _read_first_player(setup.get("first_player", 0), players)
    array["tokens"] = _read_tokens(board, setup["tokens"])
    if variant == EXPLOITS and exploits is None:
        raise InvalidSetupError("setup does not say which Exploits are in play: name them, exploits=[...]")
    array["exploits"] = exploits or 0
    if variant == SOLO:
        _check_start_region(board, array["tokens"][0])
        array["grid"] = _read_grid(board, setup["grid"])
        array["scale"] = _read_colours("scale", setup["scale"], c.SCALE_SIZE)
        array["track_discs"] = _read_track_discs(board, setup["track_discs"])
        array["europe_order"] = _read_colours("europe_order", setup["europe_order"], len(COLOURS))
    return array


def _read_first_player(given: object, players: int) -> int:
    """Return the first player, a seat in [0, ``players``)."""
    first = whole_number(given)
    if first is None or not 0 <= first < players:
        seats = f"a seat, 0 to {players - 1}" if players > 1 else "0, the only seat"
        raise InvalidSetupError(f"setup.first_player is {shown(given)}: it must be {seats}")
    return first


def _read_tokens(board: Board, given: object) -> npt.NDArray[np.int8]:
    """Return the token kind on every space, (NUM_SPACES,), each kind as often as the board has it."""
    if not isinstance(given, Mapping):
        raise InvalidSetupError(f"setup.tokens is a {type(given).__name__}: it must map space ids to token kinds")
    missing = [name for name in board.space_index if name not in given]
    unknown = [name for name in given if name not in board.space_index]
    if missing or unknown:
        raise InvalidSetupError(
            f"setup.tokens must name each of the {len(board.space_index)} spaces of board {board.id} once; "
            f"missing: {_listed(missing)}; unknown: {_listed(unknown)}"
        )
    tokens = new_setup()["tokens"][0]
    for name, kind in given.items():
        if not isinstance(kind, str) or kind not in c.TOKEN_NAMES:
            raise InvalidSetupError(
                f"setup.tokens[{name!r}] is {shown(kind)}: token kinds are {', '.join(c.TOKEN_NAMES)}"
            )
        tokens[board.space_index[name]] = c.TOKEN_NAMES.index(kind)
    placed = Counter(given.values())
    for kind, count in zip(c.TOKEN_NAMES, board.array["token_count"][0].tolist(), strict=True):
        if placed[kind] != count:
            raise InvalidSetupError(f"setup.tokens places {placed[kind]} {kind} tokens: board {board.id} has {count}")
    return tokens


# --- what solo adds ------------------------------------------------------------------------------------------------


def _check_start_region(board: Board, tokens: npt.NDArray[np.int8]) -> None:
    """Check that the start region shows a token of each status and a blue one (S1.4)."""
    facts = board.array[0]
    start = int(facts.open_at_start.argmax())
    cities = np.flatnonzero(facts.city_region[: facts.num_cities] == start)
    shown = tokens[c.CITY_SPACES + cities]
    missing = [name for status, name in enumerate(c.STATUS_NAMES) if status not in shown]
    if not (shown >= c.FIRST_BLUE).any():
        missing.append("blue")
    if missing:
        raise InvalidSetupError(
            f"setup.tokens shows no {' and no '.join(missing)} token in the cities of {board.regions[start]}: a solo "
            "game needs one of each status and a blue one there (S1.4)"
        )


def _read_grid(board: Board, given: object) -> list[list[int]]:
    """Return the building types of the grid, GRID_LEVELS rows of GRID_COLUMNS (S1.2)."""
    rows = listed(given)
    if rows is None or len(rows) != c.GRID_LEVELS:
        raise InvalidSetupError(
            f"setup.grid is {shown(given)}: it must be a list of {c.GRID_LEVELS} rows, level 1 first"
        )
    facts, grid = board.array[0], []
    for level, given_row in enumerate(rows, 1):
        wanted = [board.buildings[building] for building in np.flatnonzero(facts.building_level == level)]
        row = listed(given_row)
        if row is None or _counted(row) != Counter(wanted):
            raise InvalidSetupError(
                f"setup.grid has {shown(given_row)} in the row of level {level}: it must be the {c.GRID_COLUMNS} "
                f"types of that level in any order, {', '.join(wanted)}"
            )
        grid.append([board.buildings.index(building) for building in row])
    return grid


def _read_colours(field: str, given: object, count: int) -> list[int]:
    """Return ``count`` sides, each colour of the Opposition as often as the others (S1.3, S1.8)."""
    each = count // len(COLOURS)
    colours = listed(given)
    if colours is None or _counted(colours) != Counter(COLOURS * each):
        times = "once" if each == 1 else "twice"
        raise InvalidSetupError(
            f"setup.{field} is {shown(given)}: it must be a list of {', '.join(COLOURS)}, each {times}"
        )
    return [c.COLOUR_NAMES.index(colour) for colour in colours]


def _read_track_discs(board: Board, given: object) -> npt.NDArray[np.int8]:
    """Return the sides on the first two spaces of each track, (NUM_REGIONS, 2) (S1.6)."""
    overseas = [board.regions[region] for region in _overseas(board)]
    if not isinstance(given, Mapping) or set(given) != set(overseas):
        raise InvalidSetupError(
            f"setup.track_discs is {shown(given)}: it must map each of {', '.join(overseas)} to two colours"
        )
    discs = new_setup()["track_discs"][0]
    for region, colours in given.items():
        pair = listed(colours)
        if pair is None or len(pair) != _DISCS_ON_TRACK or not set(_counted(pair)) <= set(COLOURS):
            raise InvalidSetupError(
                f"setup.track_discs[{region!r}] is {shown(colours)}: it must be two of {', '.join(COLOURS)}, the one "
                "on space 1 first"
            )
        discs[board.regions.index(region)] = [c.COLOUR_NAMES.index(colour) for colour in pair]
    _check_track_discs(discs[_overseas(board)])
    return discs


def _check_track_discs(discs: npt.NDArray[np.int8]) -> None:
    """Check that every colour has as many discs as the others, and one of them on a space 1 (S1.6)."""
    each = discs.size // len(COLOURS)
    for side, colour in enumerate(COLOURS, c.FIRST_COLOUR):
        count = int((discs == side).sum())
        if count != each:
            raise InvalidSetupError(f"setup.track_discs places {count} {colour} discs: each colour has {each} (S1.6)")
    for side, colour in enumerate(COLOURS, c.FIRST_COLOUR):
        if side not in discs[:, 0]:
            raise InvalidSetupError(
                f"setup.track_discs has no {colour} disc on a space 1: the far spaces must show all of "
                f"{', '.join(COLOURS)} (S1.6)"
            )


def _overseas(board: Board) -> list[int]:
    """Return the regions with a shipping track."""
    return np.flatnonzero(board.array["track_length"][0]).tolist()


def _colour_names(sides: npt.NDArray[np.int8]) -> list[str]:
    return [c.COLOUR_NAMES[side] for side in sides]


def _counted(names: Iterable[object]) -> Counter[str]:
    """Count ``names``; values that are no text count as "", which is the name of nothing."""
    return Counter(name if isinstance(name, str) else "" for name in names)


def _enumerated(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _listed(names: Any) -> str:
    """Return up to six names as text, and how many more there are."""
    names = [named(name) for name in names]
    return (", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")) or "none"
