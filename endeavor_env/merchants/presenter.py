"""What people see of Merchants of Europe: positions as text, moves in words and as choices, and the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from endeavor_env.engine.players_info import seat_titles
from endeavor_env.engine.presenter import Choice, Explained, Fact, Piece, Presenter, decision_text
from endeavor_env.errors import counted
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets
from endeavor_env.merchants.views import free_goods
from endeavor_env.merchants.words import place_names

if TYPE_CHECKING:
    from endeavor_env.merchants.game import MerchantsGame

# --- Moves in words --------------------------------------------------------------------------------------------------


class _Kind(NamedTuple):
    """Texts for the moves of a verb."""

    heading: str
    phrase: str
    """The whole move as a request; {0} is what it is about."""
    place: str = ""
    """The kind of area that it is about, if its text names one."""
    told: str = ""
    """The move as what its seat does, where that is more than the request in the third person; {0} as above."""


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
    "card": _Kind("", "Buy a development card for 1 wool, 1 salt", told="buys a development card"),
    "play": _Kind("Play a development card", "Play {0}", told="plays a {0}"),
    "buy": _Kind("Buy for 2 gold", "Buy 1 {0} for 2 gold"),
    "bank": _Kind("Trade with the reserve", "Give the reserve {0}"),
    "merchant": _Kind("Recruit a merchant for 1 wool, 1 wheat, 1 wood", "Recruit a merchant in {0}", "crossroads"),
    "caravan": _Kind("Form a caravan for 1 ore, 1 wood, 1 salt", "Form a caravan on {0}", "path"),
    "route": _Kind("Lay a route for 1 ore, 1 wood", "Lay a route on {0}", "path"),
    "lift": _Kind("Take a piece from its place for it", "Take {0} from its place", told="takes a piece from its place"),
    "walk": _Kind("Send a merchant", "Send {0} on its way", told="sends a merchant on its way"),
    "to": _Kind("Walk to", "Walk to {0}", "crossroads"),
    "drive": _Kind("Drive a caravan", "Drive {0}", told="drives a caravan"),
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
_OF_PIECES = ("walk", "drive", "lift")
"""Verbs of moves that begin with a piece of the mover."""
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
_OUTCOMES = {
    "first": "{0} begins",
    "dice": "the dice show {0}",
    "stolen": "{0} is stolen",
    "drawn": "a {0} is drawn",
    "value": "the token is {0}",
}
"""What chance decides, in words; {0} as for moves."""
HIDDEN = "?"
"""Stands for an outcome that somebody did not see."""
_HIDDEN_WORDS = {"stolen": "a card is stolen", "drawn": "a development card is drawn"}


def _third_person(request: str) -> str:
    """Return a request as what somebody does, such as "lays a route" for "Lay a route"."""
    verb, _, rest = request.partition(" ")
    return f"{verb.lower()}{'es' if verb == 'Do' else 's'} {rest}"


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
        reserve = f"{_counts_in_words(seen['reserve'])}, {seen['gold']} gold"
        table = f"robber on {_place(game, seen['robber'])}; reserve {reserve}"
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
        verb, *parts = game.describe(action).split(":")
        kind = _KINDS[verb]
        if not kind.heading:
            return Choice("", kind.phrase, kind.phrase)
        label, key = _label(game, action, verb, parts), None
        if kind.place:
            key = f"{kind.place}:{parts[0]}"
        elif verb in _OF_PIECES:
            key = _piece_key(game, verb, int(parts[0]))
        heading = "Lay a route for nothing" if verb == "route" and _decision(game) in _FREE_ROUTES else kind.heading
        about = label.partition(":")[0] if verb == "play" else label
        return Choice(heading, label[:1].upper() + label[1:], kind.phrase.format(about), key)

    def question(self, game: MerchantsGame) -> str:
        """Return what the seat to move is asked, as a sentence without a full stop."""
        decision, state = _decision(game), game.state[0]
        if decision == c.DECIDE_DISCARD:
            return f"A seven: discard {counted(int(state['discards'][game.seat]), 'card')}"
        if decision == c.DECIDE_DRIVE:
            return f"Drive on (steps left: {int(state['steps'])})"
        if decision == c.DECIDE_OFFER:
            return f"Your offer: {_offer_in_words(game) or 'nothing yet'}"
        if decision == c.DECIDE_REPLY:
            return f"{_title_of(game, int(state['mover']))} offers {_offer_in_words(game)}"
        return _QUESTIONS[decision]

    def told(self, game: MerchantsGame, text: str) -> str:
        """Return a move that is about to be made in words, as somebody was told of it (K14)."""
        verb, _, about = text.partition(":")
        if about == HIDDEN:
            return _HIDDEN_WORDS[verb]
        words = _OUTCOMES.get(verb) or _KINDS[verb].told or _third_person(_KINDS[verb].phrase)
        return words.format(_about_move(game, text))

    def turn_note(self, game: MerchantsGame) -> str:
        """Return what the dice show in this turn."""
        return f"dice {_last_roll(game)}" if game.state["rolled"][0] else ""

    def facts(self, game: MerchantsGame, seat: int | None = None) -> Sequence[Fact]:
        """Return the dice, an offer, and what is in supply."""
        seen = game.view_position(seat)
        sea = (
            f"{kind.replace('_', '-')} {' '.join(map(str, values))}" for kind, values in seen["sea"].items() if values
        )
        pile = _counts_in_words(seen["pile"])
        facts = [
            Fact("Dice", str(_last_roll(game)) if seen["has_rolled"] else "not rolled yet"),
            Fact("Offer", _offer_in_words(game)),
            Fact("Reserve", f"{_counts_in_words(seen['reserve'])}; {seen['gold']} gold"),
            Fact("Development cards", f"{pile} in the pile; played: {_counts_in_words(seen['played'])}"),
            Fact("Tokens in the sea", ", ".join(sea) or "none"),
        ]
        return [fact for fact in facts if fact.words]

    def belongings(self, game: MerchantsGame, owner: int, seat: int | None = None) -> Sequence[Fact]:
        """Return hand, gold, goods, development cards and pieces of a seat."""
        seen = game.view_position(seat)
        has, shows_bought = seen["seats"][owner], seen["bought"] and owner == seen["mover"]
        bought = f", with the {_card_name(seen['bought'])} of this turn" if shows_bought else ""
        return [
            Fact("Hand", _counts_in_words(has["hand"])),
            Fact("Gold", str(has["gold"])),
            Fact("Goods", f"{has['delivered']} delivered, {has['free_goods']} free, {has['stock']} under posts"),
            Fact("Development", _counts_in_words(has["cards"]) + bought),
            Fact("In supply", _supply(has)),
        ]

    def sources(self, game: MerchantsGame) -> Sequence[tuple[str, list[int]]]:
        """Return to whose posts each seat delivered its goods (K8.4, K10.2)."""
        state, cities = game.state[0], {name: city for city, name in enumerate(game.board.city_ids)}
        found = {owner: [0] * game.num_players for owner in (*range(game.num_players), c.NEUTRAL)}
        for seat, action in game.history:
            verb, _, city = game.move_text(seat, action).partition(":")
            if verb == "deliver":
                owner = next(owner for owner in found if int(state["posts"][owner]) >> cities[city] & 1)
                found[owner][seat] += 1
        names = {
            owner: "neutral posts" if owner == c.NEUTRAL else f"posts of {_title_of(game, owner)}" for owner in found
        }
        return [(f"goods at {names[owner]}", counts) for owner, counts in found.items()]

    def about(self, game: MerchantsGame, key: str) -> Explained | None:
        """Return what a place of the map is for; None for places where there is nothing to say."""
        kind, _, name = key.partition(":")
        if kind == "terrain":
            return _about_terrain(game, int(name[1:]))
        return _about_crossroads(game, name) if kind == "crossroads" else _about_path(game, int(name[1:]))

    def why_not(self, game: MerchantsGame, key: str) -> str | None:
        """Return why the seat to move can do nothing in a place now; None where no rule is to be named."""
        kind, _, name = key.partition(":")
        if _decision(game) != c.DECIDE_ACTION or kind == "terrain":
            return None
        return _why_not_on_path(game, int(name[1:])) if kind == "path" else _why_not_in(game, name)


# --- Positions as text -----------------------------------------------------------------------------------------------


def _seat_line(game: MerchantsGame, number: int, seat: dict[str, Any], seen: dict[str, Any]) -> str:
    """Return what a seat has, as a line."""
    posts = [
        place_in_words(game, city) + ("*" if city in seen["goods"] else "")
        for city, owner in seen["posts"].items()
        if owner == number
    ]
    routes = sum(owner == number for owner in seen["routes"].values())
    hand = _counts_in_words(seat["hand"])
    cards = seat["cards"] if isinstance(seat["cards"], int) else sum(seat["cards"].values())
    return (
        f"Seat {number}: {seat['delivered']} delivered, {seat['free_goods']} free; hand {hand}; "
        f"{seat['gold']} gold, {counted(cards, 'development card')}; posts {', '.join(posts) or 'none'}; "
        f"{counted(routes, 'route')}; caravans {_places(game, seat['caravans'])}; "
        f"merchants {_places(game, seat['merchants'])}"
    )


def _places(game: MerchantsGame, found: list[str | None]) -> str:
    """Return where pieces stand that are on the board."""
    return ", ".join(f"{_preposition(game, one)} {_place(game, one)}" for one in found if one is not None) or "none"


def _place(game: MerchantsGame, name: str) -> str:
    """Return the name of a place, behind it the one that moves have for it, where that is another."""
    words = place_in_words(game, name)
    return words if name in game.board.city_ids else f"{words} ({name})"


def _waiting(game: MerchantsGame) -> str:
    """Return that another seat is to move, as a line; its legal moves would show its hand."""
    return decision_text(game) if game.over else f"Seat {game.seat} is to move"


# --- Parts of moves in words -----------------------------------------------------------------------------------------


def _offer_in_words(game: MerchantsGame) -> str:
    """Return the offer that is being made, such as "1 wood for 1 ore"; empty without one."""
    given, wanted = (
        ", ".join(f"{count} {name}" for name, count in zip(c.ITEM_NAMES, counts.tolist(), strict=True) if count)
        for counts in (game.state[0]["gives"], game.state[0]["wants"])
    )
    return f"{given} for {wanted or 'nothing yet'}" if given else ""


def _income_in_words(game: MerchantsGame, action: int) -> str:
    """Return what a choice of income pays whom (K6.6)."""
    after = game.clone()
    after.apply(action, draws=False)
    gains = (after.state["gold"][0] - game.state["gold"][0])[: game.num_players].tolist()
    paid = [f"{gain} gold to {_title_of(game, seat)}" for seat, gain in enumerate(gains) if gain]
    return ", ".join(paid) or "nothing"


def _title_of(game: MerchantsGame, seat: int) -> str:
    """Return what a seat is called."""
    return seat_titles(game.played, game.num_players)[seat]


def _preposition(game: MerchantsGame, name: str) -> str:
    """Return how people say that a piece is in a place: in a city, on a path, at another crossroads."""
    return "in" if name in game.board.city_ids else "on" if name[0] == "p" else "at"


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


def _about_move(game: MerchantsGame, text: str) -> str:
    """Return what a move or an outcome is about, in words that tell no more than its text."""
    verb, *parts = text.split(":")
    if verb in _OF_PIECES or not parts:
        return ""
    if verb == "bank":
        return f"3 {parts[0]} for 1 {parts[1]}"
    if verb == "income":
        return _income_in_words(game, game.encode(text))
    if verb in ("steal", "partner", "first"):
        return _title_of(game, int(parts[0]))
    if verb in ("play", "drawn"):
        return _card_name(parts[0])
    if verb == "value":
        return with_article(int(parts[0]))
    return place_in_words(game, parts[0]) if verb in _KINDS and _KINDS[verb].place else parts[0]


def _label(game: MerchantsGame, action: int, verb: str, parts: list[str]) -> str:
    """Return what a move is about, as the seat that may make it knows it."""
    if verb == "play":
        return CARDS[parts[0]]
    if verb in _OF_PIECES:
        _, place = _piece_key(game, verb, int(parts[0])).split(":")
        what = "merchant" if _is_merchant(game, verb) else "caravan"
        return f"the {what} {_preposition(game, place)} {place_in_words(game, place)}"
    return _about_move(game, game.describe(action))


def _is_merchant(game: MerchantsGame, verb: str) -> bool:
    return verb == "walk" or (verb == "lift" and _decision(game) in _LIFTS_MERCHANT)


def _piece_key(game: MerchantsGame, verb: str, slot: int) -> str:
    """Return the area where a merchant or caravan of the seat to move stands."""
    if _is_merchant(game, verb):
        return f"crossroads:{game.board.crossroads_name(int(game.state['merchants'][0, game.seat, slot]))}"
    return f"path:p{int(game.state['caravans'][0, game.seat, slot])}"


# --- What lies on the table, and why nothing can be done in a place ---------------------------------------------------
_PRODUCTS = dict(zip(c.KIND_NAMES, c.RESOURCE_NAMES, strict=True))


def _counts_in_words(found: Mapping[str, int] | int) -> str:
    """Return counts by name as text; a number stands for cards whose kinds cannot be seen."""
    if isinstance(found, int):
        return counted(found, "card")
    return ", ".join(_counted(count, name) for name, count in found.items() if count) or "nothing"


def _card_name(card: str) -> str:
    """Return the name of a development card for people."""
    return CARDS[card].partition(":")[0].lower()


def _counted(count: int, name: str) -> str:
    """Return a number of resources, gold or cards; only cards have a plural."""
    return counted(count, _card_name(name)) if name in c.CARD_NAMES else f"{count} {name}"


def _last_roll(game: MerchantsGame) -> int:
    """Return what the dice showed last."""
    rolls = (text for who, action in reversed(game.history) if (text := game.move_text(who, action))[:5] == "dice:")
    return int(next(rolls, "dice:0")[5:])


def _supply(has: Mapping[str, Any]) -> str:
    """Return which pieces of a seat are not on the board."""
    merchants, caravans = (sum(place is None for place in has[kind]) for kind in ("merchants", "caravans"))
    return f"{counted(has['routes'], 'route')}, {counted(merchants, 'merchant')}, {counted(caravans, 'caravan')}"


def _why_not_on_path(game: MerchantsGame, path: int) -> str:
    """Return why no piece can be put on a path; a route of one's own may have the place for a caravan."""
    state, seat = game.state[0], game.seat
    if _has_path(state["routes"][seat], path):
        return "A caravan costs 1 ore, 1 wood and 1 salt, on a route of yours beside your post with room for it (K6.1)."
    if any(_has_path(routes, path) for routes in state["routes"]):
        return "There is a route already (K6.4)."
    if not _has_path(state["near"][seat], path):
        return "Neither a post nor a route of yours lies beside it (K6.4)."
    return "A route costs 1 ore and 1 wood (K6.1)."


