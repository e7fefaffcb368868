"""What people see of Merchants of Europe: positions as text, and moves in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from endeavor_env.merchants.core import constants as c
from endeavor_env.rails.faces import decision_text

if TYPE_CHECKING:
    from endeavor_env.merchants.game import MerchantsGame

Said = Callable[..., str]
_CARDS = {
    "safe_conduct": "safe-conduct",
    "trade_treaty": "trade treaty",
    "bribe": "bribe",
    "lancer": "lancer",
}
_WORDS: dict[str, Said] = {
    "roll": lambda: "rolls the dice",
    "end": lambda: "ends the turn",
    "done": lambda: "does no more of it",
    "play": lambda card: f"plays a {_CARDS[card]}",
    "card": lambda: "buys a development card",
    "buy": lambda resource: f"buys {resource} for 2 gold",
    "bank": lambda give, get: f"gives the reserve 3 {give} for 1 {get}",
    "merchant": lambda city: f"recruits a merchant in {city}",
    "caravan": lambda path: f"forms a caravan on {path}",
    "route": lambda path: f"lays a route on {path}",
    "lift": lambda slot: f"takes piece {slot} from its place for it",
    "walk": lambda slot: f"sends merchant {slot} on its way",
    "to": lambda place: f"walks to {place}",
    "drive": lambda slot: f"drives caravan {slot}",
    "step": lambda path: f"drives on to {path}",
    "stop": lambda: "stops the caravan",
    "deliver": lambda city: f"delivers a good to {city}",
    "discard": lambda resource: f"discards {resource}",
    "robber": lambda terrain: f"moves the robber to {terrain}",
    "steal": lambda seat: f"steals from seat {seat}",
    "token": lambda terrain: f"wants a token for {terrain}",
    "take": lambda terrain: f"takes the token of {terrain}",
    "income": lambda choice: f"takes income {choice}",
    "gold": lambda: "takes 3 gold",
    "post": lambda city: f"places a post in {city}",
    "neutral": lambda city: f"places a neutral post in {city}",
    "give": lambda item: f"offers {item}",
    "want": lambda item: f"wants {item} for it",
    "propose": lambda: "proposes the trade",
    "cancel": lambda: "gives the trade up",
    "accept": lambda: "accepts the trade",
    "refuse": lambda: "refuses the trade",
    "partner": lambda seat: f"trades with seat {seat}",
    "first": lambda seat: f"seat {seat} begins",
    "dice": lambda number: f"the dice show {number}",
    "stolen": lambda resource: f"{resource} is stolen",
    "drawn": lambda card: f"a {_CARDS[card]} is drawn",
    "value": lambda number: f"the token is a {number}",
}
"""The words for each kind of move; each takes the parts of the move's text."""


def move_in_words(text: str) -> str:
    """Return a move text (K11.2) in words, as what its seat does or what chance shows."""
    verb, *parts = text.split(":")
    return _WORDS[verb](*parts)


class MerchantsFaces:
    """What the rails show of the game (``rails.faces.Faces``)."""

    title, score, period = "Merchants of Europe", "goods", "Turn"
    has_pictures = True

    def period_of(self, game: MerchantsGame) -> int:
        """Return the number of the turn, from 1; 0 during the set-up."""
        state = game.state[0]
        if state["decision"] in (c.DECIDE_POST, c.DECIDE_NEUTRAL, c.DECIDE_START_ROUTE, c.CHANCE_FIRST):
            return 0
        return int(state["rolls"]) + (not state["rolled"] and not game.over)

    def words(self, game: MerchantsGame, action: int) -> str:
        """Return a legal move in words."""
        return move_in_words(game.describe(action))

    def text(self, game: MerchantsGame, seat: int | None = None) -> str:
        """Return the position as lines of text: what ``seat`` may see, all of it for None."""
        return "\n".join(self._lines(game, game.view_position(seat), seat))

    def _lines(self, game: MerchantsGame, seen: dict[str, Any], seat: int | None) -> list[str]:
        where = f"turn {number}" if (number := self.period_of(game)) else "set-up"
        table = f"robber {seen['robber']}; reserve {_counts(seen['reserve'])}, {seen['gold']} gold"
        lines = [f"{self.title}, {game.config.map.id}, {where}", table]
        lines += [_seat_line(number, one, seen) for number, one in enumerate(seen["seats"])]
        if seen["offer"] is not None:
            lines.append(f"Offer: {', '.join(seen['offer']['gives'])} for {', '.join(seen['offer']['wants']) or '...'}")
        return [*lines, decision_text(game) if seat in (None, game.seat) else _waiting(game)]

    def picture(self, game: MerchantsGame, seat: int | None = None, theme: Any = None) -> Any:
        """Return the position as a scene, with its text below the map: what ``seat`` may see, all of it for None."""
        from endeavor_env.merchants.render import draw_board, pieces_seen
        from endeavor_env.merchants.render.palette import LIGHT

        board, seen = game.config.map, game.view_position(seat)
        colours = LIGHT if theme is None else theme
        return draw_board(board, pieces_seen(board, seen), colours, self._lines(game, seen, seat))


def _counts(found: dict[str, int] | int) -> str:
    """Return counts by name as text; a number stands for cards whose kinds cannot be seen."""
    if isinstance(found, int):
        return f"{found} cards"
    return ", ".join(f"{count} {name.replace('_', '-')}" for name, count in found.items() if count) or "nothing"


def _seat_line(number: int, seat: dict[str, Any], seen: dict[str, Any]) -> str:
    """Return what a seat has, as a line."""
    posts = [city + ("*" if city in seen["goods"] else "") for city, owner in seen["posts"].items() if owner == number]
    routes = sum(owner == number for owner in seen["routes"].values())
    cards = seat["cards"] if isinstance(seat["cards"], int) else sum(seat["cards"].values())
    return (
        f"Seat {number}: {seat['delivered']} delivered, {seat['free_goods']} free; hand {_counts(seat['hand'])}; "
        f"{seat['gold']} gold, {cards} development; posts {', '.join(posts)}; {routes} routes; "
        f"caravans {_places(seat['caravans'])}; merchants {_places(seat['merchants'])}"
    )


def _places(found: list[str | None]) -> str:
    """Return where pieces stand that are on the board."""
    return ", ".join(place for place in found if place is not None) or "none"


def _waiting(game: MerchantsGame) -> str:
    """Return that another seat is to move, as a line; its legal moves would show its hand."""
    return decision_text(game) if game.over else f"Seat {game.seat} is to move"
