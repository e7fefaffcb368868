"""What a seat sees, and the record of a game (K14, K15)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.merchants.reference.game import ReferenceGame
    from tests.merchants.reference.table import Seat


def view(game: ReferenceGame, seat: int) -> dict[str, Any]:
    """Return what a seat sees: hands and development cards of others, and the pile, are numbers (K14.1)."""
    table = game.table
    return {
        "seats": [_seen(who, number == seat) for number, who in enumerate(table.seats)],
        "reserve": dict(table.reserve),
        "gold": table.gold,
        "pile": sum(table.pile.values()),
        "played": dict(table.played),
        "sea": {kind: list(values) for kind, values in table.sea.items()},
        "tokens": dict(table.tokens),
        "robber": table.robber,
        "posts": dict(table.posts),
        "goods": dict(table.goods),
        "routes": dict(table.routes),
        "first": table.first,
        "mover": table.mover,
        "rolls": table.rolls,
        "has_bought": table.bought is not None,
        "bought": table.bought if seat == table.mover else None,
        "has_played": table.has_played,
        "buys": table.buys,
        "offers": table.offers,
        "offer": table.offer,
        "to_move": game.seat,
        "legal": game.legal() if game.seat == seat else None,
        "moves": [[who, _told(game, index, text, seat)] for index, (who, text) in enumerate(game.moves)],
    }


def _seen(who: Seat, own: bool) -> dict[str, Any]:
    """Return what can be seen of a seat."""
    return {
        "hand": dict(who.hand) if own else who.count(),
        "cards": dict(who.cards) if own else sum(who.cards.values()),
        "gold": who.gold,
        "routes": who.routes,
        "stock": who.stock,
        "free_goods": who.free_goods,
        "delivered": who.delivered,
        "merchants": list(who.merchants),
        "caravans": list(who.caravans),
        "tolls": [sorted(paid) for paid in who.tolls],
    }


def _told(game: ReferenceGame, index: int, text: str, seat: int) -> str:
    """Return a move as a seat is told it: ``stolen:?`` and ``drawn:?`` hide what it did not see."""
    seers = game.seers.get(index)
    return text if seers is None or seat in seers else f"{text.split(':')[0]}:?"


def record(game: ReferenceGame) -> dict[str, Any]:
    """Return the record, with a result exactly when the game is over (K15.1)."""
    written: dict[str, Any] = {
        "format": "merchants-game/1",
        "board": game.map.id,
        "side": game.map.side,
        "players": game.players,
        "options": {"start": game.start, "trade": game.trade, "max_rolls": game.max_rolls},
        "moves": [[who, text] for who, text in game.moves],
    }
    if game.over:
        written["result"] = {"scores": game.scores(), "winners": game.winners(), "truncated": game.truncated}
    return written