def _has_path(paths: Any, path: int) -> bool:
    """Return whether a path is in a set of paths."""
    word, place = divmod(path, sets.PATH_BITS)
    return bool(int(paths[word]) >> place & 1)


def _why_not_in(game: MerchantsGame, name: str) -> str | None:
    """Return why nothing can be done in a city."""
    owner, state = _owner_of(game, name), game.state[0]
    if owner is None:
        return "Only a merchant of yours who walks here founds a post (K7.3)."
    if owner == game.seat:
        return "A merchant costs 1 wool, 1 wheat and 1 wood, where none stands yet (K6.1)."
    if int(state["goods"]) >> game.board.city_ids.index(name) & 1:
        return None
    free = free_goods(state, game.seat)
    return "You have no free good (K8.5)." if not free else "No caravan of yours stands beside it (K8.4)."


def _owner_of(game: MerchantsGame, name: str) -> int | None:
    """Return whose post stands in a city; None for nobody's."""
    city, posts = game.board.city_ids.index(name), game.state["posts"][0]
    return next((owner for owner in range(c.NUM_OWNERS) if int(posts[owner]) >> city & 1), None)


def _about_terrain(game: MerchantsGame, terrain: int) -> Explained:
    kind, number = c.KIND_NAMES[game.board.terrain_kind[terrain]], int(game.state["numbers"][0, terrain])
    if int(game.state["robber"][0]) == terrain:
        return Explained("The robber stands here: nothing is produced until he moves.", "K4.6")
    if not number:
        return Explained(
            f"Yields no {_PRODUCTS[kind]} before it has a token: founding a post beside it gives one.", "K7.5"
        )
    return Explained(f"A roll of {number} yields 1 {_PRODUCTS[kind]} to each post beside it.", "K4.4")


def _about_crossroads(game: MerchantsGame, name: str) -> Explained | None:
    board, state = game.board, game.state[0]
    if name not in board.city_ids:
        return None
    city = board.city_ids.index(name)
    if _owner_of(game, name) is None:
        gold = f", and its {board.city_gold[city]} gold" if board.city_gold[city] else ""
        return Explained(f"A merchant who ends here founds a post: a good becomes free{gold}.", "K7.3, K7.4")
    if int(state["goods"]) >> city & 1:
        return Explained("The post has its good: no other can be delivered here.", "K8.4")
    return Explained("A caravan of another colour beside the post can deliver a good here.", "K8.4")


def _about_path(game: MerchantsGame, path: int) -> Explained | None:
    state, arrow = game.state[0], bool(game.board.path_arrow[path])
    if any(_has_path(routes, path) for routes in state["routes"]):
        return Explained("Caravans drive on routes; that of an opponent costs 1 gold a turn.", "K8.1, K8.3")
    if arrow:
        return Explained("A route on a double arrow gives a free one beside it.", "K6.7")
    return None
