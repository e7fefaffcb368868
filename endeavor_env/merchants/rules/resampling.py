"""Resampling of what a seat cannot know (K14.1): kinds of stolen cards, and development cards that others hold.

The result depends on what the seat knows and on the generator alone: from two positions that look equal to the seat
equal ones are drawn. It agrees with everything that the seat has seen, and every game that does can come out.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.hands import (
    NO_LIMIT,
    OF_THIEF,
    OF_VICTIM,
    THEFT,
    all_know_all,
    cards_in_hand,
    field,
    forget_thefts,
    kind_of,
    theft_number,
    thief_of,
    victim_of,
    with_field,
)

# --- Development cards that others hold, and the pile ----------------------------------------------------------------
# Each pile is known as a whole: the first one, and later ones, which are the cards played before. So each card that was
# drawn is one of its pile. A play is told again as that of any card that its seat then held, by how likely each was to
# be of that kind; the cards that nobody has played are dealt from what is left of their piles, each as likely as the
# others. With a single pile every deal of the cards that are left comes with the same probability.

MOST_CARD_TRIES = 100
_UNKNOWN, _PARTS = -1, 1 << 30
_IS_PLAYED = c.NUM_CARDS
"""Added to the kind of a drawn card that was played later."""
_new_events = words_on_stack(c.MOST_CARD_EVENTS)
_new_piles = words_on_stack(c.MOST_CARD_EVENTS * c.NUM_CARDS)
_new_cards = words_on_stack(c.NUM_CARDS)


@kernel
def draw_from_pool(pool, left, rng):
    """Take a card out of a pool with ``left`` cards, each as likely as the others; return its kind."""
    index, kind = next_below(rng, left), np.int64(0)
    while index >= pool[kind]:
        index -= pool[kind]
        kind += 1
    pool[kind] -= 1
    return kind


@kernel
def deal_development(state, seat, rng):
    """Deal the development cards of the others and of the pile."""
    if state.num_card_events == 0:
        return
    if state.num_card_events != c.LOST:
        kinds, piles = _new_events(c.MOST_CARD_EVENTS), _new_events(c.MOST_CARD_EVENTS)
        left = _new_piles(c.MOST_CARD_EVENTS * c.NUM_CARDS)
        for _ in range(MOST_CARD_TRIES):
            last = _begin_piles(state, seat, kinds, piles, left)
            if _tell_plays(state, seat, kinds, piles, left, rng):
                _write_cards(state, seat, kinds, piles, left, last, rng)
                return
    _deal_cards_by_counts(state, seat, rng)


# --- what happened to cards ------------------------------------------------------------------------------------------
@inlined
def _kind_of(event):
    """Return the kind of the card of an event."""
    return np.int64(event) % c.NUM_CARDS


@inlined
def _seat_of(event):
    """Return the seat of an event."""
    return np.int64(event) // c.NUM_CARDS % c.MAX_SEATS


@inlined
def _what_of(event):
    """Return what happens."""
    return np.int64(event) // (c.NUM_CARDS * c.MAX_SEATS)


@kernel
def _begin_piles(state, seat, kinds, piles, left):
    """Write what a seat knows of drawn cards and of piles; return the number of the last pile.

    Args:
        state: STATE record, read only.
        seat: The seat.
        kinds: For each event that draws a card, its kind, _UNKNOWN of others than the seat.
        piles: The number of the pile at each event.
        left: The cards of each kind in each pile that are not in ``kinds``.
    """
    used, last = _new_cards(c.NUM_CARDS), np.int64(0)
    used[:] = 0
    for kind in range(c.NUM_CARDS):
        left[kind] = np.int64(state.pile[kind]) + np.int64(state.used[kind])
        for other in range(state.num_seats):
            left[kind] += state.cards[other, kind]
    for number in range(state.num_card_events):
        event = np.int64(state.card_events[number])
        what, kind = _what_of(event), _kind_of(event)
        if what == c.SHUFFLED:
            last += 1
            for one in range(c.NUM_CARDS):
                left[last * c.NUM_CARDS + one] = used[one]
                used[one] = 0
        elif what == c.DREW:
            kinds[number] = _UNKNOWN
            if _seat_of(event) == seat:
                kinds[number] = kind
                left[last * c.NUM_CARDS + kind] -= 1
        else:
            used[kind] += 1
        piles[number] = last
    return last


@kernel
def _tell_plays(state, seat, kinds, piles, left, rng):
    """Write kinds of the cards that others have played; return whether each play found a card that it can be."""
    for number in range(state.num_card_events):
        event = np.int64(state.card_events[number])
        what, owner = _what_of(event), _seat_of(event)
        if owner != seat and (what == c.PLAYED or what == c.PLAYED_OLDER):
            played = _draw_played(state, number, kinds, piles, left, rng)
            if played == c.NONE:
                return False
            kinds[played] = _kind_of(event) + _IS_PLAYED
            left[piles[played] * c.NUM_CARDS + _kind_of(event)] -= 1
    return True


@kernel
def _draw_played(state, number, kinds, piles, left, rng):
    """Return the event in which the card of a play was drawn, NONE if none is possible."""
    event = np.int64(state.card_events[number])
    chosen, total = np.int64(c.NONE), 0.0
    for pick in range(2):
        newest = _what_of(event) == c.PLAYED_OLDER  # which the seat may not play
        aim = total * np.float64(next_below(rng, _PARTS)) / np.float64(_PARTS) if pick else 0.0
        chosen, total = np.int64(c.NONE), 0.0
        for before in range(number - 1, -1, -1):
            drawn = np.int64(state.card_events[before])
            if _what_of(drawn) != c.DREW or _seat_of(drawn) != _seat_of(event):
                continue
            if kinds[before] == _UNKNOWN and not newest:
                likely = _likelihood(piles[before], _kind_of(event), left)
                total += likely
                if likely > 0.0 and (chosen == c.NONE or total - likely <= aim):
                    chosen = np.int64(before)
            newest = False
        if chosen == c.NONE:
            break
    return chosen


@inlined
def _likelihood(pile, kind, left):
    """Return which share of what is left of a pile is of a kind."""
    total = np.int64(0)
    for one in range(c.NUM_CARDS):
        total += left[pile * c.NUM_CARDS + one]
    return np.float64(left[pile * c.NUM_CARDS + kind]) / np.float64(max(total, np.int64(1)))


@kernel
def _write_cards(state, seat, kinds, piles, left, last, rng):
    """Deal the cards that are not played, and write hands, pile and what happened."""
    pool = _new_cards(c.NUM_CARDS)
    for other in range(state.num_seats):
        if other != seat:
            for kind in range(c.NUM_CARDS):
                state.cards[other, kind] = 0
    for number in range(state.num_card_events):
        event = np.int64(state.card_events[number])
        owner, first = _seat_of(event), piles[number] * c.NUM_CARDS
        if _what_of(event) != c.DREW or owner == seat:
            continue
        kind = kinds[number]
        if kind == _UNKNOWN:
            total = np.int64(0)
            for one in range(c.NUM_CARDS):
                pool[one] = left[first + one]
                total += pool[one]
            kind = draw_from_pool(pool, total, rng)
            left[first + kind] -= 1
            state.cards[owner, kind] += 1
            if state.bought != c.NONE and owner == state.mover:
                state.bought = kind  # that of the last one stays
        state.card_events[number] = event - _kind_of(event) + kind % c.NUM_CARDS
    for kind in range(c.NUM_CARDS):
        state.pile[kind] = left[last * c.NUM_CARDS + kind]


@kernel
def _deal_cards_by_counts(state, seat, rng):
    """Deal as if all were cards of one pile, where what happened is forgotten or could not be told again."""
    pool, left = _new_cards(c.NUM_CARDS), np.int64(0)
    for kind in range(c.NUM_CARDS):
        pool[kind] = state.pile[kind]
        for other in range(state.num_seats):
            if other != seat:
                pool[kind] += state.cards[other, kind]
        left += pool[kind]
    for other in range(state.num_seats):
        if other != seat:
            number = cards_in_hand(state, other)
            for kind in range(c.NUM_CARDS):
                state.cards[other, kind] = 0
            for _ in range(number):
                kind = draw_from_pool(pool, left, rng)
                state.cards[other, kind] += 1
                left -= 1
                if other == state.mover and state.bought != c.NONE:
                    state.bought = kind  # the last one: each is as likely
    for kind in range(c.NUM_CARDS):
        state.pile[kind] = pool[kind]
    state.card_events[:] = 0
    state.num_card_events = c.LOST


# --- Stolen cards ----------------------------------------------------------------------------------------------------
# The thefts since all hands were last known are told again from the first one on. Each takes any card of
# the hand that it meets, each as likely, and what contradicts anything seen later is thrown away: so the kinds come
# with the probabilities that they have by the draws of chance, given what was seen (moves count as possible or not, not
# as more or less likely). If MOST_TRIES tellings fail, one is looked for that fits, and the kinds of each theft are
# tried in any order. What third seats know of hands follows from the thefts.

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
