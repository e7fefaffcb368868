"""What people see of Merchants of Europe: positions as text, and moves in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from endeavor_env.engine.presenter import Choice, Explained, Fact, Piece, Presenter, decision_text
from endeavor_env.errors import counted
from endeavor_env.merchants import on_table
from endeavor_env.merchants.choices import (
    choice_of,
    income_in_words,
    names_place,
    place_in_words,
    preposition,
    question_of,
    title_of,
    with_article,
)
from endeavor_env.merchants.on_table import counts_in_words
from endeavor_env.merchants.rules import constants as c

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
    "buy": lambda resource: f"buys 1 {resource} for 2 gold",
    "bank": lambda give, get: f"gives the reserve 3 {give} for 1 {get}",
    "merchant": lambda city: f"recruits a merchant in {city}",
    "caravan": lambda path: f"forms a caravan on {path}",
    "route": lambda path: f"lays a route on {path}",
    "to": lambda place: f"walks to {place}",
    "step": lambda path: f"drives on to {path}",
    "stop": lambda: "stops the caravan",
    "deliver": lambda city: f"delivers a good to {city}",
    "discard": lambda resource: f"discards 1 {resource}",
    "robber": lambda terrain: f"moves the robber to {terrain}",
    "token": lambda terrain: f"asks for a token for {terrain}",
    "take": lambda terrain: f"takes the token of {terrain}",
    "gold": lambda: "takes 3 gold",
    "post": lambda city: f"places a post in {city}",
    "neutral": lambda city: f"places a neutral post in {city}",
    "give": lambda item: f"offers 1 {item}",
    "want": lambda item: f"asks for 1 {item} in return",
    "propose": lambda: "proposes the trade",
    "cancel": lambda: "withdraws the offer",
    "accept": lambda: "accepts the trade",
    "refuse": lambda: "refuses the trade",
    "dice": lambda number: f"the dice show {number}",
    "stolen": lambda resource: f"{resource} is stolen",
    "drawn": lambda card: f"a {_CARDS[card]} is drawn",
    "value": lambda number: f"the token is {with_article(int(number))}",
}
"""The words of moves that do not depend on seats or pieces; each takes the parts of the move's text."""

HIDDEN = "?"
"""Stands for an outcome that somebody did not see."""
_HIDDEN_WORDS = {"stolen": "a card is stolen", "drawn": "a development card is drawn"}
_OF_PIECES = {
    "walk": "sends a merchant on its way",
    "drive": "drives a caravan",
    "lift": "takes a piece from its place",
}
_OF_SEATS = {"steal": "steals a card from {0}", "partner": "trades with {0}", "first": "{0} begins"}


