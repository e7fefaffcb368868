"""Resampling of what a seat cannot know (K14.1): kinds of stolen cards, and development cards that others hold.

The result depends on what the seat knows and on the generator alone: from two positions that look equal to the seat
equal ones are drawn. It agrees with everything that the seat has seen, and every game that does can come out.

Stolen cards: the thefts since all hands were last known are told again from the first one on. Each takes any card of
the hand that it meets, each as likely, and what contradicts anything seen later is thrown away: so the kinds come with
the probabilities that they have by the draws of chance, given what was seen (moves count as possible or not, not as
more or less likely). If MOST_TRIES tellings fail, one is looked for that fits, and the kinds of each theft are tried in
any order. What third seats know of hands follows from the thefts.

Development cards: see ``dealing``.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.dealing import deal_development, draw_from_pool
from endeavor_env.merchants.rules.thefts import (
    NO_LIMIT,
    OF_THIEF,
    OF_VICTIM,
    THEFT,
    all_know_all,
    field,
    forget_thefts,
    kind_of,
    theft_number,
    thief_of,
    victim_of,
    with_field,
)

MOST_TRIES, MOST_STEPS = 200, 20000
_new_kinds = words_on_stack(c.MOST_THEFTS)
_new_hands = words_on_stack(c.MAX_SEATS * c.NUM_RESOURCES)
_new_pool = words_on_stack(c.NUM_RESOURCES)


@kernel
def resample(state, seat, rng):
    """Draw anew, in place, what ``seat`` cannot know, so that the position agrees with all it has seen."""
    if all_know_all(state):
        forget_thefts(state, 0)  # what was stolen, and given back since, is still not known to all
    else:
        _deal_resources(state, seat, rng)
    deal_development(state, seat, rng)


@kernel
def _deal_resources(state, seat, rng):
    """Deal the cards whose kinds the seat does not know among the hands that have them."""
    if state.num_thefts != c.LOST:
        kinds = _new_kinds(c.MOST_THEFTS)
        for _ in range(MOST_TRIES):
            if _tell_thefts(state, seat, kinds, rng):
                _write_thefts(state, kinds)
                return
        if _find_thefts(state, seat, kinds, rng):
            _write_thefts(state, kinds)
            return
    _deal_by_counts(state, seat, rng)


# --- thefts ----------------------------------------------------------------------------------------------------------
@inlined
def _is_seen(number, seat):
    """Return whether a seat has seen which card was stolen."""
    return thief_of(number) == seat or victim_of(number) == seat


@inlined
def _exchange(other, number, kind, sign):
    """Let hands differ from the real ones by what another stolen card changes."""
    thief, victim, stolen = thief_of(number), victim_of(number), kind_of(number)
    other[thief * c.NUM_RESOURCES + kind] += sign
    other[thief * c.NUM_RESOURCES + stolen] -= sign
    other[victim * c.NUM_RESOURCES + kind] -= sign
    other[victim * c.NUM_RESOURCES + stolen] += sign


@inlined
def _fits(bounds, other, hand):
    """Return whether what was seen of a hand after a theft allows it to differ by so much."""
    fits = True
    for kind in range(c.NUM_RESOURCES):
        fits = fits and other[hand * c.NUM_RESOURCES + kind] + field(bounds, kind) >= 0
    most = field(bounds, c.NUM_RESOURCES)
    return fits and (most == NO_LIMIT or other[hand * c.NUM_RESOURCES + c.SALT] <= most)


@inlined
def _fits_after(state, row, other):
    """Return whether the hands of thief and victim fit what was seen after a theft."""
    number = state.thefts[row, THEFT]
    return _fits(state.thefts[row, OF_THIEF], other, thief_of(number)) and _fits(
        state.thefts[row, OF_VICTIM], other, victim_of(number)
    )


@kernel
def _draw_stolen(number, other, rng):
    """Return the kind of a card that is stolen from a hand, each as likely as the others."""
    pool, total, first = _new_pool(c.NUM_RESOURCES), np.int64(0), victim_of(number) * c.NUM_RESOURCES
    for kind in range(c.NUM_RESOURCES):
        pool[kind] = field(number, kind) + other[first + kind]
        total += pool[kind]
    return draw_from_pool(pool, total, rng)


@kernel
def _tell_thefts(state, seat, kinds, rng):
    """Write kinds of stolen cards as chance draws them; return whether they agree with what the seat has seen.

    A card that the seat itself stole was the more likely, the more of its kind the hand held: that is measured by the
    most that the hand can have held (``most``, beyond what it held), so that little is thrown away for it.
    """
    other, most = _new_hands(c.MAX_SEATS * c.NUM_RESOURCES), _new_hands(c.MAX_SEATS * c.NUM_RESOURCES)
    other[:] = 0
    most[:] = 0
    for row in range(state.num_thefts):
        number = np.int64(state.thefts[row, THEFT])
        kind, place = kind_of(number), victim_of(number) * c.NUM_RESOURCES + kind_of(number)
        if _is_seen(number, seat):
            held = field(number, kind)
            if thief_of(number) == seat and next_below(rng, held + most[place]) >= held + other[place]:
                return False
        else:
            _allow_any(number, most)
            kind = _draw_stolen(number, other, rng)
        kinds[row] = kind
        _exchange(other, number, kind, 1)
        if not _fits_after(state, row, other):
            return False
    return True


@inlined
def _allow_any(number, most):
    """Count how many more cards hands can have held than they did, when a seat has not seen which card was stolen."""
    thief, victim = thief_of(number) * c.NUM_RESOURCES, victim_of(number) * c.NUM_RESOURCES
    for kind in range(c.NUM_RESOURCES):
        if kind != kind_of(number):
            most[thief + kind] += 1
    most[victim + kind_of(number)] += 1


@kernel
def _find_thefts(state, seat, kinds, rng):
    """Look for kinds of stolen cards that agree with what the seat has seen; return whether some were found."""
    other = _new_hands(c.MAX_SEATS * c.NUM_RESOURCES)
    firsts, tried = _new_kinds(c.MOST_THEFTS), _new_kinds(c.MOST_THEFTS)
    other[:] = 0
    row, begins, number_of_thefts = np.int64(0), True, np.int64(state.num_thefts)
    for _ in range(MOST_STEPS):
        if row == number_of_thefts:
            return True
        if begins:
            firsts[row], tried[row] = next_below(rng, c.NUM_RESOURCES), 0
        number = state.thefts[row, THEFT]
        if tried[row] == c.NUM_RESOURCES:
            row -= 1
            _exchange(other, state.thefts[row, THEFT], kinds[row], -1)
            begins = False
            continue
        kind = (firsts[row] + tried[row]) % c.NUM_RESOURCES
        tried[row] += 1
        begins = False
        if _is_seen(number, seat) and kind != kind_of(number):
            continue
        _exchange(other, number, kind, 1)
        if field(number, kind) + other[victim_of(number) * c.NUM_RESOURCES + kind] >= 0 and _fits_after(
            state, row, other
        ):
            kinds[row] = kind
            row, begins = row + 1, True
        else:
            _exchange(other, number, kind, -1)
    return False


@kernel
def _write_thefts(state, kinds):
    """Let the cards of these kinds have been stolen, and everybody know what it has seen of them."""
    other = _new_hands(c.MAX_SEATS * c.NUM_RESOURCES)
    other[:] = 0
    state.unseen[:] = 0
    for row in range(state.num_thefts):
        number, kind = state.thefts[row, THEFT], kinds[row]
        thief, victim = thief_of(number), victim_of(number)
        changed = theft_number(thief, victim, kind)
        for one in range(c.NUM_RESOURCES):
            changed = with_field(changed, one, field(number, one) + other[victim * c.NUM_RESOURCES + one])
        _exchange(other, number, kind, 1)
        state.thefts[row, THEFT] = changed
        _note_unseen(state, changed)
        _write_bounds(state, row, OF_THIEF, thief, other)
        _write_bounds(state, row, OF_VICTIM, victim, other)
    for seat in range(state.num_seats):
        for kind in range(c.NUM_RESOURCES):
            state.hand[seat, kind] += other[seat * c.NUM_RESOURCES + kind]


@kernel
def _note_unseen(state, number):
    """Count what observers do not know after a theft, as ``hands.steal_card`` does in the game."""
    thief, victim, stolen = thief_of(number), victim_of(number), kind_of(number)
    for kind in range(c.NUM_RESOURCES):
        left = field(number, kind) - np.int64(kind == stolen)
        for observer in range(c.NUM_OBSERVERS):
            if observer != victim:
                missed = observer != thief and kind != stolen
                unseen = np.int64(state.unseen[victim, kind, observer]) + np.int64(missed)
                state.unseen[victim, kind, observer] = min(unseen, left)
    for observer in range(c.NUM_OBSERVERS):
        if observer != thief and observer != victim:
            state.unseen[thief, stolen, observer] += 1


@kernel
def _write_bounds(state, row, column, hand, other):
    """Write what was seen of a hand after a theft as it is for a hand that differs; what observers know follows."""
    bounds = np.int64(state.thefts[row, column])
    for kind in range(c.NUM_RESOURCES):
        most = field(bounds, kind) + other[hand * c.NUM_RESOURCES + kind]
        bounds = with_field(bounds, kind, most)
        for observer in range(c.NUM_OBSERVERS):
            state.unseen[hand, kind, observer] = min(np.int64(state.unseen[hand, kind, observer]), most)
    more = field(bounds, c.NUM_RESOURCES)
    if more != NO_LIMIT:
        bounds = with_field(bounds, c.NUM_RESOURCES, more - other[hand * c.NUM_RESOURCES + c.SALT])
    state.thefts[row, column] = bounds


# --- without thefts --------------------------------------------------------------------------------------------------
@kernel
def _deal_by_counts(state, seat, rng):
    """Deal by what the seat knows of each hand alone, where the thefts are forgotten or none were found.

    Third seats then know of hands what everybody does.
    """
    known, pool, left = _new_hands(c.MAX_SEATS * c.NUM_RESOURCES), _new_pool(c.NUM_RESOURCES), np.int64(0)
    pool[:] = 0
    for hand in range(state.num_seats):
        for kind in range(c.NUM_RESOURCES):
            held = np.int64(state.hand[hand, kind])
            known[hand * c.NUM_RESOURCES + kind] = held - np.int64(state.unseen[hand, kind, c.PUBLIC])
            pool[kind] += state.unseen[hand, kind, seat]
            left += state.unseen[hand, kind, seat]
    for hand in range(state.num_seats):
        left -= _deal_hand(state, seat, hand, pool, left, rng)
    for hand in range(state.num_seats):
        for kind in range(c.NUM_RESOURCES):
            for observer in range(c.NUM_OBSERVERS):
                if observer != seat and observer != hand:
                    unseen = np.int64(state.hand[hand, kind]) - known[hand * c.NUM_RESOURCES + kind]
                    state.unseen[hand, kind, observer] = unseen
    forget_thefts(state, c.LOST)


@kernel
def _deal_hand(state, seat, hand, pool, left, rng):
    """Give a hand other cards for those that a seat does not know, out of a pool with ``left``; return how many."""
    unknown = np.int64(0)
    for kind in range(c.NUM_RESOURCES):
        unseen = np.int64(state.unseen[hand, kind, seat])
        unknown += unseen
        state.hand[hand, kind] -= unseen
        state.unseen[hand, kind, seat] = 0
    for number in range(unknown):
        kind = draw_from_pool(pool, left - number, rng)
        state.hand[hand, kind] += 1
        state.unseen[hand, kind, seat] += 1
    return unknown
