"""The invariants of a state, and what the Exploits add to them, as bit flags."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import discs_of_player, refresh_pile
from endeavor_env.endeavor.exploits.choosing import OF_GAME, caller, written
from endeavor_env.endeavor.exploits.pieces import discs_of
from endeavor_env.endeavor.exploits.row import ID, WHO, Exploit
from endeavor_env.endeavor.exploits.table import EXPLOITS, NUM_FOLLOW_UPS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.components import is_space
from endeavor_env.endeavor.rules.base.phases import gain_icons
from endeavor_env.endeavor.rules.sides import has_exploits, is_solo, is_soloplay, num_mats, num_sides, within
from endeavor_env.endeavor.rules.state import EMPTY_STATE, STATE
from endeavor_env.endeavor.variants.neutral import HIGHEST_REDUCED_LEVEL, RESERVE_2, RESERVE_3
from endeavor_env.endeavor.variants.solo.tasks import decide
from endeavor_env.kernels.kernels import kernel

# --- What the Exploits add to the invariants -------------------------------------------------------------------------
# Their share of running counts, and the discs and pieces on their tiles.

recount_exploits = caller("recount_exploits", (one.recount for one in EXPLOITS), OF_GAME)
pieces_sound = caller("pieces_sound", (one.is_sound for one in EXPLOITS), OF_GAME, joined="and", otherwise="True")


def _discs_in(field: str) -> str:
    """Return the expression for the discs of ``seat`` in a field: of owners, or of numbers by seat."""
    shape = STATE[field].shape
    if EMPTY_STATE[field].flat[0] == c.NONE:
        return f"discs_of(state.{field}, seat)" if shape else f"np.int64(state.{field} == seat)"
    entries = [f"seat, {index}" for index in range(shape[1])] if len(shape) > 1 else ["seat"]
    return " + ".join(f"np.int64(state.{field}[{entry}])" for entry in entries)


def _indexable(exploit: Exploit) -> list[str]:
    """Return expressions that say whether the seats and ids in the fields of an Exploit are in range."""
    found, counts = [], {"building": "board.num_building_types", "city": "board.num_cities"}
    for field, _, least, highest, encoding, *_ in exploit.compact:
        if encoding in (WHO, ID):
            count = "state.num_seats" if encoding == WHO else counts.get(exploit.values[field], str(highest + 1))
            within_range = f"within(state.{field}, {least}, {count} - 1)"
            found.append(within_range if STATE[field].shape else f"{least} <= state.{field} < {count}")
    return found


discs_on_tiles = written(
    "discs_on_tiles",
    "state, seat",
    [f"return {' + '.join(_discs_in(field) for one in EXPLOITS for field in one.disc_fields)}"],
    {"discs_of": discs_of},
)
_pieces_indexable = written(
    "pieces_indexable",
    "board, state",
    [f"return {' and '.join(check for one in EXPLOITS for check in _indexable(one))}"],
    {"within": within},
)


@kernel
def pieces_indexable(board, state):
    """Return whether every field of the Exploits that kernels use as an index is in range."""
    fits = c.NONE <= state.follow_up < NUM_FOLLOW_UPS and c.NONE <= state.follow_item < c.NUM_CARDS
    return fits and c.NONE <= state.turn_seat < state.num_seats and _pieces_indexable(board, state)


@kernel
def piles_end(state):
    """Return whether every pile has a lowest card, so that kernels that go through it come to an end."""
    for deck in range(c.NUM_DECKS):
        card, steps = np.int64(state.pile_head[deck]), 0
        while card != c.NONE:
            card = np.int64(state.pile_below[card])
            steps += 1
            if steps > c.NUM_CARDS:
                return False
    return True


@kernel
def piles_sound(board, state):
    """Return whether every card in a pile, and no other, stands in exactly one list; Governors stand in none."""
    listed, cards = np.int64(0), np.int64(0)
    for deck in range(c.NUM_DECKS):
        card = np.int64(state.pile_head[deck])
        while card != c.NONE and listed <= c.NUM_CARDS:
            listed += 1
            if state.card_place[card] != c.CARD_IN_PILE or board.card_governor[card]:
                return False
            card = np.int64(state.pile_below[card])
    for card in range(c.NUM_CARDS):
        cards += state.card_place[card] == c.CARD_IN_PILE and not board.card_governor[card]
    return listed == cards


# --- The invariants of a state, as bit flags of what can be wrong (design 6) -----------------------------------------

DISCS_LOST = 1  # a colour's discs do not add up to 30 (R1.7)
TOKENS_APPEARED = 2  # more tokens of a kind than the game has, or a brown one left the game (R1.2)
BUILDINGS_LOST = 4  # copies of a type do not add up (R1.5)
CARD_MISPLACED = 8  # a card is in no possible place (R1.4)
DERIVED_WRONG = 16  # a running count differs from one made from scratch (see ``recount``)
OUT_OF_RANGE = 32  # a count is negative, or more discs than copies on a building
PIECE_MISPLACED = 128  # a pile or a piece of the Exploits is not sound
OPEN_WRONG = 64  # a region is open although its track is not full, or closed although it is (R8.2.1)
FLAG_NAMES = {
    DISCS_LOST: "discs of a colour do not add up",
    TOKENS_APPEARED: "trade tokens do not add up",
    BUILDINGS_LOST: "copies of a building do not add up",
    CARD_MISPLACED: "a card is in no possible place",
    DERIVED_WRONG: "a running count differs from a recount",
    OUT_OF_RANGE: "a count is out of range",
    PIECE_MISPLACED: "a pile or a piece of the Exploits is in no possible place",
    OPEN_WRONG: "a region is open or closed against its track",
}


@kernel
def recount(board, state):
    """Recompute in place every field that other fields determine.

    These are statuses, presence, card counts, piles, track pointers, and the options of a choice for the Opposition.
    """
    state.status[:] = 0
    state.presence[:] = 0
    state.num_cards[:] = 0
    state.num_governors[:] = 0
    state.num_slavery[:] = 0
    state.num_face_down[:] = 0
    _recount_cards(board, state)
    for seat in range(num_mats(state)):
        for status in range(c.NUM_STATUSES):
            state.status[seat, status] += state.tokens[seat, status]
            for building in range(board.num_building_types):
                icons = state.buildings[seat, building] * board.building_icons[building, status]
                state.status[seat, status] += icons
    for side in range(num_sides(state)):
        for region in range(c.NUM_REGIONS):
            state.presence[side, region] += state.beside[side, region]
    for city in range(board.num_cities):
        if state.city_owner[city] != c.NONE:
            state.presence[state.city_owner[city], board.city_region[city]] += 1
    for region in range(c.NUM_REGIONS):
        _recount_track(board, state, region)
    if has_exploits(state):
        recount_exploits(board, state)
    recount_choices(board, state)


@kernel
def recount_choices(board, state):
    """Recompute in place the options of the player's choice for the Opposition (S10)."""
    state.choices = state.choices_at = 0
    if state.decision == c.DECIDE_OPPOSITION:
        state.choices_at, state.choices, _ = decide(board, state)


