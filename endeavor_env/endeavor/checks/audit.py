"""The audit of one decision, as bit flags of what is wrong, and loops of audited games. Nothing in play calls them."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.any_game import controls
from endeavor_env.endeavor.exploits.changes import is_blocked
from endeavor_env.endeavor.exploits.dispatch import exploit_glory, exploits_glory
from endeavor_env.endeavor.exploits.voc import FOLLOW_VOC_TAKE
from endeavor_env.endeavor.flow import invariants, scoring
from endeavor_env.endeavor.flow.dispatch import apply, legal_bytes
from endeavor_env.endeavor.flow.invariants import pieces_indexable, piles_end
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import DONE_AT, NUM_WORDS, OFFERED, PASS_AT
from endeavor_env.endeavor.rules.base.cards import holding_legal, holding_legal_without_slot
from endeavor_env.endeavor.rules.sides import has_exploits, is_solo, mat_of, num_mats, num_sides, within
from endeavor_env.endeavor.rules.state import BOARDS, SHORTS, STATES
from endeavor_env.engine.kernels.masks import choose, new_words, read_bytes
from endeavor_env.engine.kernels.players import PLAYERS
from endeavor_env.engine.kernels.players import choose as choose_by
from endeavor_env.engine.kernels.rng import GENERATOR
from endeavor_env.engine.kernels.rules import BYTES, NUMBERS
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER

# --- The audit of one decision: everything that must hold at it, as bit flags of what is wrong -----------------------
# It includes the checks of ``invariants``, and adds those of the decision, of the turn order, and of things that depend
# on each other. Nothing in play calls it.

NO_MOVE = 1 << 16  # a seat is asked, but nothing is legal
LONE_DONE = 1 << 17  # "done" is the only legal move; such a decision is never asked (notation 3)
MASK_WRONG = 1 << 18  # the mask allows what this kind of decision cannot offer, or has an entry other than 0 and 1
WHERE_WRONG = 1 << 19  # round, phase, decision and seat do not fit together
ACTION_LEFT = 1 << 20  # parts or locks are left of an action that is not under way
TOKEN_LEFT = 1 << 21  # a token where a disc lies, or a connection's token although one seat holds both its ends
CLOSED_REGION = 1 << 22  # a city disc, a disc beside the track or a dealt Governor in a closed region (R8.2)
BUILT_WRONG = 1 << 23  # a seat has not built once in each round, or has more than one building of level 5 (R4.1, R4.4)
SCORES_DIFFER = 1 << 24  # a breakdown does not sum to the total
ENDLESS = 1 << 25  # more decisions than ``moves`` has room for
SOLO_WRONG = 1 << 26  # scale, grid, markers or tasks of the solitaire game do not fit
FLAG_NAMES = {
    **invariants.FLAG_NAMES,
    NO_MOVE: "a seat is asked but has no legal move",
    LONE_DONE: "done is offered alone",
    MASK_WRONG: "the mask has a bit that does not fit the decision",
    WHERE_WRONG: "round, phase, decision and seat do not go together",
    ACTION_LEFT: "an action that is not under way has left parts or locks",
    TOKEN_LEFT: "a token lies where it must have been taken",
    CLOSED_REGION: "a closed region holds a city disc, a disc beside its track, or has dealt its Governor",
    BUILT_WRONG: "buildings owned do not fit the rounds played",
    SCORES_DIFFER: "a breakdown does not sum to the total",
    ENDLESS: "the game does not end",
    SOLO_WRONG: "scale, grid, markers or tasks of the solitaire game do not fit",
}
TOP_LEVEL = 5


@kernel
def _indexable(board, state):
    """Return whether every field that kernels use as an index is in range, so that they can be called at all."""
    seats, sides = state.num_seats, num_sides(state)
    fits = 1 <= seats <= c.MAX_SEATS and c.NONE <= state.seat < seats and 0 <= state.first_player < seats
    fits = fits and c.NONE <= state.source < board.num_building_types
    fits = fits and c.NONE <= state.lock_region < c.NUM_REGIONS and c.NONE <= state.lock_deck < c.NUM_DECKS
    fits = fits and within(state.city_owner, c.NONE, sides - 1) and within(state.token, c.NONE, c.NUM_TOKEN_KINDS - 1)
    fits = fits and within(state.pile_top, 0, c.CARDS_PER_DECK) and within(state.parts, c.NONE, c.PAY)
    for region in range(c.NUM_REGIONS):
        fits = fits and within(state.track_owner[region], c.SPACE_CLOSED, sides - 1)
        fits = fits and 0 <= state.track_next[region] <= board.track_length[region]
    return fits and pieces_indexable(board, state) and piles_end(state)


@kernel
def _where_flags(board, state):
    """Check that round, phase, decision and seat fit together (R3, notation 3)."""
    if state.decision == c.DECIDE_NOTHING:
        over = state.phase == c.PHASE_OVER and state.seat == c.NONE and state.round_number == board.num_rounds
        return 0 if over else WHERE_WRONG
    if state.seat == c.NONE:
        return WHERE_WRONG
    if state.decision == c.DECIDE_REMOVE or (state.decision == c.DECIDE_OPPOSITION and state.round_number == 0):
        return 0 if state.phase == c.PHASE_SETUP and state.round_number == 0 else WHERE_WRONG
    fits = 1 <= state.round_number <= board.num_rounds and 0 <= state.sweep <= state.num_seats
    if state.decision == c.DECIDE_FOLLOW_UP:
        salary = state.phase == c.PHASE_SALARY and state.turn_seat == state.seat
        acting = state.phase == c.PHASE_ACTION and state.turn_seat >= 0 and state.passed[state.turn_seat] == 0
        return 0 if fits and (salary or acting) else WHERE_WRONG
    if state.decision == c.DECIDE_BUILD:
        fits = fits and state.phase == c.PHASE_BUILD
    elif state.decision == c.DECIDE_SALARY:
        fits = fits and state.phase == c.PHASE_SALARY and state.payments_left > 0
    else:
        fits = fits and state.phase == c.PHASE_ACTION
    if state.decision == c.DECIDE_TURN or state.decision == c.DECIDE_TARGET or state.decision == c.DECIDE_NEUTRAL:
        fits = fits and state.passed[state.seat] == 0  # a seat that has passed is skipped (R7.1)
    elif state.decision == c.DECIDE_DISCARD or state.decision == c.DECIDE_ROUND_END_DISCARD:
        fits = fits and state.passed[state.seat] == 1
    return 0 if fits else WHERE_WRONG


@kernel
def _action_flags(state):
    """Check that no parts or locks of an action are left when none is under way."""
    under_way = state.parts[0] != c.NONE or state.parts[1] != c.NONE
    if state.decision == c.DECIDE_NEUTRAL:
        return 0 if state.parts_done > 0 and state.neutral_regions != 0 else ACTION_LEFT
    if state.decision == c.DECIDE_TARGET:
        return 0 if under_way and 0 <= state.parts_done <= 1 else ACTION_LEFT
    if state.decision == c.DECIDE_FOLLOW_UP:
        return 0 if state.follow_up != c.NONE and 0 <= state.parts_done <= c.MAX_ACTION_PARTS else ACTION_LEFT
    if state.follow_up != c.NONE or state.turn_seat != c.NONE or state.with_cannon:
        return ACTION_LEFT
    if state.neutral_regions != 0 or state.neutral_due != c.NONE:
        return ACTION_LEFT
    locked = state.lock_region != c.NONE or state.lock_deck != c.NONE
    idle = state.source == c.NONE and state.mode == 0 and state.parts_done == 0
    return 0 if idle and not under_way and not locked else ACTION_LEFT


@kernel
def _space_flags(board, state):
    """Check that tokens are taken from occupied spaces, and that discs lie only in open regions (R8.1-R8.4)."""
    flags = 0
    for city in range(c.MAX_CITIES):
        owner = state.city_owner[city]
        if owner == c.NONE:
            continue
        if state.token[c.CITY_SPACES + city] != c.NONE:
            flags |= TOKEN_LEFT
        if not state.open[board.city_region[city]] and not has_exploits(state):
            flags |= CLOSED_REGION
    for connection in range(board.num_connections):
        first = state.city_owner[board.connection_city[connection, 0]]
        second = state.city_owner[board.connection_city[connection, 1]]
        if (
            mat_of(state, first) != c.NONE
            and first == second
            and not is_blocked(state, connection)
            and state.token[c.CONNECTION_SPACES + connection] != c.NONE
        ):
            flags |= TOKEN_LEFT
    for region in range(c.NUM_REGIONS):
        flags |= _region_flags(board, state, region)
    return flags


@kernel
def _region_flags(board, state, region):
    """Check one region: track filled from the far end, tokens taken, Governor awarded on opening (R8.1, R8.2)."""
    flags = 0
    for space in range(board.track_length[region]):
        taken = space < state.track_next[region]
        owner = state.track_owner[region, space]
        bare = state.token[c.TRACK_SPACES + region * c.MAX_TRACK + space] == c.NONE
        if (owner == c.NONE and taken) or (owner >= 0 and not taken) or (owner != c.NONE and not bare):
            flags |= TOKEN_LEFT
        if owner == c.NONE and bare and not state.removed_stay:
            flags |= TOKEN_LEFT
    governor = board.governor_card[region]
    if governor != c.NONE and (state.card_place[governor] == c.CARD_IN_PILE) == (state.open[region] == 1):
        flags |= CLOSED_REGION
    for seat in range(c.MAX_SEATS):
        if state.beside[seat, region] != 0 and not state.open[region] and not has_exploits(state):
            flags |= CLOSED_REGION
    return flags


@kernel
def _build_flags(board, state):
    """Check that every seat has built once in each round, and at most one top-level building (R4.1, R4.4)."""
    for seat in range(state.num_seats):
        built = np.int64(0)
        top = np.int64(0)
        for building in range(board.num_building_types):
            built += state.buildings[seat, building] - board.building_start[building]
            if board.building_level[building] == TOP_LEVEL:
                top += state.buildings[seat, building]
        place = (seat - state.first_player) % state.num_seats
        due = state.round_number
        if state.phase == c.PHASE_BUILD and place >= state.sweep:
            due -= 1  # its turn to build in this round is still to come
        if state.follow_up == FOLLOW_VOC_TAKE and seat == state.seat:
            due -= 1  # it has just returned one (E5)
        if built != due or top > 1:
            return BUILT_WRONG
    return 0


@kernel
def mask_flags(decision, mask):
    """Return the flags for ``mask``, int8, of a ``decision``, a DECIDE_*.

    At a turn PASS is always legal (R7.1); a choice for the Opposition has at least two options (notation 3).
    """
    flags = 0
    count = np.int64(0)
    for action in range(mask.size):
        if mask[action] == 0:
            continue
        count += 1
        if mask[action] != 1 or not OFFERED[decision, action]:
            flags |= MASK_WRONG
    if decision == c.DECIDE_TURN and mask[PASS_AT] != 1:
        flags |= MASK_WRONG
    if decision != c.DECIDE_NOTHING and count == 0:
        flags |= NO_MOVE
    if count == 1 and mask[DONE_AT] == 1:
        flags |= LONE_DONE
    if count == 1 and decision == c.DECIDE_OPPOSITION:
        flags |= NO_MOVE
    return flags


@kernel
def _glory_on_map(board, state, mat):
    """Return the Glory of the cities and connections of ``mat``, counted for each side apart (R12.1, R12.2)."""
    glory = np.int64(0)
    for side in range(num_sides(state)):
        if mat_of(state, side) != mat:
            continue
        for city in range(board.num_cities):
            if state.city_owner[city] == side:
                glory += board.city_glory[city]
        for connection in range(board.num_connections):
            if controls(board, state, side, connection):
                glory += board.connection_glory
    return glory


@kernel
def _glory_elsewhere(board, state, mat):
    """Return all other Glory of ``mat`` (R12.3-R12.8, V2S.14)."""
    glory = np.int64(state.neutral_reserve[mat]) - state.num_face_down[mat] * board.slavery_penalty
    for card in range(c.NUM_CARDS):
        if state.card_place[card] == mat or (state.card_place[card] == c.CARD_RETAINED and mat == c.OPPOSITION):
            glory += board.card_glory[card]
    for status in range(c.NUM_STATUSES):
        glory += board.status_glory[max(0, min(board.status_max, state.status[mat, status]))]
    if mat < state.num_seats:  # the Opposition has neither slot nor harbor (S8.2)
        glory += state.harbor[mat] // board.discs_per_glory
        if holding_legal_without_slot(board, state, mat):
            glory += board.empty_governor_slot_glory
    for building in range(board.num_building_types):
        glory += state.buildings[mat, building] * board.building_glory[building]
    return glory


@kernel
def _score_flags(board, state, points):
    """Check that parts and total of every score agree with an independent count (R12, S8)."""
    on_table = scoring.glory_on_table(board, state)
    for mat in range(num_mats(state)):
        parts = scoring.score_parts(board, state, mat, on_table)
        total = np.int64(0)
        for key in range(scoring.FIRST_EXPLOIT):
            points[key] = parts[key]
            total += points[key]
        for exploit in range(c.NUM_EXPLOITS):
            points[scoring.FIRST_EXPLOIT + exploit] = exploit_glory(board, state, mat, exploit)
            total += points[scoring.FIRST_EXPLOIT + exploit]
        counted = _glory_on_map(board, state, mat) + _glory_elsewhere(board, state, mat)
        counted += exploits_glory(board, state, mat)
        if total != counted or total != scoring.total_glory(board, state, mat, on_table):
            return SCORES_DIFFER
    return 0


@kernel
def _scale_sound(state):
    """Return whether the scale has two discs of each opposing colour, and the IPF stands on it (S0)."""
    for colour in range(1, c.NUM_COLOURS + 1):
        count = np.int64(0)
        for place in range(c.SCALE_SIZE):
            if state.scale[place] == colour:
                count += 1
        if count != c.SCALE_SIZE // c.NUM_COLOURS:
            return False
    return 1 <= state.ipf <= c.SCALE_SIZE


@kernel
def _solo_flags(board, state):
    """Check what only the solitaire game has: scale, markers, tasks, and the Opposition's card limit (S0, S7.1)."""
    fits = _scale_sound(state) and (state.task != c.TASK_NONE) == (state.decision == c.DECIDE_OPPOSITION)
    in_setup = state.task == c.TASK_EUROPE or state.task == c.TASK_REMOVE
    fits = fits and in_setup == (state.phase == c.PHASE_SETUP)
    fits = fits and (state.num_waiting == 0 or state.task != c.TASK_NONE)
    if state.decision == c.DECIDE_BUILD:
        fits = fits and holding_legal(board, state, c.OPPOSITION) and state.bonus_due == 0
    return 0 if fits else SOLO_WRONG


