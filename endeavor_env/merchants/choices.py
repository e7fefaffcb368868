"""The moves of Merchants of Europe as people choose them: under headings, with places of the map, and the question."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from endeavor_env.engine.players_info import seat_titles
from endeavor_env.engine.presenter import Choice
from endeavor_env.errors import counted
from endeavor_env.merchants.place_names import place_names
from endeavor_env.merchants.rules import constants as c

if TYPE_CHECKING:
    from endeavor_env.merchants.game import MerchantsGame


class _Kind(NamedTuple):
    """Texts for the moves of a verb."""

    heading: str
    phrase: str
    """The whole move; {0} is what it is about."""
    place: str = ""
    """The kind of area that it is about, if its text names one."""


CARDS = {
    "safe_conduct": "Safe-conduct: up to two free routes",
    "trade_treaty": "Trade treaty: 3 gold, or up to seven paths for a merchant",
    "bribe": "Bribe: up to five free steps for a caravan",
    "lancer": "Lancer: move the robber, take 2 gold, steal a card",
}
"""Effects of the development cards (K9.1)."""
_KINDS = {
    "roll": _Kind("", "Roll the dice"),
    "end": _Kind("", "End the turn"),
    "done": _Kind("", "Do no more of it"),
    "stop": _Kind("", "Stop the caravan"),
    "gold": _Kind("", "Take 3 gold"),
    "propose": _Kind("", "Propose the trade"),
    "cancel": _Kind("", "Withdraw the offer"),
    "accept": _Kind("", "Accept the trade"),
    "refuse": _Kind("", "Refuse the trade"),
    "card": _Kind("", "Buy a development card for 1 wool, 1 salt"),
    "play": _Kind("Play a development card", "Play {0}"),
    "buy": _Kind("Buy for 2 gold", "Buy 1 {0} for 2 gold"),
    "bank": _Kind("Trade with the reserve", "Give the reserve {0}"),
    "merchant": _Kind("Recruit a merchant for 1 wool, 1 wheat, 1 wood", "Recruit a merchant in {0}", "crossroads"),
    "caravan": _Kind("Form a caravan for 1 ore, 1 wood, 1 salt", "Form a caravan on {0}", "path"),
    "route": _Kind("Lay a route for 1 ore, 1 wood", "Lay a route on {0}", "path"),
    "lift": _Kind("Take a piece from its place for it", "Take {0} from its place"),
    "walk": _Kind("Send a merchant", "Send {0} on its way"),
    "to": _Kind("Walk to", "Walk to {0}", "crossroads"),
    "drive": _Kind("Drive a caravan", "Drive {0}"),
    "step": _Kind("Drive on to", "Drive on to {0}", "path"),
    "deliver": _Kind("Deliver a good to", "Deliver a good to {0}", "crossroads"),
    "discard": _Kind("Discard", "Discard 1 {0}"),
    "robber": _Kind("Move the robber to", "Move the robber to {0}", "terrain"),
    "steal": _Kind("Steal a card from", "Steal a card from {0}"),
    "token": _Kind("Ask for a token for", "Ask for a token for {0}", "terrain"),
    "take": _Kind("Take the token of", "Take the token of {0}", "terrain"),
    "income": _Kind("Which way pays", "Let the way pay {0}"),
    "post": _Kind("Place a post in", "Place a post in {0}", "crossroads"),
    "neutral": _Kind("Place a neutral post in", "Place a neutral post in {0}", "crossroads"),
    "give": _Kind("Offer to the others", "Offer 1 {0}"),
    "want": _Kind("Ask for in return", "Ask for 1 {0} in return"),
    "partner": _Kind("Trade with", "Trade with {0}"),
}
_FREE_ROUTES = (c.DECIDE_FREE_ROUTE, c.DECIDE_START_ROUTE)
_LIFTS_MERCHANT = (c.DECIDE_LIFT_MERCHANT,)
_QUESTIONS = {
    c.DECIDE_POST: "Set-up: place a post in a brown city",
    c.DECIDE_NEUTRAL: "Set-up: place a neutral post in a violet city",
    c.DECIDE_START_ROUTE: "Set-up: lay a route beside one of your posts, with a caravan on it",
    c.DECIDE_PRODUCTION: "Your turn: roll the dice",
    c.DECIDE_ROBBER: "Move the robber to another terrain with a number",
    c.DECIDE_STEAL: "Choose whom to steal a card from",
    c.DECIDE_ACTION: "Your turn: build, trade, move, deliver, or end it",
    c.DECIDE_LIFT_MERCHANT: "Choose which merchant becomes the new one",
    c.DECIDE_LIFT_CARAVAN: "Choose which caravan becomes the new one",
    c.DECIDE_DESTINATION: "Choose where the merchant walks",
    c.DECIDE_TOKEN: "Choose a terrain that gets a number",
    c.DECIDE_TAKE: "Choose the terrain whose token moves",
    c.DECIDE_INCOME: "Choose the way that pays",
    c.DECIDE_FREE_ROUTE: "Lay a route for nothing, or do no more",
    c.DECIDE_TREATY: "Trade treaty: take 3 gold, or send a merchant",
    c.DECIDE_BRIBE: "Bribe: choose a caravan",
    c.DECIDE_PARTNER: "Choose with whom you trade",
}


def choice_of(game: MerchantsGame, action: int) -> Choice:
    """Return how a legal move is offered (``engine.presenter.Presenter.choice``)."""
    verb, *parts = game.describe(action).split(":")
    kind = _KINDS[verb]
    if not kind.heading:
        return Choice("", kind.phrase, kind.phrase)
    label, key = _label(game, action, verb, parts), None
    if kind.place:
        key = f"{kind.place}:{parts[0]}"
    elif verb in ("walk", "drive", "lift"):
        key = _piece_key(game, verb, int(parts[0]))
    heading = "Lay a route for nothing" if verb == "route" and _decision(game) in _FREE_ROUTES else kind.heading
    about = label.partition(":")[0] if verb == "play" else label
    return Choice(heading, label[:1].upper() + label[1:], kind.phrase.format(about), key)


def question_of(game: MerchantsGame) -> str:
    """Return what the seat to move is asked, as a sentence without a full stop."""
    decision, state = _decision(game), game.state[0]
    if decision == c.DECIDE_DISCARD:
        return f"A seven: discard {counted(int(state['discards'][game.seat]), 'card')}"
    if decision == c.DECIDE_DRIVE:
        steps = int(state["steps"])
        return f"Drive on (steps left: {steps})"
    if decision == c.DECIDE_OFFER:
        return f"Your offer: {offer_in_words(game) or 'nothing yet'}"
    if decision == c.DECIDE_REPLY:
        return f"{title_of(game, int(state['mover']))} offers {offer_in_words(game)}"
    return _QUESTIONS[decision]


def offer_in_words(game: MerchantsGame) -> str:
    """Return the offer that is being made, such as "1 wood for 1 ore"; empty without one."""
    given, wanted = (
        ", ".join(f"{count} {name}" for name, count in zip(c.ITEM_NAMES, counts.tolist(), strict=True) if count)
        for counts in (game.state[0]["gives"], game.state[0]["wants"])
    )
    return f"{given} for {wanted or 'nothing yet'}" if given else ""


def income_in_words(game: MerchantsGame, action: int) -> str:
    """Return what a choice of income pays whom (K6.6)."""
    after = game.clone()
    after.apply(action, draws=False)
    gains = (after.state["gold"][0] - game.state["gold"][0])[: game.num_players].tolist()
    paid = [f"{gain} gold to {title_of(game, seat)}" for seat, gain in enumerate(gains) if gain]
    return ", ".join(paid) or "nothing"


def title_of(game: MerchantsGame, seat: int) -> str:
    """Return what a seat is called."""
    return seat_titles(game.played, game.num_players)[seat]


def preposition(game: MerchantsGame, name: str) -> str:
    """Return how people say that a piece is in a place: in a city, on a path, at another crossroads."""
    return "in" if name in game.board.city_ids else "on" if name[0] == "p" else "at"


def names_place(verb: str) -> bool:
    """Return whether moves of a verb name a place of the map."""
    return bool(_KINDS[verb].place) if verb in _KINDS else False


def place_in_words(game: MerchantsGame, name: str) -> str:
    """Return what people call a city, terrain, path or crossroads, given the text that moves have for it."""
    board = game.board
    words = place_names(board)[name]
    if name in board.city_ids or name[0] != "t":
        return words
    number = int(game.state["numbers"][0, int(name[1:])])
    return f"{words} with {with_article(number)}" if number else words


def with_article(number: int) -> str:
    """Return the number of a token with its article, such as "an 11"."""
    return f"{'an' if number in (8, 11) else 'a'} {number}"


def _decision(game: MerchantsGame) -> int:
    return int(game.state["decision"][0])


def _label(game: MerchantsGame, action: int, verb: str, parts: list[str]) -> str:
    """Return what a move is about."""
    if verb == "play":
        return CARDS[parts[0]]
    if verb == "bank":
        return f"3 {parts[0]} for 1 {parts[1]}"
    if verb == "income":
        return income_in_words(game, action)
    if verb in ("steal", "partner"):
        return title_of(game, int(parts[0]))
    if verb in ("walk", "drive", "lift"):
        _, place = _piece_key(game, verb, int(parts[0])).split(":")
        what = "merchant" if _is_merchant(game, verb) else "caravan"
        return f"the {what} {preposition(game, place)} {place_in_words(game, place)}"
    return place_in_words(game, parts[0]) if _KINDS[verb].place else parts[0]


def _is_merchant(game: MerchantsGame, verb: str) -> bool:
    return verb == "walk" or (verb == "lift" and _decision(game) in _LIFTS_MERCHANT)


def _piece_key(game: MerchantsGame, verb: str, slot: int) -> str:
    """Return the area where a merchant or caravan of the seat to move stands."""
    if _is_merchant(game, verb):
        return f"crossroads:{game.board.crossroads_name(int(game.state['merchants'][0, game.seat, slot]))}"
    return f"path:p{int(game.state['caravans'][0, game.seat, slot])}"
