"""The greedy player: the value of a position, its offers, and its entry."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.masks import BITS, new_words
from endeavor_env.engine.kernels.players import player_entry
from endeavor_env.kernels.intrinsics import assign, bytes_at, memory_at, numbers_on_stack, words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.players.greedy import weights as w
from endeavor_env.merchants.players.greedy.weights import NUM_WEIGHTS, Weights
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.caravans import free_goods
from endeavor_env.merchants.rules.hands import cards_in_hand
from endeavor_env.merchants.rules.merchants import goods_of_seat, stock_of
from endeavor_env.merchants.rules.production import ways_of
from endeavor_env.merchants.rules.routes import is_built
from endeavor_env.merchants.rules.rules_entries import carry_out, write_legal_words
from endeavor_env.merchants.rules.sets import free_cities, paths_to_nearest, takers
from endeavor_env.merchants.rules.state import STATE, new_items, state_at

# --- What a hand is worth to its seat: cards, gold, and the sets of cards that things cost ---------------------------


@inlined
def write_items(state, seat, items):
    """Write what a seat holds, which it alone may ask, to ``items`` (NUM_ITEMS,) int64."""
    for kind in range(c.NUM_RESOURCES):
        items[kind] = state.hand[seat, kind]
    items[c.GOLD] = state.gold[seat]


@inlined
def write_known_items(state, seat, other, items):
    """Write what ``seat`` knows that ``other`` holds (K14)."""
    for kind in range(c.NUM_RESOURCES):
        items[kind] = state.hand[other, kind] - state.unseen[other, kind, seat]
    items[c.GOLD] = state.gold[other]


@kernel
def items_value(board, state, seat, items, weights):
    """Return what ``items`` are worth to a seat."""
    value, size = 0.0, np.int64(0)
    for kind in range(c.NUM_RESOURCES):
        number = items[kind]
        size += number
        if number > 0:
            value += weights[w.FIRST_CARD]
        if number > 1:
            value += weights[w.SECOND_CARD] + np.float64(number - 2) * weights[w.MORE_CARD]
    if size > c.HAND_LIMIT:
        value -= np.float64(size - c.HAND_LIMIT) * weights[w.EXCESS]
    value += _sets_value(board, state, seat, items, weights)
    gold = items[c.GOLD]
    value += np.float64(min(gold, np.int64(w.SOME_GOLD))) * weights[w.GOLD]
    return value + np.float64(max(np.int64(0), gold - w.SOME_GOLD)) * weights[w.MORE_GOLD]


@kernel
def _sets_value(board, state, seat, items, weights):
    """Return what it is worth that the cards for something are complete."""
    value, wood = 0.0, items[c.WOOD] > 0
    if wood and items[c.ORE] > 0:
        if state.routes_left[seat] > 0:
            value += weights[w.ROUTE_SET]
        if items[c.SALT] > 0 and (state.caravans[seat, 0] == c.NONE or state.caravans[seat, 1] == c.NONE):
            value += weights[w.CARAVAN_SET]
    if wood and items[c.WOOL] > 0 and items[c.WHEAT] > 0 and stock_of(board, state, seat) > 0:
        value += weights[w.MERCHANT_SET]
    return value


# --- How near merchants are to free cities, and caravans to posts that take a good -----------------------------------

_new_costs = numbers_on_stack(c.MAX_PATHS)
_QUEUE = 2 * c.MAX_PATHS
_new_queue = words_on_stack(_QUEUE)
_new_waits = words_on_stack(c.MAX_PATHS)


# --- merchants --------------------------------------------------------------------------------------------------------
@inlined
def _best_and_other(first, second, factor):
    """Return the larger value and the smaller one times a factor."""
    return max(first, second) + factor * min(first, second)


@kernel
def merchants_value(board, state, seat, weights):
    """Return what the merchants of a seat are worth: nothing when it has no posts left."""
    if stock_of(board, state, seat) <= 0:
        return 0.0
    cities = free_cities(board, state)
    first = _merchant_value(board, np.int64(state.merchants[seat, 0]), cities, weights)
    second = _merchant_value(board, np.int64(state.merchants[seat, 1]), cities, weights)
    return _best_and_other(first, second, weights[w.SECOND_MERCHANT])


@kernel
def _merchant_value(board, where, cities, weights):
    """Return what a merchant is worth at a crossroads, 0 if it is not on the map."""
    if where == c.NONE:
        return 0.0
    nearer = np.int64(w.FAR_CITY) - paths_to_nearest(board, where, cities, w.FAR_CITY)
    return weights[w.MERCHANT] + weights[w.NEAR_CITY] * np.float64(nearer)


# --- caravans ---------------------------------------------------------------------------------------------------------
@kernel
def caravans_value(board, state, seat, weights):
    """Return what it is worth to be near posts of others that take a good."""
    cities = takers(state, seat)
    first = _caravan_value(board, state, seat, 0, cities, weights)
    second = _caravan_value(board, state, seat, 1, cities, weights)
    return weights[w.NEAR_POST] * _best_and_other(first, second, weights[w.SECOND_CARAVAN])


@kernel
def _caravan_value(board, state, seat, slot, cities, weights):
    """Return by how many steps a caravan is nearer to a post than FAR_POST; steps that are paid for count as made."""
    start = np.int64(state.caravans[seat, slot])
    if start == c.NONE:
        return 0.0
    cost = steps_to_post(board, state, seat, start, cities, weights[w.UNBUILT])
    if state.decision == c.DECIDE_DRIVE and seat == state.mover and slot == state.slot:
        cost -= min(cost, np.float64(state.steps))
    return np.float64(w.FAR_POST) - cost


@kernel
def steps_to_post(board, state, seat, start, cities, unbuilt):
    """Return the fewest steps from a path to one with an end at one of ``cities``, FAR_POST at most.

    A path without route counts ``unbuilt`` steps; it is passed only where the seat could build on it, or could after
    it has built on the one before.
    """
    costs, queue, waits = _new_costs(c.MAX_PATHS), _new_queue(_QUEUE), _new_waits(c.MAX_PATHS)
    costs[:] = w.FAR_POST
    waits[:] = 0
    best = np.float64(w.FAR_POST)
    costs[start], queue[0] = 0.0, start
    done, found, can_build = np.int64(0), np.int64(1), state.routes_left[seat] > 0
    while done < found:
        here = queue[done % _QUEUE]
        done += 1
        waits[here] = 0
        if costs[here] >= best:
            continue
        if board.path_cities[here] & cities != 0:
            best = costs[here]
            continue
        lies_here = is_built(state, here)
        for index in range(c.NEIGHBOURS):
            there = np.int64(board.path_neighbours[here, index])
            if there == c.NONE:
                continue
            step = 1.0
            if not is_built(state, there):
                near = sets.has(state.near[seat, there // sets.PATH_BITS], there % sets.PATH_BITS)
                if not can_build or (lies_here and not near):
                    continue
                step = unbuilt
            if costs[here] + step < costs[there]:
                costs[there] = costs[here] + step
                if waits[there] == 0:
                    waits[there] = 1
                    queue[found % _QUEUE] = there
                    found += 1
    return best


# --- What a position is worth to a seat, by what this seat may see (K14) ---------------------------------------------
# Its own hand, and of the others what is open.

_new_yields = words_on_stack(c.NUM_RESOURCES)
_MEAN_WAYS = 3
"""Ways of the dice of a token that is still to be drawn (K1.6)."""


@kernel
def write_yields(board, state, seat, yields):
    """Write in how many ways the posts of a seat yield a card of each kind; return the sum."""
    yields[:] = 0
    posts, total = np.int64(state.posts[seat]), np.int64(0)
    while posts != 0:
        where = np.int64(board.city_crossroads[sets.lowest(posts)])
        posts = sets.without_lowest(posts)
        for index in range(c.MEETING):
            terrain = np.int64(board.crossroads_terrains[where, index])
            if terrain == c.NONE or terrain == state.robber:
                continue
            ways = ways_of(state, terrain)
            if state.decision == c.CHANCE_VALUE and terrain == state.terrain:
                ways = np.int64(_MEAN_WAYS)
            yields[board.kinds[terrain]] += ways
            total += ways
    return total


@kernel
def _income_value(board, state, seat, weights):
    """Return what the posts of a seat yield, less what those of the others do."""
    yields, value = _new_yields(c.NUM_RESOURCES), 0.0
    goods = np.float64(goods_of_seat(board, state))
    for other in range(state.num_seats):
        if other != seat:
            threat = 1.0 + np.float64(state.delivered[other]) / goods
            value -= weights[w.RIVAL] * threat * np.float64(write_yields(board, state, other, yields))
    value += weights[w.PRODUCTION] * np.float64(write_yields(board, state, seat, yields))
    for kind in range(c.NUM_RESOURCES):
        if yields[kind] > 0:
            value += weights[w.KIND]
    return value


@kernel
def _pending_value(state, weights):
    """Return what a draw that comes next brings the mover: a development card, or a card of another seat."""
    if state.decision == c.CHANCE_DRAWN:
        return weights[w.DEVELOPMENT]
    if state.decision == c.CHANCE_STOLEN:
        return weights[w.STOLEN] * (1.0 + np.float64(state.delivered[state.victim]))
    return 0.0


@kernel
def position_value(board, state, seat, weights):
    """Return the value of a position for ``seat``; ``weights`` is (number of weights,) float64."""
    items = new_items(c.NUM_ITEMS)
    write_items(state, seat, items)
    free = np.float64(free_goods(state, seat))
    value = weights[w.DELIVERED] * np.float64(state.delivered[seat]) + weights[w.FREE_GOOD] * free
    value += items_value(board, state, seat, items, weights)
    value += weights[w.DEVELOPMENT] * np.float64(cards_in_hand(state, seat))
    value += _income_value(board, state, seat, weights)
    value += merchants_value(board, state, seat, weights)
    near = caravans_value(board, state, seat, weights)
    value += near if free > 0.0 else weights[w.NO_GOOD] * near
    return value + _pending_value(state, weights)


# --- Offers of the greedy player -------------------------------------------------------------------------------------
# One card for another, once a turn, if somebody seems to accept it; and its answers.


@inlined
def _gain(board, state, seat, items, before, give, want, weights):
    """Return what an exchange of one item for another brings a seat that now has ``items``, worth ``before``."""
    items[give] -= 1
    items[want] += 1
    gain = items_value(board, state, seat, items, weights) - before
    items[give] += 1
    items[want] -= 1
    return gain


@kernel
def _somebody_accepts(board, state, seat, give, want, gain, weights):
    """Return whether another seat holds what is wanted, as far as ``seat`` knows, and would accept by ``answer``."""
    items = new_items(c.NUM_ITEMS)
    for other in range(state.num_seats):
        if other == seat:
            continue
        write_known_items(state, seat, other, items)
        if items[want] == 0:
            continue
        before = items_value(board, state, other, items, weights)
        theirs = _gain(board, state, other, items, before, want, give, weights)
        if theirs > 0.0 and theirs > weights[w.ACCEPT] * gain:
            return True
    return False


@kernel
def _best_exchange(board, state, seat, only, weights):
    """Return the best exchange as NUM_ITEMS * give + want, NONE if none brings enough.

    ``only`` is the item that is given, NONE for any.
    """
    items = new_items(c.NUM_ITEMS)
    write_items(state, seat, items)
    before = items_value(board, state, seat, items, weights)
    best, chosen = weights[w.OFFER], np.int64(c.NONE)
    for give in range(c.NUM_ITEMS):
        if items[give] == 0 or (only != c.NONE and give != only):
            continue
        for want in range(c.NUM_RESOURCES):
            if want == give:
                continue
            gain = _gain(board, state, seat, items, before, give, want, weights)
            if gain > best and _somebody_accepts(board, state, seat, give, want, gain, weights):
                best, chosen = gain, np.int64(c.NUM_ITEMS * give + want)
    return chosen


@kernel
def first_gift(board, state, weights):
    """Return the move that begins an offer, NONE if there is no use in one, or one was made this turn."""
    if state.offers > 0:
        return np.int64(c.NONE)
    exchange = _best_exchange(board, state, np.int64(state.mover), np.int64(c.NONE), weights)
    return exchange if exchange == c.NONE else np.int64(actions.GIVE_AT) + exchange // np.int64(c.NUM_ITEMS)


@kernel
def go_on_offering(board, state, weights):
    """Return the next move of an offer of one item: what is wanted, and then ``propose``."""
    given, wanted, item = np.int64(0), np.int64(0), np.int64(0)
    for kind in range(c.NUM_ITEMS):
        given += state.gives[kind]
        wanted += state.wants[kind]
        if state.gives[kind] > 0:
            item = np.int64(kind)
    if wanted > 0:
        return np.int64(actions.PROPOSE)
    exchange = _best_exchange(board, state, np.int64(state.mover), item, weights)
    if given > 1 or exchange == c.NONE:
        return np.int64(actions.CANCEL)
    return np.int64(actions.WANT_AT) + exchange % np.int64(c.NUM_ITEMS)


@kernel
def _exchange_gain(board, state, seat, items, sign, weights):
    """Return what the offer brings a seat with ``items``, which are overwritten: the mover if ``sign`` is 1."""
    before = items_value(board, state, seat, items, weights)
    for item in range(c.NUM_ITEMS):
        change = sign * (np.int64(state.wants[item]) - np.int64(state.gives[item]))
        items[item] = max(np.int64(0), items[item] + change)
    return items_value(board, state, seat, items, weights) - before


@kernel
def answer(board, state, weights):
    """Return whether the seat that is asked accepts: the offer brings it something, and more than the mover."""
    items = new_items(c.NUM_ITEMS)
    write_items(state, state.seat, items)
    own = _exchange_gain(board, state, np.int64(state.seat), items, np.int64(-1), weights)
    write_known_items(state, state.seat, state.mover, items)
    theirs = _exchange_gain(board, state, np.int64(state.mover), items, np.int64(1), weights)
    return own > 0.0 and own > weights[w.ACCEPT] * theirs


@kernel
def best_partner(state, mask):
    """Return the move that trades with the seat, of those that accept, which has delivered least."""
    least, chosen = np.int64(c.ALL_GOLD), np.int64(c.NONE)
    for index in range(state.num_seats - 1):
        delivered = np.int64(state.delivered[(state.mover + index + 1) % state.num_seats])
        if mask[actions.PARTNER_AT + index] and delivered < least:
            least, chosen = delivered, np.int64(actions.PARTNER_AT + index)
    return chosen


# --- The greedy player as a compiled player --------------------------------------------------------------------------
# Its memory holds its weights, then positions on which it tries moves.
# Every legal move is carried out on a copy, and where it only begins something, such as a walk, so are the moves that
# go on with it. What chance decides is not looked at: its value is that of the position before the draw.

DEPTH = 3
"""A move and up to two that go on with it: a trade treaty, the merchant that walks, where it goes."""
_WORDS = -(-actions.NUM_ACTIONS // BITS)
_STATES_AT = 64 * -(-8 * NUM_WEIGHTS // 64)
_SIZE = _STATES_AT + DEPTH * STATE.itemsize
_SAME, _NOTHING = 1e-9, -1e300


def greedy_memory(weights: Weights, num_actions: int) -> npt.NDArray[np.uint8]:
    """Return the memory of a greedy player with these weights."""
    memory, values = np.zeros(_SIZE, np.uint8), weights.as_array()
    memory[: values.nbytes] = values.view(np.uint8)
    return memory


@inlined
def _try(board, copies, depth, action):
    """Carry out a move on a copy of the position before it."""
    copies[depth] = copies[depth - 1]
    carry_out(board, copies[depth], action)


@inlined
def goes_on(state, seat):
    """Return whether a move only began something with which the seat goes on at once."""
    if state.seat != seat or state.decision == c.DECIDE_ACTION or state.decision == c.DECIDE_PRODUCTION:
        return False
    return not (state.decision == c.DECIDE_DRIVE and state.moved == 1)


@kernel
def is_worth_it(board, state, action):
    """Return whether a move is worth a look: of a walk, only what ends in a city or much nearer to a free one."""
    if state.decision != c.DECIDE_DESTINATION:
        return True
    there = action - np.int64(actions.TO_AT)
    if board.crossroads_city[there] != c.NONE:
        return True
    here, cities = np.int64(state.merchants[state.seat, state.slot]), free_cities(board, state)
    nearer = paths_to_nearest(board, there, cities, w.FAR_CITY) + c.STEPS_OF_WHEAT
    return nearer <= paths_to_nearest(board, here, cities, w.FAR_CITY)


@kernel
def _value_of_last(board, copies, seat, weights):
    """Return the best value after any move that goes on with ``copies[1]``."""
    words, best = new_words(_WORDS), _NOTHING
    write_legal_words(board, copies[1], words)
    for word in range(_WORDS):
        bits = words[word]
        while bits != 0:
            lowest = sets.lowest(bits)
            action, bits = np.int64(word * BITS) + lowest, bits ^ (np.int64(1) << lowest)
            if is_worth_it(board, copies[1], action):
                _try(board, copies, 2, action)
                best = max(best, position_value(board, copies[2], seat, weights))
    return best


@kernel
def _value_of_next(board, copies, seat, weights):
    """Return the best value after any move that goes on with ``copies[0]``, and the move after it."""
    words, best = new_words(_WORDS), _NOTHING
    write_legal_words(board, copies[0], words)
    for word in range(_WORDS):
        bits = words[word]
        while bits != 0:
            lowest = sets.lowest(bits)
            action, bits = np.int64(word * BITS) + lowest, bits ^ (np.int64(1) << lowest)
            if is_worth_it(board, copies[0], action):
                _try(board, copies, 1, action)
                if goes_on(copies[1], seat):
                    best = max(best, _value_of_last(board, copies, seat, weights))
                else:
                    best = max(best, position_value(board, copies[1], seat, weights))
    return best


@inlined
def is_better(action, value, best, same):
    """Return whether a move is to be taken in place of one that is worth ``best``.

    Of moves whose values differ by less than ``same`` the first one stands, but for one that leaves all as it is.
    """
    leaves_all = action == actions.END or action == actions.DONE or action == actions.STOP
    return value > best + same or (leaves_all and value > best - same)


@kernel
def move_value(board, state, action, seat, weights, copies):
    """Return the value of the position after a move, or after the best that goes on with it."""
    assign(copies, state)
    carry_out(board, copies[0], action)
    if goes_on(copies[0], seat):
        return _value_of_next(board, copies, seat, weights)
    return position_value(board, copies[0], seat, weights)


@kernel
def best_move(board, state, mask, weights, copies):
    """Return the legal move of the highest value; offers are not looked at."""
    seat, chosen, best = np.int64(state.seat), np.int64(c.NONE), 2.0 * _NOTHING
    for action in range(actions.GIVE_AT):
        if not mask[action]:
            continue
        if chosen == c.NONE:
            chosen = np.int64(action)
        if not is_worth_it(board, state, np.int64(action)):
            continue
        value = move_value(board, state, np.int64(action), seat, weights, copies)
        if is_better(action, value, best, _SAME):
            chosen, best = np.int64(action), value
    return chosen


@kernel
def greedy_action(board, state, mask, weights, copies):
    """Return the legal action that the greedy player chooses for ``state.seat``."""
    decision = state.decision
    if decision == c.DECIDE_REPLY:
        if mask[actions.ACCEPT] and answer(board, state, weights):
            return np.int64(actions.ACCEPT)
        return np.int64(actions.REFUSE)
    if decision == c.DECIDE_OFFER:
        return go_on_offering(board, state, weights)
    if decision == c.DECIDE_PARTNER:
        return best_partner(state, mask)
    chosen = best_move(board, state, mask, weights, copies)
    if chosen == actions.END:
        gift = first_gift(board, state, weights)
        if gift != c.NONE and mask[gift]:
            return np.int64(gift)
    return chosen


@player_entry
def greedy_entry(board, place, mask, num_actions, memory, size, _rng):
    """Return the greedy player's action (``PLAYER_SIGNATURE``); it draws nothing."""
    own, state = memory_at(memory, size), state_at(place)
    weights, copies = own[: 8 * NUM_WEIGHTS].view(np.float64), own[_STATES_AT:_SIZE].view(STATE)
    return np.int64(greedy_action(board_at(board), state, bytes_at(mask, num_actions), weights, copies))
