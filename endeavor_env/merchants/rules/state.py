"""STATE: one game as one fixed-size record. Copying is assignment, saving is ``tobytes``, equality is byte equality.

The record holds no pointer and no generator. Fields are aligned, and those that the engine knows lie where they expect
them (``engine.kernels.rules``). Sets of paths are those of ``sets``; sets of cities are one word.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.intrinsics import record_at, words_on_stack
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets

_S = c.MAX_SEATS
STATE = np.dtype(
    (
        np.record,
        [
            # --- the first 64 bytes: sets of cities, and what the engine read -----------------------------------------
            ("posts", np.int64, (c.NUM_OWNERS,)),  # cities with a post of each seat, and neutral ones
            ("goods", np.int64),  # cities with a good under their post
            ("rolls", np.int16),  # made so far
            ("num_seats", np.int8),
            ("variant", np.int8),
            ("mover", np.int8),  # whose turn it is; in set-up the first player
            ("slot", np.int8),  # the merchant or caravan that moves
            ("steps", np.int8),  # steps of a drive that are paid for and left
            ("decision", np.int8),  # DECIDE_*, or CHANCE_* where chance is to move
            ("seat", np.int8),  # whose decision it is; NONE when the game is over, CHANCE before a draw
            ("moved", np.int8),  # 0/1: the drive under way has had its first step
            ("rolled", np.int8),  # 0/1 this turn
            ("card", np.int8),  # development card that is carried out, or NONE
            ("routes_of_card", np.int8),  # free routes that a safe-conduct still gives
            ("robber", np.int8),  # terrain
            ("ending", np.int8),  # GOES_ON, or how the game ended
            ("first", np.int8),  # a first player that was given, or NONE
            # --- sets of paths ----------------------------------------------------------------------------------------
            ("routes", np.int64, (_S, sets.PATH_WORDS)),  # of each seat
            ("near", np.int64, (_S, sets.PATH_WORDS)),  # beside a post or a route of the seat (K6.4), built on or not
            # --- what was hidden (K14), for those who draw it anew ----------------------------------------------------
            ("thefts", np.int32, (c.MOST_THEFTS, 3)),  # the latest ones, see ``thefts``
            # --- where pieces are -------------------------------------------------------------------------------------
            ("merchants", np.int16, (_S, c.SLOTS)),  # crossroads, or NONE
            ("caravans", np.int16, (_S, c.SLOTS)),  # path, or NONE
            ("most_rolls", np.int16),  # the option max_rolls
            ("num_card_events", np.int16),  # or LOST
            ("arrow", np.int16),  # path with a double arrow that still gives a route, or NONE
            ("place", np.int16),  # where a new piece stands that must be lifted; the isolated city of an income; NONE
            ("numbers", np.int8, (c.MAX_TERRAINS,)),  # printed, or of the token that lies there; 0 without
            # --- the seats --------------------------------------------------------------------------------------------
            ("hand", np.int8, (_S, c.NUM_RESOURCES)),
            ("gold", np.int8, (_S,)),
            ("cards", np.int8, (_S, c.NUM_CARDS)),  # development cards in hand
            ("routes_left", np.int8, (_S,)),
            ("built", np.int8, (_S,)),  # posts built from the stock
            ("delivered", np.int8, (_S,)),  # goods
            # --- the table --------------------------------------------------------------------------------------------
            ("reserve", np.int8, (c.NUM_RESOURCES,)),
            ("gold_left", np.int8),
            ("pile", np.int8, (c.NUM_CARDS,)),  # development cards
            ("used", np.int8, (c.NUM_CARDS,)),  # of them played
            ("sea", np.int8, (c.NUM_RESOURCES, c.NUM_VALUES)),  # tokens of each kind and value
            # --- this turn --------------------------------------------------------------------------------------------
            ("card_played", np.int8),  # 0/1
            ("bought", np.int8),  # kind of development card, or NONE
            ("buys", np.int8),  # resources bought for gold
            ("offers", np.int8),  # begun
            ("tolls", np.int8, (c.SLOTS,)),  # seats that each caravan of the mover has paid, as bits
            ("discards", np.int8, (_S,)),  # cards that are still to be discarded
            # --- the decision under way -------------------------------------------------------------------------------
            ("victim", np.int8),  # who is robbed
            ("terrain", np.int8),  # terrain that gets a token
            ("gives", np.int8, (c.NUM_ITEMS,)),  # of the offer
            ("wants", np.int8, (c.NUM_ITEMS,)),
            ("accepted", np.int8),  # seats that accept, as bits
            ("placed", np.int8),  # decisions of set-up that are done
            ("trade", np.int8),  # the option
            # --- what seats have not seen (K14) -----------------------------------------------------------------------
            (
                "unseen",
                np.int8,
                (_S, c.NUM_RESOURCES, c.NUM_OBSERVERS),
            ),  # of each hand and kind, cards whose kind an observer doesn't know
            ("num_thefts", np.int8),  # or LOST
            ("latest", np.int8, (_S,)),  # side of a theft in ``thefts``: the latest of each hand, or NONE
            ("card_events", np.int8, (c.MOST_CARD_EVENTS,)),  # since the game began, see ``cards.note_event``
            ("room", np.int8, (4,)),
        ],
    )
)
STATE_WORDS = STATE.itemsize // 8
SETUP = np.dtype((np.record, [("first", np.int64)]))
"""Random outcomes before the first decision: a first player, or NONE for one that chance draws (K3.1)."""
state_at, setup_at = record_at(STATE), record_at(SETUP)
new_items = words_on_stack(c.NUM_ITEMS)
"""``new_items(n)``: up to six numbers on the stack, with any contents."""