@kernel
def _recount_cards(board, state):
    """Add up the cards of every mat with their icons, and find the top of every pile."""
    for card in range(c.NUM_CARDS):
        place = state.card_place[card]
        if 0 <= place < num_mats(state):
            state.num_cards[place] += 1
            state.num_governors[place] += board.card_governor[card]
            state.num_slavery[place] += board.card_slavery[card]
            gain_icons(state, place, board.card_icons[card])
        elif c.CARD_FACE_DOWN <= place < c.CARD_FACE_DOWN + num_mats(state):
            state.num_face_down[place - c.CARD_FACE_DOWN] += 1
    for deck in range(c.NUM_DECKS):
        refresh_pile(state, deck)


@kernel
def _recount_track(board, state, region):
    """Find the next free space of a track, and add its discs to the presence of their sides."""
    state.track_next[region] = board.track_length[region]
    for space in range(board.track_length[region] - 1, -1, -1):
        owner = state.track_owner[region, space]
        if owner == c.NONE:
            state.track_next[region] = space
        elif owner >= 0:
            state.presence[owner, region] += 1


@kernel
def _discs(board, state, seat):
    """Return the number of all discs of the side ``seat``, wherever they are."""
    discs = np.int64(state.supply[seat]) + state.harbor[seat]
    for building in range(board.num_building_types):
        discs += state.occupied[seat, building]
    for region in range(c.NUM_REGIONS):
        discs += state.presence[seat, region]
    return discs + discs_on_tiles(state, seat)


@kernel
def _table_flags(board, state):
    """Check tokens, buildings, cards and regions."""
    flags = _token_flags(board, state)
    for building in range(board.num_building_types):
        copies = np.int64(board.building_copies[building]) + state.num_seats * board.building_start[building]
        if state.variant == c.VARIANT_SOLOPLAY_2 and 1 <= board.building_level[building] <= HIGHEST_REDUCED_LEVEL:
            copies -= 1
        for seat in range(c.MAX_SEATS):
            copies -= state.buildings[seat, building]
        copies -= _on_grid(state, building)
        if copies != state.building_supply[building]:
            flags |= BUILDINGS_LOST
    for card in range(c.NUM_CARDS):
        flags |= _card_flags(board, state, card)
    for region in range(c.NUM_REGIONS):
        full = state.track_next[region] == board.track_length[region]
        if full != (state.open[region] == 1):
            flags |= OPEN_WRONG
    if has_exploits(state) and not (piles_sound(board, state) and pieces_sound(board, state)):
        flags |= PIECE_MISPLACED
    return flags