@entry(BOARDS, STATES, STATES, BYTES, SHORTS)
def audit(boards, states, fresh, mask, points):
    """Return the flags of FLAG_NAMES for everything wrong with ``states[0]`` and its decision, 0 if sound.

    Args:
        boards: (1,) BOARD, read only.
        states: (1,) STATE, read only.
        fresh: (1,) STATE, scratch.
        mask: int8, one entry for each action of the variant; receives the mask of the decision.
        points: (NUM_PARTS,) int16, scratch.
    """
    board, state = boards[0], states[0]
    if not _indexable(board, state):
        mask[:] = 0
        return invariants.OUT_OF_RANGE
    fresh[0] = states[0]
    flags = invariants.status(board, state, fresh[0])
    flags |= _where_flags(board, state) | _action_flags(state) | _space_flags(board, state)
    flags |= _build_flags(board, state) | _score_flags(board, state, points)
    if is_solo(state):
        flags |= _solo_flags(board, state)
    elif state.task != c.TASK_NONE:
        flags |= SOLO_WRONG
    legal_bytes(board, state, mask)
    return flags | mask_flags(state.decision, mask)


# --- Compiled loops of the conformance checks: audited random games, and replays -------------------------------------
# Nothing in play calls these.


@kernel
def _better(action, best, low):
    """Return whether ``action`` beats ``best``: the lower id if ``low``, else the higher; PASS and DONE rank last."""
    if action in (PASS_AT, DONE_AT):
        return False
    return best in (PASS_AT, DONE_AT) or (action < best) == low