class MerchantsPresenter(Presenter):
    """What people see of the game: text, map, and moves in words."""

    has_pictures = True

    def __init__(self) -> None:
        """Name the game, its goods and its turns."""
        super().__init__("Merchants of Europe", "goods", "Turn")

    def period_of(self, game: MerchantsGame) -> int:
        """Return the number of the turn, from 1; 0 during the set-up."""
        state = game.state[0]
        if state["decision"] in (c.DECIDE_POST, c.DECIDE_NEUTRAL, c.DECIDE_START_ROUTE, c.CHANCE_FIRST):
            return 0
        return int(state["rolls"]) + (not state["rolled"] and not game.over)

    def words(self, game: MerchantsGame, action: int) -> str:
        """Return a legal move in words."""
        return self.told(game, game.describe(action))

    def text(self, game: MerchantsGame, seat: int | None = None) -> str:
        """Return the position as lines of text: what ``seat`` may see, all of it for None."""
        return "\n".join(self._lines(game, game.view_position(seat), seat))

    def _lines(self, game: MerchantsGame, seen: dict[str, Any], seat: int | None) -> list[str]:
        where = f"turn {number}" if (number := self.period_of(game)) else "set-up"
        table = (
            f"robber on {_place(game, seen['robber'])}; reserve {counts_in_words(seen['reserve'])}, {seen['gold']} gold"
        )
        lines = [f"{self.title}, {game.board.id}, {where}", table]
        lines += [_seat_line(game, number, one, seen) for number, one in enumerate(seen["seats"])]
        if seen["offer"] is not None:
            lines.append(f"Offer: {', '.join(seen['offer']['gives'])} for {', '.join(seen['offer']['wants']) or '...'}")
        return [*lines, decision_text(game) if seat in (None, game.seat) else _waiting(game)]

    def picture(self, game: MerchantsGame, seat: int | None = None, theme: Any = None) -> Any:
        """Return the position as a scene, with its text below the map: what ``seat`` may see, all of it for None."""
        from endeavor_env.merchants.drawing import LIGHT, draw_board, pieces_seen

        board, seen = game.board, game.view_position(seat)
        colours = LIGHT if theme is None else theme
        return draw_board(board, pieces_seen(board, seen), colours, self._lines(game, seen, seat))

    # --- for play on a page ------------------------------------------------------------------------------------------
    def map_picture(self, game: MerchantsGame, seat: int | None = None, theme: Any = None) -> Any:
        """Return the map with its legend as a scene."""
        from endeavor_env.merchants.drawing import LIGHT, draw_board, pieces_seen

        board = game.board
        return draw_board(board, pieces_seen(board, game.view_position(seat)), LIGHT if theme is None else theme)

    def piece(self, seat: int) -> Piece:
        """Return how the pieces of a seat look on the map."""
        from endeavor_env.merchants.drawing import PIECES

        return PIECES[seat]

    def choice(self, game: MerchantsGame, action: int) -> Choice:
        """Return how a legal move is offered."""
        return choice_of(game, action)

    def question(self, game: MerchantsGame) -> str:
        """Return what the seat to move is asked."""
        return question_of(game)

    def told(self, game: MerchantsGame, text: str) -> str:
        """Return a move that is about to be made in words, as somebody was told of it (K14)."""
        verb, _, about = text.partition(":")
        if about == HIDDEN:
            return _HIDDEN_WORDS[verb]
        if verb == "income":
            return f"lets the way pay {income_in_words(game, game.encode(text))}"
        if verb in _OF_SEATS:
            return _OF_SEATS[verb].format(title_of(game, int(about)))
        if verb in _OF_PIECES:
            return _OF_PIECES[verb]
        return _WORDS[verb](*([place_in_words(game, about)] if names_place(verb) else text.split(":")[1:]))

    def turn_note(self, game: MerchantsGame) -> str:
        """Return what the dice show in this turn."""
        return f"dice {on_table.last_roll(game)}" if game.state["rolled"][0] else ""

    def facts(self, game: MerchantsGame, seat: int | None = None) -> Sequence[Fact]:
        """Return the dice, an offer, and what is in supply."""
        return on_table.facts_of(game, game.view_position(seat))

    def belongings(self, game: MerchantsGame, owner: int, seat: int | None = None) -> Sequence[Fact]:
        """Return hand, gold, goods, development cards and pieces of a seat."""
        return on_table.belongings_of(game, owner, game.view_position(seat))

    def sources(self, game: MerchantsGame) -> Sequence[tuple[str, list[int]]]:
        """Return to whose posts goods were delivered."""
        return on_table.sources_of(game)

    def about(self, game: MerchantsGame, key: str) -> Explained | None:
        """Return what a place of the map is for."""
        return on_table.about(game, key)

    def why_not(self, game: MerchantsGame, key: str) -> str | None:
        """Return why the seat to move can do nothing in a place of the map."""
        return on_table.why_not(game, key)


def _seat_line(game: MerchantsGame, number: int, seat: dict[str, Any], seen: dict[str, Any]) -> str:
    """Return what a seat has, as a line."""
    posts = [
        place_in_words(game, city) + ("*" if city in seen["goods"] else "")
        for city, owner in seen["posts"].items()
        if owner == number
    ]
    routes = sum(owner == number for owner in seen["routes"].values())
    hand = counts_in_words(seat["hand"])
    cards = seat["cards"] if isinstance(seat["cards"], int) else sum(seat["cards"].values())
    return (
        f"Seat {number}: {seat['delivered']} delivered, {seat['free_goods']} free; hand {hand}; "
        f"{seat['gold']} gold, {counted(cards, 'development card')}; posts {', '.join(posts) or 'none'}; "
        f"{counted(routes, 'route')}; caravans {_places(game, seat['caravans'])}; "
        f"merchants {_places(game, seat['merchants'])}"
    )


def _places(game: MerchantsGame, found: list[str | None]) -> str:
    """Return where pieces stand that are on the board."""
    return ", ".join(f"{preposition(game, one)} {_place(game, one)}" for one in found if one is not None) or "none"


def _place(game: MerchantsGame, name: str) -> str:
    """Return the name of a place, behind it the one that moves have for it, where that is another."""
    words = place_in_words(game, name)
    return words if name in game.board.city_ids else f"{words} ({name})"


def _waiting(game: MerchantsGame) -> str:
    """Return that another seat is to move, as a line; its legal moves would show its hand."""
    return decision_text(game) if game.over else f"Seat {game.seat} is to move"
