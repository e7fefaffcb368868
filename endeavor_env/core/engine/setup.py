"""Set-up of a game (R2): the random outcomes, and the state they lead to. What a variant adds has its own file."""

from __future__ import annotations

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.rng import next_below, shuffle
from endeavor_env.core.rules.cards import refresh_pile
from endeavor_env.core.variants.neutral.removals import set_up_neutral
from endeavor_env.core.variants.solo.deal import draw_solo, europe_shows_all, set_up_solo


@kernel
def is_space(board, space):
    """Tells whether ``space`` in [0, NUM_SPACES) exists on this board (R1.3)."""
    if space < c.CONNECTION_SPACES:
        return space - c.CITY_SPACES < board.num_cities
    if space < c.TRACK_SPACES:
        return space - c.CONNECTION_SPACES < board.num_connections
    region = (space - c.TRACK_SPACES) // c.MAX_TRACK
    return (space - c.TRACK_SPACES) % c.MAX_TRACK < board.track_length[region]


@kernel
def _deal_tokens(board, rng, tokens):
    """Deals every token to a space (R2.1): ``tokens`` (NUM_SPACES,) int8, NONE where there is no space."""
    dealt = 0
    for kind in range(c.NUM_TOKEN_KINDS):
        for _ in range(board.token_count[kind]):
            tokens[dealt] = kind
            dealt += 1
    shuffle(rng, tokens, dealt)
    # Spread the shuffled tokens over the existing spaces from behind, so that none is overwritten before it is moved.
    for region in range(c.NUM_REGIONS - 1, -1, -1):
        first = c.TRACK_SPACES + region * c.MAX_TRACK
        dealt = _spread(tokens, dealt, first, c.MAX_TRACK, np.int64(board.track_length[region]))
    dealt = _spread(tokens, dealt, c.CONNECTION_SPACES, c.MAX_CONNECTIONS, np.int64(board.num_connections))
    _spread(tokens, dealt, c.CITY_SPACES, c.MAX_CITIES, np.int64(board.num_cities))


@kernel
def _spread(tokens, dealt, first, spaces, used):
    """Moves the last ``used`` of the first ``dealt`` tokens to ``first`` and on; the other ``spaces`` get NONE."""
    tokens[first + used : first + spaces] = c.NONE
    for space in range(first + used - 1, first - 1, -1):
        dealt -= 1
        tokens[space] = tokens[dealt]
    return dealt


@kernel
def random_setup(board, rng, num_seats, variant, setup):
    """Draws every random outcome into ``setup``, a SETUP record: tokens (R2.1), first player (R2.5), solo's (S1).

    In the solitaire game tokens are dealt again until Europe shows what S1.4 asks for; the board must be able to.
    """
    setup.grid[:] = c.NONE
    setup.scale[:] = c.NONE
    setup.track_discs[:] = c.NONE
    setup.europe_order[:] = c.NONE
    _deal_tokens(board, rng, setup.tokens)
    setup.first_player = next_below(rng, num_seats)
    if variant == c.VARIANT_SOLO:
        while not europe_shows_all(board, setup.tokens):
            _deal_tokens(board, rng, setup.tokens)
        draw_solo(board, rng, setup)


@kernel
def set_up(board, state, num_seats, variant, options, setup):
    """Fills ``state`` with the position after everything that nobody decides (R2.1-R2.5, S1, V2S.1-V2S.3).

    ``options`` (NUM_OPTIONS,) int8 is indexed by OPTION_*; ``setup`` is a SETUP record.
    """
    _clear(state)
    state.num_seats = num_seats
    state.variant = variant
    state.ties_first = options[c.OPTION_TIES]
    state.difficulty = options[c.OPTION_DIFFICULTY]
    state.ignore_industry = options[c.OPTION_IGNORE_INDUSTRY]
    state.removed_stay = options[c.OPTION_REMOVED_STAY]
    state.first_player = setup.first_player
    state.phase = c.PHASE_SETUP
    for space in range(c.NUM_SPACES):
        state.token[space] = setup.tokens[space]
    for region in range(c.NUM_REGIONS):
        state.open[region] = board.open_at_start[region]
    for building in range(board.num_building_types):
        state.building_supply[building] = board.building_copies[building]
    for seat in range(num_seats):
        state.supply[seat] = board.discs_per_player
        for building in range(board.num_building_types):
            state.buildings[seat, building] = board.building_start[building]
            for status in range(state.status.shape[1]):
                icons = board.building_start[building] * board.building_icons[building, status]
                state.status[seat, status] += icons
    if variant == c.VARIANT_SOLO:
        set_up_solo(board, state, setup)
    elif variant != c.VARIANT_STANDARD:
        set_up_neutral(board, state)


@kernel
def _clear(state):
    """Gives every field of the record its empty value."""
    state.status[:] = 0
    state.num_seats = state.variant = state.first_player = state.round_number = state.phase = state.decision = 0
    state.seat = c.NONE
    state.sweep = state.payments_left = state.abolished = 0
    state.source = c.NONE
    state.mode = 0
    state.parts[:] = c.NONE
    state.parts_done = 0
    state.lock_region = c.NONE
    state.lock_deck = c.NONE
    state.passed[:] = 0
    state.supply[:] = 0
    state.harbor[:] = 0
    state.tokens[:] = 0
    state.buildings[:] = 0
    state.occupied[:] = 0
    state.num_cards[:] = 0
    state.num_governors[:] = 0
    state.num_slavery[:] = 0
    state.num_face_down[:] = 0
    state.building_supply[:] = 0
    for card in range(c.NUM_CARDS):
        state.card_place[card] = c.CARD_IN_PILE
    for deck in range(c.NUM_DECKS):
        refresh_pile(state, deck)
    state.token[:] = c.NONE
    state.open[:] = 0
    state.city_owner[:] = c.NONE
    state.track_owner[:] = c.NONE
    state.track_next[:] = 0
    state.beside[:] = 0
    state.presence[:] = 0
    _clear_variant(state)


@kernel
def _clear_variant(state):
    """Gives the fields of the variants their empty value."""
    state.removals_left = 0
    state.neutral_reserve[:] = 0
    state.neutral_harbor[:] = 0
    state.neutral_regions = 0
    state.neutral_due = c.NONE
    state.scale[:] = c.NONE
    state.ipf = state.bonus_due = 0
    state.grid[:] = c.NONE
    state.last_built = state.isb_level = state.isb_column = c.NONE
    state.pending[:] = c.NONE
    state.europe_order[:] = c.NONE
    state.opposition_first = state.task = state.task_step = 0
    state.acting = c.NONE
    state.choices = state.choices_at = state.num_waiting = 0
    state.waiting_kind[:] = c.NONE
    state.waiting_regions[:] = 0