@entry(BYTES, GENERATOR, INTEGER)
def choose_eager(mask, rng, redraws):
    """Return the lowest of ``abs(redraws)`` + 1 random legal actions of ``mask``; with ``redraws`` < 0 the highest.

    PASS and DONE are chosen only if nothing else was drawn; with 0 redraws the choice is uniform. Uniform play passes
    early and spreads its discs, so that hardly any region opens. With redraws, games go on longer and fill the first
    regions, cities and decks, which brings Governors, attacks, abolition and the card limit into play. Negative redraws
    fill the last ones, and build the highest buildings.
    """
    best = choose(mask, rng)
    for _ in range(abs(redraws)):
        action = choose(mask, rng)
        if _better(action, best, redraws > 0):
            best = action
    return best


@entry(BOARDS, STATES, GENERATOR, INTEGER, SHORTS, STATES, BYTES, SHORTS)
def play_audited(boards, states, rng, redraws, moves, fresh, mask, points):
    """Play ``states[0]`` to its end with random legal moves, and audit every decision and the end.

    Args:
        boards: (1,) BOARD, read only.
        states: (1,) STATE, played on in place.
        rng: (1,) uint64, advanced in place.
        redraws: As for ``choose_eager``.
        moves: (limit,) int16, receives the moves made.
        fresh: Scratch as for ``audit``.
        mask: Scratch as for ``audit``.
        points: Scratch as for ``audit``.

    Returns:
        The number of decisions made and the flags found; play stops at the first decision with a flag.
    """
    made = 0
    while True:
        flags = audit(boards, states, fresh, mask, points)
        if flags != 0 or states[0].decision == c.DECIDE_NOTHING:
            return made, flags
        if made == moves.size:
            return made, ENDLESS
        action = choose_eager(mask, rng, redraws)
        moves[made] = action
        apply(boards[0], states[0], action)
        made += 1


