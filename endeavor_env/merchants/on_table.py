"""The table of Merchants of Europe for people: common things, those of seats, and their uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from endeavor_env.engine.presenter import Explained, Fact
from endeavor_env.errors import counted
from endeavor_env.merchants.choices import offer_in_words, title_of
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets

if TYPE_CHECKING:
    from endeavor_env.merchants.game import MerchantsGame

_PRODUCTS = dict(zip(c.KIND_NAMES, c.RESOURCE_NAMES, strict=True))


def counts_in_words(found: Mapping[str, int] | int) -> str:
    """Return counts by name as text; a number stands for cards whose kinds cannot be seen."""
    if isinstance(found, int):
        return counted(found, "card")
    return ", ".join(_counted(count, name) for name, count in found.items() if count) or "nothing"


def _counted(count: int, name: str) -> str:
    """Return a number of resources, gold or cards; only cards have a plural."""
    return counted(count, name.replace("_", "-")) if name in c.CARD_NAMES else f"{count} {name}"


def facts_of(game: MerchantsGame, seen: Mapping[str, Any]) -> list[Fact]:
    """Return what lies in the middle of the table; ``seen`` is the position as somebody sees it."""
    sea = (f"{kind.replace('_', '-')} {' '.join(map(str, values))}" for kind, values in seen["sea"].items() if values)
    pile = counts_in_words(seen["pile"])
    facts = [
        Fact("Dice", str(last_roll(game)) if seen["has_rolled"] else "not rolled yet"),
        Fact("Offer", offer_in_words(game)),
        Fact("Reserve", f"{counts_in_words(seen['reserve'])}; {seen['gold']} gold"),
        Fact("Development cards", f"{pile} in the pile; played: {counts_in_words(seen['played'])}"),
        Fact("Tokens in the sea", ", ".join(sea) or "none"),
    ]
    return [fact for fact in facts if fact.words]


def last_roll(game: MerchantsGame) -> int:
    """Return what the dice showed last."""
    rolls = (text for who, action in reversed(game.history) if (text := game.move_text(who, action))[:5] == "dice:")
    return int(next(rolls, "dice:0")[5:])


def belongings_of(game: MerchantsGame, owner: int, seen: Mapping[str, Any]) -> list[Fact]:
    """Return what belongs to a seat; ``seen`` is the position as somebody sees it."""
    has = seen["seats"][owner]
    bought = f", with the {seen['bought'].replace('_', '-')} of this turn" if _shows_bought(owner, seen) else ""
    return [
        Fact("Hand", counts_in_words(has["hand"])),
        Fact("Gold", str(has["gold"])),
        Fact("Goods", f"{has['delivered']} delivered, {has['free_goods']} free, {has['stock']} under posts"),
        Fact("Development", counts_in_words(has["cards"]) + bought),
        Fact("In supply", _supply(has)),
    ]


def _shows_bought(owner: int, seen: Mapping[str, Any]) -> bool:
    return bool(seen["bought"]) and owner == seen["mover"]


def free_goods(state: Any, seat: int) -> int:
    """Return how many goods a seat can deliver: one, one more for each post it founded, less those delivered (K8.5)."""
    return 1 + int(state["built"][seat]) - int(state["delivered"][seat])


def _supply(has: Mapping[str, Any]) -> str:
    """Return which pieces of a seat are not on the board."""
    merchants, caravans = (sum(place is None for place in has[kind]) for kind in ("merchants", "caravans"))
    return f"{counted(has['routes'], 'route')}, {counted(merchants, 'merchant')}, {counted(caravans, 'caravan')}"


def sources_of(game: MerchantsGame) -> list[tuple[str, list[int]]]:
    """Return to whose posts each seat delivered its goods (K8.4, K10.2)."""
    state, cities = game.state[0], {name: city for city, name in enumerate(game.board.city_ids)}
    found = {owner: [0] * game.num_players for owner in (*range(game.num_players), c.NEUTRAL)}
    for seat, action in game.history:
        verb, _, city = game.move_text(seat, action).partition(":")
        if verb == "deliver":
            owner = next(owner for owner in found if int(state["posts"][owner]) >> cities[city] & 1)
            found[owner][seat] += 1
    names = {owner: "neutral posts" if owner == c.NEUTRAL else f"posts of {title_of(game, owner)}" for owner in found}
    return [(f"goods at {names[owner]}", counts) for owner, counts in found.items()]


def about(game: MerchantsGame, key: str) -> Explained | None:
    """Return what a place of the map is for; None for places where there is nothing to say."""
    kind, _, name = key.partition(":")
    if kind == "terrain":
        return _about_terrain(game, int(name[1:]))
    if kind == "crossroads":
        return _about_crossroads(game, name)
    return _about_path(game, int(name[1:]))


def why_not(game: MerchantsGame, key: str) -> str | None:
    """Return why the seat to move can do nothing in a place now; None where no rule is to be named."""
    kind, _, name = key.partition(":")
    if int(game.state["decision"][0]) != c.DECIDE_ACTION or kind == "terrain":
        return None
    return _why_not_on_path(game, int(name[1:])) if kind == "path" else _why_not_in(game, name)


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
