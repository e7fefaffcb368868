"""Statuses, and the Build and Growth phases (R1.8, R4, R5)."""

from __future__ import annotations

from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import BUILD_AT
from endeavor_env.endeavor.rules.bits import where_above, where_equal
from endeavor_env.engine.kernels.masks import allow_set
from endeavor_env.kernels.kernels import kernel

# --- Status icons, and what a status gives at its level (R1.8, R7.5, R10) --------------------------------------------


@kernel
def marker(board, state, seat, status):
    """Return the marker position 0..15: the true icon count, limited to the ends of the track (R10.1)."""
    return max(0, min(board.status_max, state.status[seat, status]))


@kernel
def gain_icons(state, seat, icons):
    """Add ``icons`` (4,) to the true counts of ``seat`` as soon as it gains them (R7.5); no cap applies (R10.1)."""
    for status in range(c.NUM_STATUSES):
        state.status[seat, status] += icons[status]


@kernel
def lose_icons(state, seat, icons):
    """Subtract ``icons`` (4,) from the true counts of ``seat`` (R9.6, R10.2)."""
    for status in range(c.NUM_STATUSES):
        state.status[seat, status] -= icons[status]


@kernel
def build_level(board, state, seat):
    """Return the highest building level that Industry allows, 1..5 (R1.8)."""
    return board.build_level[marker(board, state, seat, c.INDUSTRY)]


@kernel
def growth(board, state, seat):
    """Return the number of discs that Culture brings in the Growth phase (R1.8)."""
    return board.growth[marker(board, state, seat, c.CULTURE)]


@kernel
def payments(board, state, seat):
    """Return the number of payments that Finance allows in the Salary phase (R1.8)."""
    return board.payments[marker(board, state, seat, c.FINANCE)]


@kernel
def card_limit(board, state, seat):
    """Return the card limit, the number of cards that Politics allows (R1.8; L in R9.1)."""
    return board.card_limit[marker(board, state, seat, c.POLITICS)]


# --- Build phase (R4) ------------------------------------------------------------------------------------------------

TOP_LEVEL = 5
_types_above, _types_equal = where_above(c.MAX_BUILDING_TYPES), where_equal(c.MAX_BUILDING_TYPES)


@kernel
def owns_top_level(board, state, seat):
    """Return whether ``seat`` has its one level-5 building (R4.4)."""
    return _types_above(state.buildings[seat], 0) & _types_equal(board.building_level, TOP_LEVEL) != 0


@kernel
def _types_up_to(board, level):
    """Return the building types of ``level`` and below, as bits; rows beyond those in use count as level 0."""
    return ~_types_above(board.building_level, level)


@kernel
def _reachable_level(board, offered, level, allowed_top):
    """Return ``level``, or if no tile up to it may be taken, the lowest level above it that has one (R4.3)."""
    while level <= allowed_top and offered & _types_up_to(board, level) == 0:
        level += 1
    return level


@kernel
def types_in_supply(state):
    """Return the building types with a copy in the common supply, as bits (R4.2)."""
    return _types_above(state.building_supply, 0)


@kernel
def mark_builds(board, state, seat, offered, level, words):
    """Mark the building types that ``seat`` may take in the BUILD block (R4.2-R4.4).

    ``offered`` are the types on offer, as bits; ``level`` is the highest level that ``seat`` may build.
    """
    allowed_top = TOP_LEVEL - 1 if owns_top_level(board, state, seat) else TOP_LEVEL
    highest = min(allowed_top, _reachable_level(board, offered, level, allowed_top))
    allow_set(words, BUILD_AT, offered & _types_up_to(board, highest))


@kernel
def take_from_supply(state, building):
    """Take one copy from the common supply (R4.1)."""
    state.building_supply[building] -= 1


@kernel
def put_on_mat(board, state, seat, building):
    """Put one copy on the mat of ``seat``; its icons count at once (R4.5)."""
    state.buildings[seat, building] += 1
    gain_icons(state, seat, board.building_icons[building])


# --- Growth phase (R5) -----------------------------------------------------------------------------------------------


@kernel
def grow(board, state, seat):
    """Move the discs that Culture brings from the supply to the harbor, at most as many as there are (R5.1)."""
    gain_discs(state, seat, growth(board, state, seat))


@kernel
def gain_discs(state, seat, number):
    """Move ``number`` discs from the supply to the harbor, at most as many as there are (R5.1, X1.9)."""
    discs = min(number, state.supply[seat])
    state.supply[seat] -= discs
    state.harbor[seat] += discs