@kernel
def _on_grid(state, building):
    """Return the number of tiles of a type on the solitaire game's grid."""
    count = np.int64(0)
    for level in range(c.GRID_LEVELS):
        for column in range(c.GRID_COLUMNS):
            if state.grid[level, column] == building:
                count += 1
    return count


@kernel
def _token_flags(board, state):
    """Check the trade tokens, kind by kind. Blue ones leave the game when spent, brown ones only in the variants."""
    brown_stay = state.variant == c.VARIANT_STANDARD
    flags = 0
    for kind in range(c.NUM_TOKEN_KINDS):
        count = np.int64(0)
        for space in range(c.NUM_SPACES):
            if state.token[space] == kind:
                count += 1
                if not is_space(board, space):
                    flags |= TOKENS_APPEARED
        for seat in range(c.MAX_SEATS):
            count += state.tokens[seat, kind]
        if count > board.token_count[kind] or (brown_stay and kind < c.FIRST_BLUE and count != board.token_count[kind]):
            flags |= TOKENS_APPEARED
    return flags


@kernel
def _card_flags(board, state, card):
    """Check one card's place: held by a mat that exists, in its pile, or out of play in a way that fits its kind."""
    place = state.card_place[card]
    held = 0 <= place < num_mats(state)
    aside = c.CARD_FACE_DOWN <= place < c.CARD_FACE_DOWN + num_mats(state)
    if has_exploits(state) and (place == c.CARD_ON_HAITI or (place == c.CARD_OUT_OF_GAME and board.card_slavery[card])):
        return 0
    if place == c.CARD_RETAINED and is_solo(state) and board.card_governor[card]:
        return 0
    if not held and not aside and place != -1 and place != -2:
        return CARD_MISPLACED
    if aside and not board.card_slavery[card]:
        return CARD_MISPLACED
    if state.abolished and board.card_slavery[card] and (held or place == -1):
        return CARD_MISPLACED  # R8.9.2, R8.9.3
    if place == -2 and not board.card_governor[card] and not (board.card_slavery[card] and state.abolished):
        return CARD_MISPLACED  # only discarded Governors and abolished Slavery leave the game
    return 0


@kernel
def _side_flags(board, state, side):
    """Check the number of discs of one side, a colour or the neutral side of SoloPlay's variants."""
    if is_soloplay(state) and side == state.num_seats:
        total = np.int64(RESERVE_2 if state.variant == c.VARIANT_SOLOPLAY_2 else RESERVE_3) * state.num_seats
        for seat in range(state.num_seats):
            total -= np.int64(state.neutral_reserve[seat]) + state.neutral_harbor[seat]
            if state.neutral_reserve[seat] < 0 or state.neutral_harbor[seat] < 0:
                return OUT_OF_RANGE
    else:
        total = discs_of_player(board, state)
    return 0 if _discs(board, state, side) == total else DISCS_LOST


@kernel
def _seat_flags(board, state, seat):
    """Check that the counts of one seat are in range."""
    flags = 0
    if state.supply[seat] < 0 or state.harbor[seat] < 0:
        flags |= OUT_OF_RANGE
    for kind in range(c.NUM_TOKEN_KINDS):
        if state.tokens[seat, kind] < 0:
            flags |= OUT_OF_RANGE
    for building in range(board.num_building_types):
        if not 0 <= state.occupied[seat, building] <= state.buildings[seat, building]:
            flags |= OUT_OF_RANGE
    return flags


@kernel
def _same_derived(state, fresh):
    """Return whether every derived field of ``state`` equals the recounted one of ``fresh``."""
    for seat in range(c.MAX_SEATS):
        for status in range(c.NUM_STATUSES):
            if state.status[seat, status] != fresh.status[seat, status]:
                return False
        for region in range(c.NUM_REGIONS):
            if state.presence[seat, region] != fresh.presence[seat, region]:
                return False
        if state.num_cards[seat] != fresh.num_cards[seat] or state.num_governors[seat] != fresh.num_governors[seat]:
            return False
        if state.num_slavery[seat] != fresh.num_slavery[seat] or state.num_face_down[seat] != fresh.num_face_down[seat]:
            return False
    for region in range(c.NUM_REGIONS):
        if state.track_next[region] != fresh.track_next[region]:
            return False
    for deck in range(c.NUM_DECKS):
        if state.pile_top[deck] != fresh.pile_top[deck]:
            return False
    return state.choices == fresh.choices and state.choices_at == fresh.choices_at


@kernel
def status(board, state, fresh):
    """Return the flags of everything wrong with ``state``, 0 if sound.

    ``fresh`` must hold a copy of ``state`` on entry; on return it is recounted.
    """
    recount(board, fresh)
    flags = 0 if _same_derived(state, fresh) else DERIVED_WRONG
    flags |= _table_flags(board, state)
    for side in range(num_sides(state)):
        flags |= _side_flags(board, state, side)
    for seat in range(state.num_seats):
        flags |= _seat_flags(board, state, seat)
    return flags
