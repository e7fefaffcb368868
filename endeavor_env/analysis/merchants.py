"""Tables of Merchants of Europe for research: one row for each decision, seat or game.

from endeavor_env.analysis import merchants

tables = merchants.tables("records/")             # games, records, or folders of records
tables.seats.to_pandas().groupby("seat").mean(numeric_only=True)

Columns of ``decisions``: ``game``, ``move`` (the index in the history), ``seat``, ``agent``, ``legal``, ``action``,
``verb``, ``target``, and ``score`` before it.

Columns of ``seats``: ``game``, ``seat``, ``agent``, ``score``, ``rank``, ``win_share``, ``lead``, ``decisions``; at the
end ``delivered``, ``free_goods``, ``gold``, ``hand``; in the game ``produced_<resource>`` (by the dice), ``trades``
(with other seats), ``reserve_trades``, ``proposals``, ``routes``, ``caravans``, ``merchants``, ``walks``, ``drives``,
``bought_cards``, ``played_cards``, ``bought_resources``, ``robbers``.

Columns of ``games``: ``game``, ``source``, ``variant``, ``players``, ``over``, ``periods`` (turns), ``decisions``,
``draws`` (of chance), ``best``, ``rolls``, ``trades``, ``produced``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from endeavor_env.analysis.game_tables import GameTables, Values, read_games, tables_of
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.merchants.game import BoardGiven
from endeavor_env.merchants.records import replay
from endeavor_env.merchants.rules.constants import RESOURCE_NAMES

COUNTED = {
    "routes": "route",
    "caravans": "caravan",
    "merchants": "merchant",
    "walks": "walk",
    "drives": "drive",
    "bought_cards": "card",
    "played_cards": "play",
    "bought_resources": "buy",
    "reserve_trades": "bank",
    "proposals": "propose",
    "robbers": "robber",
}
"""Columns of seats that count moves, with the verb of the move."""
OFFER_VERBS = ("propose", "accept", "refuse", "partner")
"""The moves with which a trade between seats may be carried out."""


def tables(given: Any, board: BoardGiven = None) -> GameTables:
    """Return the tables of games, which are played again once.

    Args:
        given: A game; a record, or the path of one; a folder of records, as ``endeavor arena --record`` writes it; or
            an iterable of any of these.
        board: The board of records that name none of the declared ones.

    Raises:
        InvalidOptionError: Something that holds no games.
        RecordError: A record that cannot be read or does not replay, or a folder without records.
    """
    return tables_of(read_games(given, partial(replay, board=board)), course_of)


def course_of(game: Game) -> tuple[Sequence[Values], Values]:
    """Return what happened to each seat in the course of a game, and how often the dice were rolled."""
    played, seats = game.at_move(0), range(game.num_players)
    produced = np.zeros((game.num_players, len(RESOURCE_NAMES)), np.int64)
    traded, verbs = np.zeros(game.num_players, np.int64), [Counter[str]() for _ in seats]
    for seat, action in game.history:
        verb = played.describe(action).partition(":")[0]
        before = _hands(played)
        played.apply(action, draws=False)
        change = _hands(played) - before
        if seat == CHANCE and verb == "dice":
            produced += np.maximum(change, 0)
        elif seat != CHANCE:
            verbs[seat][verb] += 1
            if verb in OFFER_VERBS and change.any():
                traded += change.any(axis=1)
    state = played.state[0]
    rows = [
        {
            "delivered": int(state["delivered"][seat]),
            "free_goods": 1 + int(state["built"][seat]) - int(state["delivered"][seat]),
            "gold": int(state["gold"][seat]),
            "hand": int(state["hand"][seat].sum()),
            **{f"produced_{name}": int(produced[seat, kind]) for kind, name in enumerate(RESOURCE_NAMES)},
            "trades": int(traded[seat]),
            **{column: verbs[seat][verb] for column, verb in COUNTED.items()},
        }
        for seat in seats
    ]
    return rows, {"rolls": int(state["rolls"]), "trades": int(traded.sum()) // 2, "produced": int(produced.sum())}


def _hands(game: Game) -> Any:
    """Return how many resources of each kind each seat holds, (seats, kinds)."""
    return game.state["hand"][0, : game.num_players].astype(np.int64)
