"""The view of a seat on a game (K14.1), as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c

if TYPE_CHECKING:
    from endeavor_env.merchants.game import MerchantsGame


def view(game: MerchantsGame, seat: int | None) -> dict[str, Any]:
    """Return the game as a seat sees it, None for all of it: see ``MerchantsGame.view``."""
    legal = game.legal_moves() if seat is None or game.seat == seat else None
    return {**view_position(game, seat), "legal": legal, "moves": game.moves_seen_by(seat)}


def view_position(game: MerchantsGame, seat: int | None) -> dict[str, Any]:
    """Return the same without moves, which take as long as the game has lasted."""
    state, board = game.state[0], game.board
    cities = board.city_ids
    posts = {
        cities[city]: "neutral" if owner == c.NEUTRAL else owner
        for owner in range(c.NUM_OWNERS)
        for city in _members(state["posts"][owner])
    }
    numbers = {int(t): int(n) for t, n in enumerate(state["numbers"][: board.num_terrains]) if board.terrain_place[t]}
    return {
        "board": board.id,
        "options": game.config.named_options(),
        "seats": [_seat(game, other, seat is None or other == seat) for other in range(game.num_players)],
        "reserve": _named(c.RESOURCE_NAMES, state["reserve"]),
        "gold": int(state["gold_left"]),
        "pile": int(state["pile"].sum()) if seat is not None else _named(c.CARD_NAMES, state["pile"]),
        "played": _named(c.CARD_NAMES, state["used"]),
        "sea": {
            kind: [value for value, count in zip(c.VALUES, counts.tolist(), strict=True) for _ in range(count)]
            for kind, counts in zip(c.KIND_NAMES, state["sea"], strict=True)
        },
        "tokens": {f"t{terrain}": number for terrain, number in numbers.items() if number},
        "robber": f"t{state['robber']}",
        "posts": dict(sorted(posts.items())),
        "goods": dict(sorted(_goods(game).items())),
        "routes": {
            f"p{path}": owner for owner in range(game.num_players) for path in sorted(_paths(state["routes"][owner]))
        },
        "mover": int(state["mover"]),
        "rolls": int(state["rolls"]),
        "has_rolled": bool(state["rolled"]),
        "has_bought": bool(state["bought"] != c.NONE),
        "bought": _card(state["bought"]) if seat is None or seat == state["mover"] else None,
        "has_played": bool(state["card_played"]),
        "buys": int(state["buys"]),
        "offers": int(state["offers"]),
        "offer": _offer(state),
        "decision": c.DECISION_NAMES[state["decision"]],
        "to_move": game.mover_name,
        "truncated": game.truncated,
        **_under_way(game),
    }


def _under_way(game: MerchantsGame) -> dict[str, Any]:
    """Return what a turn, or the set-up, has begun and not yet brought to its end."""
    state, board = game.state[0], game.board
    place = "p{}".format if state["decision"] == c.DECIDE_LIFT_CARAVAN else board.crossroads_name
    return {
        "placed": int(state["placed"]),
        "card": _card(state["card"]),
        "tolls": [_members(paid) for paid in state["tolls"]],
        "slot": _number(state["slot"]),
        "steps": int(state["steps"]),
        "has_stepped": bool(state["moved"]),
        "free_routes": int(state["routes_of_card"]),
        "arrow": _place("p{}".format, state["arrow"]),
        "place": _place(place, state["place"]),
        "terrain": _place("t{}".format, state["terrain"]),
        "victim": _number(state["victim"]),
    }


def _seat(game: MerchantsGame, seat: int, shows_all: bool) -> dict[str, Any]:
    """Return what can be seen of a seat: by itself, or by others."""
    state, board = game.state[0], game.board
    hand, cards = state["hand"][seat], state["cards"][seat]
    return {
        "hand": _named(c.RESOURCE_NAMES, hand) if shows_all else int(hand.sum()),
        "cards": _named(c.CARD_NAMES, cards) if shows_all else int(cards.sum()),
        "gold": int(state["gold"][seat]),
        "routes": int(state["routes_left"][seat]),
        "stock": game.start_stock - int(state["built"][seat]),
        "free_goods": free_goods(state, seat),
        "delivered": int(state["delivered"][seat]),
        "discards": int(state["discards"][seat]),
        "merchants": [_place(board.crossroads_name, where) for where in state["merchants"][seat].tolist()],
        "caravans": [_place("p{}".format, where) for where in state["caravans"][seat].tolist()],
    }


def free_goods(state: Any, seat: int) -> int:
    """Return how many goods a seat can deliver: one, one more for each post it founded, less those delivered (K8.5)."""
    return 1 + int(state["built"][seat]) - int(state["delivered"][seat])


def _place(name: Callable[[int], str], where: int) -> str | None:
    """Return the name of a place, None for no place."""
    return None if where == c.NONE else name(int(where))


def _number(number: int) -> int | None:
    """Return a number of a seat or a piece, None for none."""
    return None if number == c.NONE else int(number)


def _goods(game: MerchantsGame) -> dict[str, int]:
    """Return by city whose goods lie under posts."""
    first, cities = actions.DELIVER_AT, game.board.city_ids
    return {cities[action - first]: seat for seat, action in game.history if first <= action < first + c.MAX_CITIES}


def _named(names: tuple[str, ...], counts: Any) -> dict[str, int]:
    """Return counts by name."""
    return dict(zip(names, counts.tolist(), strict=True))


def _card(kind: int) -> str | None:
    """Return the name of a development card, None for none."""
    return None if kind == c.NONE else c.CARD_NAMES[kind]


def _offer(state: np.void) -> Mapping[str, Any] | None:
    """Return the offer that is being made: both sides, and who has accepted; None without one."""
    given, wanted = (
        [name for name, count in zip(c.ITEM_NAMES, state[side].tolist(), strict=True) for _ in range(count)]
        for side in ("gives", "wants")
    )
    if not given:
        return None
    accepted = [seat for seat in range(c.MAX_SEATS) if int(state["accepted"]) >> seat & 1]
    return {"gives": given, "wants": wanted, "accepted": accepted}


def _members(bits: Any) -> list[int]:
    """Return the members of a word of bits."""
    word = int(bits)
    return [index for index in range(word.bit_length()) if word >> index & 1]


def _paths(words: Any) -> list[int]:
    """Return the members of a set of paths."""
    return [sets.PATH_BITS * number + path for number, word in enumerate(words) for path in _members(word)]
