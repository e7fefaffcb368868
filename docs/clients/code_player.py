"""A player as code: ``endeavor arena code:docs/clients/code_player.py random random random`` runs it against others.

``act`` gets what ``TextTable.message`` returns and answers with one of its legal moves. It occupies,
sails and attacks as soon as it can, builds what lets it do so, and draws the best card that it may keep.
"""

BUILDINGS = ["shipyard", "market", "guild_hall", "barracks", "cartographer", "fortress", "dock", "workshop"]
"""What it builds, the best first; behind them whatever is dearest."""
ACTIONS = ["occupy", "sail", "attack", "draw", "pay"]
"""What it does in its turn, the best first."""
DOES = {
    "colonial_house": "occupy", "shipyard": "sail", "barracks": "attack", "guild_hall": "draw", "market": "occupy",
    "cartographer": "sail", "fortress": "attack", "dock": "sail", "university": "draw", "bank": "pay",
}  # fmt: skip
"""What buildings are activated for."""


def act(message):
    """Return the best move by a few rules of thumb."""
    position = message["position"]
    return max(message["legal_moves"], key=lambda move: worth(move, position))


def worth(move, position):
    """Return how good a move looks."""
    verb, _, target = move.partition(":")
    if verb == "build":
        return -BUILDINGS.index(target) if target in BUILDINGS else -len(BUILDINGS)
    if verb in ("activate", "spend"):
        does = DOES.get(target, "pay") if verb == "activate" else target.split("_")[0]
        return 10 - ACTIONS.index(does) + (verb == "spend") / 2
    if verb == "occupy":
        return 20 + neighbours(target, position)
    if verb == "sail":
        region = next(one for one in position["regions"] if one["id"] == target)
        return 10 + region["next"]
    return {"draw": 8, "attack": 5, "pay": 4, "done": -1, "pass": -20}.get(verb, 0)


def neighbours(city, position):
    """Return how many connections of a city lead to cities of the own seat."""
    owners = {one["id"]: one["owner"] for one in position["cities"]}
    ends = [one["id"].split("--") for one in position["connections"]]
    others = [second if first == city else first for first, second in ends if city in (first, second)]
    return sum(owners.get(other) == position["seat"] for other in others)