@entry(BOARDS, STATES, PLAYERS, NUMBERS, GENERATOR, SHORTS, STATES, BYTES, SHORTS)
def play_audited_by(boards, states, players, policies, rng, moves, fresh, mask, points):
    """Do as ``play_audited``, but let compiled players choose.

    Args:
        boards: (1,) BOARD, read only.
        states: (1,) STATE, played on in place.
        players: ``Players`` of this thread.
        policies: (MAX_SEATS,) int64, the code of the player in each seat.
        rng: (1,) uint64, advanced in place.
        moves: (limit,) int16, receives the moves made.
        fresh: Scratch as for ``audit``.
        mask: Scratch as for ``audit``.
        points: Scratch as for ``audit``.
    """
    made, words = 0, new_words(NUM_WORDS[states[0].variant])
    while True:
        flags = audit(boards, states, fresh, mask, points)
        if flags != 0 or states[0].decision == c.DECIDE_NOTHING:
            return made, flags
        if made == moves.size:
            return made, ENDLESS
        read_bytes(mask, words)
        action = choose_by(policies[states[0].seat], players, boards[0], states[0], words, mask, rng)
        moves[made] = action
        apply(boards[0], states[0], action)
        made += 1


@entry(BOARDS, STATES, SHORTS, INTEGER, BYTES)
def play_moves(boards, states, moves, made, mask):
    """Play ``moves[:made]`` up to the first illegal one; return how many were played."""
    for index in range(made):
        legal_bytes(boards[0], states[0], mask)
        if mask[moves[index]] != 1:
            return index
        apply(boards[0], states[0], moves[index])
    return made
