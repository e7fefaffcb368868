"""Requirements of variants on the board: some need more than the base rules do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.format import spelled
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidBoardError

TRACK_NEEDS = {
    c.VARIANT_SOLO: (3, "two of its spaces are taken in set-up, S1.6"),
    c.VARIANT_SOLOPLAY_2: (4, "up to three of its spaces lose their token in set-up, V2S.4"),
    c.VARIANT_SOLOPLAY_3: (3, "up to two of its spaces lose their token in set-up, V3S.3"),
}
"""Number of shipping spaces that an overseas region needs in a variant so that one is left to ship to, and the
reason."""
_SOLO_EUROPE = len(c.STATUS_NAMES) + 1  # cities that show one token of each status and a blue one (S1.4)
_TOP_LEVEL = c.GRID_LEVELS


def check_board(board: Board, variant: str) -> None:
    """Raise InvalidBoardError, listing every fault, unless ``variant`` (of VARIANT_NAMES) can be played on ``board``.

    The base game and ``neutral_2`` can be played on every board.
    """
    code, facts = c.VARIANT_NAMES.index(variant), board.array[0]
    faults = list(_short_tracks(board, facts, code))
    if code == c.VARIANT_SOLO:
        faults += [*_start_region(board, facts), *_grid(facts), *_tokens(facts)]
    elif code == c.VARIANT_SOLOPLAY_2:
        faults += _copies(facts)
    if faults:
        raise InvalidBoardError(f"{board.id}, for variant {variant!r},", faults)


def _short_tracks(board: Board, facts: Any, variant: int) -> Iterator[str]:
    """Yield the overseas regions whose track would be left without a space to ship to."""
    if variant not in TRACK_NEEDS:  # nearly all games; reading the facts takes as long as a dozen decisions
        return
    least, why = TRACK_NEEDS[variant]
    for name, length, at_start in zip(board.regions, facts.track_length, facts.open_at_start, strict=True):
        if not at_start and length < least:
            yield f"region {name} has {spelled(int(length), 'shipping space')}; it needs at least {least}, as {why}"


def _start_region(board: Board, facts: Any) -> Iterator[str]:
    """Yield a fault if the start region has too few cities for the tokens it has to show (S1.4)."""
    start = facts.open_at_start.argmax()
    cities = int((facts.city_region[: facts.num_cities] == start).sum())
    if cities < _SOLO_EUROPE:
        yield (
            f"region {board.regions[start]} has {spelled(cities, 'city')}; it needs at least {_SOLO_EUROPE}, to show a "
            "token of each status and a blue one (S1.4)"
        )


def _grid(facts: Any) -> Iterator[str]:
    """Yield the levels whose building types do not fill their row of the grid (S1.2)."""
    for level in range(1, c.GRID_LEVELS + 1):
        types = int(((facts.building_level == level) & (facts.building_copies > 0)).sum())
        if types != c.GRID_COLUMNS:
            yield (
                f"level {level} has {spelled(types, 'building type')} in the supply; it needs exactly "
                f"{c.GRID_COLUMNS}, one for each column of the grid (S1.2)"
            )


def _tokens(facts: Any) -> Iterator[str]:
    """Yield the kinds of tokens of which there are too few or too many (S1.4, S5.5)."""
    for status, name in enumerate(c.STATUS_NAMES):
        if facts.token_count[status] == 0:
            yield f"there is no {name} token; the start region has to show one (S1.4)"
    blue = int(facts.token_count[c.FIRST_BLUE :].sum())
    if not 1 <= blue <= c.MAX_WAITING:
        yield f"there are {spelled(blue, 'blue token')}; it takes 1 to {c.MAX_WAITING} (S1.4, S5.5)"


def _copies(facts: Any) -> Iterator[str]:
    """Yield a fault if the supply is too small without one copy of each type of levels 1 to 4 (V2S.1, R4.1)."""
    below = (facts.building_level < _TOP_LEVEL) & (facts.building_copies > 0)
    left = int((facts.building_copies[below].astype(int) - 1).sum())
    needed = 2 * int(facts.num_rounds)
    if left < needed:
        yield (
            f"the buildings below level {_TOP_LEVEL} have {spelled(left, 'copy')} once one of each is gone (V2S.1); "
            f"two players who build in each of {spelled(int(facts.num_rounds), 'round')} need at least {needed}"
        )
